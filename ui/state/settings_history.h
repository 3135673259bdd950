#pragma once

#include <QObject>
#include <QUndoStack>

#include "ui/state/analysis_state.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

/// Undo for the settings of an analysis. A drag is one step, and so are arrow keys that follow each
/// other quickly. What the program sets by itself is no step; new data empty the history. A step
/// puts back only what it changed: what the program found out meanwhile stays.
class SettingsHistory : public QObject {
    Q_OBJECT

public:
    explicit SettingsHistory(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] QUndoStack& stack() { return m_stack; }
    /// Lets all that a control changes between dragStarted and dragFinished be one step.
    template <typename Control>
    void followDrags(const Control& control) {
        connect(&control, &Control::dragStarted, this, [this] { setDragged(true); });
        connect(&control, &Control::dragFinished, this, [this] { setDragged(false); });
    }
    [[nodiscard]] bool isPuttingBack() const { return m_isPuttingBack; }
    void forget();

private:
    class Step;

    void setDragged(bool isDragged);
    void recordChange(const AnalysisSettings& before, const AnalysisSettings& now);
    void putBack(const AnalysisSettings& from, const AnalysisSettings& to);
    void endStep();

    AnalysisState& m_state;
    QUndoStack m_stack;
    RestTimer m_sameStep;  ///< while it runs, changes alike are one step
    bool m_isDragged = false;
    bool m_mayContinue = false;  ///< the last step
    bool m_hasNewData = false;   ///< to which the program adapts the settings
    bool m_isPuttingBack = false;
};

}  // namespace epsilens::ui
