#include "ui/state/settings_history.h"

#include <concepts>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <QCoreApplication>
#include <QScopedValueRollback>
#include <QUndoCommand>

namespace epsilens::ui {

namespace {

// Key presses closer together than this belong to one step.
constexpr int kSameStepMs = 700;
constexpr int kMostSteps = 200;
constexpr int kStepId = 1;

using mechanism::Parameters;

/// A part of the settings that one control sets.
template <typename... Path>
struct Part {
    const char* name;  ///< to be translated
    std::tuple<Path...> path;

    /// The part of some settings.
    template <typename Settings>
    [[nodiscard]] auto& of(Settings& settings) const {
        return std::apply(
            [&](auto... step) -> auto& { return (settings.*....*step); }, path);
    }
};

template <typename... Path>
constexpr Part<Path...> part(const char* name, Path... path) {
    return {name, {path...}};
}

template <typename Parameter>
constexpr auto parameterPart(const char* name, Parameter parameter) {
    return part(name, &AnalysisSettings::mechanism, &MechanismSettings::parameters, parameter);
}

template <typename Values>
constexpr auto gridPart(const char* name, Values values) {
    return part(name, &AnalysisSettings::grid, values);
}

template <typename Policy>
constexpr auto textPart(const char* name, Policy policy) {
    return part(name, &AnalysisSettings::textPolicies, policy);
}

/// The first one that differs gives a change its name: what the analyst touched comes before what
/// follows from it.
constexpr std::tuple kParts{
    part(QT_TRANSLATE_NOOP("SettingsHistory", "mechanism"), &AnalysisSettings::mechanism,
         &MechanismSettings::kind),
    parameterPart(QT_TRANSLATE_NOOP("SettingsHistory", "metric"), &Parameters::metric),
    parameterPart(QT_TRANSLATE_NOOP("SettingsHistory", "noise"), &Parameters::law),
    parameterPart(QT_TRANSLATE_NOOP("SettingsHistory", "λ"), &Parameters::lambda),
    parameterPart(QT_TRANSLATE_NOOP("SettingsHistory", "β"), &Parameters::beta),
    part(QT_TRANSLATE_NOOP("SettingsHistory", "how γ is given"), &AnalysisSettings::mechanism,
         &MechanismSettings::gammaGiven),
    parameterPart(QT_TRANSLATE_NOOP("SettingsHistory", "γ"), &Parameters::gamma),
    part(QT_TRANSLATE_NOOP("SettingsHistory", "ε"), &AnalysisSettings::epsilon),
    part(QT_TRANSLATE_NOOP("SettingsHistory", "draws"), &AnalysisSettings::draws),
    part(QT_TRANSLATE_NOOP("SettingsHistory", "seed"), &AnalysisSettings::seed),
    part(QT_TRANSLATE_NOOP("SettingsHistory", "words"), &AnalysisSettings::words),
    part(QT_TRANSLATE_NOOP("SettingsHistory", "band"), &AnalysisSettings::band),
    textPart(QT_TRANSLATE_NOOP("SettingsHistory", "unknown words"), &TextPolicies::unknownWords),
    textPart(QT_TRANSLATE_NOOP("SettingsHistory", "letter case"), &TextPolicies::letterCase),
    part(QT_TRANSLATE_NOOP("SettingsHistory", "pinned settings"), &AnalysisSettings::pin),
    part(QT_TRANSLATE_NOOP("SettingsHistory", "limits"), &AnalysisSettings::limits),
    part(QT_TRANSLATE_NOOP("SettingsHistory", "limits on texts"), &AnalysisSettings::figureLimits),
    gridPart(QT_TRANSLATE_NOOP("SettingsHistory", "grid of ε"), &GridValues::epsilons),
    gridPart(QT_TRANSLATE_NOOP("SettingsHistory", "grid of λ"), &GridValues::lambdas),
    gridPart(QT_TRANSLATE_NOOP("SettingsHistory", "grid of β"), &GridValues::betas),
    gridPart(QT_TRANSLATE_NOOP("SettingsHistory", "grid of γ"), &GridValues::gammas)};

/// Calls `visit` with each part and its value before and now where these differ.
template <typename Visit>
void visitDifferences(const AnalysisSettings& before, const AnalysisSettings& now, Visit visit) {
    const auto compare = [&](const auto& part) {
        if (part.of(before) != part.of(now)) {
            visit(part);
        }
    };
    std::apply([&](const auto&... part) { (compare(part), ...); }, kParts);
}

bool isEstimated(const AnalysisSettings& before, const AnalysisSettings& now) {
    return before.epsilonScale != now.epsilonScale || before.largestDistance != now.largestDistance;
}

/// What the analyst changed between two values of the settings.
struct SettingsChange {
    /// "ε", "mechanism": what is called so is different, and possibly what follows from it;
    /// translated. Empty if the analyst changed nothing: an epsilon that follows its default and a
    /// grid that follows an estimate are the program's doing.
    QString name{};
    /// Whether it is a number, which a slider or the arrow keys take through many values.
    bool isNumber = false;
};

SettingsChange changeBetween(const AnalysisSettings& before, const AnalysisSettings& now) {
    AnalysisSettings chosen = before;
    // What the program does of itself does not count.
    if (!now.epsilonChosen) {
        chosen.epsilon = now.epsilon;
    }
    SettingsChange change;
    if (isEstimated(before, now)) {
        chosen.grid = now.grid;
    }
    visitDifferences(chosen, now, [&](const auto& part) {
        if (change.name.isEmpty()) {
            using Value = std::remove_cvref_t<decltype(part.of(now))>;
            change.name = QCoreApplication::translate("SettingsHistory", part.name);
            change.isNumber = std::same_as<Value, double> || std::same_as<Value, int> ||
                              std::same_as<Value, std::optional<double>>;
        }
    });
    return change;
}

/// The present settings with what differs between two values as it is in `to`. What the program has
/// found out meanwhile stays.
AnalysisSettings withChange(AnalysisSettings present, const AnalysisSettings& from,
                            const AnalysisSettings& to) {
    visitDifferences(from, to, [&](const auto& part) { part.of(present) = part.of(to); });
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
    const SettingsChange change = changeBetween(before, now);
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
