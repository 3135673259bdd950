#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <QString>

#include "core/calibration/measurement.h"
#include "core/calibration/output_distribution.h"
#include "core/engine/draw_sweep.h"
#include "core/engine/neighbours.h"
#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"
#include "core/report/memo_words.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/query.h"

namespace epsilens::ui::choose {

using embedding::Row;

using NeighbourhoodHandle = std::shared_ptr<const engine::Neighbourhood>;

constexpr int kNearNeighbours = 100;

/// The outputs of one word at one epsilon as shown: counts of R draws, or what R draws give on
/// average where the probabilities are known exactly.
struct ShownDistribution {
    ShownDistribution() = default;
    explicit ShownDistribution(const calibration::OutputDistribution& sampled);

    bool exact = false;  ///< from probabilities
    int draws = 0;       ///< R
    double kept = 0.0;   ///< N_w; kept, near and far add up to R
    double near = 0.0;
    double far = 0.0;
    double distinct = 0.0;  ///< S_w
    /// Most frequent first, ties by lower row; of an exact one only the first, see outputCount.
    std::vector<calibration::MeasuredOutput> outputs{};
    std::int64_t outputCount = 0;  ///< different outputs, those not in `outputs` included
};

/// Less than this would be shown as 0 by one decimal.
inline constexpr double kLeastShown = 0.05;

/// "41", "41.3", "under 0.1"
[[nodiscard]] QString countText(const ShownDistribution& distribution, double count);

[[nodiscard]] report::Hundredths hundredthsOf(const ShownDistribution& distribution);

struct OutputSetting {
    mechanism::Mechanism mechanism{};
    double epsilon = 0.0;  ///< 0 for mechanisms with paths, whose outputs are known at all epsilons
    std::uint64_t seed = 1;
    int draws = 100;

    [[nodiscard]] bool operator==(const OutputSetting&) const = default;
};

struct WordOutputs {
    Row word = 0;
    engine::WordPaths paths{};         ///< empty where probabilities are exact
    std::vector<Row> draws{};          ///< without paths: the outputs of R draws,
    ShownDistribution distribution{};  ///< and their exact distribution
    /// Median over the draws of the least epsilon at which a draw keeps the word, per unit of
    /// distance, infinite where it never does. Where probabilities are exact, the epsilon at which
    /// the word is kept with probability 1/2.
    double halfKept = 0.0;
    NeighbourhoodHandle neighbours{};  ///< by the metric that the mechanism goes by

    [[nodiscard]] Row output(int draw, double epsilon) const;
    [[nodiscard]] ShownDistribution at(double epsilon) const;
};

struct Outputs {
    OutputSetting setting{};
    std::unordered_map<Row, std::shared_ptr<const WordOutputs>> words{};
};

/// Computes outputs of words of one embedding, and keeps what the next ones can use: those of other
/// words of the same setting, and distances from one epsilon to the next. For one job at a time.
class OutputMaker {
public:
    OutputMaker(engine::SearchSpaceHandle space, std::shared_ptr<MetricSpaceCache> metrics);
    ~OutputMaker();

    /// words  rising
    /// Fails with cancelled, or as the mechanism does.
    [[nodiscard]] Result<Outputs> make(const OutputSetting& setting, const std::vector<Row>& words,
                                       const JobContext& job);

private:
    struct RankedWord;

    [[nodiscard]] Result<void> followPaths(const std::vector<Row>& words, const JobContext& job);
    [[nodiscard]] Result<void> select(const std::vector<Row>& words, const JobContext& job);
    [[nodiscard]] Result<void> rank(const std::vector<Row>& words, const JobContext& job);

    engine::SearchSpaceHandle m_space;
    std::shared_ptr<MetricSpaceCache> m_metrics;
    Outputs m_known;
    MetricSpaceHandle m_metric;
    std::unordered_map<Row, std::shared_ptr<RankedWord>> m_ranked;  ///< in that metric
};

struct OutputKey {
    std::shared_ptr<OutputMaker> maker{};
    OutputSetting setting{};
    std::vector<Row> words{};  ///< rising

    [[nodiscard]] bool operator==(const OutputKey&) const = default;
};

using OutputQuery = Query<OutputKey, Outputs>;

[[nodiscard]] OutputQuery::Spec outputSpec(const QString& title,
                                           std::function<std::optional<OutputKey>()> key);

}  // namespace epsilens::ui::choose
