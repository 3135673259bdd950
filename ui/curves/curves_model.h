#pragma once

#include <optional>

#include <QObject>
#include <QString>
#include <QTimer>

#include "ui/common/analysis_state.h"
#include "ui/common/job_runner.h"
#include "ui/curves/curve_data.h"

namespace epsilens::ui {

/// What the Curves tab does, without a window: the grid, what a run costs, the run, its results.
class CurvesModel : public QObject {
    Q_OBJECT

public:
    explicit CurvesModel(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] AnalysisState& state() { return m_state; }
    [[nodiscard]] const AnalysisState& state() const { return m_state; }

    /// Takes over a grid as typed; an empty text returns to the default grid. Returns why the text
    /// is refused, empty if it is not.
    QString setEpsilonText(const QString& text);
    QString setParameterText(const QString& text);
    [[nodiscard]] QString epsilonText() const;
    /// Empty where the mechanism has no parameter for a grid.
    [[nodiscard]] QString parameterText() const;
    /// The parameter that the grid of the mechanism as set runs over; Laplace has none to choose.
    [[nodiscard]] CurveParameter parameter() const;
    [[nodiscard]] bool hasDefaultEpsilons() const { return m_defaultEpsilons; }
    /// What the default lambdas leave out and why, or what the grid keeps fixed; may be empty.
    [[nodiscard]] QString gridNote() const;

    /// Options of the run as the settings stand.
    [[nodiscard]] calibration::CalibrationOptions options() const;
    /// "500 words × 100 draws × 5 ε × 5 λ, about 1 s"; the time is missing until it is known.
    [[nodiscard]] QString costText() const;
    /// Why a run cannot start now; empty if it can.
    [[nodiscard]] QString obstacle() const;

    void run();
    /// What to ask before a run whose results take more than kMostBytesUnasked; empty for others.
    [[nodiscard]] QString sizeQuestion() const;
    static constexpr std::uint64_t kMostBytesUnasked = std::uint64_t{1} << 30U;
    /// Shows results of before, such as those of a session; they answer the settings they were made
    /// with.
    void restore(CurveRunHandle result);
    void cancel() { m_runner.cancel(); }
    [[nodiscard]] bool isRunning() const { return m_runner.isRunning(); }
    [[nodiscard]] JobRunnerBase& runner() { return m_runner; }
    /// The job that measures between the points of the grid after a run.
    [[nodiscard]] JobRunnerBase& refiner() { return m_refiner; }
    /// "312 of 500 words, 2 s left" while running.
    [[nodiscard]] QString progressText() const;

    /// Null until a run has finished with results.
    [[nodiscard]] const CurveRunHandle& result() const { return m_result; }
    /// What the results are of: words, draws, seed, time, "partial: 312 of 500 words".
    [[nodiscard]] QString resultText() const;
    /// Why the results no longer answer the settings; empty if they do or there are none.
    [[nodiscard]] QString staleness() const;
    /// Index of the curve of the result whose parameter is nearest to the value set; -1 without a
    /// result.
    [[nodiscard]] int nearestCurve() const;

Q_SIGNALS:
    void gridTextChanged();
    void costChanged();
    /// A run started or ended.
    void runningChanged();
    void progressChanged();
    void resultChanged();
    /// result() has denser lines; its summary is the same.
    void linesRefined();
    void stalenessChanged();
    void failed(const Error& error);

private:
    void followChoice();
    /// Lets the default grid go by the scale as it is, and by the next one if that was guessed.
    void expectScale();
    /// The default grid stays when lambda or another parameter moves the scale: results stay valid.
    void followScale();
    void followDefaults();
    [[nodiscard]] std::vector<double> defaultEpsilons() const;
    void followDefaultLambdas();
    void followDefaultGammas();
    void takeDefaultParameter();
    void followGrid();
    void requestCost();
    void estimate();
    void takeResult(Result<CurveRunHandle> result);
    void refine();
    void takeRefined(Result<CurveRunHandle> refined);

    AnalysisState& m_state;
    bool m_defaultEpsilons = true;
    bool m_defaultLambdas = true;
    bool m_defaultGammas = true;
    MechanismChoice m_choice;    ///< the last one followed
    EpsilonScale m_gridScale;    ///< the default grid is of
    bool m_scaleIsDue = true;    ///< the next scale decides the default grid
    bool m_settingGrid = false;  ///< tells our own changes of the grid from others'
    QString m_lambdaNote;
    std::optional<calibration::CostEstimate> m_cost;
    std::optional<Error> m_costError;
    std::int64_t m_wordsOfRun = 0;
    CurveRunHandle m_result;
    engine::SearchSpaceHandle m_spaceOfRun;
    QTimer m_costTimer;
    JobRunner<calibration::CostEstimate> m_estimator;
    JobRunner<CurveRunHandle> m_runner;
    JobRunner<CurveRunHandle> m_refiner;
};

}  // namespace epsilens::ui
