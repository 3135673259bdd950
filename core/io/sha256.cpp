#include "core/io/sha256.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/evp.h>

namespace epsilens::io {

std::string sha256(const void* bytes, std::size_t size) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    EVP_Digest(bytes, size, digest.data(), &length, EVP_sha256(), nullptr);
    return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + length, ""));
}

}  // namespace epsilens::io
