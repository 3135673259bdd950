#pragma once

#include <QWidget>

namespace epsilens::ui {

class AnalysisState;
class ParameterRow;
template <typename Value>
class ChoiceList;

/// What is turned most often, on one line: the mechanism with lambda, beta or gamma. What is left
/// of a mechanism stands in the details.
class MechanismBar : public QWidget {
    Q_OBJECT

public:
    explicit MechanismBar(AnalysisState& state, QWidget* parent = nullptr);

    void focusLambda();

private:
    void followEmbedding();
    void followChoice();

    AnalysisState& m_state;
    ChoiceList<int>* m_mechanism;  ///< of places in Mechanism::all()
    ParameterRow* m_lambda;
    ParameterRow* m_beta;
    ParameterRow* m_gamma;
    double m_largestLambda = 1.0;
};

}  // namespace epsilens::ui
