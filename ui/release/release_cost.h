#pragma once

#include <cstdint>
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
    /// Words that the mechanism replaces in the longest line of what was looked at: of the request
    /// before until that of the present one is known; 0 without a file.
    [[nodiscard]] std::int64_t mostWordsInLine() const { return m_mostWordsInLine; }

Q_SIGNALS:
    void changed();

private:
    void estimate();

    ReleaseRequest m_request;
    RestTimer m_rest;
    std::optional<ReleaseEstimate> m_estimate;
    std::int64_t m_mostWordsInLine = 0;
    JobRunner<ReleaseEstimate> m_runner;
};

}  // namespace epsilens::ui
