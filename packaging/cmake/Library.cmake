# The numeric library for other programs: find_package(Epsilens) gives the target Epsilens::core.
#
# The public headers are listed here. What they include is installed with them, but may change in any version.
include(CMakePackageConfigHelpers)

set(EPSILENS_PUBLIC_HEADERS
    core/base/error.h core/base/job_context.h
    core/embedding/load.h core/embedding/prepared_embedding.h core/embedding/vocabulary.h
    core/engine/search_space.h
    core/mechanism/mechanism.h
    core/calibration/calibrate.h core/calibration/options.h core/calibration/recommend.h
    core/calibration/limits.h
    core/release/sanitizer.h core/release/word_replacer.h core/release/policies.h core/release/counts.h)

# Adds to `result` what the headers in it include.
function(epsilens_add_included result)
    set(headers "${${result}}")
    set(open "${headers}")
    while(open)
        list(POP_FRONT open header)
        file(STRINGS "${CMAKE_SOURCE_DIR}/${header}" lines REGEX "^#include \"core/")
        foreach(line IN LISTS lines)
            string(REGEX REPLACE "^#include \"(.*)\"$" "\\1" included "${line}")
            if(NOT included IN_LIST headers)
                list(APPEND headers "${included}")
                list(APPEND open "${included}")
            endif()
        endforeach()
    endwhile()
    set(${result} "${headers}" PARENT_SCOPE)
endfunction()

set(installed_headers "${EPSILENS_PUBLIC_HEADERS}")
epsilens_add_included(installed_headers)
foreach(header IN LISTS installed_headers)
    cmake_path(GET header PARENT_PATH folder)
    install(FILES "${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/epsilens/${folder}" COMPONENT library)
endforeach()

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Epsilens")
set_target_properties(epsilens-core PROPERTIES EXPORT_NAME core)
target_include_directories(epsilens-core INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/epsilens>")
install(TARGETS epsilens-core EXPORT EpsilensTargets ARCHIVE COMPONENT library)
install(EXPORT EpsilensTargets NAMESPACE Epsilens:: DESTINATION "${package_folder}" COMPONENT library)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/EpsilensConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES packaging/cmake/EpsilensConfig.cmake "${CMAKE_BINARY_DIR}/EpsilensConfigVersion.cmake"
    DESTINATION "${package_folder}" COMPONENT library)
