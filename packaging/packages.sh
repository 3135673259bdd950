# The Debian packages of the project. No other file lists them.
# shellcheck shell=bash disable=SC2034

# For building and running both programs. ccache halves every build but the first. Icons, fonts and the Wayland platform
# are loaded at run time, so no other package depends on them.
build_packages=(
    g++ cmake ninja-build pkg-config ccache
    libeigen3-dev libfmt-dev libexpected-dev libfast-float-dev nlohmann-json3-dev libcli11-dev
    libopenblas-dev libtbb-dev libhwy-dev libboost-dev librandom123-dev
    libarchive-dev zlib1g-dev liblzma-dev libssl-dev libicu-dev libfasttext-dev liblinear-dev
    qt6-base-dev qt6-svg-dev libqcustomplot-dev
    libqt6svg6 qt6-wayland fonts-dejavu-core shared-mime-info
)

# Additional packages for tests and checks. clang and its run-time library build the sanitized programs
# and the fuzz targets; llvm has the symbolizer that names functions in sanitizer reports and
# suppressions; lld links the test programs; strace shows that no program opens a network connection;
# pdftotext (poppler-utils) reads the text of a PDF; epsilens-mpi is built where there is an MPI.
test_packages=(
    catch2 clang-format clang-tidy locales git
    libopenmpi-dev openmpi-bin
    clang libclang-rt-14-dev llvm lld strace parallel appstream desktop-file-utils poppler-utils
)

# Additional packages for package.sh: dpkg-shlibdeps, which finds the packages of linked libraries, and the MPI of
# epsilens-mpi.
package_packages=(dpkg-dev libopenmpi-dev openmpi-bin)

# Additional packages for check-packages.sh, on the machine itself and in the new Debian that it sets up.
check_packages=(debootstrap lintian appstream)
checked_root_packages=(man-db bash-completion xvfb xdotool python3-numpy python3-matplotlib)
