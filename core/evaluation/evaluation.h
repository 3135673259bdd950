#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attack/findings.h"
#include "core/attack/prior.h"
#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/corpus/data_set.h"
#include "core/corpus/tokenised_documents.h"
#include "core/evaluation/classifier.h"
#include "core/evaluation/estimate.h"
#include "core/evaluation/figure_limit.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::evaluation {

/// What an attacker believes about words before he sees a release.
enum class PriorKind {
    training,  ///< from the training part of the data set
    file,      ///< from a reference text
    uniform    ///< every word is equally likely
};

/// Replaced words whose originals are guessed, in whole test documents.
inline constexpr std::int64_t kAttackedWords = 20'000;

struct AttackOptions {
    PriorKind prior = PriorKind::training;
    attack::ReferenceTextHandle reference{};  ///< of PriorKind::file
    /// For searches: of reconstruction only the attackers who compete for the best, whose figures
    /// are the same, without controls and bounds.
    bool bestAlone = false;
};

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
    /// Whether texts are treated alike, with the same draws.
    [[nodiscard]] bool hasSameTerms(const EvaluationOptions& other) const {
        return policies.unknown == other.policies.unknown &&
               policies.letterCase == other.policies.letterCase && seed == other.seed;
    }
    [[nodiscard]] bool needsClasses() const {
        return has(attack::Task::classify) || has(attack::Task::membership);
    }
    [[nodiscard]] bool needsAuthors() const {
        return has(attack::Task::authorship) || has(attack::Task::audit);
    }
};

struct EvaluationCell : calibration::CellSetting {
    attack::Findings classify{};  ///< see EvaluationSummary
};

/// Accuracy of two settings with the same epsilon: first - second.
struct SettingsCompared {
    std::size_t first = 0;  ///< index into cells
    std::size_t second = 0;
    ClassifierKind classifier = ClassifierKind::linear;
    Difference accuracy{};
};

/// The data set of an evaluation, in counts.
struct DataDescription : corpus::DataFacts {
    std::int64_t documents = 0;
    std::int64_t tokens = 0;
    std::int64_t knownTokens = 0;
    std::int64_t replacedTokens = 0;
    corpus::TextLengths lengths{};            ///< 0: not known
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

    /// Of the classification, by the names of classifiers: "linear." and a measure (kMeasures),
    /// with its values in the finished repeats, and of settings "linear.retained", see
    /// retainedShare; NaN as a number where that does not exist. Without figures where nothing was
    /// classified.
    attack::Findings original{};          ///< trained and tested on the text as it was
    attack::Findings ceiling{};           ///< no noise, the same unknown words
    attack::Findings floor{};             ///< replaced words are any of the vocabulary
    std::vector<EvaluationCell> cells{};  ///< as those of a calibration
    std::vector<SettingsCompared> differences{};

    /// Of the tasks that attack, as far as they were begun.
    std::vector<attack::AttackResults> attacks{};

    /// The classifiers that learned; none without a classification.
    [[nodiscard]] std::vector<ClassifierKind> classified() const {
        return original.figures.empty() ? std::vector<ClassifierKind>() : options.classifiers;
    }
};

/// A measured share of an evaluation; nothing where it was not measured or does not exist.
///
/// condition  its place: kOriginal, kCeiling, kFloor, or kBaselines and the index of a cell
/// path       its place in the JSON: "classify.linear.accuracy", "reconstruct.gain"
[[nodiscard]] std::optional<FigureValue> figureAt(const EvaluationSummary& summary,
                                                  std::size_t condition, std::string_view path);
/// The same of a figure that has a name; NaN where there is nothing.
[[nodiscard]] FigureValue figureOf(const EvaluationSummary& summary, std::size_t condition,
                                   const FigureName& figure);

/// Settings of an evaluation that differ in epsilon only.
struct SettingFamily {
    mechanism::Mechanism mechanism{mechanism::Laplace{}};
    std::vector<std::size_t> cells{};  ///< indices into the cells of the summary, epsilon rising
};

/// In the order of the cells.
[[nodiscard]] std::vector<SettingFamily> familiesOf(const EvaluationSummary& summary);

/// Index of the family, of at least one, whose lambda or radius is nearest to that of a mechanism
/// of the same kind.
[[nodiscard]] std::size_t nearestFamily(const std::vector<SettingFamily>& families,
                                        const mechanism::Mechanism& mechanism);

/// The cell of a family whose epsilon has the least ratio to the one given; nothing where that lies
/// outside the epsilons measured, about which an evaluation says nothing.
[[nodiscard]] std::optional<std::size_t> nearestCell(const EvaluationSummary& summary,
                                                     const SettingFamily& family, double epsilon);

struct TradeOffPoint {
    std::size_t cell = 0;
    std::size_t family = 0;
    double utility = 0.0;  ///< accuracy of the first classifier
    double risk = 0.0;     ///< the figure that a task is judged by: AttackResults::risk
    /// Another one has no more risk and no less utility, not both the same.
    bool isDominated = false;
};

/// The settings with both, family after family, epsilon rising within each. Empty unless texts were
/// classified and attacked by the task.
[[nodiscard]] std::vector<TradeOffPoint> tradeOffOf(const EvaluationSummary& summary,
                                                    attack::Task task = attack::Task::reconstruct);

}  // namespace epsilens::evaluation
