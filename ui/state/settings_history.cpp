#include "ui/state/settings_history.h"

#include <algorithm>
#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <QCoreApplication>
#include <QScopedValueRollback>
#include <QUndoCommand>

namespace epsilens::ui {

namespace {

// Key presses closer together than this belong to one step.
constexpr int kSameStepMs = 700;
constexpr int kMostSteps = 200;
constexpr int kStepId = 1;

/// A part of the settings that one control sets.
struct Part {
    const char* name;  ///< to be translated
    bool isNumber;     ///< which a slider or the arrow keys take through many values
    bool (*differs)(const AnalysisSettings&, const AnalysisSettings&);
    void (*copy)(const AnalysisSettings& from, AnalysisSettings& to);
};

/// get  gives the part of some settings
template <typename Get>
Part part(const char* name, Get /*get*/) {
    using Value = std::remove_cvref_t<std::invoke_result_t<Get, AnalysisSettings&>>;
    return {
        name,
        std::same_as<Value, double> || std::same_as<Value, int> ||
            std::same_as<Value, std::optional<double>>,
        [](const AnalysisSettings& a, const AnalysisSettings& b) { return Get{}(a) != Get{}(b); },
        [](const AnalysisSettings& from, AnalysisSettings& to) { Get{}(to) = Get{}(from); }};
}

/// The first one that differs gives a change its name: what the analyst touched comes before what
/// follows from it.
const std::vector<Part>& parts() {
    static const std::vector<Part> all{
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "mechanism"),
            [](auto& of) -> auto& { return of.mechanism.kind; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "metric"),
            [](auto& of) -> auto& { return of.mechanism.parameters.metric; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "noise"),
            [](auto& of) -> auto& { return of.mechanism.parameters.law; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "λ"),
            [](auto& of) -> auto& { return of.mechanism.parameters.lambda; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "β"),
            [](auto& of) -> auto& { return of.mechanism.parameters.beta; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "how γ is given"),
            [](auto& of) -> auto& { return of.mechanism.gammaGiven; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "γ"),
            [](auto& of) -> auto& { return of.mechanism.parameters.gamma; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "ε"),
            [](auto& of) -> auto& { return of.epsilon; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "draws"),
            [](auto& of) -> auto& { return of.draws; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "seed"),
            [](auto& of) -> auto& { return of.seed; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "words"),
            [](auto& of) -> auto& { return of.words; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "band"),
            [](auto& of) -> auto& { return of.band; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "unknown words"),
            [](auto& of) -> auto& { return of.textPolicies.unknownWords; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "letter case"),
            [](auto& of) -> auto& { return of.textPolicies.letterCase; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "pinned settings"),
            [](auto& of) -> auto& { return of.pin; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "limits"),
            [](auto& of) -> auto& { return of.limits; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "limits on texts"),
            [](auto& of) -> auto& { return of.figureLimits; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "grid of ε"),
            [](auto& of) -> auto& { return of.grid.epsilons; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "grid of λ"),
            [](auto& of) -> auto& { return of.grid.lambdas; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "grid of β"),
            [](auto& of) -> auto& { return of.grid.betas; }),
        part(
            QT_TRANSLATE_NOOP("SettingsHistory", "grid of γ"),
            [](auto& of) -> auto& { return of.grid.gammas; })};
    return all;
}

bool isEstimated(const AnalysisSettings& before, const AnalysisSettings& now) {
    return before.epsilonScale != now.epsilonScale || before.largestDistance != now.largestDistance;
}

/// The first part that the analyst changed between two values of the settings; what follows from it
/// may be different, too. Null if the analyst changed nothing: an epsilon that follows its default
/// and a grid that follows an estimate are the program's doing.
const Part* changedPart(AnalysisSettings before, const AnalysisSettings& now) {
    if (!now.epsilonChosen) {
        before.epsilon = now.epsilon;
    }
    if (isEstimated(before, now)) {
        before.grid = now.grid;
    }
    const auto found = std::find_if(parts().begin(), parts().end(),
                                    [&](const Part& part) { return part.differs(before, now); });
    return found == parts().end() ? nullptr : &*found;
}

/// The present settings with what differs between two values as it is in `to`. What the program has
/// found out meanwhile stays.
AnalysisSettings withChange(AnalysisSettings present, const AnalysisSettings& from,
                            const AnalysisSettings& to) {
    for (const Part& part : parts()) {
        if (part.differs(from, to)) {
            part.copy(to, present);
        }
    }
    if (from.words != to.words) {
        present.wordsSource = to.wordsSource;
    }
    if (from.epsilon != to.epsilon || from.mechanism != to.mechanism) {
        present.epsilonChosen = to.epsilonChosen;
    }
    if (from.mechanism != to.mechanism) {
        present.epsilonScale = to.epsilonScale;
    }
    // A value in another unit means nothing.
    if (!from.chosen().sharesUnitWith(to.chosen())) {
        present.epsilon = to.epsilon;
    }
    return present;
}

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
    if (const Part* part = changedPart(before, now)) {
        m_stack.push(new Step(*this, QCoreApplication::translate("SettingsHistory", part->name),
                              m_mayContinue && part->isNumber, before, now));
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
