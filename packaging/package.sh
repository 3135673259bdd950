#!/bin/bash
# Builds the packages: .deb files and a .tar.xz, in build-release/packages or the folder of --output.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"

usage() {
    cat <<'END_OF_USAGE'
usage: packaging/package.sh [--output FOLDER]
  SOURCE_DATE_EPOCH, or else the time of the last commit, is the time of all files in the packages; the same
  source, compiler and time give equal packages.
END_OF_USAGE
}

folder=
while (($# > 0)); do
    case $1 in
    --output)
        (($# > 1)) || { usage >&2 && exit 2; }
        folder=$2
        shift
        ;;
    -h | --help)
        usage
        exit
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    shift
done

install_packages "${build_packages[@]}" "${package_packages[@]}"
: "${SOURCE_DATE_EPOCH:=$(git -C "$project_root" log -1 --format=%ct 2>/dev/null || stat -c %Y "$project_root/CMakeLists.txt")}"
export SOURCE_DATE_EPOCH
# The modes of the installed files shall not depend on who builds.
umask 022
configure build-release release -DBUILD_MPI=ON || fail "configuring the build failed"
build build-release || fail "the build failed"
packages=$project_root/build-release/packages
rm -rf "$packages"
(cd "$project_root/build-release" && cpack) >"$project_root/build-release/cpack.log" 2>&1 ||
    { tail -n 20 "$project_root/build-release/cpack.log" >&2 && fail "the packages could not be made"; }
rm -rf "$packages/_CPack_Packages"
# The archive of CPack names the user who built it. The programs hold the same sample, which xz stores once.
archive=$(basename "$packages"/*.tar.gz .tar.gz)
(
    cd "$packages"
    mkdir unpacked
    tar -xzf "$archive.tar.gz" -C unpacked
    mv "unpacked/$archive/usr" "unpacked/$archive.new"
    rm -r "unpacked/$archive" "$archive.tar.gz"
    mv "unpacked/$archive.new" "unpacked/$archive"
    tar -C unpacked --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu -cf - "$archive" |
        xz -9 --threads=1 >"$archive.tar.xz"
    rm -r unpacked
)
if [[ -n $folder ]]; then
    mkdir -p "$folder"
    cp "$packages"/* "$folder"
    packages=$folder
fi
(cd "$packages" && sha256sum -- *)
