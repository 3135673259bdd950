#include "core/attack/attacked_text.h"

#include <algorithm>

#include "core/corpus/streams.h"

namespace epsilens::attack {
namespace {

// Replaced tokens of each document.
std::vector<std::int64_t> replacedPerDocument(const AttackedText& text) {
    std::vector<std::int64_t> counts(
        text.documents.empty() ? 0 : static_cast<std::size_t>(text.documents.back()) + 1);
    for (const std::int32_t document : replacedTokens(text).documents) {
        ++counts[static_cast<std::size_t>(document)];
    }
    return counts;
}

}  // namespace

ReplacedTokens replacedTokens(const AttackedText& text) {
    ReplacedTokens result;
    for (std::int64_t line = 0; line < text.lines(); ++line) {
        for (std::int64_t token = text.lineBegin(line); token < text.lineEnd(line); ++token) {
            if (text.treatments[static_cast<std::size_t>(token)] == Treatment::replaced) {
                result.tokens.push_back(token);
                result.words.push_back(text.words[static_cast<std::size_t>(token)]);
                result.documents.push_back(text.documents[static_cast<std::size_t>(line)]);
            }
        }
    }
    result.draws = corpus::drawsAt(text.draws, result.tokens);
    return result;
}

AttackedText sampleDocuments(const AttackedText& text, std::int64_t tokens, std::uint64_t seed) {
    const std::vector<std::int64_t> counts = replacedPerDocument(text);
    std::vector<bool> isChosen(counts.size());
    std::int64_t chosen = 0;
    for (const std::size_t document :
         shuffledIndices(counts.size(), {seed, corpus::kDocumentSample})) {
        if (chosen >= tokens) {
            break;
        }
        isChosen[document] = true;
        chosen += counts[document];
    }
    AttackedText sample;
    std::vector<std::int64_t> tokensOfText;
    for (std::int64_t line = 0; line < text.lines(); ++line) {
        const std::int32_t document = text.documents[static_cast<std::size_t>(line)];
        if (!isChosen[static_cast<std::size_t>(document)]) {
            continue;
        }
        for (std::int64_t token = text.lineBegin(line); token < text.lineEnd(line); ++token) {
            tokensOfText.push_back(token);
            sample.words.push_back(text.words[static_cast<std::size_t>(token)]);
            sample.treatments.push_back(text.treatments[static_cast<std::size_t>(token)]);
        }
        sample.lineEnds.push_back(sample.tokens());
        sample.documents.push_back(document);
    }
    sample.draws = corpus::drawsAt(text.draws, tokensOfText);
    return sample;
}

}  // namespace epsilens::attack
