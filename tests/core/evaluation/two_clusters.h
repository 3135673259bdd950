#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/random_stream.h"
#include "core/corpus/data_set.h"
#include "core/document/evaluation_document.h"
#include "core/document/json_parts.h"
#include "core/engine/search_space.h"
#include "core/evaluation/evaluation_run.h"
#include "tests/support/toy_embedding.h"

namespace epsilens::test {

inline constexpr int kClusteredWords = 40;

/// Words w0 … w19 around (4, 0), w20 … w39 around (-4, 0).
[[nodiscard]] inline const engine::SearchSpace& twoClusters() {
    static const engine::SearchSpace space([] {
        RowMatrixF vectors = anisotropicVectors(kClusteredWords, 2, 5) * 0.5F;
        for (int word = 0; word < kClusteredWords; ++word) {
            vectors(word, 0) += word < kClusteredWords / 2 ? 4.0F : -4.0F;
        }
        return toyEmbedding(vectors);
    }());
    return space;
}

/// Documents of four words, three of which are of the cluster of their class.
[[nodiscard]] inline corpus::DataSet clusteredDocuments(int documents) {
    corpus::DataSet data;
    data.classes = {"no", "yes"};
    data.labelColumn = corpus::Column{"label", false};
    SeededStream stream({1, StreamPurpose::wordSelection, 0, 0});
    for (int i = 0; i < documents; ++i) {
        const auto label = static_cast<std::int32_t>(stream.below(2));
        corpus::Document document{"", label};
        for (int word = 0; word < 4; ++word) {
            const bool own = word < 3;
            const std::uint64_t cluster = (label == 0) == own ? 0 : 1;
            document.text += "w" + std::to_string(20 * cluster + stream.below(20)) + " ";
        }
        document.twin = i;
        data.documents.push_back(document);
    }
    return data;
}

/// Classification of them by a linear classifier, three repeats.
[[nodiscard]] inline evaluation::EvaluationOptions clusteredOptions(
    const char* mechanism = "mahalanobis") {
    evaluation::EvaluationOptions options;
    options.grid.mechanism = mechanism::Mechanism::named(mechanism).value();
    options.grid.epsilons = {0.02, 20.0};
    options.grid.lambdas = {0.0, 0.5};
    options.repeats = 3;
    return options;
}

[[nodiscard]] inline evaluation::EvaluationSummary evaluated(
    const corpus::DataSet& data, const evaluation::EvaluationOptions& options,
    const JobContext& job = {}, const engine::SearchSpace& space = twoClusters()) {
    return evaluation::Evaluation::create(space, data, options).value().run(job).value();
}

[[nodiscard]] inline std::string evaluationJson(const document::EvaluationRecord& record) {
    return document::jsonText(document::evaluationDocument(record));
}

/// Results as evaluate writes them, without what differs from run to run.
[[nodiscard]] inline std::string resultsJson(evaluation::EvaluationSummary summary) {
    summary.perturbSeconds = 0.0;
    summary.classifySeconds = 0.0;
    for (attack::AttackResults& attack : summary.attacks) {
        attack.seconds = 0.0;
    }
    summary.options.threads = 0;
    return evaluationJson({{}, std::move(summary)});
}

}  // namespace epsilens::test
