#pragma once

#include <QObject>
#include <QPointer>
#include <QUndoStack>

#include "ui/shell/settings_snapshot.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

class LimitState;

/// Undo for the settings of an analysis, its limits and what is pinned. A drag of a slider is one
/// step, and so are key presses that follow each other quickly. What the program sets by itself,
/// for new data, is no step; new data empty the history, since the old values mean something else
/// there.
///
/// A step knows what differed before and after it and puts back only that: what the program found
/// out meanwhile stays.
class SettingsHistory : public QObject {
    Q_OBJECT

public:
    explicit SettingsHistory(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] QUndoStack& stack() { return m_stack; }
    /// Limits are part of the history from now on.
    void followLimits(LimitState& limits);
    /// Empties the history: the settings as they are have no before.
    void forget();

protected:
    /// Follows the mouse of the whole program.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Step;

    void watch();
    void note();
    void follow();
    [[nodiscard]] SettingsSnapshot snapshot() const;
    [[nodiscard]] bool continuesStep() const;
    void putBack(const SettingsSnapshot& from, const SettingsParts& parts);

    AnalysisState& m_state;
    QPointer<LimitState> m_limits;
    QUndoStack m_stack;
    SettingsSnapshot m_last;  ///< as last noted
    RestTimer m_sameStep;     ///< while it runs, changes alike are one step
    int m_gesture = 0;        ///< counts presses and releases of the mouse
    int m_gestureOfChange = 0;
    bool m_pressed = false;
    bool m_applying = false;
    bool m_following = false;     ///< the program adapts settings to the data
    bool m_hasJustNoted = false;  ///< within the call that changed a setting
    SettingsParts m_noted;        ///< what that call changed last
};

}  // namespace epsilens::ui
