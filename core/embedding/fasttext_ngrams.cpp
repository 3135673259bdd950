#include "core/embedding/fasttext_ngrams.h"

#include <string>

namespace epsilens::embedding {
namespace {

constexpr std::uint32_t kFnvOffset = 2166136261U;
constexpr std::uint32_t kFnvPrime = 16777619U;

/// FNV-1a step; the byte is extended with its sign, which is not FNV but what models are made with.
std::uint32_t hashed(std::uint32_t hash, char byte) {
    return (hash ^ static_cast<std::uint32_t>(static_cast<std::int8_t>(byte))) * kFnvPrime;
}

bool continuesCharacter(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

void visitFasttextNgrams(std::string_view word, std::int32_t shortest, std::int32_t longest,
                         std::uint32_t buckets, const std::function<bool(std::uint32_t)>& visit) {
    std::string marked("<");
    marked.append(word).push_back('>');
    for (std::size_t begin = 0; begin < marked.size(); ++begin) {
        if (continuesCharacter(marked[begin])) {
            continue;
        }
        std::uint32_t hash = kFnvOffset;
        std::size_t end = begin;
        for (std::int32_t length = 1; length <= longest && end < marked.size(); ++length) {
            do {
                hash = hashed(hash, marked[end++]);
            } while (end < marked.size() && continuesCharacter(marked[end]));
            const bool onlyMark = length == 1 && (begin == 0 || end == marked.size());
            if (length >= shortest && !onlyMark && !visit(hash % buckets)) {
                return;
            }
        }
    }
}

}  // namespace epsilens::embedding
