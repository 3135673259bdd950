#pragma once

#include <QWidget>

#include "core/metric/metric.h"

class QLabel;
class QVBoxLayout;

namespace epsilens::ui {

class AnalysisState;
class GuaranteeModel;
class HyperbolicControls;
class ParameterControl;
class TemControls;
template <typename Value>
class ChoiceList;

/// The mechanism with its parameters, and what epsilon means in odds.
class MechanismSection : public QWidget {
    Q_OBJECT

public:
    MechanismSection(AnalysisState& state, const GuaranteeModel& guarantee,
                     QWidget* parent = nullptr);

    void focusEpsilon();
    void focusLambda();

private:
    void fillLists();
    void arrange();
    void connectState();
    void followEmbedding();
    void followEpsilonScale();
    /// What epsilon has to exceed, and, in plain grey, where it hurts usefulness.
    void showEpsilonNote();
    void followChoice();
    void showRefusals();
    void showLambda();
    void showOdds();

    AnalysisState& m_state;
    const GuaranteeModel& m_guarantee;
    ChoiceList<int>* m_mechanism;  ///< of places in Mechanism::all()
    QLabel* m_reason;
    QWidget* m_metricRow;
    ChoiceList<metric::Metric>* m_metric;
    HyperbolicControls* m_hyperbolic;
    ParameterControl* m_epsilon;
    QLabel* m_odds;
    ParameterControl* m_lambda;
    TemControls* m_tem;
    double m_largestLambda = 1.0;
};

}  // namespace epsilens::ui
