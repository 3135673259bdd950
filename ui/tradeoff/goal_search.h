#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/experiment/limited_recommendation.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

class TradeOffModel;

/// What searches; tests put something quicker in its place.
using GoalSearchFunction = std::function<Result<experiment::LimitedRecommendation>(
    const engine::SearchSpace&, const experiment::DataSet&, const experiment::LimitedOptions&,
    const JobContext&)>;

/// Limits on what an attacker learns from the labelled texts and on what they are still good for,
/// and the search for the largest epsilon of the present mechanism that meets them and the other
/// limits.
class GoalSearch : public QObject {
    Q_OBJECT

public:
    /// model  must outlive this object
    explicit GoalSearch(TradeOffModel& model,
                        GoalSearchFunction search = experiment::recommendWithin,
                        QObject* parent = nullptr);

    /// Each in [0, 100], out of 100; nothing: no such limit.
    [[nodiscard]] const std::optional<double>& mostGain() const { return m_mostGain; }
    [[nodiscard]] const std::optional<double>& leastRetained() const { return m_leastRetained; }
    void setMostGain(std::optional<double> mostGain);
    void setLeastRetained(std::optional<double> leastRetained);

    /// Why there is nothing to find; empty if there is.
    [[nodiscard]] QString obstacle() const;
    void find();
    [[nodiscard]] bool isRunning() const { return m_runner.isRunning(); }
    [[nodiscard]] JobRunnerBase& runner() { return m_runner; }
    /// What a search costs, how far it is, or what it found.
    [[nodiscard]] QString message() const;

Q_SIGNALS:
    /// Limits, cost, progress or message are others.
    void changed();

private:
    [[nodiscard]] std::vector<experiment::FigureLimit> limits() const;
    [[nodiscard]] experiment::LimitedOptions options() const;
    void follow();
    void estimate();
    void take(const Result<experiment::LimitedRecommendation>& found);
    void tell(const experiment::LimitedRecommendation& found);

    TradeOffModel& m_model;
    GoalSearchFunction m_search;
    std::optional<double> m_mostGain;
    std::optional<double> m_leastRetained;
    std::optional<double> m_seconds;
    QString m_found;
    bool m_isSettingEpsilon = false;
    RestTimer m_rest;
    JobRunner<experiment::EvaluationCost> m_estimator;
    JobRunner<experiment::LimitedRecommendation> m_runner;
};

}  // namespace epsilens::ui
