#pragma once

#include <QWidget>

#include "core/mechanism/hyperbolic_noise.h"

namespace epsilens::ui {

class AnalysisState;
template <typename Value>
class ChoiceList;

/// Law of hyperbolic noise.
class HyperbolicControls : public QWidget {
    Q_OBJECT

public:
    explicit HyperbolicControls(AnalysisState& state, QWidget* parent = nullptr);

private:
    void showState();

    AnalysisState& m_state;
    ChoiceList<mechanism::RadialLaw>* m_law;
};

}  // namespace epsilens::ui
