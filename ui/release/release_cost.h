#pragma once

#include <optional>

#include <QObject>
#include <QString>

#include "ui/release/release_job.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

/// What releasing a file will cost, found out in the background before it is asked for.
class ReleaseCost : public QObject {
    Q_OBJECT

public:
    explicit ReleaseCost(QObject* parent = nullptr);

    /// Estimates the cost of a request once it rests; one without a file has none.
    void follow(const ReleaseRequest& request);
    void stop();
    /// "12.3 MB, about 2 min": what is known so far, perhaps nothing.
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void changed();

private:
    void estimate();

    ReleaseRequest m_request;
    RestTimer m_rest;
    std::optional<ReleaseEstimate> m_estimate;
    JobRunner<ReleaseEstimate> m_runner;
};

}  // namespace epsilens::ui
