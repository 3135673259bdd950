# Precompiled headers of the core and the window: library headers that nearly every source file includes. Other targets
# compile most of their files as one, and gain nothing by them. Each file still includes what it uses; clang-tidy runs
# without them. None of our own: ccache keeps a precompiled header across checkouts, and g++ takes a file whose time has
# changed for another one despite #pragma once.
set(EPSILENS_COMMON_HEADERS
    <algorithm> <array> <atomic> <cmath> <cstring> <deque> <functional> <limits> <map> <memory> <numeric> <optional>
    <span> <stdexcept> <stop_token> <string> <unordered_map> <variant> <vector>
    <Eigen/Core> <fmt/format.h> <tl/expected.hpp>)
set(EPSILENS_WINDOW_HEADERS ${EPSILENS_COMMON_HEADERS} <QtWidgets> <qcustomplot.h>)

# ccache supports precompiled headers only with these settings.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "/ccache$")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
        "${CMAKE_CXX_COMPILER_LAUNCHER}")
    add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>"
        "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
