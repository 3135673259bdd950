#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "core/document/kept_search.h"
#include "core/document/report_document.h"
#include "core/experiment/limited_recommendation.h"
#include "ui/state/analysis_settings.h"
#include "ui/state/job_runner.h"
#include "ui/tradeoff/labelled_source.h"

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

    /// Each in [0, 100], out of 100; nothing: no such limit. They stand in the settings, so that
    /// they can be undone and reports and sessions have them.
    [[nodiscard]] std::optional<double> mostGain() const;
    [[nodiscard]] std::optional<double> leastRetained() const;
    void setMostGain(std::optional<double> mostGain);
    void setLeastRetained(std::optional<double> leastRetained);

    /// Why there is nothing to find; empty if there is.
    [[nodiscard]] QString obstacle() const;
    /// The same, and why no search may start now: none does beside a measurement.
    [[nodiscard]] QString reason() const;
    [[nodiscard]] bool canFind() const { return reason().isEmpty(); }
    void find();
    [[nodiscard]] bool isRunning() const { return m_runner.isRunning(); }
    [[nodiscard]] JobRunnerBase& runner() { return m_runner; }
    /// How far a search is, or what the last one found, whatever epsilon is; a line for each limit.
    [[nodiscard]] QString message() const;
    /// Another epsilon than the present one, at which the limits are missed by least, where none
    /// meets them.
    [[nodiscard]] std::optional<double> nearest() const;
    void takeNearest();
    /// The limits held against all that was measured at the present setting, one per limit.
    [[nodiscard]] std::vector<document::FigureFinding> findings() const;

Q_SIGNALS:
    /// Limits, progress or message are others.
    void changed();
    /// It has set epsilon, by the words of runs.
    void epsilonChosen();

private:
    [[nodiscard]] const std::vector<experiment::FigureLimit>& limits() const;
    [[nodiscard]] std::optional<double> valueOf(experiment::FigureName::Kind kind) const;
    void setLimit(const experiment::FigureName& figure, std::optional<double> value);
    [[nodiscard]] experiment::LimitedOptions options() const;
    /// What a search would be asked now; there are texts.
    [[nodiscard]] document::KeptSearch question() const;
    [[nodiscard]] bool isAnswer(const document::KeptSearch& search) const;
    [[nodiscard]] QString foundText(const document::KeptSearch& search) const;
    [[nodiscard]] QStringList presentChecks() const;
    /// Forgets limits that nothing met on other texts or in another way of measuring them.
    void remember();
    void take(const Result<experiment::LimitedRecommendation>& found);
    void choose(const document::KeptSearch& search);
    [[nodiscard]] QString originText(const document::KeptSearch& search) const;

    /// What searches found nothing for, and what they searched on.
    struct Memory {
        engine::SearchSpaceHandle space{};
        LabelledTextsHandle texts{};
        TextPolicies policies{};
        int repeats = 0;
        /// Limits that nothing met, each with its mechanism: a report does not keep quiet about
        /// them when looser ones are met.
        QStringList unmet{};
    };

    TradeOffModel& m_model;
    GoalSearchFunction m_search;
    Memory m_memory;
    QString m_problem;               ///< why the last search found nothing
    document::KeptSearch m_asked{};  ///< without what was found
    LabelledTextsHandle m_searched;  ///< null before a search
    QTimer m_clock;
    JobRunner<experiment::LimitedRecommendation> m_runner;
};

}  // namespace epsilens::ui
