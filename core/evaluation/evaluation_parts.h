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
inline constexpr std::size_t kOutputBytes = std::size_t{384} << 20;

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

    [[nodiscard]] const corpus::Document& document(std::size_t index) const {
        return data.documents[index];
    }
    /// Shapes and radii of the grid.
    [[nodiscard]] std::size_t mechanisms() const { return options.grid.mechanisms().size(); }
    [[nodiscard]] std::size_t cells() const { return mechanisms() * options.grid.epsilons.size(); }
    [[nodiscard]] std::size_t tokensOf(const std::vector<std::size_t>& documents) const {
        std::size_t tokens = 0;
        for (const std::size_t document : documents) {
            tokens += words->end(document) - words->begin(document);
        }
        return tokens;
    }
    /// Words of the documents that are perturbed in a repeat.
    [[nodiscard]] std::size_t perturbedTokens() const {
        return tokensOf(splits.front().training) +
               (options.perturbTest ? tokensOf(splits.front().test) : 0);
    }
    /// Bytes of a copy of a repeat's words at so many settings.
    [[nodiscard]] std::size_t bytesOfCopies(std::size_t settings) const {
        return perturbedTokens() * sizeof(embedding::Row) * settings;
    }
    /// How many of these are held at once.
    [[nodiscard]] std::size_t copiesAtOnce(std::size_t settings) const {
        return kOutputBytes / std::max<std::size_t>(bytesOfCopies(settings), 1);
    }
    /// Epsilons that are perturbed at once, which costs little more than one of them. Processes
    /// divide those of a repeat only where each repeat has several processes.
    [[nodiscard]] std::size_t epsilonsAtOnce() const {
        const std::size_t epsilons = options.grid.epsilons.size();
        const int processes = options.crew != nullptr ? options.crew->size() : 1;
        const std::size_t shares = std::clamp<std::size_t>(
            static_cast<std::size_t>(processes / options.repeats), 1, epsilons);
        return std::clamp<std::size_t>(copiesAtOnce(mechanisms()), 1,
                                       (epsilons + shares - 1) / shares);
    }
    /// Repeats that are perturbed together, whose words share the distances to the vocabulary.
    /// Processes divide single repeats.
    [[nodiscard]] int repeatsTogether() const {
        const auto most = static_cast<std::size_t>(std::max(1, options.repeats - 1));
        return options.crew != nullptr || epsilonsAtOnce() < options.grid.epsilons.size()
                   ? 1
                   : static_cast<int>(std::clamp<std::size_t>(copiesAtOnce(cells()), 1, most));
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
    [[nodiscard]] LabelledTokens typed(std::span<const std::size_t> documents) const;
    /// Documents as a setting releases them; a masked word has a number of its own.
    ///
    /// documents  those of the pool, in its order
    [[nodiscard]] LabelledTokens released(std::span<const std::size_t> documents,
                                          const corpus::PerturbedPool& pool,
                                          std::size_t setting = 0) const;
    [[nodiscard]] ClassifierOptions classifier(ClassifierKind kind, int repeat) const;
};

}  // namespace epsilens::evaluation
