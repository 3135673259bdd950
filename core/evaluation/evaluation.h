#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/attack/findings.h"
#include "core/attack/reference_text.h"
#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/corpus/data_set.h"
#include "core/corpus/tokenised_documents.h"
#include "core/engine/search_space.h"
#include "core/evaluation/classifier.h"
#include "core/evaluation/estimate.h"
#include "core/evaluation/scores.h"
#include "core/mechanism/grid.h"
#include "core/mechanism/guarantee.h"

namespace epsilens::evaluation {

/// What an attacker believes about words before he sees a release.
enum class PriorKind {
    training,  ///< from the training part of the data set
    file,      ///< from a reference text
    uniform    ///< every word is equally likely
};

/// Replaced words whose originals are guessed, in whole test documents.
inline constexpr std::int64_t kAttackedWords = 20'000;

/// Options of the tasks that attack.
struct AttackOptions {
    PriorKind prior = PriorKind::training;
    attack::ReferenceTextHandle reference{};  ///< of PriorKind::file
    /// Of reconstruction only the attackers who compete for the best: their figures are the same,
    /// and what else a report has (controls, bounds) is left out. For searches, which read nothing
    /// else at many settings.
    bool bestAlone = false;
};

/// What an evaluation is asked for.
struct EvaluationOptions {
    static constexpr int kMostRepeats = 1000;
    static constexpr double kMargin = 0.01;  ///< of "no difference" in accuracy

    mechanism::Grid grid{};
    corpus::ReplacementPolicies policies{};
    AttackOptions attack{};
    std::vector<attack::Task> tasks{attack::Task::classify};  ///< each once
    std::vector<ClassifierKind> classifiers{ClassifierKind::linear};
    std::string positive{};    ///< class of precision, recall and AUC; empty: the last one
    bool perturbTest = false;  ///< test documents are perturbed too, with draws of their own
    int repeats = 5;           ///< >= 1
    std::uint64_t seed = 1;
    int threads = 0;       ///< 0: all
    Crew* crew = nullptr;  ///< processes that share the settings and repeats; null: this one alone

    [[nodiscard]] bool has(attack::Task task) const {
        return std::ranges::find(tasks, task) != tasks.end();
    }
    /// Whether a task learns from the classes of documents, or from their authors.
    [[nodiscard]] bool needsClasses() const {
        return has(attack::Task::classify) || has(attack::Task::membership);
    }
    [[nodiscard]] bool needsAuthors() const {
        return has(attack::Task::authorship) || has(attack::Task::audit);
    }
};

/// Results of one classifier under one condition.
struct ClassifierResults {
    std::array<Estimate, kMeasures.size()> measures{};  ///< in the order of kMeasures
    std::optional<Estimate> retained{};  ///< of the accuracy; see retainedShare. Of settings only
    std::vector<Scores> repeats{};       ///< of the finished repeats
    /// Of each test document, the share of the repeats that put it into its class; empty unless the
    /// data set has a split of its own, so that all repeats share these documents.
    std::vector<double> correct{};
    /// Means over the repeats on resampled test documents, the same ones for all conditions and all
    /// runs with the seed; empty where `correct` is.
    std::vector<Scores> resampled{};

    [[nodiscard]] const Estimate& of(Measure measure) const {
        return measures.at(static_cast<std::size_t>(measure));
    }
};

/// One setting; results in the order of the classifiers asked for.
struct EvaluationCell {
    double epsilon = 0.0;
    double lambda = 0.0;
    std::optional<double> gamma{};
    std::optional<double> beta{};
    std::vector<ClassifierResults> classify{};
};

/// Accuracy of two settings with the same epsilon: first - second.
struct SettingsCompared {
    std::size_t first = 0;  ///< index into cells
    std::size_t second = 0;
    std::size_t classifier = 0;  ///< index into the classifiers asked for
    Difference accuracy{};
};

/// The data set of an evaluation, in counts.
struct DataDescription : corpus::DataFacts {
    std::int64_t documents = 0;
    std::int64_t tokens = 0;
    std::int64_t knownTokens = 0;
    std::int64_t replacedTokens = 0;
    std::int64_t stopWords = 0;               ///< listed
    std::optional<std::int64_t> onlyWords{};  ///< listed; nothing: all words are replaced
    std::string commonest{};  ///< the class with most documents; empty without classes
    std::int64_t authors = 0;
    std::string positive{};  ///< empty unless there are two classes
    bool hasOwnSplit = false;
    std::int64_t trainingDocuments = 0;  ///< of the first repeat
    std::int64_t testDocuments = 0;
    /// Test documents with the text of a training document; 0 unless the data set has its own
    /// split.
    std::int64_t repeatedTestDocuments = 0;

    /// Whether the policies leave known words as they are.
    [[nodiscard]] bool exemptsWords() const { return stopWords > 0 || onlyWords.has_value(); }
};

/// Places of the conditions of an evaluation: the text as typed, released without and with uniform
/// noise; the cells follow.
inline constexpr std::size_t kOriginal = 0;
inline constexpr std::size_t kCeiling = 1;
inline constexpr std::size_t kFloor = 2;
inline constexpr std::size_t kBaselines = 3;

/// Results of an evaluation.
struct EvaluationSummary {
    EvaluationOptions options{};  ///< as asked for; the grid without unused values
    DataDescription data{};
    std::vector<mechanism::Guarantee> guarantees{};  ///< one per cell
    int repeats = 0;                                 ///< of the classification, finished
    bool partial = false;                            ///< cancelled before all was done
    std::int64_t substitutions = 0;
    double perturbSeconds = 0.0;
    double classifySeconds = 0.0;
    /// Accuracy of naming the commonest class of the training part; 0 without a classification.
    double majority = 0.0;

    /// Of the classification; empty without one, as are those of the cells.
    std::vector<ClassifierResults> original{};  ///< trained and tested on the text as it was
    std::vector<ClassifierResults> ceiling{};   ///< no noise, the same unknown words
    std::vector<ClassifierResults> floor{};     ///< replaced words are any of the vocabulary
    std::vector<EvaluationCell> cells{};        ///< as those of a calibration
    std::vector<SettingsCompared> differences{};

    std::vector<attack::AttackResults>
        attacks{};  ///< of the tasks that attack, as far as they were begun

    /// What classifiers reached under a condition.
    [[nodiscard]] const std::vector<ClassifierResults>& classified(std::size_t condition) const {
        return condition == kOriginal  ? original
               : condition == kCeiling ? ceiling
               : condition == kFloor   ? floor
                                       : cells[condition - kBaselines].classify;
    }
};

/// Says what is wrong with options for these data, or nothing.
[[nodiscard]] std::optional<Error> validate(const EvaluationOptions& options,
                                            const corpus::DataSet& data,
                                            const embedding::PreparedEmbedding& embedding);

/// Called on the thread of a run with what is finished so far, marked partial.
using ShowSummary = std::function<void(const EvaluationSummary& soFar)>;

struct EvaluationParts;

/// Data, words and splits of an evaluation: what can be known before noise is drawn.
class Evaluation {
public:
    /// space and data must outlive this object. Fails as validate, tokeniseDocuments and
    /// splitDocuments do.
    [[nodiscard]] static Result<Evaluation> create(const engine::SearchSpace& space,
                                                   const corpus::DataSet& data,
                                                   EvaluationOptions options,
                                                   const JobContext& job = {});

    /// The same words and splits with another grid, other tasks, classifiers or attackers, and no
    /// more repeats: for searches.
    [[nodiscard]] Evaluation with(EvaluationOptions options) const;

    [[nodiscard]] const DataDescription& data() const;
    [[nodiscard]] const EvaluationParts& parts() const { return *m_parts; }

    /// Runs the tasks one after the other, a classification repeat after repeat, an attack setting
    /// after setting. A cancelled run with at least one finished repeat or setting returns a
    /// partial summary; with none it fails with cancelled. Fails with resourceLimit where that
    /// needs more memory than is free.
    ///
    /// show  called after each repeat of a classification, each setting of an attack, and each
    ///       task but the last; not where processes share the work
    [[nodiscard]] Result<EvaluationSummary> run(const JobContext& job = {},
                                                const ShowSummary& show = {}) const;

private:
    explicit Evaluation(std::shared_ptr<const EvaluationParts> parts) : m_parts(std::move(parts)) {}

    std::shared_ptr<const EvaluationParts> m_parts;
};

}  // namespace epsilens::evaluation
