#include "core/experiment/attack/learned_observations.h"

#include <algorithm>
#include <cmath>

namespace epsilens::experiment {
namespace {

// ln 0, but finite: a sum of it with another number stays a number.
constexpr float kNever = -1e6F;

// ln C'(x, u) of every word x.
class LearnedColumn {
public:
    LearnedColumn(const SmoothingModels& models, std::size_t model, const LearnedCounts& counts,
                  double kappa, Eigen::Index words)
        : m_models(models),
          m_model(model),
          m_counts(counts),
          m_kappa(kappa),
          m_unseen(models.offsets(model, VectorD::Zero(words))) {
        if (std::isinf(kappa)) {
            return;
        }
        for (Row word = 0; word < static_cast<Row>(words); ++word) {
            if (counts.isLearned(word)) {
                m_unseen[word] += static_cast<float>(std::log(kappa / (counts.draws() + kappa)));
            }
        }
    }

    void operator()(const engine::MetricRow& output, float* result) const {
        Eigen::Map<VectorF> column(result, m_unseen.size());
        if (m_kappa > 0.0) {
            const Eigen::Map<const VectorF> distances(output.distances, m_unseen.size());
            column = m_unseen - static_cast<float>(m_models.rate(m_model)) * distances;
        } else {
            column.setConstant(kNever);
        }
        if (std::isinf(m_kappa)) {
            return;
        }
        for (const LearnedCounts::Entry& entry : m_counts.of(output.word)) {
            const double model =
                std::exp(m_models.logModel(m_model, entry.word, output.distances[entry.word]));
            column[entry.word] = static_cast<float>(
                std::log((entry.count + m_kappa * model) / (m_counts.draws() + m_kappa)));
        }
    }

private:
    const SmoothingModels& m_models;
    std::size_t m_model;
    const LearnedCounts& m_counts;
    double m_kappa;
    VectorF m_unseen;  ///< of outputs that were not seen from a word, but for their distance
};

// Takes back what is too little to leave the commonest word for.
class Caution {
public:
    Caution(const VectorD& logPrior, double caution)
        : m_logPrior(logPrior.cast<float>()), m_lead(static_cast<float>(std::log(caution))) {
        m_logPrior.maxCoeff(&m_commonest);
    }

    void operator()(std::span<float> values) const {
        Eigen::Map<VectorF> said(values.data(), m_logPrior.size());
        const float best = (said + m_logPrior).maxCoeff();
        const bool isSeen = said.maxCoeff() > 0.5F * kNever;
        if (!isSeen || best - (said[m_commonest] + m_logPrior[m_commonest]) < m_lead) {
            said.setZero();
        }
    }

private:
    VectorF m_logPrior;
    float m_lead;
    Eigen::Index m_commonest = 0;
};

}  // namespace

ReleasedObservations learnedObservations(const engine::MetricSpace& space,
                                         const SmoothingModels& models, std::size_t model,
                                         const LearnedCounts& counts, const VectorD& logPrior,
                                         const LearnedReading& reading,
                                         std::span<const Row> outputs) {
    return {space, LearnedColumn(models, model, counts, reading.kappa, logPrior.size()), outputs,
            Caution(logPrior, reading.caution)};
}

}  // namespace epsilens::experiment
