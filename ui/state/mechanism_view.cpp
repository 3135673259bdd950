#include "ui/state/mechanism_view.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/parallel.h"
#include "core/engine/poincare_space.h"
#include "core/mechanism/prepared_mechanism.h"
#include "core/metric/regularized_mahalanobis.h"
#include "core/metric/word_metric.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kPinnedEpsilonDigits = 3;

Result<engine::MetricSpace> create(const embedding::EmbeddingHandle& embedding,
                                   metric::Metric metric, double lambda) {
    return metric::WordMetric::create(embedding, metric, lambda)
        .and_then([](metric::WordMetric&& words) {
            return engine::MetricSpace::create(std::move(words), kAllThreads);
        });
}

}  // namespace

bool isElliptical(const mechanism::Mechanism& mechanism) {
    return mechanism.sharesUnitWith(mechanism::Mahalanobis());
}

std::optional<double> gammaAt(const embedding::EmbeddingHandle& embedding,
                              const mechanism::Setting& setting) {
    if (!setting.mechanism.hasRadius()) {
        return std::nullopt;
    }
    const auto prepared = mechanism::PreparedMechanism::create(embedding, setting.mechanism);
    return prepared ? prepared->gammaAt(setting.epsilon) : std::nullopt;
}

QString metricRefusal(const embedding::EmbeddingHandle& embedding, metric::Metric metric) {
    if (!embedding) {
        return {};
    }
    const double lambda =
        std::min(mechanism::kDefaultLambda, metric::largestUsableLambda(embedding->basis));
    const auto usable = metric::WordMetric::create(embedding, metric, lambda);
    return usable ? QString() : toQString(usable.error().message);
}

mechanism::Mechanism runnableOn(const embedding::EmbeddingHandle& embedding,
                                const mechanism::Mechanism& wanted) {
    for (const mechanism::Mechanism& possible :
         {wanted, wanted.with({.metric = metric::Metric::euclidean}),
          mechanism::Mechanism(mechanism::Mahalanobis())}) {
        if (metricRefusal(embedding, possible.metric()).isEmpty()) {
            return possible;
        }
    }
    return mechanism::Laplace();
}

QString mechanismTitle(const mechanism::Mechanism& mechanism) {
    return tr(std::string(mechanism.title()).c_str());
}

QString metricTitle(metric::Metric metric) {
    return metric == metric::Metric::mahalanobis
               ? tr("Mahalanobis (λ)")
               : tr(std::string(metric::metricName(metric)).c_str());
}

QString shortTitle(const mechanism::Mechanism& mechanism) {
    const mechanism::Parameters own = mechanism.parameters();
    if (own.law) {
        return tr("hyperbolic %1").arg(toQString(mechanism::radialLawName(*own.law)));
    }
    const QString metric = own.lambda
                               ? tr("Mahalanobis λ %1").arg(QString::number(*own.lambda, 'f', 2))
                               : metricTitle(mechanism.metric());
    if (own.gamma) {
        return tr("TEM %1 γ %2").arg(metric, significant(*own.gamma, 3));
    }
    if (own.beta) {
        return tr("TEM %1 β %2").arg(metric, shortest(*own.beta));
    }
    if (own.metric) {
        return tr("exponential %1").arg(metric);
    }
    return own.lambda ? metric : tr("Laplace");
}

QString mechanismHelp(const mechanism::Mechanism& mechanism) {
    return tr("%1, in the %2 distance. %3")
        .arg(mechanismTitle(mechanism), metricTitle(mechanism.metric()),
             mechanism.hasRadius() ? tr("β is the share of outputs that may lie farther than γ, "
                                        "beyond which all words share one weight.")
             : mechanism.hasLambda() ? tr("At λ = 0 the noise is the same in all directions, at 1 "
                                          "it follows the shape of the vocabulary.")
                                     : QString());
}

QString pinTitle(const mechanism::Setting& pin) {
    return tr("%1, ε %2")
        .arg(shortTitle(pin.mechanism), significant(pin.epsilon, kPinnedEpsilonDigits));
}

metric::Metric neighbourMetric(const mechanism::Mechanism& mechanism) {
    return isElliptical(mechanism) ? metric::Metric::euclidean : mechanism.metric();
}

bool shareNeighbours(const mechanism::Mechanism& a, const mechanism::Mechanism& b) {
    const metric::Metric metric = neighbourMetric(a);
    return metric == neighbourMetric(b) &&
           (metric != metric::Metric::mahalanobis || a.lambda() == b.lambda());
}

Result<std::vector<engine::Neighbourhood>> noiseNeighbours(const engine::SearchSpace& space,
                                                           const mechanism::Mechanism& mechanism,
                                                           std::span<const embedding::Row> words,
                                                           int count, const JobContext& job) {
    if (neighbourMetric(mechanism) != metric::Metric::poincare) {
        return engine::nearestNeighbours(space, words, count, kAllThreads, job);
    }
    const engine::PoincareSpace ball(space);
    std::vector<engine::Neighbourhood> found(words.size());
    parallelFor(static_cast<std::int64_t>(words.size()), kAllThreads, [&](std::int64_t i) {
        if (!job.stopRequested()) {
            const auto index = static_cast<std::size_t>(i);
            found[index] = engine::poincareNeighbours(ball, words[index], count);
        }
    });
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return found;
}

Result<MetricSpaceHandle> MetricSpaceCache::get(const embedding::EmbeddingHandle& embedding,
                                                metric::Metric metric, double lambda) {
    const std::scoped_lock lock(m_mutex);
    const bool sharesTable =
        m_last && m_last->metric().handle() == embedding && m_last->metric().metric() == metric;
    if (sharesTable && m_last->metric().lambda() == lambda) {
        return m_last;
    }
    ASSIGN_OR_RETURN(auto space,
                     sharesTable ? m_last->withLambda(lambda) : create(embedding, metric, lambda));
    m_last = std::make_shared<const engine::MetricSpace>(std::move(space));
    return m_last;
}

}  // namespace epsilens::ui
