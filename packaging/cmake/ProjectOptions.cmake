# Options, and the interface target that every target of the project links privately.
include(CheckCXXCompilerFlag)
include(CheckPIESupported)
# Seconds after which a test that says nothing else is taken for one that hangs.
set(DART_TESTING_TIMEOUT 300)
include(CTest)

option(BUILD_GUI "Build the desktop application (needs Qt 6)" ON)
option(BUILD_FUZZERS "Also build the fuzz targets, with libFuzzer (needs clang)" OFF)
option(TEST_ONCE "Leave out the tests that packaging/test.sh runs in its other build: this one or the sanitized one" OFF)
option(WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
# This takes half the time from nothing. Names that a file keeps to itself must differ from those of its neighbours.
option(CMAKE_UNITY_BUILD "Compile the source files of a target eight at a time" ON)
set(SANITIZERS "" CACHE STRING "Sanitizers to compile with, for example address;undefined")
set(EPSILENS_SHARED "${CMAKE_SOURCE_DIR}/../shared" CACHE PATH
    "Folder with the real data that some tests read; these tests are skipped when it is absent")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
check_pie_supported()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
    set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

# lld links the test programs in a third of the time.
find_program(LLD_PROGRAM ld.lld)
if(BUILD_TESTING AND LLD_PROGRAM)
    add_link_options(-fuse-ld=lld)
endif()

# Packages hold no folder of the machine that built them, so that two builds of one source are equal. A debugger
# finds the sources of other builds by their full paths.
if(NOT BUILD_TESTING)
    add_compile_options("-ffile-prefix-map=${CMAKE_SOURCE_DIR}=." "-ffile-prefix-map=${CMAKE_BINARY_DIR}=./build")
endif()

add_library(project_options INTERFACE)
target_compile_features(project_options INTERFACE cxx_std_20)
target_include_directories(project_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(project_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual>
    -fstack-protector-strong)
# Not every processor has these two protections. Under a sanitizer they protect nobody.
foreach(protection IN ITEMS fcf-protection fstack-clash-protection)
    check_cxx_compiler_flag(-${protection} EPSILENS_HAS_${protection})
    if(EPSILENS_HAS_${protection} AND NOT SANITIZERS)
        target_compile_options(project_options INTERFACE -${protection})
    endif()
endforeach()
if(WARNINGS_AS_ERRORS)
    target_compile_options(project_options INTERFACE -Werror)
endif()
target_link_options(project_options INTERFACE -Wl,-z,relro -Wl,-z,now)
# Contraction into fused multiply-adds would make results depend on the compiler where the code relies on
# the written order of operations. Kernels that need fused operations call them explicitly.
target_compile_options(project_options INTERFACE -ffp-contract=off)

if(SANITIZERS)
    list(JOIN SANITIZERS "," EPSILENS_SANITIZER_LIST)
    target_compile_options(project_options INTERFACE
        -fsanitize=${EPSILENS_SANITIZER_LIST} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(project_options INTERFACE -fsanitize=${EPSILENS_SANITIZER_LIST})
    # According to its manual the compiler gives false warnings of this kind in instrumented code. The
    # ordinary build compiles the same code with the warning enabled.
    target_compile_options(project_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
else()
    target_compile_definitions(project_options INTERFACE $<$<NOT:$<CONFIG:Debug>>:_FORTIFY_SOURCE=3>)
endif()
target_compile_definitions(project_options INTERFACE _GLIBCXX_ASSERTIONS)
