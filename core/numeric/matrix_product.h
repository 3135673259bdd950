#pragma once

#include <cstdint>

namespace epsilens::numeric {

/// Dense matrix product on one thread; several tasks may call it at the same time.

/// result(i, j) = factor * sum_k a(i, k) b(j, k), all matrices row-major in float32.
///
/// a  rows x inner, rows `inner` apart;  b  columns x inner, rows `inner` apart
/// result  rows x columns, rows `stride` apart, stride >= columns
/// If factor is a power of two and nothing underflows, the error of an entry is at most
/// gamma_inner * |factor| * ||a_i|| ||b_j|| with gamma_n = n u / (1 - n u), u = 2^-24, for any
/// order of summation (Higham 2002, section 3.1).
void multiplyTransposed(const float* a, std::int64_t rows, const float* b, std::int64_t columns,
                        std::int64_t inner, float factor, float* result, std::int64_t stride);

/// result = a b in float64, all matrices row-major: a rows x inner, b inner x columns.
void multiply(const double* a, std::int64_t rows, const double* b, std::int64_t columns,
              std::int64_t inner, double* result);
/// multiplyTransposed in float64.
void multiplyTransposed(const double* a, std::int64_t rows, const double* b, std::int64_t columns,
                        std::int64_t inner, double factor, double* result, std::int64_t stride);

/// Adds rows^T rows to the upper triangle of sum, in float64.
///
/// rows  count x columns, row-major;  sum  columns x columns, row-major
void addGramUpper(const double* rows, std::int64_t count, std::int64_t columns, double* sum);

}  // namespace epsilens::numeric
