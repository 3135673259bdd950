#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/crew.h"
#include "core/corpus/perturber.h"
#include "core/corpus/split.h"
#include "core/engine/search_space.h"
#include "core/evaluation/evaluation.h"

namespace epsilens::evaluation {

// Perturbed words held at once; more settings are perturbed after the others.
inline constexpr std::int64_t kOutputBytes = std::int64_t{384} << 20;

/// What documents are perturbed for in a repeat of the classification.
enum class Role : std::uint32_t { training = 0, test = 1 };

/// Time since it was made.
class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// Data, words and splits of an evaluation.
struct EvaluationParts {
    const engine::SearchSpace& space;
    const corpus::DataSet& data;
    EvaluationOptions options;
    std::shared_ptr<const corpus::TokenisedDocuments> words;
    std::vector<corpus::DocumentSplit> splits;
    DataDescription description{};

    [[nodiscard]] const corpus::Document& document(std::int64_t index) const {
        return data.documents[static_cast<std::size_t>(index)];
    }
    /// Shapes and radii of the grid.
    [[nodiscard]] std::size_t mechanisms() const { return options.grid.mechanisms().size(); }
    [[nodiscard]] std::size_t cells() const { return mechanisms() * options.grid.epsilons.size(); }
    [[nodiscard]] std::int64_t tokensOf(const std::vector<std::int64_t>& documents) const {
        std::int64_t tokens = 0;
        for (const std::int64_t document : documents) {
            tokens += static_cast<std::int64_t>(words->end(document) - words->begin(document));
        }
        return tokens;
    }
    /// Words of the documents that are perturbed in a repeat.
    [[nodiscard]] std::int64_t perturbedTokens() const {
        return tokensOf(splits.front().training) +
               (options.perturbTest ? tokensOf(splits.front().test) : 0);
    }
    /// How many copies of a repeat's words at so many settings are held at once.
    [[nodiscard]] std::int64_t copiesAtOnce(std::size_t settings) const {
        const std::int64_t bytes = perturbedTokens() * corpus::Perturber::bytesPerOutput() *
                                   static_cast<std::int64_t>(settings);
        return kOutputBytes / std::max<std::int64_t>(bytes, 1);
    }
    /// Epsilons that are perturbed at once, which costs little more than one of them. Processes
    /// divide those of a repeat only where each repeat has several processes.
    [[nodiscard]] std::size_t epsilonsAtOnce() const {
        const auto epsilons =
            std::max<std::int64_t>(1, static_cast<std::int64_t>(options.grid.epsilons.size()));
        const std::int64_t shares = std::clamp<std::int64_t>(
            options.crew != nullptr ? options.crew->size() / options.repeats : 1, 1, epsilons);
        return static_cast<std::size_t>(std::clamp<std::int64_t>(copiesAtOnce(mechanisms()), 1,
                                                                 (epsilons + shares - 1) / shares));
    }
    /// Repeats that are perturbed together, whose words share the distances to the vocabulary.
    /// Processes divide single repeats.
    [[nodiscard]] int repeatsTogether() const {
        return options.crew != nullptr || epsilonsAtOnce() < options.grid.epsilons.size()
                   ? 1
                   : static_cast<int>(std::clamp<std::int64_t>(copiesAtOnce(cells()), 1,
                                                               std::max(1, options.repeats - 1)));
    }
    /// Class of precision, recall and AUC; nothing unless there are two.
    [[nodiscard]] std::optional<std::int32_t> positive() const {
        if (data.classes.size() != 2) {
            return std::nullopt;
        }
        return options.positive == data.classes.front() ? 0 : 1;
    }
    [[nodiscard]] RepeatDesign design() const {
        return {data.hasSplit() ? 0.0
                                : static_cast<double>(splits.front().test.size()) /
                                      static_cast<double>(splits.front().training.size()),
                0.0, static_cast<double>(splits.front().test.size())};
    }

    /// The documents of a role in a repeat, which draw for themselves.
    [[nodiscard]] corpus::DrawPool pool(int repeat, Role role) const {
        constexpr std::uint32_t kPoolsPerRepeat = 8;
        const corpus::DocumentSplit& split = splits[static_cast<std::size_t>(repeat)];
        return {
            static_cast<std::uint32_t>(repeat) * kPoolsPerRepeat + static_cast<std::uint32_t>(role),
            role == Role::training ? split.training : split.test};
    }
    /// What classifiers learn from: documents as they were typed.
    [[nodiscard]] LabelledTokens typed(std::span<const std::int64_t> documents) const;
    /// Documents as a setting releases them; a masked word has a number of its own.
    ///
    /// documents  those of the pool, in its order
    [[nodiscard]] LabelledTokens released(std::span<const std::int64_t> documents,
                                          const corpus::PerturbedPool& pool,
                                          std::size_t setting = 0) const;
    [[nodiscard]] ClassifierOptions classifier(ClassifierKind kind, int repeat) const;
};

}  // namespace epsilens::evaluation
