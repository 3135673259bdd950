#pragma once

#include <optional>

#include <QWidget>

#include "core/metric/metric.h"
#include "ui/setup/radius_facts.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"

class QLabel;

namespace epsilens::ui {

class AnalysisState;
template <typename Value>
class ChoiceList;

/// How the radius of a TEM is chosen.
enum class GammaMode { fromBeta, given };

/// Whether the radius of a TEM follows from an error probability or is given, and how many words
/// lie within it.
class TemControls : public QWidget {
    Q_OBJECT

public:
    explicit TemControls(AnalysisState& state, QWidget* parent = nullptr);

    /// The radius at the epsilon set; nothing while there is none.
    [[nodiscard]] std::optional<double> gammaNow() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void connectState();
    void showState();
    void showWithin();
    void requestFacts();
    void startJob();
    void takeFacts(const Result<RadiusFacts>& facts);
    void takeMode();

    AnalysisState& m_state;
    ChoiceList<GammaMode>* m_mode;
    QLabel* m_within;
    RestTimer m_rest;
    std::optional<RadiusFacts> m_facts;
    JobRunner<RadiusFacts> m_job;
};

}  // namespace epsilens::ui
