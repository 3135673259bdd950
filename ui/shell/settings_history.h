#pragma once

#include <functional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QUndoStack>

#include "ui/common/analysis_state.h"

namespace epsilens::ui {

/// Undo for the settings of an analysis. A drag of a slider is one step, and so are key presses
/// that follow each other quickly. What the program sets by itself, for new data, is no step; new
/// data empty the history, since the old values mean something else there.
class SettingsHistory : public QObject {
    Q_OBJECT

public:
    explicit SettingsHistory(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] QUndoStack& stack() { return m_stack; }

protected:
    /// Follows the mouse of the whole program.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum Setting {
        mechanismSetting,
        epsilonSetting,
        lambdaSetting,
        drawsSetting,
        wordsSetting,
        seedSetting,
        bandSetting,
        settingEnd
    };
    class Change;

    void watch();
    void note(Setting setting, const QString& name);
    void forget();
    [[nodiscard]] std::function<void()> valueNow(Setting setting) const;
    [[nodiscard]] bool continuesStep() const;
    void apply(const std::function<void()>& setter);

    AnalysisState& m_state;
    QUndoStack m_stack;
    std::vector<std::function<void()>> m_values;  ///< put each setting back as it was last noted
    QElapsedTimer m_sinceChange;
    int m_gesture = 0;  ///< counts presses and releases of the mouse
    int m_gestureOfChange = 0;
    bool m_pressed = false;
    bool m_applying = false;
    bool m_following = false;  ///< the program adapts settings to the data
};

}  // namespace epsilens::ui
