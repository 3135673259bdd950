#include "core/embedding/fasttext_layout.h"

#include <array>
#include <cstring>
#include <string>

namespace epsilens::embedding {
namespace {

bool within(std::int32_t value, std::int32_t lowest, std::int32_t highest) {
    return value >= lowest && value <= highest;
}

/// As the settings lie in the file: twelve whole numbers and a float64 without gaps.
static_assert(sizeof(FasttextSettings) == 12 * 4 + 8);

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

bool isPlausible(const FasttextSettings& settings) {
    return within(settings.dimensions, 1, 100'000) && within(settings.window, 1, 1'000'000) &&
           within(settings.epochs, 0, 100'000'000) && settings.fewestCount >= 0 &&
           settings.negatives >= 0 && within(settings.wordNgrams, 0, 1'000) &&
           within(settings.loss, 1, 4) && within(settings.model, 1, 3) && settings.buckets >= 0 &&
           within(settings.shortestNgram, 0, 1'000) && within(settings.longestNgram, 0, 1'000) &&
           settings.updateRate >= 0 && settings.samplingThreshold >= 0.0 &&
           settings.samplingThreshold <= 1.0;
}

bool looksLikeFasttext(std::string_view bytes) {
    std::int32_t first = 0;
    if (bytes.size() < sizeof first) {
        return false;
    }
    std::memcpy(&first, bytes.data(), sizeof first);
    if (first == kFasttextMagic) {
        return true;
    }
    FasttextSettings settings;
    std::array<std::int32_t, 3> sizes{};
    if (bytes.size() < sizeof settings + sizeof sizes) {
        return false;
    }
    std::memcpy(&settings, bytes.data(), sizeof settings);
    std::memcpy(sizes.data(), bytes.data() + sizeof settings, sizeof sizes);
    return isPlausible(settings) && sizes[1] > 0 && sizes[2] >= 0 &&
           std::int64_t{sizes[0]} == std::int64_t{sizes[1]} + sizes[2];
}

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
