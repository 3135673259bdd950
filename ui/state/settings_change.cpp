#include "ui/state/settings_change.h"

#include <concepts>
#include <optional>
#include <tuple>
#include <type_traits>

#include <QCoreApplication>

namespace epsilens::ui {

namespace {

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

}  // namespace

SettingsChange SettingsChange::between(const AnalysisSettings& before,
                                       const AnalysisSettings& now) {
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

}  // namespace epsilens::ui
