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

struct Part {
    const char* name;
    bool isNumber;  ///< which a slider or the arrow keys take through many values
    bool (*differs)(const AnalysisSettings&, const AnalysisSettings&);
    void (*copy)(const AnalysisSettings& from, AnalysisSettings& to);
};

/// What members lead to, each one of that before it.
template <auto kMember, auto... kOfIt>
auto& at(auto& settings) {
    if constexpr (sizeof...(kOfIt) == 0) {
        return settings.*kMember;
    } else {
        return at<kOfIt...>(settings.*kMember);
    }
}

template <auto... kMembers>
Part part(const char* name) {
    using Settings = AnalysisSettings;
    using Value = std::remove_cvref_t<decltype(at<kMembers...>(std::declval<Settings&>()))>;
    return {
        name,
        std::same_as<Value, double> || std::same_as<Value, int> ||
            std::same_as<Value, std::optional<double>>,
        [](const Settings& a, const Settings& b) {
            return at<kMembers...>(a) != at<kMembers...>(b);
        },
        [](const Settings& from, Settings& to) { at<kMembers...>(to) = at<kMembers...>(from); }};
}

/// The first one that differs gives a change its name: what the analyst touched comes before what
/// follows from it.
const std::vector<Part>& parts() {
    using S = AnalysisSettings;
    using M = MechanismSettings;
    using P = mechanism::Parameters;
    static const std::vector<Part> all{
        part<&S::mechanism, &M::kind>("mechanism"),
        part<&S::mechanism, &M::parameters, &P::metric>("metric"),
        part<&S::mechanism, &M::parameters, &P::law>("noise"),
        part<&S::mechanism, &M::parameters, &P::lambda>("λ"),
        part<&S::mechanism, &M::parameters, &P::beta>("β"),
        part<&S::mechanism, &M::gammaGiven>("how γ is given"),
        part<&S::mechanism, &M::parameters, &P::gamma>("γ"),
        part<&S::epsilon>("ε"),
        part<&S::draws>("draws"),
        part<&S::seed>("seed"),
        part<&S::words>("words"),
        part<&S::band>("band"),
        part<&S::textPolicies, &TextPolicies::unknownWords>("unknown words"),
        part<&S::textPolicies, &TextPolicies::letterCase>("letter case"),
        part<&S::pin>("pinned settings"),
        part<&S::limits>("limits"),
        part<&S::figureLimits>("limits on texts"),
        part<&S::grid, &GridValues::epsilons>("grid of ε"),
        part<&S::grid, &GridValues::lambdas>("grid of λ"),
        part<&S::grid, &GridValues::betas>("grid of β"),
        part<&S::grid, &GridValues::gammas>("grid of γ")};
    return all;
}

/// The first part that the analyst changed; null if none: an epsilon that follows its default and a
/// grid that follows an estimate are the program's doing.
const Part* changedPart(AnalysisSettings before, const AnalysisSettings& now) {
    if (!now.epsilonChosen) {
        before.epsilon = now.epsilon;
    }
    if (before.epsilonScale != now.epsilonScale || before.largestDistance != now.largestDistance) {
        before.grid = now.grid;
    }
    const auto found =
        std::ranges::find_if(parts(), [&](const Part& part) { return part.differs(before, now); });
    return found == parts().end() ? nullptr : &*found;
}

/// The present settings with what differs between two values as it is in `to`.
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
    if (!from.currentMechanism().sharesUnitWith(to.currentMechanism())) {
        present.epsilon = to.epsilon;
    }
    return present;
}

}  // namespace

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
    connect(&m_state, &AnalysisState::settled, this, &SettingsHistory::recordChange);
}

void SettingsHistory::setDragged(bool isDragged) {
    m_isDragged = isDragged;
    endStep();
}

void SettingsHistory::recordChange(const AnalysisSettings& before, const AnalysisSettings& now) {
    if (m_hasNewData || m_isPuttingBack) {
        return;
    }
    if (const Part* part = changedPart(before, now)) {
        m_stack.push(new Step(*this, QString::fromUtf8(part->name), m_mayContinue && part->isNumber,
                              before, now));
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
