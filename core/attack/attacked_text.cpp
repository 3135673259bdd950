#include "core/attack/attacked_text.h"

#include <algorithm>

#include "core/corpus/streams.h"

namespace epsilens::attack {

ReplacedTokens replacedTokens(const AttackedText& text) {
    ReplacedTokens result;
    for (std::size_t line = 0; line < text.lines(); ++line) {
        for (std::size_t token = text.lineBegin(line); token < text.lineEnd(line); ++token) {
            if (text.treatments[token] == Treatment::replaced) {
                result.tokens.push_back(token);
                result.words.push_back(text.words[token]);
                result.documents.push_back(static_cast<std::int32_t>(line));
            }
        }
    }
    result.draws = corpus::drawsAt(text.draws, result.tokens);
    return result;
}

std::vector<std::size_t> sampleDocuments(std::span<const std::int64_t> replaced,
                                         std::int64_t tokens, std::uint64_t seed) {
    std::vector<std::size_t> chosen;
    std::int64_t sum = 0;
    for (const std::size_t document :
         shuffledIndices(replaced.size(), {seed, corpus::kDocumentSample})) {
        if (sum >= tokens) {
            break;
        }
        chosen.push_back(document);
        sum += replaced[document];
    }
    std::ranges::sort(chosen);
    return chosen;
}

}  // namespace epsilens::attack
