#pragma once

#include <QWidget>

#include "core/metric/metric.h"

class QLabel;

namespace epsilens::ui {

class AnalysisState;
class HyperbolicControls;
class TemControls;
template <typename Value>
class ChoiceList;

/// What is seldom changed of the mechanism: metric, laws, how gamma is chosen; and why mechanisms
/// cannot run. Hidden while it has nothing to show.
class MechanismSection : public QWidget {
    Q_OBJECT

public:
    explicit MechanismSection(AnalysisState& state, QWidget* parent = nullptr);

private:
    void arrange();
    void connectState();
    void followEmbedding();
    void followChoice();
    void showRefusals();

    AnalysisState& m_state;
    QLabel* m_reason;
    QWidget* m_metricRow;
    ChoiceList<metric::Metric>* m_metric;
    HyperbolicControls* m_hyperbolic;
    TemControls* m_tem;
};

}  // namespace epsilens::ui
