#pragma once

#include <stop_token>
#include <string>

#include <catch2/catch.hpp>

#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::test {

/// Checks that a result is an error of this code whose message has this part, and gives it.
template <typename T>
Error checkRefused(const Result<T>& result, ErrorCode code, const std::string& part = {},
                   const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    INFO(file << ":" << line);
    REQUIRE_FALSE(result);
    CHECK(result.error().code == code);
    CHECK_THAT(result.error().message, Catch::Contains(part));
    return result.error();
}

/// A job that is to stop before it begins.
inline JobContext stoppedJob() {
    std::stop_source stop;
    stop.request_stop();
    return {stop.get_token(), {}};
}

/// A job that is to stop once so much of it is done.
inline JobContext stoppedAt(double fraction) {
    std::stop_source stop;
    return {stop.get_token(), [stop, fraction](const Progress& progress) mutable {
                if (progress.fraction >= fraction) {
                    stop.request_stop();
                }
            }};
}

}  // namespace epsilens::test
