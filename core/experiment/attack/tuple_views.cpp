#include "core/experiment/attack/tuple_views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/pass_on.h"
#include "core/engine/metric_rows.h"
#include "core/experiment/attack/distance_visits.h"
#include "core/experiment/attack/in_parallel.h"
#include "core/experiment/attack/learned_counts.h"
#include "core/experiment/attack/prior.h"

namespace epsilens::experiment {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
// Lower terms add nothing to a sum with a term of 1, and exp would make them denormal.
constexpr float kNegligible = -80.0F;

// What does not depend on the tuple, shared by all workers.
struct Knowledge {
    const SmoothingModels& models;
    const LearnedCounts counts;
    VectorD logPrior;
    std::span<const Row> learned;
    std::span<const Row> listed;
    std::vector<std::uint8_t> isListed;  ///< by row; empty without a list
    Row commonest;
    int outputs;                             ///< K
    std::vector<std::size_t> indexes;        ///< of the models that are wanted
    std::vector<VectorF> offsets;            ///< of words that were not learned, one for each model
    std::vector<VectorF> unlistedOffsets{};  ///< of those that are not listed either

    /// ln h_s(w, u_1) ... h_s(w, u_K) by the sum of the distances
    [[nodiscard]] double logModel(std::size_t model, Row word, float distances) const {
        const double logTotal = -models.logModel(model, word, 0.0F);
        return -models.rate(model) * static_cast<double>(distances) - outputs * logTotal;
    }
};

// A word with counts in some of the outputs.
struct Touched {
    Row word = 0;
    std::vector<int> counts{};
    std::vector<float> distances{};
    std::vector<double> models{};  ///< h_s(word, u) of each output u
    double byModel = 0.0;          ///< ln of pi times their product
    double score = 0.0;            ///< ln pi(word) C'(word, u_1) ... C'(word, u_K)
};

// Listed words and others.
using ListSums = std::array<double, 2>;

// The views of one tuple after the other. Holds scratch memory.
class Viewer {
public:
    explicit Viewer(const Knowledge& knowledge)
        : m_known(knowledge), m_sums(knowledge.logPrior.size()) {}

    /// outputs  of the next tuple
    void begin(std::span<const Row> outputs) {
        m_words.assign(1, m_known.commonest);
        for (const Row output : outputs) {
            for (const LearnedCounts::Entry& entry : m_known.counts.of(output)) {
                m_words.push_back(entry.word);
            }
        }
        std::sort(m_words.begin(), m_words.end());
        m_words.erase(std::unique(m_words.begin(), m_words.end()), m_words.end());
        if (m_scratch.size() < m_words.size()) {
            m_scratch.resize(m_words.size());
        }
        m_touched = std::span(m_scratch).first(m_words.size());
        for (std::size_t i = 0; i < m_words.size(); ++i) {
            m_touched[i].word = m_words[i];
            m_touched[i].counts.clear();
            m_touched[i].distances.clear();
        }
        m_sums.setZero();
    }

    /// The next output of the tuple, and its distances to all words.
    void add(Row output, const float* distances) {
        m_sums += Eigen::Map<const VectorF>(distances, m_sums.size());
        for (Touched& touched : m_touched) {
            touched.counts.push_back(m_known.counts.of(output, touched.word));
            touched.distances.push_back(distances[touched.word]);
        }
    }

    /// result  models x weights
    void finish(std::span<TupleView> result) {
        const std::span<const double> weights = smoothingWeights();
        for (std::size_t i = 0; i < m_known.indexes.size(); ++i) {
            const ByModel byModel = lookByModel(i);
            evaluateTouched(m_known.indexes[i]);
            for (std::size_t k = 0; k < weights.size(); ++k) {
                result[i * weights.size() + k] = view(weights[k], byModel);
            }
        }
    }

private:
    // Counts apart: of words that were not learned, and of those that were.
    struct ByModel {
        std::array<Candidate, 2> best{};
        double reference = 0.0;              ///< ln of what the sums are divided by
        std::array<ListSums, 2> listSums{};  ///< weights of the listed words, and of the others
    };

    ByModel lookByModel(std::size_t i) const {
        const std::size_t model = m_known.indexes[i];
        ByModel result;
        if (m_known.learned.size() < static_cast<std::size_t>(m_sums.size())) {
            const Row word = m_known.models.best(model, m_known.offsets[i], m_sums.data());
            result.best[0].improve(scoreOf(model, word), word);
        }
        for (const Row word : m_known.learned) {
            result.best[1].improve(scoreOf(model, word), word);
        }
        result.reference = std::max(result.best[0].score, result.best[1].score);
        if (!m_known.isListed.empty()) {
            sumLists(i, result);
        }
        return result;
    }

    [[nodiscard]] double scoreOf(std::size_t model, Row word) const {
        return m_known.logPrior[word] + m_known.logModel(model, word, m_sums[word]);
    }
    [[nodiscard]] bool isListed(Row word) const {
        return m_known.isListed[static_cast<std::size_t>(word)] != 0;
    }

    void sumLists(std::size_t i, ByModel& result) const {
        const std::size_t model = m_known.indexes[i];
        const auto weight = [&](Row word) {
            return std::exp(scoreOf(model, word) - result.reference);
        };
        for (const Row word : m_known.listed) {
            if (!m_known.counts.isLearned(word)) {
                result.listSums[0][0] += weight(word);
            }
        }
        const auto rate = static_cast<float>(m_known.models.rate(model));
        const auto reference = static_cast<float>(result.reference);
        result.listSums[0][1] = static_cast<double>(
            (m_known.unlistedOffsets[i].array() - rate * m_sums.array() - reference)
                .max(kNegligible)
                .exp()
                .sum());
        for (const Row word : m_known.learned) {
            result.listSums[1][isListed(word) ? 0 : 1] += weight(word);
        }
    }

    void evaluateTouched(std::size_t model) {
        for (Touched& touched : m_touched) {
            touched.models.clear();
            for (const float distance : touched.distances) {
                touched.models.push_back(
                    std::exp(m_known.models.logModel(model, touched.word, distance)));
            }
            touched.byModel = scoreOf(model, touched.word);
        }
    }

    [[nodiscard]] TupleView view(double kappa, const ByModel& byModel) {
        // A learned word without a count in any output.
        const double share =
            std::isinf(kappa)
                ? 0.0
                : m_known.outputs * std::log(kappa / (m_known.counts.draws() + kappa));
        Candidate best = byModel.best[0];
        if (kappa > 0.0) {
            best.improve(byModel.best[1].score + share, byModel.best[1].word);
        } else {
            best = {};
        }
        double rival = kImpossible;
        for (Touched& touched : m_touched) {
            touched.score = scoreOf(touched, kappa);
            best.improve(touched.score, touched.word);
            rival = touched.word == m_known.commonest ? touched.score : rival;
        }
        TupleView result{m_known.commonest, 0.0F, 0.0F};
        if (best.score > kImpossible) {
            result.word = best.word;
            result.lead = static_cast<float>(best.score - rival);
        }
        if (!m_known.isListed.empty()) {
            result.listOdds = listOdds(kappa, share, best.score, byModel);
        }
        return result;
    }

    [[nodiscard]] double scoreOf(const Touched& touched, double kappa) const {
        const Row word = touched.word;
        if (std::isinf(kappa) || !m_known.counts.isLearned(word)) {
            const double unseen = kImpossible;
            return kappa > 0.0 ? touched.byModel : unseen;
        }
        // One logarithm for several factors, as long as their product does not underflow.
        constexpr double kSmall = 1e-100;
        const double draws = m_known.counts.draws() + kappa;
        double sum = m_known.logPrior[word];
        double product = 1.0;
        for (std::size_t k = 0; k < touched.counts.size(); ++k) {
            product *= (touched.counts[k] + kappa * touched.models[k]) / draws;
            if (product < kSmall) {
                sum += std::log(product);
                product = 1.0;
            }
        }
        return sum + std::log(product);
    }

    // share  ln of the factor of learned words; best  largest score of all words
    [[nodiscard]] float listOdds(double kappa, double share, double best,
                                 const ByModel& byModel) const {
        const double reference = std::max(best, byModel.reference);
        ListSums sums{};
        if (kappa > 0.0) {
            const double scale = std::exp(byModel.reference - reference);
            for (std::size_t group = 0; group < 2; ++group) {
                sums[group] = scale * (byModel.listSums[0][group] +
                                       std::exp(share) * byModel.listSums[1][group]);
            }
        }
        for (const Touched& touched : m_touched) {
            if (!m_known.counts.isLearned(touched.word)) {
                continue;
            }
            const double without =
                kappa > 0.0 ? std::exp(share + touched.byModel - reference) : 0.0;
            sums[isListed(touched.word) ? 0 : 1] +=
                std::max(0.0, std::exp(touched.score - reference) - without);
        }
        // Outputs that no word is known to have say nothing, and no odds are an answer of neither.
        return sums[0] > 0.0 || sums[1] > 0.0 ? static_cast<float>(std::log(sums[0] / sums[1]))
                                              : -std::numeric_limits<float>::infinity();
    }

    const Knowledge& m_known;
    VectorF m_sums;                    ///< of the distances of the outputs so far
    std::vector<Row> m_words{};        ///< those that are touched
    std::vector<Touched> m_scratch{};  ///< keeps its memory from one tuple to the next
    std::span<Touched> m_touched{};
};

// Distinct tuples by their outputs, and which of them each tuple is.
struct DistinctTuples {
    std::vector<Row> outputs{};
    std::vector<std::size_t> places{};

    DistinctTuples(std::span<const Row> all, std::size_t width) {
        const auto tupleAt = [&](std::size_t i) { return all.subspan(i * width, width); };
        std::vector<std::size_t> order(all.size() / width);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::ranges::lexicographical_compare(tupleAt(a), tupleAt(b));
        });
        places.resize(order.size());
        std::size_t distinct = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i == 0 || !std::ranges::equal(tupleAt(order[i]), tupleAt(order[i - 1]))) {
                const auto tuple = tupleAt(order[i]);
                outputs.insert(outputs.end(), tuple.begin(), tuple.end());
                ++distinct;
            }
            places[order[i]] = distinct - 1;
        }
    }
};

Knowledge knowledgeOf(const SmoothingModels& models, std::size_t firstModel,
                      const LearningDraws& learning, const VectorD& prior,
                      std::span<const Row> listed, int outputs,
                      std::span<const std::size_t> scales) {
    Knowledge known{models,
                    LearnedCounts(learning, static_cast<Row>(prior.size())),
                    prior.array().log(),
                    learning.words,
                    listed,
                    {},
                    commonestWords(prior, 1).front(),
                    outputs,
                    {},
                    {}};
    VectorD weights = known.logPrior;
    for (const Row word : learning.words) {
        weights[word] = kImpossible;
    }
    VectorD unlisted = weights;
    if (!listed.empty()) {
        known.isListed.resize(static_cast<std::size_t>(prior.size()));
    }
    for (const Row word : listed) {
        unlisted[word] = kImpossible;
        known.isListed[static_cast<std::size_t>(word)] = 1;
    }
    for (const std::size_t scale : scales) {
        known.indexes.push_back(firstModel + scale);
        known.offsets.push_back(models.offsets(firstModel + scale, weights, outputs));
        if (!listed.empty()) {
            known.unlistedOffsets.push_back(models.offsets(firstModel + scale, unlisted, outputs));
        }
    }
    return known;
}

// The distances of outputs, one after the other. Holds scratch memory.
class OutputDistances {
public:
    /// table  of all words, words x V; empty: distances are computed
    OutputDistances(const engine::MetricSpace& space, const RowMatrixF& table)
        : m_space(space), m_table(table) {}

    /// outputs  whose distances are wanted next, in their order
    void load(std::span<const Row> outputs) {
        m_outputs = outputs;
        m_next = 0;
    }
    /// Of the next output; valid until it is called again.
    const float* next() {
        const std::size_t place = m_next++;
        if (m_table.rows() > 0) {
            return m_table.row(m_outputs[place]).data();
        }
        const auto atOnce = static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(m_space));
        if (place % atOnce == 0) {
            m_rows.load(m_space,
                        m_outputs.subspan(place, std::min(atOnce, m_outputs.size() - place)));
        }
        return m_rows.finish(static_cast<std::int64_t>(place % atOnce), 1).distances;
    }

private:
    const engine::MetricSpace& m_space;
    const RowMatrixF& m_table;
    std::span<const Row> m_outputs{};
    std::size_t m_next = 0;
    engine::MetricRows m_rows{false};
};

}  // namespace

Result<RowMatrixF> distanceTable(const engine::MetricSpace& space, int threads,
                                 const JobContext& job) {
    // 64 MiB.
    constexpr Row kMostWords = 4096;
    RowMatrixF table;
    if (space.wordCount() > kMostWords) {
        return table;
    }
    table.setZero(space.wordCount(), space.wordCount());
    std::vector<Row> words(static_cast<std::size_t>(space.wordCount()));
    std::iota(words.begin(), words.end(), 0);
    RETURN_IF_ERROR(visitDistances(space, words, 1, workersOf(threads), "Learning", job,
                                   [&](std::size_t, int, const engine::MetricRow& row) {
                                       table.row(row.word) = Eigen::Map<const VectorF>(
                                           row.distances, space.wordCount());
                                   }));
    return table;
}

TupleViewer::TupleViewer(const engine::MetricSpace& space, const SmoothingModels& models,
                         std::size_t firstModel, const LearningDraws& learning,
                         const VectorD& prior, std::span<const Row> listed, int outputs,
                         const RowMatrixF& distances)
    : m_space(space),
      m_models(models),
      m_firstModel(firstModel),
      m_learning(learning),
      m_prior(prior),
      m_listed(listed),
      m_outputs(outputs),
      m_distances(distances) {}

Result<TupleViews> TupleViewer::look(std::span<const Row> outputs,
                                     std::span<const std::size_t> scales, int threads,
                                     std::string_view stage, const JobContext& job) const {
    // Words share a product as often as elsewhere; see visitDistances.
    constexpr std::size_t kOutputsAtOnce = 64;
    const auto width = static_cast<std::size_t>(m_outputs);
    const Knowledge known =
        knowledgeOf(m_models, m_firstModel, m_learning, m_prior, m_listed, m_outputs, scales);
    DistinctTuples tuples(outputs, width);
    const std::size_t distinct = tuples.outputs.size() / width;
    TupleViews views;
    views.m_scales = scales.size();
    views.m_weights = smoothingWeights().size();
    const std::size_t perTuple = views.m_scales * views.m_weights;
    views.m_views.resize(distinct * perTuple);
    views.m_places = std::move(tuples.places);
    const std::size_t tuplesAtOnce = std::max<std::size_t>(1, kOutputsAtOnce / width);
    struct Worker {
        Viewer viewer;
        OutputDistances distances;
    };
    RETURN_IF_ERROR(inParallel(
        (distinct + tuplesAtOnce - 1) / tuplesAtOnce, workersOf(threads), stage, job,
        [&](int) {
            return Worker{Viewer(known), OutputDistances(m_space, m_distances)};
        },
        [&](Worker& worker, std::size_t task) {
            const std::size_t first = task * tuplesAtOnce;
            const std::size_t end = std::min(first + tuplesAtOnce, distinct);
            const std::span<const Row> all(tuples.outputs);
            worker.distances.load(all.subspan(first * width, (end - first) * width));
            for (std::size_t tuple = first; tuple < end && !job.stopRequested(); ++tuple) {
                const auto own = all.subspan(tuple * width, width);
                worker.viewer.begin(own);
                for (const Row output : own) {
                    worker.viewer.add(output, worker.distances.next());
                }
                worker.viewer.finish(std::span(views.m_views).subspan(tuple * perTuple, perTuple));
            }
        }));
    return views;
}

}  // namespace epsilens::experiment
