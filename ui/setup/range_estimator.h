#pragma once

#include <QObject>

#include "core/mechanism/mechanism.h"
#include "ui/setup/embedding_loader.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

/// Keeps the range of interesting epsilons in the state up to date: it is estimated in the
/// background when another embedding or mechanism is chosen and once its parameters have come to
/// rest.
class RangeEstimator : public QObject {
    Q_OBJECT

public:
    RangeEstimator(AnalysisState& state, JobBoard& jobs, LoadFunctions functions,
                   QObject* parent = nullptr);

private:
    void forgetAndEstimate();
    void followChoice();
    void estimateAtRest();
    void estimate();
    void take(const Result<engine::EpsilonRange>& range);

    AnalysisState& m_state;
    const JobBoard& m_jobs;
    LoadFunctions m_functions;
    RestTimer m_rest;
    mechanism::Mechanism m_mechanism;  ///< the last one followed
    JobRunner<engine::EpsilonRange> m_job;
};

}  // namespace epsilens::ui
