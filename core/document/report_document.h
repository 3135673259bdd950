#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/error.h"
#include "core/calibration/density_profile.h"
#include "core/calibration/measurement.h"
#include "core/calibration/run.h"
#include "core/corpus/tokenised_documents.h"
#include "core/document/evaluation_document.h"
#include "core/document/json_document.h"
#include "core/document/json_parts.h"
#include "core/engine/search_space.h"
#include "core/evaluation/figure_limit.h"

namespace epsilens::document {

struct KeptSearch;

inline constexpr std::string_view kReportSchema = "epsilens.report/1";

/// What the chosen setting does to the words of the analyst's own texts, each as often as it
/// occurs.
struct TextShares {
    std::string file{};
    std::int64_t tokens = 0;  ///< known words of the texts that were measured
    int draws = 0;            ///< of each
    double kept = 0.0;        ///< shares of the outputs, with the next two 1 in all
    double near = 0.0;
    double far = 0.0;
    double unknown = 0.0;  ///< share of the words of the texts that the embedding does not know
    corpus::TextLengths lengths{};
};

/// The chosen setting beside other mechanisms, where they keep as many of some words of its run.
struct ComparedChoice {
    struct Row {
        std::string mechanism{};  ///< comparedTitle
        double epsilon = 0.0;
        double near = 0.0;                 ///< share of the outputs
        std::optional<double> pairLoss{};  ///< largest log ratio of the odds of the first pair
    };

    std::int64_t words = 0;
    int draws = 0;
    double kept = 0.0;  ///< share that all keep
    /// The chosen setting, then others: those that promise most for the first pair, if there is
    /// one.
    std::vector<Row> rows{};
};

/// What the analyst adds to a calibration. Texts may be empty, which a report says.
struct ReportSettings {
    enum class Answer { notStated, yes, no };

    std::string title{};
    std::string purpose{};
    std::string author{};
    std::string date{};  ///< as written, such as 2026-01-31
    Answer trainedOnProtectedText = Answer::notStated;
    std::string textSource{};    ///< where the texts to protect come from
    std::string unknownWords{};  ///< policy: mask, random, drop, keep
    std::string alternatives{};  ///< looked at, in the analyst's words
    std::string reason{};        ///< why this setting
    /// By whom epsilon was chosen, and if by a search, by which under which limits: sentences.
    std::string epsilonOrigin{};
    std::optional<calibration::Choice> choice{};
    std::vector<calibration::Limit> limits{};
    /// On what attackers learn from texts and on what these are still good for.
    std::vector<evaluation::FigureLimit> figureLimits{};
    /// Confidential unless the analyst asked for them to be shown.
    std::vector<std::string> sentences{};
    /// Nearest-neighbour distances of the vocabulary, when they were computed; files keep
    /// summaries.
    std::optional<calibration::DensityFigures> density{};
    std::optional<TextShares> texts{};
};

/// Reads "yes", "no", "not stated". Fails with invalidArgument.
[[nodiscard]] Result<ReportSettings::Answer> parseAnswer(std::string_view name);

/// A text that differs exactly when two settings differ.
[[nodiscard]] std::string settingsKey(const ReportSettings& settings);

/// A calibration with what the analyst added to it.
struct Report {
    ReportSettings settings{};
    calibration::Run run{};
    /// What was measured with the same mechanism on the same embedding: checkBelongs.
    std::vector<EvaluationRecord> evaluations{};
    /// What the chosen setting makes of the sentences of the settings, as examplesOfChoice.
    std::vector<calibration::Example> examples{};
    std::optional<ComparedChoice> compared{};  ///< nothing where it was not measured
    /// By which epsilon was chosen on texts; only sessions have it. Null: none.
    std::shared_ptr<const KeptSearch> search{};
    /// The family of the chosen setting at many epsilons, of the words and draws of the run, for
    /// drawings; documents do not have it. Empty: drawings go through the settings of the run.
    std::vector<calibration::Cell> alongAxis{};
    /// The window knows of two words that may be confidential and leaves them out; documents do not
    /// have it.
    bool hidesPair = false;
    /// Of which of the analyst's own texts more words than the limits let pass are kept too often:
    /// "3 of 7 words of sms.tsv"; documents do not have it.
    std::vector<std::string> beyondLimits{};
};

/// What the report's limits and choice say about its run. Fails as calibration::findingsOf.
[[nodiscard]] Result<calibration::Findings> findingsOf(const Report& report);

/// What is known of a limit on a figure.
struct FigureFinding {
    evaluation::FigureLimit limit{};
    /// Of several evaluations the one that meets it least; nothing where none measured it at just
    /// the setting.
    std::optional<evaluation::FigureCheck> check{};

    [[nodiscard]] bool met() const { return check && check->met(); }
    [[nodiscard]] bool missed() const { return check && check->margin < 0.0; }
};

/// Limits on figures held against all that was measured at just one setting, in their order: the
/// draws by which a search chose the setting do not outweigh others that miss a limit there.
///
/// cell  the setting; null: none, of which nothing is known
[[nodiscard]] std::vector<FigureFinding> figureFindings(
    const std::vector<evaluation::FigureLimit>& limits, const calibration::Cell* cell,
    const std::vector<const EvaluationRecord*>& evaluations);
/// The same of the limits and the chosen setting of a report.
[[nodiscard]] std::vector<FigureFinding> figureFindings(const Report& report,
                                                        const calibration::Findings& findings);

/// How many limits there are, and of how many it is known whether they are met.
struct LimitCounts {
    std::size_t all = 0;
    std::size_t met = 0;
    std::size_t missed = 0;

    [[nodiscard]] std::size_t open() const { return all - met - missed; }
    [[nodiscard]] bool areAllMet() const { return met == all; }
    bool operator==(const LimitCounts&) const = default;
};

[[nodiscard]] LimitCounts countLimits(std::span<const calibration::LimitCheck> words,
                                      std::span<const FigureFinding> texts);

/// What the chosen setting makes of some texts, with the seed of the run; nothing without a choice.
/// Fails as findingsOf and examplesOf.
[[nodiscard]] Result<std::vector<calibration::Example>> examplesOfChoice(
    const Report& report, std::span<const std::string> texts, const engine::SearchSpace& space,
    const JobContext& job = {});

/// "Truncated exponential (TEM), Poincaré", "Regularized Mahalanobis, λ 0.5"
[[nodiscard]] std::string comparedTitle(const mechanism::Mechanism& mechanism);

/// The mechanism of the chosen setting and those of other kinds or metrics, measured on at most 200
/// words of the run, at most 100 draws each; none without a choice. Fails as findingsOf and
/// calibration::compareMechanisms.
///
/// threads  0: all
[[nodiscard]] Result<std::vector<calibration::ComparedMechanism>> measureOthers(
    const Report& report, const engine::SearchSpace& space, int threads,
    const JobContext& job = {});

/// What they say of the chosen setting, which may have another epsilon than when they were
/// measured. Fails as findingsOf.
[[nodiscard]] Result<std::optional<ComparedChoice>> compareChoice(
    const Report& report, const std::vector<calibration::ComparedMechanism>& measured,
    const embedding::Vocabulary& vocabulary);

/// A report as the document "epsilens.report/1": what the analyst added, what follows from it, the
/// whole calibration, and evaluations where there are any. Keys in a fixed order. Without the
/// sentences of the settings, of which the examples hold what is shown, and without what nobody
/// could measure again: shares of the analyst's texts. Fails as findingsOf.
[[nodiscard]] Result<nlohmann::ordered_json> reportDocument(const Report& report);
[[nodiscard]] Result<std::string> reportJson(const Report& report);

/// Reads it back strictly; findings have to follow from the rest. Fails with badFile.
[[nodiscard]] Result<Report> readReport(std::string_view json);
/// The same for a parsed document; problems are recorded there.
[[nodiscard]] Report readReport(const JsonNode& document);

}  // namespace epsilens::document
