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
    return tl::unexpected(Error{code, std::move(message)});
}

/// The same for a value outside its allowed range.
[[nodiscard]] inline tl::unexpected<Error> refuse(std::string message) {
    return fail(ErrorCode::invalidArgument, std::move(message));
}

[[nodiscard]] inline Error invalidArgument(std::string message) {
    return {ErrorCode::invalidArgument, std::move(message)};
}

/// Names the file of an error that names none yet: `readAll(path).map_error(inFile(path))`.
[[nodiscard]] inline auto inFile(std::string path) {
    return [path = std::move(path)](Error error) {
        if (error.file.empty()) {
            error.file = path;
        }
        return error;
    };
}

}  // namespace epsilens

/// Passing errors on: the two macros are for functions that return a Result.

#define EPSILENS_JOINED_AGAIN(first, second) first##second
#define EPSILENS_JOINED(first, second) EPSILENS_JOINED_AGAIN(first, second)
#define EPSILENS_ASSIGN_OR_RETURN(result, declaration, ...) \
    auto result = (__VA_ARGS__);                            \
    if (!result) {                                          \
        return tl::unexpected(std::move(result).error());   \
    }                                                       \
    declaration = *std::move(result) /* NOLINT(bugprone-macro-parentheses) */
#define EPSILENS_RETURN_IF_ERROR(result, ...)                 \
    do {                                                      \
        if (auto result = (__VA_ARGS__); !result) {           \
            return tl::unexpected(std::move(result).error()); \
        }                                                     \
    } while (false)

/// Evaluates an expression of a Result type and, where it failed, returns its error from the
/// enclosing function: `RETURN_IF_ERROR(writeAll(file, text));`.
#define RETURN_IF_ERROR(...) \
    EPSILENS_RETURN_IF_ERROR(EPSILENS_JOINED(result_, __COUNTER__), __VA_ARGS__)

/// The same, and initialises a variable with the value where there is one:
/// `ASSIGN_OR_RETURN(const auto rows, readRows(file));`. These are several statements.
#define ASSIGN_OR_RETURN(declaration, ...) \
    EPSILENS_ASSIGN_OR_RETURN(EPSILENS_JOINED(result_, __COUNTER__), declaration, __VA_ARGS__)
