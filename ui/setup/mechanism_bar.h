#pragma once

#include <QWidget>

namespace epsilens::ui {

class AnalysisState;
class ParameterControl;
template <typename Value>
class ChoiceList;

/// What is turned most often, on one line: the mechanism with lambda, beta or gamma. What is left
/// of a mechanism stands in MechanismSection.
class MechanismBar : public QWidget {
    Q_OBJECT

public:
    explicit MechanismBar(AnalysisState& state, QWidget* parent = nullptr);

    void focusLambda();

private:
    void arrange();
    void connectState();
    void followEmbedding();
    void showRefusals();
    void followChoice();
    void showLambda();

    AnalysisState& m_state;
    ChoiceList<int>* m_mechanism;  ///< of places in Mechanism::all()
    ParameterControl* m_lambda;
    ParameterControl* m_beta;
    ParameterControl* m_gamma;
    double m_largestLambda = 1.0;
};

}  // namespace epsilens::ui
