#include "ui/shell/settings_history.h"

#include <utility>

#include <QCoreApplication>
#include <QEvent>
#include <QScopedValueRollback>
#include <QTimer>
#include <QUndoCommand>

#include "ui/state/limit_state.h"

namespace epsilens::ui {

namespace {

// Key presses closer together than this belong to one step.
constexpr int kSameStepMs = 700;
constexpr int kMostSteps = 200;
constexpr int kStepId = 1;

}  // namespace

/// Settings before and after what the analyst did.
class SettingsHistory::Step final : public QUndoCommand {
public:
    /// How a step hangs together with the one before.
    enum class Relation { none, continues, followsFrom };

    Step(SettingsHistory& history, Relation relation, SettingsSnapshot before,
         SettingsSnapshot after)
        : m_history(history),
          m_relation(relation),
          m_before(std::move(before)),
          m_after(std::move(after)),
          m_parts(differingParts(m_before, m_after)) {
        setText(partsName(m_parts));
    }

    [[nodiscard]] int id() const override { return kStepId; }
    void undo() override { m_history.putBack(m_before, m_parts); }
    void redo() override {
        // At first the settings have been changed already.
        if (!std::exchange(m_isNew, false)) {
            m_history.putBack(m_after, m_parts);
        }
    }
    bool mergeWith(const QUndoCommand* other) override {
        const auto& next = static_cast<const Step&>(*other);
        const bool isOne =
            next.m_relation == Relation::followsFrom ||
            (next.m_relation == Relation::continues && (next.m_parts & ~m_parts).none());
        if (!isOne) {
            return false;
        }
        m_before = withParts(std::move(m_before), next.m_before, next.m_parts & ~m_parts);
        m_after = withParts(std::move(m_after), next.m_after, next.m_parts);
        m_parts |= next.m_parts;
        return true;
    }

private:
    SettingsHistory& m_history;
    Relation m_relation;
    bool m_isNew = true;
    SettingsSnapshot m_before;
    SettingsSnapshot m_after;
    SettingsParts m_parts;
};

SettingsHistory::SettingsHistory(AnalysisState& state, QObject* parent)
    : QObject(parent), m_state(state), m_sameStep(kSameStepMs) {
    m_stack.setUndoLimit(kMostSteps);
    forget();
    watch();
    QCoreApplication::instance()->installEventFilter(this);
}

void SettingsHistory::watch() {
    for (const auto signal :
         {&AnalysisState::mechanismChanged, &AnalysisState::parametersChanged,
          &AnalysisState::wordsChanged, &AnalysisState::seedChanged, &AnalysisState::bandChanged,
          &AnalysisState::gridChanged, &AnalysisState::comparesWordsChanged,
          &AnalysisState::textPoliciesChanged}) {
        connect(&m_state, signal, this, &SettingsHistory::note);
    }
    connect(&m_state, &AnalysisState::epsilonChanged, this, &SettingsHistory::note);
    connect(&m_state, &AnalysisState::lambdaChanged, this, &SettingsHistory::note);
    connect(&m_state, &AnalysisState::drawsChanged, this, &SettingsHistory::note);
    connect(&m_state.pins(), &PinState::pinChanged, this, &SettingsHistory::note);
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
        forget();
        follow();
    });
    connect(&m_state, &AnalysisState::epsilonScaleChanged, this, &SettingsHistory::follow);
    connect(&m_state, &AnalysisState::largestDistanceChanged, this, &SettingsHistory::follow);
}

void SettingsHistory::followLimits(LimitState& limits) {
    m_limits = &limits;
    m_last = snapshot();
    connect(&limits, &LimitState::limitsChanged, this, &SettingsHistory::note);
}

// What follows from new data is set within the same call that announces them.
void SettingsHistory::follow() {
    note();
    m_following = true;
    QTimer::singleShot(0, this, [this] { m_following = false; });
}

SettingsSnapshot SettingsHistory::snapshot() const {
    return {m_state.settings(), m_state.pins().pin(),
            m_limits ? m_limits->limits() : std::vector<calibration::Limit>{}};
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
    return m_gesture == m_gestureOfChange && (m_pressed || m_sameStep.isActive());
}

void SettingsHistory::note() {
    SettingsSnapshot before = std::exchange(m_last, snapshot());
    const SettingsParts parts = differingParts(before, m_last);
    // What changes along with another setting, in the same call, follows from it.
    const bool follows = m_hasJustNoted && (parts & ~followingParts(m_noted)).none();
    if (m_applying || parts.none() || (m_following && !follows)) {
        return;
    }
    // To pin and to unpin are never one action, however quickly they follow each other.
    const bool mayContinue = before.pin == m_last.pin && continuesStep();
    const auto relation = follows       ? Step::Relation::followsFrom
                          : mayContinue ? Step::Relation::continues
                                        : Step::Relation::none;
    m_gestureOfChange = m_gesture;
    m_sameStep.start();
    m_stack.push(new Step(*this, relation, std::move(before), m_last));
    m_hasJustNoted = true;
    m_noted = parts;
    QTimer::singleShot(0, this, [this] { m_hasJustNoted = false; });
}

void SettingsHistory::forget() {
    m_stack.clear();
    m_sameStep.stop();
    m_hasJustNoted = false;
    m_last = snapshot();
}

void SettingsHistory::putBack(const SettingsSnapshot& from, const SettingsParts& parts) {
    const QScopedValueRollback<bool> applying(m_applying, true);
    const SettingsSnapshot wanted = withParts(snapshot(), from, parts);
    m_state.setSettings(wanted.settings);
    m_state.pins().setPin(wanted.pin);
    if (m_limits) {
        m_limits->setLimits(wanted.limits);
    }
    m_last = snapshot();
    // What is changed next is a step of its own.
    m_sameStep.stop();
    m_hasJustNoted = false;
    ++m_gesture;
}

}  // namespace epsilens::ui
