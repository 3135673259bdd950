#include <cstdlib>
#include <string_view>

#include <unistd.h>

// OpenBLAS reads its settings from the environment while it is loaded, before main. A function of
// the program comes before that of the C library, so OpenBLAS asks this one, which fills in what
// the user has not set:
// - One thread. Others are never used (matrix_product.h), and where memory is short they keep the
//   process from starting or from ending.
// - Kernels for the instructions that the processor has. OpenBLAS 0.3.21 goes by the processor's
//   name, and takes those of 2004 for one that is newer than itself (its issue 4267).

namespace {

char kOneThread[] = "1";
char kAvx512Kernels[] = "SkylakeX";
char kAvx2Kernels[] = "Haswell";

/// Null where OpenBLAS may choose by itself.
char* kernelsOfProcessor() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        return kAvx512Kernels;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return kAvx2Kernels;
    }
#endif
    return nullptr;
}

}  // namespace

extern "C" char* getenv(const char* name) {
    const std::string_view wanted(name);
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (text.size() > wanted.size() && text[wanted.size()] == '=' && text.starts_with(wanted)) {
            return *entry + wanted.size() + 1;
        }
    }
    return wanted == "OPENBLAS_NUM_THREADS" ? kOneThread
           : wanted == "OPENBLAS_CORETYPE"  ? kernelsOfProcessor()
                                            : nullptr;
}
