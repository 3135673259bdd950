#pragma once

#include <optional>

#include <QWidget>

#include "ui/setup/odds.h"

class QComboBox;
class QLabel;

namespace epsilens::ui {

class AnalysisState;
class ParameterControl;

/// Mechanism, epsilon and lambda, with what epsilon means in odds.
class MechanismSection : public QWidget {
    Q_OBJECT

public:
    explicit MechanismSection(AnalysisState& state, QWidget* parent = nullptr);

    void focusEpsilon();
    void focusLambda();

private:
    void buildMechanismList();
    void connectState();
    void followEmbedding();
    void followEpsilonScale();
    void followMechanism();
    void chooseExample();
    void showOdds();

    AnalysisState& m_state;
    QComboBox* m_mechanism;
    QLabel* m_reason;
    ParameterControl* m_epsilon;
    ParameterControl* m_lambda;
    QLabel* m_odds;
    double m_largestLambda = 1.0;
    std::optional<WordPair> m_example;
    double m_exampleDistance = 0.0;  ///< in the metric of the mechanism
};

}  // namespace epsilens::ui
