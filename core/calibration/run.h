#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/limits.h"
#include "core/calibration/options.h"
#include "core/calibration/provenance.h"
#include "core/embedding/load.h"
#include "core/embedding/vocabulary.h"
#include "core/engine/search_space.h"

namespace epsilens::calibration {

/// All that a run was asked for: enough to do it again.
struct RunRequest {
    /// The path is absolute, or the name of a built-in embedding, or "-".
    embedding::LoadOptions load{};
    CalibrationOptions options{};
};

/// A path as files keep it: absolute, but for nothing, "-" and the names of built-in embeddings.
[[nodiscard]] std::string absolutePath(const std::string& path);

/// A request as files keep it: paths made absolute, and without what the machine decides.
[[nodiscard]] RunRequest keptRequest(embedding::LoadOptions load, CalibrationOptions options);

/// How the embedding was loaded, as far as it records that.
[[nodiscard]] embedding::LoadOptions loadOptionsOf(const embedding::Embedding& embedding);

/// A text, and what a mechanism makes of it at one setting under seeded draws: to look at, never to
/// release.
struct Example {
    static constexpr int kOutputs = 10;
    static constexpr std::size_t kMostWords = 40;
    static constexpr std::string_view kUnknown = "▇▇▇";  ///< in the place of a word without vector

    std::string text{};                  ///< at most kMostWords words; an ellipsis ends a cut text
    std::vector<std::string> outputs{};  ///< kOutputs of them
};

/// What every cell makes of some texts; of texts without a known word nothing.
///
/// cells  of the mechanism
/// texts  UTF-8
/// seed   of the first word; each further one has the next seed, so that no two share draws
/// Returns cells x texts. Fails as cellOutputs.
[[nodiscard]] Result<std::vector<std::vector<Example>>> examplesOf(
    const engine::SearchSpace& space, const mechanism::Mechanism& mechanism,
    std::span<const Cell> cells, std::span<const std::string> texts, std::uint64_t seed,
    const JobContext& job = {});

/// The two built-in sentences of which the vocabulary knows the most words, at least half of each.
[[nodiscard]] std::vector<std::string> builtInTexts(const embedding::Vocabulary& vocabulary);

/// A word with its values in one cell.
struct WordValue {
    std::string word{};
    embedding::Row row = 0;
    double nw = 0.0;
    double sw = 0.0;
};

/// Two words at one lambda, with their distance in the metric of the guarantee.
struct PairDistance {
    std::string first{};
    std::string second{};
    double lambda = 0.0;
    double distance = 0.0;
};

/// A finished calibration: what was asked for, what came out, and how it was made.
struct Run {
    static constexpr std::size_t kWorstWords = 10;
    static constexpr std::size_t kMostCellsWithExamples = 1'000;

    RunRequest request{};
    /// Never null. Shared, because values of single words may take a lot of memory.
    std::shared_ptr<const CalibrationSummary> summary =
        std::make_shared<const CalibrationSummary>();
    Provenance provenance{};
    /// For every cell the words that are kept most often; of those kept equally often, the ones
    /// with the fewest outputs first. At most kWorstWords.
    std::vector<std::vector<WordValue>> worstWords{};
    /// For every cell what it makes of built-in sentences. None if there are more cells than
    /// kMostCellsWithExamples or the vocabulary knows too few of their words.
    std::vector<std::vector<Example>> examples{};
    /// Well-known pairs that the vocabulary has, lambda by lambda.
    std::vector<PairDistance> pairs{};
};
using RunHandle = std::shared_ptr<const Run>;

/// Two words whose odds a report shows.
using NamedPair = std::pair<std::string, std::string>;

/// Whether a pair is among those that every run has, in whatever order of its words.
[[nodiscard]] bool isWellKnown(const NamedPair& pair);

/// The pairs of a run, each once.
[[nodiscard]] std::vector<NamedPair> pairsOf(const Run& run);

/// The same with another pair in front, unless it is among them, in whatever order.
[[nodiscard]] std::vector<NamedPair> pairsWith(const Run& run, NamedPair pair);

/// Distances in the metric of the guarantee, lambda by lambda and pair by pair. Pairs with a word
/// that the vocabulary lacks are left out. Fails as metric::WordMetric::create.
[[nodiscard]] Result<std::vector<PairDistance>> pairDistances(const engine::SearchSpace& space,
                                                              const mechanism::Grid& grid,
                                                              std::span<const NamedPair> pairs);

/// Adds to the results of calibrate() what a report shows beside them. Fails as
/// metric::WordMetric::create and examplesOf.
[[nodiscard]] Result<Run> describeRun(const engine::SearchSpace& space, CalibrationSummary summary,
                                      RunRequest request);

/// Fails with badFile for other vectors than those with this SHA-256.
[[nodiscard]] Result<void> checkVectors(const embedding::Embedding& embedding,
                                        const std::string& sha256);

/// Does a run again on an embedding that is already open. Fails with badFile if these are other
/// vectors, with cancelled unless all words are done, and as calibrate().
///
/// threads  0: all
[[nodiscard]] Result<Run> repeatRun(const Run& run, const engine::SearchSpace& space, int threads,
                                    const JobContext& job = {});

/// Where a run of a grid has a setting among its cells; nothing if it does not.
[[nodiscard]] std::optional<std::size_t> cellOf(const mechanism::Grid& grid,
                                                const mechanism::Setting& setting);

/// A cell that names a setting and holds no results.
[[nodiscard]] Cell cellAt(const mechanism::Setting& setting);

/// A grid with the values of a setting among its own, which keep their order. Where one goes by
/// radius and the other by error probability, the value of the setting replaces those of the grid.
[[nodiscard]] mechanism::Grid including(mechanism::Grid grid, const mechanism::Setting& setting);

/// The run with a setting of its mechanism among its cells: itself where it has it, else done again
/// over a grid that includes it. Fails as repeatRun.
///
/// run  never null
[[nodiscard]] Result<RunHandle> runWith(const RunHandle& run, const mechanism::Setting& setting,
                                        const engine::SearchSpace& space,
                                        const JobContext& job = {});

/// Whether a run was asked for the whole axis of epsilon and its cells are those of a grid.
[[nodiscard]] bool isOfAxis(const Run& run);

/// The setting that is recommended for use: one of the calibrated ones.
struct Choice {
    double epsilon = 0.0;
    std::optional<double> lambda{};  ///< nothing: any
    std::optional<double> gamma{};   ///< nothing: any
};

[[nodiscard]] Choice choiceOf(const Cell& cell);

/// What limits and a choice say about a run.
struct Findings {
    /// Odds of one pair of words at the chosen setting.
    struct Odds {
        PairDistance pair{};
        double factor = 1.0;  ///< the largest by which the odds change
    };

    /// Index of the chosen setting among the cells; nothing without a choice.
    std::optional<std::size_t> cell{};
    /// Indices of the cells that meet all limits, chosen or not; none if there are no limits.
    std::vector<std::size_t> withinLimits{};
    std::vector<LimitCheck> limits{};  ///< of the chosen cell
    std::vector<Odds> odds{};
};

/// Fails with invalidArgument if the chosen setting is not among the calibrated ones (the message
/// lists those of its epsilon), and as checkLimit.
[[nodiscard]] Result<Findings> findingsOf(const Run& run, const std::vector<Limit>& limits,
                                          const std::optional<Choice>& choice);

/// The setting to choose if the analyst leaves that open: the only cell there is, else the largest
/// epsilon that meets all limits, the first of equal ones. Nothing without limits or if no cell
/// meets them. Fails as checkLimit.
[[nodiscard]] Result<std::optional<Choice>> proposedChoice(const Run& run,
                                                           const std::vector<Limit>& limits);

}  // namespace epsilens::calibration
