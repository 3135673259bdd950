#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

struct evp_cipher_ctx_st;

namespace epsilens {

/// Random numbers for text that is to be released: nobody can repeat or foresee them.
///
/// The key comes from the operating system (getrandom, which waits until the system has gathered
/// enough), the numbers from ChaCha20 under that key. Each refill of the buffer also makes the next
/// key, after which the last one is gone, and numbers are wiped once they are handed out: a memory
/// image taken later does not tell earlier noise. Every object has a key of its own, so objects
/// share nothing; there is no seed, no copy and no way to rewind.
///
/// Satisfies UniformRandomBitGenerator with 64-bit results. For one thread at a time. Numbers that
/// follow from a seed are of another type, SeededStream, and never serve a release.
/// Source: Bernstein 2008, "ChaCha, a variant of Salsa20"; Bernstein 2017, "Fast-key-erasure
/// random-number generators".
class OperatingSystemStream {
public:
    using result_type = std::uint64_t;

    /// Throws std::runtime_error where the system gives no random numbers.
    OperatingSystemStream();
    ~OperatingSystemStream();
    OperatingSystemStream(const OperatingSystemStream&) = delete;
    OperatingSystemStream& operator=(const OperatingSystemStream&) = delete;

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0}; }
    result_type operator()();

    /// A real number uniform on (0, 1), cut off after 53 significant bits: unlike multiples of
    /// 2^-53, values near 0 have all their digits. At most 1 - 2^-53.
    double uniform();
    /// Uniform integer in [0, bound), exactly. bound >= 1.
    std::uint64_t below(std::uint64_t bound);

private:
    static constexpr std::size_t kBufferWords = 1024;
    static constexpr std::size_t kKeyWords = 4;  ///< 256 bits

    void setKey(const unsigned char* key, bool first);
    void refill();

    std::unique_ptr<evp_cipher_ctx_st, void (*)(evp_cipher_ctx_st*)> m_cipher;
    std::array<std::uint64_t, kBufferWords> m_buffer{};
    std::size_t m_next = kBufferWords;
};

}  // namespace epsilens
