#include <cstdlib>
#include <string>

#include <cblas-openblas.h>
#include <catch2/catch.hpp>

// A processor that OpenBLAS does not know gets kernels without AVX, several times slower.
TEST_CASE("Matrix products use the vector instructions that the processor has") {
    const std::string kernels = openblas_get_corename();
    const char* const wanted = std::getenv("OPENBLAS_CORETYPE");  // NOLINT(concurrency-mt-unsafe)
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        REQUIRE(wanted != nullptr);
        CHECK(kernels != "Prescott");
    }
#endif
    if (wanted != nullptr) {
        CHECK(kernels == wanted);
    }
}

TEST_CASE("OpenBLAS has no threads of its own") {
    CHECK(openblas_get_num_threads() == 1);
}
