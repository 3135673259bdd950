#include "core/base/operating_system_stream.h"

#include <bit>
#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sys/random.h>

#include "core/base/uniform_below.h"

namespace epsilens {
namespace {

using Key = std::array<unsigned char, 32>;

[[noreturn]] void giveUp(const std::string& reason) {
    throw std::runtime_error("no random numbers for a release: " + reason);
}

void fillFromSystem(Key& key) {
    std::size_t filled = 0;
    while (filled < key.size()) {
        const ssize_t got = getrandom(key.data() + filled, key.size() - filled, 0);
        if (got < 0 && errno != EINTR) {
            giveUp("getrandom: " + std::generic_category().message(errno));
        }
        filled += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
}

}  // namespace

OperatingSystemStream::OperatingSystemStream()
    : m_cipher(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free) {
    Key key{};
    fillFromSystem(key);
    setKey(key.data(), true);
    OPENSSL_cleanse(key.data(), key.size());
}

OperatingSystemStream::~OperatingSystemStream() {
    OPENSSL_cleanse(m_buffer.data(), sizeof m_buffer);
}

void OperatingSystemStream::setKey(const unsigned char* key, bool first) {
    // Counter and nonce start at 0: no key is used for more than one buffer.
    static constexpr std::array<unsigned char, 16> kStart{};
    if (m_cipher == nullptr || EVP_EncryptInit_ex(m_cipher.get(), first ? EVP_chacha20() : nullptr,
                                                  nullptr, key, kStart.data()) != 1) {
        giveUp("the cipher ChaCha20 is not available");
    }
}

void OperatingSystemStream::refill() {
    m_buffer.fill(0);
    auto* bytes = reinterpret_cast<unsigned char*>(m_buffer.data());
    int written = 0;
    if (EVP_EncryptUpdate(m_cipher.get(), bytes, &written, bytes,
                          static_cast<int>(sizeof m_buffer)) != 1 ||
        written != static_cast<int>(sizeof m_buffer)) {
        giveUp("the cipher ChaCha20 failed");
    }
    setKey(bytes, false);
    OPENSSL_cleanse(bytes, kKeyWords * sizeof m_buffer.front());
    m_next = kKeyWords;
}

OperatingSystemStream::result_type OperatingSystemStream::operator()() {
    if (m_next == kBufferWords) {
        refill();
    }
    const std::uint64_t bits = m_buffer[m_next];
    m_buffer[m_next++] = 0;
    return bits;
}

double OperatingSystemStream::uniform() {
    constexpr int kSpareBits = 11;  // of 64 that a double does not hold
    const std::uint64_t bits = (*this)();
    const int spare = kSpareBits - std::countl_zero(bits);
    // A number below 2^-12, of whose digits too few are here, is uniform there.
    return spare >= 0 ? static_cast<double>(bits >> spare << spare) * 0x1p-64 : 0x1p-12 * uniform();
}

std::uint64_t OperatingSystemStream::below(std::uint64_t bound) {
    return uniformBelow(*this, bound);
}

}  // namespace epsilens
