#pragma once

#include <utility>

#include <tl/expected.hpp>

/// Passing errors on. Both macros are for functions that return a Result.

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
