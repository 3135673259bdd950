#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/perturber.h"
#include "core/corpus/split.h"
#include "core/engine/search_space.h"
#include "core/evaluation/evaluation.h"

namespace epsilens::evaluation {

/// Fails with invalidArgument for options that these data do not admit.
[[nodiscard]] Result<void> validate(const EvaluationOptions& options, const corpus::DataSet& data,
                                    const embedding::PreparedEmbedding& embedding);

/// Called on the thread of a run with what is finished so far, marked partial.
using ShowSummary = std::function<void(const EvaluationSummary& soFar)>;

/// What documents are perturbed for in a repeat of the classification.
enum class Role : std::uint32_t { training = 0, test = 1 };

/// Data, words and splits of an evaluation: what can be known before noise is drawn.
struct Evaluation {
    /// space and data must outlive the evaluation. Fails as validate, tokeniseDocuments and
    /// splitDocuments do.
    [[nodiscard]] static Result<Evaluation> create(const engine::SearchSpace& space,
                                                   const corpus::DataSet& data,
                                                   EvaluationOptions options,
                                                   const JobContext& job = {});

    /// The same words and splits with other options, and no more repeats: for searches.
    [[nodiscard]] Evaluation with(EvaluationOptions changed) const;

    /// Runs the tasks one after the other, a classification repeat after repeat, an attack setting
    /// after setting. A cancelled run with at least one finished repeat or setting returns a
    /// partial summary; with none it fails with cancelled. Fails with resourceLimit where that
    /// needs more memory than is free.
    ///
    /// show  called after each repeat of a classification, each setting of an attack, and each
    ///       task but the last; not where processes share the work
    [[nodiscard]] Result<EvaluationSummary> run(const JobContext& job = {},
                                                const ShowSummary& show = {}) const;

    const engine::SearchSpace& space;
    const corpus::DataSet& data;
    EvaluationOptions options;
    std::shared_ptr<const corpus::TokenisedDocuments> words;
    std::vector<corpus::DocumentSplit> splits;
    DataDescription description{};

    [[nodiscard]] const corpus::Document& document(std::size_t index) const {
        return data.documents[index];
    }
    [[nodiscard]] std::uint32_t repeats() const {
        return static_cast<std::uint32_t>(options.repeats);
    }
    /// Of the grid, with every shape and radius.
    [[nodiscard]] std::size_t mechanisms() const { return options.grid.mechanisms().size(); }
    [[nodiscard]] std::size_t cells() const { return mechanisms() * options.grid.epsilons.size(); }
    [[nodiscard]] std::size_t tokensOf(const std::vector<std::size_t>& documents) const;
    /// Words of the documents that are perturbed in a repeat.
    [[nodiscard]] std::size_t perturbedTokens() const;
    /// How many copies of a repeat's words at so many settings are held at once.
    [[nodiscard]] std::size_t copiesAtOnce(std::size_t settings) const;
    /// Epsilons that are perturbed at once, which costs little more than one of them. Processes
    /// divide those of a repeat only where each repeat has several processes.
    [[nodiscard]] std::size_t epsilonsAtOnce() const;
    /// Repeats that are perturbed together, whose words share the distances to the vocabulary.
    /// Processes divide single repeats.
    [[nodiscard]] std::uint32_t repeatsTogether() const;
    /// Class of precision, recall and AUC; nothing unless there are two.
    [[nodiscard]] std::optional<std::int32_t> positive() const;

    /// The documents of a role in a repeat, which draw for themselves.
    [[nodiscard]] corpus::DrawPool pool(std::uint32_t repeat, Role role) const;
    /// What classifiers learn from: documents as they were typed.
    [[nodiscard]] LabelledTokens typed(std::span<const std::size_t> documents) const;
    /// Documents as a setting releases them; a masked word has a number of its own.
    ///
    /// copy  of the pool
    [[nodiscard]] LabelledTokens released(const corpus::DrawPool& pool,
                                          const corpus::PerturbedPool& copy,
                                          std::size_t setting = 0) const;
    [[nodiscard]] ClassifierOptions classifier(ClassifierKind kind, std::uint32_t repeat) const;
};

/// What a task has at hand.
struct TaskInput {
    const Evaluation& evaluation;
    const corpus::Perturber& perturber;
    const JobContext& wholeJob;
    const EvaluationOptions& options = evaluation.options;
};

/// Called when the summary holds more; may be empty.
using ShowSoFar = std::function<void()>;

/// Fill what a summary says of a classification, repeat after repeat, or of an attack, setting
/// after setting. Fail with cancelled when the summary holds what was reached.
[[nodiscard]] Result<void> classify(const TaskInput& input, EvaluationSummary& summary,
                                    const ShowSoFar& show);
[[nodiscard]] Result<void> attackTexts(attack::Task task, const TaskInput& input,
                                       EvaluationSummary& summary, const ShowSoFar& show);

/// Texts of the first repeat of an evaluation at every setting, as CSV: those from which its
/// classifiers learn, and the test texts with draws of their own. The columns are mechanism,
/// epsilon, lambda, gamma, beta, number (of the document, from 1), split, label and author where
/// documents have them, text. For study from a seed, never for release: who knows the seed can draw
/// the same noise again. Fails with cancelled, and with resourceLimit when the table needs more
/// memory than is free.
[[nodiscard]] Result<std::string> studyText(const Evaluation& evaluation,
                                            const JobContext& job = {});

/// Fails with invalidArgument unless the name of a file contains "study".
[[nodiscard]] Result<void> checkStudyName(const std::string& path);

}  // namespace epsilens::evaluation
