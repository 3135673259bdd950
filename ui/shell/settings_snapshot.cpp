#include "ui/shell/settings_snapshot.h"

#include <array>

#include <QCoreApplication>

namespace epsilens::ui {

namespace {

using mechanism::Parameters;

struct Part {
    const char* name;  ///< to be translated
    bool (*same)(const SettingsSnapshot& a, const SettingsSnapshot& b);
    void (*copy)(SettingsSnapshot& to, const SettingsSnapshot& from);
    bool isGrid = false;
};

/// A part that is one member of the settings.
template <auto member>
constexpr Part memberPart(const char* name, bool isGrid = false) {
    return {name,
            [](const SettingsSnapshot& a, const SettingsSnapshot& b) {
                return a.settings.*member == b.settings.*member;
            },
            [](SettingsSnapshot& to, const SettingsSnapshot& from) {
                to.settings.*member = from.settings.*member;
            },
            isGrid};
}

/// Whether epsilon follows its default, and which, hangs on the mechanism too.
void copyDefaultOfEpsilon(SettingsSnapshot& to, const SettingsSnapshot& from) {
    to.settings.epsilonScale = from.settings.epsilonScale;
    to.settings.epsilonChosen = from.settings.epsilonChosen;
}

constexpr Part mechanismPart() {
    return {QT_TRANSLATE_NOOP("SettingsHistory", "mechanism"),
            [](const SettingsSnapshot& a, const SettingsSnapshot& b) {
                return a.settings.mechanism.kind.isKindOf(b.settings.mechanism.kind);
            },
            [](SettingsSnapshot& to, const SettingsSnapshot& from) {
                to.settings.mechanism.kind = from.settings.mechanism.kind;
                copyDefaultOfEpsilon(to, from);
            }};
}

/// A part that is one parameter of mechanisms.
template <auto member>
constexpr Part parameterPart(const char* name) {
    return {name,
            [](const SettingsSnapshot& a, const SettingsSnapshot& b) {
                return a.settings.mechanism.parameters.*member ==
                       b.settings.mechanism.parameters.*member;
            },
            [](SettingsSnapshot& to, const SettingsSnapshot& from) {
                to.settings.mechanism.parameters.*member =
                    from.settings.mechanism.parameters.*member;
                copyDefaultOfEpsilon(to, from);
            }};
}

/// A part that is one member of the policies for text.
template <auto member>
constexpr Part textPart(const char* name) {
    return {name,
            [](const SettingsSnapshot& a, const SettingsSnapshot& b) {
                return a.settings.textPolicies.*member == b.settings.textPolicies.*member;
            },
            [](SettingsSnapshot& to, const SettingsSnapshot& from) {
                to.settings.textPolicies.*member = from.settings.textPolicies.*member;
            }};
}

constexpr Part gammaModePart() {
    return {QT_TRANSLATE_NOOP("SettingsHistory", "how γ is given"),
            [](const SettingsSnapshot& a, const SettingsSnapshot& b) {
                return a.settings.mechanism.gammaGiven == b.settings.mechanism.gammaGiven;
            },
            [](SettingsSnapshot& to, const SettingsSnapshot& from) {
                to.settings.mechanism.gammaGiven = from.settings.mechanism.gammaGiven;
            }};
}

constexpr Part epsilonPart() {
    return {QT_TRANSLATE_NOOP("SettingsHistory", "ε"),
            [](const SettingsSnapshot& a, const SettingsSnapshot& b) {
                return a.settings.epsilon == b.settings.epsilon;
            },
            [](SettingsSnapshot& to, const SettingsSnapshot& from) {
                to.settings.epsilon = from.settings.epsilon;
                to.settings.epsilonChosen = from.settings.epsilonChosen;
            }};
}

constexpr Part pinPart() {
    return {QT_TRANSLATE_NOOP("SettingsHistory", "pinned settings"),
            [](const SettingsSnapshot& a, const SettingsSnapshot& b) { return a.pin == b.pin; },
            [](SettingsSnapshot& to, const SettingsSnapshot& from) { to.pin = from.pin; }};
}

constexpr Part limitsPart() {
    return {
        QT_TRANSLATE_NOOP("SettingsHistory", "limits"),
        [](const SettingsSnapshot& a, const SettingsSnapshot& b) { return a.limits == b.limits; },
        [](SettingsSnapshot& to, const SettingsSnapshot& from) { to.limits = from.limits; }};
}

/// In the order in which the name of a step is looked for: what the analyst touched comes before
/// what followed from it.
constexpr std::array<Part, kSettingsParts> kParts{
    mechanismPart(),
    parameterPart<&Parameters::metric>(QT_TRANSLATE_NOOP("SettingsHistory", "metric")),
    parameterPart<&Parameters::law>(QT_TRANSLATE_NOOP("SettingsHistory", "noise")),
    parameterPart<&Parameters::placement>(QT_TRANSLATE_NOOP("SettingsHistory", "placement")),
    parameterPart<&Parameters::lambda>(QT_TRANSLATE_NOOP("SettingsHistory", "λ")),
    parameterPart<&Parameters::beta>(QT_TRANSLATE_NOOP("SettingsHistory", "β")),
    gammaModePart(),
    parameterPart<&Parameters::gamma>(QT_TRANSLATE_NOOP("SettingsHistory", "γ")),
    epsilonPart(),
    memberPart<&AnalysisSettings::draws>(QT_TRANSLATE_NOOP("SettingsHistory", "draws")),
    memberPart<&AnalysisSettings::words>(QT_TRANSLATE_NOOP("SettingsHistory", "words")),
    memberPart<&AnalysisSettings::seed>(QT_TRANSLATE_NOOP("SettingsHistory", "seed")),
    memberPart<&AnalysisSettings::band>(QT_TRANSLATE_NOOP("SettingsHistory", "band")),
    textPart<&TextPolicies::unknownWords>(QT_TRANSLATE_NOOP("SettingsHistory", "unknown words")),
    textPart<&TextPolicies::letterCase>(QT_TRANSLATE_NOOP("SettingsHistory", "letter case")),
    memberPart<&AnalysisSettings::comparesWords>(
        QT_TRANSLATE_NOOP("SettingsHistory", "comparison of words")),
    memberPart<&AnalysisSettings::gridEpsilons>(QT_TRANSLATE_NOOP("SettingsHistory", "grid of ε"),
                                                true),
    memberPart<&AnalysisSettings::gridLambdas>(QT_TRANSLATE_NOOP("SettingsHistory", "grid of λ"),
                                               true),
    memberPart<&AnalysisSettings::gridBetas>(QT_TRANSLATE_NOOP("SettingsHistory", "grid of β"),
                                             true),
    memberPart<&AnalysisSettings::gridGammas>(QT_TRANSLATE_NOOP("SettingsHistory", "grid of γ"),
                                              true),
    pinPart(),
    limitsPart()};

/// The parts that a change of the settings is of.
SettingsParts partsOf(void (*change)(AnalysisSettings& settings)) {
    SettingsSnapshot changed;
    change(changed.settings);
    return differingParts({}, changed);
}

}  // namespace

SettingsParts differingParts(const SettingsSnapshot& a, const SettingsSnapshot& b) {
    SettingsParts parts;
    for (std::size_t i = 0; i < kParts.size(); ++i) {
        parts[i] = !kParts[i].same(a, b);
    }
    return parts;
}

SettingsSnapshot withParts(SettingsSnapshot base, const SettingsSnapshot& from,
                           const SettingsParts& parts) {
    for (std::size_t i = 0; i < kParts.size(); ++i) {
        if (parts[i]) {
            kParts[i].copy(base, from);
        }
    }
    return base;
}

SettingsParts followingParts(const SettingsParts& changed) {
    static const SettingsParts seed = partsOf([](AnalysisSettings& settings) { ++settings.seed; });
    static const SettingsParts words = partsOf([](AnalysisSettings& settings) {
        settings.words.kind = calibration::WordSelection::Kind::list;
    });
    SettingsParts parts = (changed & seed).any() ? words : SettingsParts();
    for (std::size_t i = 0; i < kParts.size(); ++i) {
        parts[i] = parts[i] || kParts[i].isGrid;
    }
    return parts;
}

QString partsName(const SettingsParts& parts) {
    for (std::size_t i = 0; i < kParts.size(); ++i) {
        if (parts[i]) {
            return QCoreApplication::translate("SettingsHistory", kParts[i].name);
        }
    }
    return {};
}

}  // namespace epsilens::ui
