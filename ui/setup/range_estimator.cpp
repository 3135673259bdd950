#include "ui/setup/range_estimator.h"

#include <algorithm>
#include <utility>

#include "core/mechanism/elliptical_noise.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"

namespace epsilens::ui {

namespace {

constexpr int kRestMs = 400;

}  // namespace

RangeEstimator::RangeEstimator(AnalysisState& state, JobBoard& jobs, LoadFunctions functions,
                               QObject* parent)
    : QObject(parent),
      m_state(state),
      m_jobs(jobs),
      m_functions(std::move(functions)),
      m_rest(kRestMs),
      m_job(tr("Finding a good range for ε"),
            [this](const Result<engine::EpsilonRange>& range) { take(range); }) {
    jobs.watch(&m_job);
    connect(&m_rest, &QTimer::timeout, this, &RangeEstimator::estimateAtRest);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &RangeEstimator::forgetAndEstimate);
    m_state.onChange(&AnalysisSettings::chosen, this, &RangeEstimator::followChoice);
    m_mechanism = m_state.mechanism();
}

void RangeEstimator::forgetAndEstimate() {
    m_mechanism = m_state.mechanism();
    m_job.drop();
    estimate();
}

void RangeEstimator::followChoice() {
    const mechanism::Mechanism before = std::exchange(m_mechanism, m_state.mechanism());
    if (!m_mechanism.isKindOf(before) || !m_mechanism.sharesUnitWith(before)) {
        forgetAndEstimate();
    } else {
        m_job.drop();
        m_rest.start();
    }
}

/// Does not take the cores from what the analyst waits for.
void RangeEstimator::estimateAtRest() {
    if (m_jobs.isAnswering()) {
        m_rest.start();
    } else {
        estimate();
    }
}

void RangeEstimator::estimate() {
    m_rest.stop();
    const auto basis = m_state.basis();
    const auto space = m_state.searchSpace();
    if (!m_functions.epsilonRange || !space) {
        return;
    }
    const mechanism::Mechanism mechanism = m_state.mechanism();
    calibration::CalibrationOptions options;
    options.grid = mechanism::Grid::of(mechanism.with(
        {.lambda = std::min(mechanism.lambda(), mechanism::largestUsableLambda(*basis))}));
    options.seed = m_state.seed();
    m_job.start([functions = m_functions, space, options](const JobContext& job) {
        return functions.epsilonRange(*space, options, job);
    });
}

void RangeEstimator::take(const Result<engine::EpsilonRange>& range) {
    if (range) {
        m_state.edit(&AnalysisSettings::suggest,
                     {range->suggested, range->low, range->high, range->alwaysKept});
    }
}

}  // namespace epsilens::ui
