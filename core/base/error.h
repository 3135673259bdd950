#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace epsilens {

/// Kind of an expected failure; decides the exit code of the command line.
enum class ErrorCode {
    invalidArgument,  ///< a value outside its allowed range
    badFile,          ///< an input file that is missing, unreadable or not what it should be
    ioFailed,         ///< writing failed: disk full, no permission
    unsupported,      ///< a valid request that this data does not admit, such as lambda = 1 with a
                      ///< singular covariance
    resourceLimit,    ///< memory or time beyond the limit
    cancelled,        ///< the stop token of the job was triggered
    limitsNotMet,     ///< no setting satisfies the analyst's limits
    internal          ///< a bug of ours, caught at the border of a job
};

/// What may help against a failure; each program names its own way to it.
enum class Remedy {
    none,
    fewerRows,   ///< load fewer rows, or the words of a list
    givenFormat  ///< say what the format of the file is
};

/// An expected failure: one sentence that says what is wrong, where, and what is allowed.
struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string message;
    std::string file{};     ///< input file concerned, empty if none
    std::int64_t line = 0;  ///< 1-based line of that file, 0 if none
    /// First rows of that file that the memory suffices for when it does not for all; 0: unknown.
    std::int64_t rowsThatFit = 0;
    Remedy remedy = Remedy::none;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// Shorthand for returning a failure: `return fail(ErrorCode::badFile, "…");`.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
    return tl::unexpected<Error>(Error{code, std::move(message), {}, 0});
}

[[nodiscard]] inline Error invalidArgument(std::string message) {
    return Error{ErrorCode::invalidArgument, std::move(message), {}, 0};
}

/// The error with its file, where it names none yet.
[[nodiscard]] inline Error inFile(Error error, const std::string& path) {
    if (error.file.empty()) {
        error.file = path;
    }
    return error;
}

}  // namespace epsilens
