#include "ui/shell/settings_history.h"

#include <utility>

#include <QCoreApplication>
#include <QEvent>
#include <QScopedValueRollback>
#include <QTimer>
#include <QUndoCommand>

namespace epsilens::ui {

namespace {

// Key presses closer together than this belong to one step.
constexpr qint64 kSameStepMs = 700;
constexpr int kMostSteps = 200;

}  // namespace

/// One setting changed from one value to another.
class SettingsHistory::Change final : public QUndoCommand {
public:
    Change(SettingsHistory& history, int setting, bool continues, std::function<void()> before,
           std::function<void()> after, const QString& name)
        : QUndoCommand(name),
          m_history(history),
          m_setting(setting),
          m_continues(continues),
          m_before(std::move(before)),
          m_after(std::move(after)) {}

    [[nodiscard]] int id() const override { return m_setting; }
    void undo() override { m_history.apply(m_before); }
    void redo() override {
        // At first the setting has been changed already.
        if (!std::exchange(m_isNew, false)) {
            m_history.apply(m_after);
        }
    }
    bool mergeWith(const QUndoCommand* other) override {
        const auto& next = static_cast<const Change&>(*other);
        if (!next.m_continues) {
            return false;
        }
        m_after = next.m_after;
        return true;
    }

private:
    SettingsHistory& m_history;
    int m_setting;
    bool m_continues;  ///< the step of the change before
    bool m_isNew = true;
    std::function<void()> m_before;
    std::function<void()> m_after;
};

SettingsHistory::SettingsHistory(AnalysisState& state, QObject* parent)
    : QObject(parent), m_state(state), m_values(settingEnd) {
    m_stack.setUndoLimit(kMostSteps);
    forget();
    watch();
    QCoreApplication::instance()->installEventFilter(this);
}

void SettingsHistory::watch() {
    connect(&m_state, &AnalysisState::mechanismChanged, this,
            [this] { note(mechanismSetting, tr("mechanism")); });
    connect(&m_state, &AnalysisState::epsilonChanged, this,
            [this] { note(epsilonSetting, QStringLiteral("ε")); });
    connect(&m_state, &AnalysisState::lambdaChanged, this,
            [this] { note(lambdaSetting, QStringLiteral("λ")); });
    connect(&m_state, &AnalysisState::drawsChanged, this,
            [this] { note(drawsSetting, tr("draws")); });
    connect(&m_state, &AnalysisState::wordsChanged, this,
            [this] { note(wordsSetting, tr("words")); });
    connect(&m_state, &AnalysisState::seedChanged, this, [this] { note(seedSetting, tr("seed")); });
    connect(&m_state, &AnalysisState::bandChanged, this, [this] { note(bandSetting, tr("band")); });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SettingsHistory::forget);
    // What follows from new data is set within the same call that announces them.
    const auto follow = [this] {
        m_following = true;
        QTimer::singleShot(0, this, [this] { m_following = false; });
    };
    connect(&m_state, &AnalysisState::embeddingChanged, this, follow);
    connect(&m_state, &AnalysisState::epsilonScaleChanged, this, follow);
}

std::function<void()> SettingsHistory::valueNow(Setting setting) const {
    AnalysisState& state = m_state;
    switch (setting) {
        case mechanismSetting:
            return [&state, value = state.mechanism()] { state.setMechanism(value); };
        case epsilonSetting:
            return [&state, value = state.epsilon()] { state.setEpsilon(value); };
        case lambdaSetting:
            return [&state, value = state.lambda()] { state.setLambda(value); };
        case drawsSetting:
            return [&state, value = state.draws()] { state.setDraws(value); };
        case wordsSetting:
            return [&state, value = state.words()] { state.setWords(value); };
        case seedSetting:
            return [&state, value = state.seed()] { state.setSeed(value); };
        case bandSetting:
            return [&state, value = state.band()] { state.setBand(value); };
        case settingEnd:
            break;
    }
    return [] {};
}

bool SettingsHistory::eventFilter(QObject* watched, QEvent* event) {
    const bool press = event->type() == QEvent::MouseButtonPress;
    if (press || event->type() == QEvent::MouseButtonRelease) {
        m_pressed = press;
        ++m_gesture;
    }
    return QObject::eventFilter(watched, event);
}

bool SettingsHistory::continuesStep() const {
    return m_gesture == m_gestureOfChange &&
           (m_pressed || (m_sinceChange.isValid() && m_sinceChange.elapsed() < kSameStepMs));
}

void SettingsHistory::note(Setting setting, const QString& name) {
    auto before = std::exchange(m_values[setting], valueNow(setting));
    if (m_applying || m_following) {
        return;
    }
    const bool continues = continuesStep();
    m_gestureOfChange = m_gesture;
    m_sinceChange.start();
    m_stack.push(new Change(*this, setting, continues, std::move(before), m_values[setting], name));
}

void SettingsHistory::forget() {
    m_stack.clear();
    m_sinceChange.invalidate();
    for (int setting = 0; setting < settingEnd; ++setting) {
        m_values[static_cast<std::size_t>(setting)] = valueNow(static_cast<Setting>(setting));
    }
}

void SettingsHistory::apply(const std::function<void()>& setter) {
    const QScopedValueRollback<bool> applying(m_applying, true);
    setter();
    // What is changed next is a step of its own.
    m_sinceChange.invalidate();
    ++m_gesture;
}

}  // namespace epsilens::ui
