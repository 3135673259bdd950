#pragma once

#include <array>
#include <vector>

#include <QObject>
#include <QString>

#include "core/calibration/run_curves.h"
#include "ui/state/analysis_state.h"

namespace epsilens::ui {

/// The grid that a run goes over, as text that is typed and as what it is when nothing is: the
/// default goes by the scale of epsilon and by the vocabulary.
class CurveGrid : public QObject {
    Q_OBJECT

public:
    explicit CurveGrid(AnalysisState& state, QObject* parent = nullptr);

    /// Takes over a list as typed: "1; 5; 10", "1,5,10" or the range "1..40 x9", with logarithmic
    /// spacing of ε and β; an empty text returns to the default. Returns why the text is refused,
    /// empty if it is not.
    QString setEpsilonText(const QString& text) { return setText(epsilons, text); }
    QString setParameterText(const QString& text);
    [[nodiscard]] QString epsilonText() const { return textOf(epsilons); }
    [[nodiscard]] QString parameterText() const;
    /// The parameter that the grid of the mechanism as set runs over; Laplace has none to choose.
    [[nodiscard]] calibration::CurveParameter parameter() const;
    /// What the default lambdas leave out and why, or what the grid keeps fixed; may be empty.
    [[nodiscard]] QString note() const;

Q_SIGNALS:
    void textChanged();

private:
    enum List : std::size_t { epsilons, lambdas, betas, gammas, listEnd };
    using Values = std::vector<double> GridValues::*;

    static constexpr std::array<Values, listEnd> kValues{
        &GridValues::epsilons, &GridValues::lambdas, &GridValues::betas, &GridValues::gammas};

    void updateForSettings(const AnalysisSettings& before, const AnalysisSettings& now);
    /// Lets the default grid go by the scale as it is, and by the next one if that was guessed.
    void expectScale();
    void applyDefaults(List forced = listEnd);
    [[nodiscard]] std::vector<double> defaultOf(List list) const;
    [[nodiscard]] bool isLambdaOneImpossible() const;
    [[nodiscard]] QString setText(List list, const QString& text);
    [[nodiscard]] QString textOf(List list) const;

    AnalysisState& m_state;
    GridValues m_defaults;     ///< as they were last
    EpsilonScale m_scale;      ///< the default grid is of
    bool m_scaleIsDue = true;  ///< the next scale decides the default grid
};

}  // namespace epsilens::ui
