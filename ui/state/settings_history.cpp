#include "ui/state/settings_history.h"

#include <utility>

#include <QScopedValueRollback>
#include <QUndoCommand>

#include "ui/state/settings_change.h"

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
    Step(SettingsHistory& history, const QString& name, bool mayContinue, AnalysisSettings before,
         AnalysisSettings after)
        : QUndoCommand(name),
          m_history(history),
          m_mayContinue(mayContinue),
          m_before(std::move(before)),
          m_after(std::move(after)) {}

    [[nodiscard]] int id() const override { return kStepId; }
    void undo() override { m_history.putBack(m_after, m_before); }
    void redo() override {
        // At first the settings have been changed already.
        if (!std::exchange(m_isNew, false)) {
            m_history.putBack(m_before, m_after);
        }
    }
    bool mergeWith(const QUndoCommand* other) override {
        const auto& next = static_cast<const Step&>(*other);
        if (!next.m_mayContinue || next.text() != text()) {
            return false;
        }
        // Only what the analyst did: what the program found out between the two stays out of it.
        m_after = withChange(std::move(m_after), next.m_before, next.m_after);
        return true;
    }

private:
    SettingsHistory& m_history;
    bool m_mayContinue;  ///< the step before, if that is of the same name
    bool m_isNew = true;
    AnalysisSettings m_before;
    AnalysisSettings m_after;
};

SettingsHistory::SettingsHistory(AnalysisState& state, QObject* parent)
    : QObject(parent), m_state(state), m_sameStep(kSameStepMs) {
    m_stack.setUndoLimit(kMostSteps);
    connect(&m_sameStep, &QTimer::timeout, this, [this] { m_mayContinue = m_isDragged; });
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
        forget();
        m_hasNewData = true;
    });
    // What follows from new data is set within the call that brings them.
    connect(
        &m_state, &AnalysisState::embeddingChanged, this, [this] { m_hasNewData = false; },
        Qt::QueuedConnection);
    connect(&m_state, &AnalysisState::settled, this, &SettingsHistory::note);
}

void SettingsHistory::setDragged(bool isDragged) {
    m_isDragged = isDragged;
    endStep();
}

void SettingsHistory::note(const AnalysisSettings& before, const AnalysisSettings& now) {
    if (m_hasNewData || m_isPuttingBack) {
        return;
    }
    const SettingsChange change = SettingsChange::between(before, now);
    if (!change.name.isEmpty()) {
        m_stack.push(new Step(*this, change.name, m_mayContinue && change.isNumber, before, now));
        m_mayContinue = true;
        m_sameStep.start();
    }
}

void SettingsHistory::forget() {
    m_stack.clear();
    endStep();
}

void SettingsHistory::putBack(const AnalysisSettings& from, const AnalysisSettings& to) {
    const QScopedValueRollback puttingBack(m_isPuttingBack, true);
    m_state.edit(
        [&](AnalysisSettings& settings) { settings = withChange(std::move(settings), from, to); });
    endStep();
}

void SettingsHistory::endStep() {
    m_sameStep.stop();
    m_mayContinue = false;
}

}  // namespace epsilens::ui
