#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/limits.h"
#include "core/calibration/output_distribution.h"
#include "core/engine/epsilon_range.h"
#include "core/engine/search_space.h"
#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::calibration {

/// What is measured: one setting of a mechanism on some words, at every epsilon, under the draws of
/// calibrate() with the same sampling.
struct MeasurementOptions : Sampling {
    mechanism::Mechanism mechanism{};
    /// How much each row of a list of words counts in the shares, finite, > 0: how often it occurs
    /// in somebody's text, say. Without, all words count alike.
    std::vector<double> weights{};

    /// The run that has the same draws, without epsilons.
    [[nodiscard]] CalibrationOptions calibration() const {
        return {*this, mechanism::Grid::of(mechanism)};
    }
};

/// Bound on the relative error of probabilities that are known in closed form; its derivation
/// stands in selection_measurement.cpp.
inline constexpr double kProfileError = 1e-3;

/// Shares of the outputs; they add up to 1.
struct OutputShares {
    double kept = 0.0;
    double near = 0.0;
    double far = 0.0;
};

/// How often a word gives another one.
struct MeasuredOutput {
    Row row = 0;
    double count = 0.0;  ///< out of R; not a whole number where it is expected, not sampled
    OutputClass outputClass = OutputClass::far;
};

/// One word at one epsilon. Counts out of R, whole numbers where outputs are sampled.
struct MeasuredWord {
    double nw = 0.0;
    double sw = 0.0;
    double near = 0.0;  ///< outputs among the K nearest neighbours, without the word
};

/// What all measurements have.
struct MeasurementBasis {
    MeasurementOptions options{};
    std::vector<Row> words{};       ///< rising
    std::vector<double> weights{};  ///< one per word
    double origin = 0.0;
};

/// One setting measured once, for every epsilon. Immutable; lookups may come from several threads
/// and need neither the embedding nor the search space.
///
/// Every epsilon passed in is finite and exceeds origin(). Words are counted from 0 in the order of
/// words().
class Measurement {
public:
    Measurement(const Measurement&) = delete;
    Measurement& operator=(const Measurement&) = delete;
    virtual ~Measurement() = default;

    [[nodiscard]] const MeasurementOptions& options() const { return m_basis.options; }
    /// Rows that were measured, rising.
    [[nodiscard]] std::span<const Row> words() const { return m_basis.words; }
    /// One per word.
    [[nodiscard]] std::span<const double> weights() const { return m_basis.weights; }
    /// What epsilon exceeds: m - 1 for riemannian noise, else 0.
    [[nodiscard]] double origin() const { return m_basis.origin; }
    /// The epsilons worth showing: from a third of the 5th percentile of the critical epsilons to 3
    /// times the 95th, both counted from the origin.
    [[nodiscard]] EpsilonSpan shown() const { return m_shown; }
    /// The epsilon from which on half of the draws of a word return it, as the median critical
    /// epsilon of a run: 0 where they always do, infinite where they never do.
    [[nodiscard]] double halfKept(std::size_t word) const { return m_halfKept[word]; }

    /// Whether values are known exactly, because they change in steps that are all known; else they
    /// come from the law of the outputs, up to kProfileError.
    [[nodiscard]] bool isInSteps() const { return !options().mechanism.isExact(); }
    /// Shares of the outputs of all words, weighted. Takes microseconds; in closed form about one
    /// for each word.
    [[nodiscard]] virtual OutputShares sharesAt(double epsilon) const = 0;
    /// The same at many epsilons; unfinished once a stop is requested.
    [[nodiscard]] std::vector<OutputShares> sharesAlong(std::span<const double> epsilons,
                                                        const std::stop_token& stop) const;
    /// Whether the shares differ between the ends of shown().
    [[nodiscard]] bool sharesMove() const;
    [[nodiscard]] virtual MeasuredWord wordAt(std::size_t word, double epsilon) const = 0;
    /// The most frequent outputs of a word, ties by lower row.
    ///
    /// most  how many at most
    [[nodiscard]] virtual std::vector<MeasuredOutput> outputsAt(std::size_t word, double epsilon,
                                                                std::size_t most) const = 0;
    /// Statistics over the words, which all count alike here, one cell per epsilon in the order
    /// asked for. As cells of calibrate(), without intervals, K_w and deniability.
    [[nodiscard]] virtual std::vector<Cell> cellsAt(std::span<const double> epsilons) const = 0;
    /// The largest epsilon at which all limits are met: exact where steps are known, else as
    /// findLargestEpsilon. A limit on K_w, which takes independent draws, is
    /// looked at between steps as well.
    ///
    /// limits  at least one
    /// bounds  least and largest epsilon allowed; nothing: wherever values change
    /// Fails with cancelled, and with unsupported for a limit on what cells do not have.
    [[nodiscard]] virtual Result<EpsilonFound> findLargest(const std::vector<Limit>& limits,
                                                           const std::optional<EpsilonSpan>& bounds,
                                                           const JobContext& job = {}) const = 0;

    /// An epsilon within shown() below which a smaller share of the outputs than this is the word
    /// itself, and from which on at least as many are; exact to a relative 1e-6 where the share
    /// rises with epsilon. Nothing where it is larger, or smaller, all over shown().
    ///
    /// share  in (0, 1)
    [[nodiscard]] std::optional<double> epsilonOfKept(double share) const;

    /// The limits held against the cell at an epsilon. Fails as checkLimits.
    [[nodiscard]] Result<std::vector<LimitCheck>> check(const std::vector<Limit>& limits,
                                                        double epsilon) const;

protected:
    explicit Measurement(MeasurementBasis basis) : m_basis(std::move(basis)) {}
    /// halfKept  one per word
    /// range     of the critical epsilons of all words
    void setScale(std::vector<double> halfKept, const engine::EpsilonRange& range);

private:
    MeasurementBasis m_basis;
    EpsilonSpan m_shown{};
    std::vector<double> m_halfKept{};
};
using MeasurementHandle = std::shared_ptr<const Measurement>;

/// Measures one setting. Mechanisms that draw noise are known in steps, TEM and exponential
/// mechanisms in closed form.
///
/// crew  processes that share the words, all of which have the measurement; null: this one alone
/// Fails as validate says of the run, with invalidArgument for wrong weights, with cancelled, and
/// with resourceLimit when what is kept, and a search adds to it, takes more than 4 GiB.
[[nodiscard]] Result<MeasurementHandle> measure(const engine::SearchSpace& space,
                                                MeasurementOptions options,
                                                const JobContext& job = {}, Crew* crew = nullptr);

/// Where one measured setting meets limits and where it does not.
struct LimitSpans {
    /// Rising, apart from each other: there at least one limit is missed.
    std::vector<EpsilonSpan> outside{};
    /// The largest epsilon that meets all of them, exact where the measurement is.
    EpsilonFound largest{};
};

/// Looks at kLimitPoints epsilons, evenly in ln(epsilon - origin), and at kPointsBeside on either
/// side up to a factor kLimitsBeside, where people pan to: a span ends halfway between two of them,
/// or at the largest epsilon within the limits where that lies between them.
///
/// limits  at least one
/// shown   its ends exceed the origin
/// Fails as Measurement::findLargest.
[[nodiscard]] Result<LimitSpans> limitSpans(const Measurement& measurement,
                                            const std::vector<Limit>& limits,
                                            const EpsilonSpan& shown, const JobContext& job = {});

inline constexpr int kLimitPoints = 160;
inline constexpr int kPointsBeside = 40;
inline constexpr double kLimitsBeside = 1e4;

/// One mechanism of a comparison. Epsilons of different metrics do not compare, shares do: what
/// each mechanism promises, and what else it makes of the words, where all keep the same share of
/// them.
struct ComparedMechanism {
    mechanism::Mechanism mechanism{};
    std::string problem{};         ///< why it cannot run on the embedding; empty if it can
    MeasurementHandle response{};  ///< null where it cannot run, as is the next one
    std::optional<mechanism::PreparedMechanism> prepared{};
};

/// A mechanism at the epsilon at which a given share of the outputs is the word itself.
struct ComparedSetting {
    double epsilon = 0.0;
    OutputShares shares{};
    double differentOutputs = 0.0;     ///< mean S_w, out of R
    mechanism::Guarantee guarantee{};  ///< at the epsilon
    double reach10 = 0.0;              ///< largest distance within which odds change by at most 10
    double reachUseful = 0.0;  ///< the same for kLargestUsefulFactor; infinite under a lower cap
};

/// Every mechanism with its defaults; Mahalanobis at lambda 1 too, and TEM in the Poincaré metric
/// where all vectors lie in the unit ball.
[[nodiscard]] std::vector<mechanism::Mechanism> comparableMechanisms(
    const embedding::EmbeddingHandle& embedding);

/// Measures each mechanism on the same words, in their order. One that the embedding does not admit
/// or memory does not hold has a problem instead of a response. Fails as measure() for other
/// reasons.
///
/// how  its mechanism does not matter
[[nodiscard]] Result<std::vector<ComparedMechanism>> compareMechanisms(
    const engine::SearchSpace& space, const std::vector<mechanism::Mechanism>& mechanisms,
    MeasurementOptions how, const JobContext& job = {});

/// Nothing where the mechanism cannot run or keeps no such share at any epsilon of
/// Measurement::shown().
///
/// kept  share, in (0, 1)
[[nodiscard]] std::optional<ComparedSetting> settingAt(const ComparedMechanism& compared,
                                                       double kept);

/// The two kinds of them, from options that measure() has checked.
[[nodiscard]] Result<MeasurementHandle> measureSteps(const engine::SearchSpace& space,
                                                     MeasurementBasis basis, Crew* crew,
                                                     const JobContext& job);
[[nodiscard]] Result<MeasurementHandle> measureSelection(const engine::SearchSpace& space,
                                                         MeasurementBasis basis, Crew* crew,
                                                         const JobContext& job);

}  // namespace epsilens::calibration
