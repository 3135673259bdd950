#pragma once

#include <optional>

#include <QWidget>

#include "core/mechanism/mechanism.h"

namespace epsilens::ui {

class AnalysisState;
class ParameterControl;
struct ValueScale;
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
    using Member = std::optional<double> mechanism::Parameters::*;

    /// highest  that may be typed; the slider may end before it
    [[nodiscard]] ParameterControl* parameter(Member member, const char* id, const QString& symbol,
                                              const QString& name, const QString& tooltip,
                                              const ValueScale& scale, double highest,
                                              const QString& unit = {});
    void followEmbedding();
    void followChoice();

    AnalysisState& m_state;
    ChoiceList<int>* m_mechanism;  ///< of places in Mechanism::all()
    ParameterControl* m_lambda;
    ParameterControl* m_beta;
    ParameterControl* m_gamma;
    double m_largestLambda = 1.0;
};

}  // namespace epsilens::ui
