# Packages made by CPack: .deb files, one for each program and one for what they share, and an archive of everything that
# works in any folder. packaging/package.sh builds them, and packs the archive again.
set(CPACK_PACKAGE_NAME epsilens)
set(CPACK_PACKAGE_VENDOR "The Epsilens contributors")
set(EPSILENS_PACKAGER "The Epsilens contributors <packager@epsilens.example>" CACHE STRING
    "Maintainer named in the packages, with an address")
set(CPACK_PACKAGE_CONTACT "${EPSILENS_PACKAGER}")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/packages")
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_SOURCE_DIR}/packaging/cmake/finish_package.cmake")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)

set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

# epsilens_package(component package summary description): a .deb from a component.
macro(epsilens_package component package summary)
    string(TOUPPER ${component} upper)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${ARGN}")
endmacro()

set(CPACK_COMPONENTS_ALL)
epsilens_package(common epsilens-common "privacy parameter of text: licences and documents"
    "Epsilens shows what a value of epsilon does to real words under metric\n"
    "differential privacy. This package has what its programs share.")
set(CPACK_DEBIAN_COMMON_PACKAGE_ARCHITECTURE all)
epsilens_package(cli epsilens-cli "privacy parameter of text: command line"
    "Epsilens shows what a value of epsilon does to real words under metric\n"
    "differential privacy: it calibrates a mechanism on a word embedding and\n"
    "releases texts. This program needs no display.")
set(CPACK_DEBIAN_CLI_PACKAGE_DEPENDS "epsilens-common (= ${version})")
if(BUILD_MPI)
    epsilens_package(mpi epsilens-mpi "privacy parameter of text: command line for clusters"
        "Epsilens shows what a value of epsilon does to real words under metric\n"
        "differential privacy. This program shares a calibration among the\n"
        "processes of an MPI job.")
    # Open MPI starts a helper of its own even for a single process.
    set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "epsilens-common (= ${version}), openmpi-bin")
endif()
if(BUILD_GUI)
    epsilens_package(gui epsilens "privacy parameter of text: desktop application"
        "Epsilens shows what a value of epsilon does to real words under metric\n"
        "differential privacy: sampled sentences, curves of how often words are\n"
        "kept, and the guarantee in odds.")
    # Icons are read by a plugin, which no linked library names.
    set(CPACK_DEBIAN_GUI_PACKAGE_DEPENDS "epsilens-common (= ${version}), libqt6svg6")
    set(CPACK_DEBIAN_GUI_PACKAGE_RECOMMENDS "epsilens-cli (= ${version}), qt6-wayland, fonts-dejavu-core")
endif()
include(CPack)
