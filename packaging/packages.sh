# The Debian packages of the project; no other file names them.
# shellcheck shell=bash disable=SC2034

# For building and running both programs. Charts are not found without libqt6opengl6-dev; icons, fonts
# and the Wayland platform are loaded while running, so no other package brings them.
build_packages=(
    g++ cmake ninja-build pkg-config
    libeigen3-dev libfmt-dev libexpected-dev libfast-float-dev nlohmann-json3-dev libcli11-dev
    libopenblas-dev libtbb-dev libhwy-dev libboost-dev librandom123-dev
    libarchive-dev zlib1g-dev liblzma-dev libzstd-dev libssl-dev libicu-dev
    qt6-base-dev qt6-charts-dev libqt6opengl6-dev qt6-svg-dev libqcustomplot-dev
    libqt6svg6 qt6-wayland fonts-dejavu-core shared-mime-info
)

# For the tests and checks, on top of those. clang with its run-time library builds the sanitized
# programs and drives the fuzz targets, llvm has the symbolizer that gives the sanitizers' reports and
# suppressions the names of functions, lld links the many test programs, strace shows that no program
# opens a network connection, pdftotext (poppler-utils) what a PDF says.
test_packages=(
    catch2 libfasttext-dev clang-format clang-tidy locales git
    clang libclang-rt-14-dev llvm lld strace appstream desktop-file-utils poppler-utils
)
