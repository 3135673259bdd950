# Precompiled headers: library headers that nearly every source file includes. They halve the time of a build from
# scratch. Each file still includes what it uses; clang-tidy runs without them. None of our own: ccache keeps a
# precompiled header across checkouts, and g++ takes a file whose time has changed for another one despite #pragma once.
set(EPSILENS_COMMON_HEADERS
    <algorithm> <array> <atomic> <cmath> <cstring> <deque> <functional> <limits> <map> <memory> <numeric> <optional>
    <span> <stdexcept> <stop_token> <string> <unordered_map> <variant> <vector>
    <Eigen/Core> <fmt/format.h> <tl/expected.hpp>)
set(EPSILENS_WINDOW_HEADERS ${EPSILENS_COMMON_HEADERS} <QtWidgets>)

# ccache supports precompiled headers only with these settings.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "/ccache$")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
        "${CMAKE_CXX_COMPILER_LAUNCHER}")
    add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>"
        "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# epsilens_move_sources(from to pattern): moves the sources of a target that have a line like the pattern, themselves or
# in the header of their name, and these headers to another target: one with other precompiled headers, whose object
# files the first one takes.
function(epsilens_move_sources from to pattern)
    get_target_property(sources ${from} SOURCES)
    set(moved "")
    foreach(source IN LISTS sources)
        if(source MATCHES "\\.cpp$" AND EXISTS "${source}")
            string(REGEX REPLACE "cpp$" "h" header "${source}")
            set(files "${source}")
            if(header IN_LIST sources)
                list(APPEND files "${header}")
            endif()
            foreach(file IN LISTS files)
                file(STRINGS "${file}" lines REGEX "${pattern}" LIMIT_COUNT 1)
                if(lines)
                    list(APPEND moved ${files})
                endif()
            endforeach()
        endif()
    endforeach()
    list(REMOVE_ITEM sources ${moved})
    set_target_properties(${from} PROPERTIES SOURCES "${sources};$<TARGET_OBJECTS:${to}>")
    target_sources(${to} PRIVATE ${moved})
endfunction()

# epsilens_share_headers(target group headers...): all targets of a group, which use the same compiler
# options, share the precompiled headers of the first one.
function(epsilens_share_headers target group)
    get_property(owner GLOBAL PROPERTY EPSILENS_HEADERS_OF_${group})
    if(owner)
        target_precompile_headers(${target} REUSE_FROM ${owner})
    else()
        target_precompile_headers(${target} PRIVATE ${ARGN})
        set_property(GLOBAL PROPERTY EPSILENS_HEADERS_OF_${group} ${target})
    endif()
endfunction()
