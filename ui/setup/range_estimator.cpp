#include "ui/setup/range_estimator.h"

#include <algorithm>
#include <utility>

#include "core/calibration/options.h"
#include "core/mechanism/elliptical_noise.h"
#include "ui/common/analysis_state.h"
#include "ui/common/job_board.h"

namespace epsilens::ui {

namespace {

constexpr int kLambdaRestMs = 400;

}  // namespace

RangeEstimator::RangeEstimator(AnalysisState& state, JobBoard& jobs, LoadFunctions functions,
                               QObject* parent)
    : QObject(parent),
      m_state(state),
      m_functions(std::move(functions)),
      m_job(tr("Finding a good range for ε"),
            [this](const Result<engine::EpsilonRange>& range) { take(range); }) {
    jobs.watch(&m_job);
    m_lambdaRest.setSingleShot(true);
    m_lambdaRest.setInterval(kLambdaRestMs);
    connect(&m_lambdaRest, &QTimer::timeout, this, &RangeEstimator::estimate);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &RangeEstimator::forgetAndEstimate);
    connect(&m_state, &AnalysisState::mechanismChanged, this, &RangeEstimator::forgetAndEstimate);
    connect(&m_state, &AnalysisState::lambdaChanged, this, [this] { m_lambdaRest.start(); });
}

void RangeEstimator::forgetAndEstimate() {
    m_job.cancel();
    m_gridIsDue = true;
    estimate();
}

void RangeEstimator::estimate() {
    m_lambdaRest.stop();
    const auto basis = m_state.basis();
    const auto space = m_state.searchSpace();
    if (!m_functions.epsilonRange || !space) {
        return;
    }
    const double lambda =
        std::min(m_state.effectiveLambda(), mechanism::largestUsableLambda(*basis));
    m_job.start([functions = m_functions, basis, space, lambda,
                 seed = m_state.seed()](const JobContext& job) -> Result<engine::EpsilonRange> {
        const auto noise = mechanism::EllipticalNoise::create(basis, lambda);
        if (!noise) {
            return tl::unexpected(noise.error());
        }
        return functions.epsilonRange(*space, *noise, seed, job);
    });
}

void RangeEstimator::take(const Result<engine::EpsilonRange>& range) {
    if (!range) {
        return;
    }
    m_state.setEpsilonRange(range->suggested, range->low, range->high);
    if (std::exchange(m_gridIsDue, false)) {
        m_state.setDefaultGridEpsilons(calibration::defaultEpsilonGrid(range->low, range->high));
    }
}

}  // namespace epsilens::ui
