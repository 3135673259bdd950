#include "core/experiment/attacked_documents.h"

namespace epsilens::experiment {
namespace {

Treatment treatmentOf(const TokenisedDocuments& words, std::size_t word,
                      release::UnknownPolicy unknown) {
    if (words.isReplaced(word)) {
        return Treatment::replaced;
    }
    if (words.rows()[word] != kMasked || unknown == release::UnknownPolicy::keep) {
        return Treatment::kept;
    }
    return unknown == release::UnknownPolicy::drop ? Treatment::dropped : Treatment::masked;
}

}  // namespace

AttackedText attackedText(const EvaluationParts& parts, std::span<const std::int64_t> documents) {
    AttackedText text;
    for (const std::int64_t document : documents) {
        for (std::size_t word = parts.words.begin(document); word < parts.words.end(document);
             ++word) {
            text.words.push_back(parts.words.rows()[word]);
            text.treatments.push_back(
                treatmentOf(parts.words, word, parts.options.policies.unknown));
        }
        text.lineEnds.push_back(text.tokens());
        text.documents.push_back(static_cast<std::int32_t>(text.documents.size()));
    }
    return text;
}

}  // namespace epsilens::experiment
