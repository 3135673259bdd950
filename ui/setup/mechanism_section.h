#pragma once

#include <QWidget>

#include "core/metric/metric.h"

class QLabel;

namespace epsilens::ui {

class AnalysisState;
class HyperbolicControls;
class ParameterControl;
class TemControls;
template <typename Value>
class ChoiceList;

/// The mechanism with its parameters besides epsilon.
class MechanismSection : public QWidget {
    Q_OBJECT

public:
    explicit MechanismSection(AnalysisState& state, QWidget* parent = nullptr);

    void focusLambda();

private:
    void fillLists();
    void arrange();
    void connectState();
    void followEmbedding();
    void followChoice();
    void showRefusals();
    void showLambda();

    AnalysisState& m_state;
    ChoiceList<int>* m_mechanism;  ///< of places in Mechanism::all()
    QLabel* m_reason;
    QWidget* m_metricRow;
    ChoiceList<metric::Metric>* m_metric;
    HyperbolicControls* m_hyperbolic;
    ParameterControl* m_lambda;
    TemControls* m_tem;
    double m_largestLambda = 1.0;
};

}  // namespace epsilens::ui
