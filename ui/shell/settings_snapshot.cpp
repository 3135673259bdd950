#include "ui/shell/settings_snapshot.h"

#include <array>

#include <QCoreApplication>

namespace epsilens::ui {

namespace {

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

/// A part that is one member of the mechanism. Whether epsilon follows its default, and which,
/// hangs on the mechanism too.
template <auto member>
constexpr Part choicePart(const char* name) {
    return {name,
            [](const SettingsSnapshot& a, const SettingsSnapshot& b) {
                return a.settings.choice.*member == b.settings.choice.*member;
            },
            [](SettingsSnapshot& to, const SettingsSnapshot& from) {
                to.settings.choice.*member = from.settings.choice.*member;
                to.settings.epsilonScale = from.settings.epsilonScale;
                to.settings.epsilonChosen = from.settings.epsilonChosen;
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
                return a.settings.choice.gamma.has_value() == b.settings.choice.gamma.has_value();
            },
            [](SettingsSnapshot& to, const SettingsSnapshot& from) {
                to.settings.choice.gamma = from.settings.choice.gamma;
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
    choicePart<&MechanismChoice::kind>(QT_TRANSLATE_NOOP("SettingsHistory", "mechanism")),
    choicePart<&MechanismChoice::metric>(QT_TRANSLATE_NOOP("SettingsHistory", "metric")),
    choicePart<&MechanismChoice::law>(QT_TRANSLATE_NOOP("SettingsHistory", "noise")),
    choicePart<&MechanismChoice::placement>(QT_TRANSLATE_NOOP("SettingsHistory", "placement")),
    choicePart<&MechanismChoice::lambda>(QT_TRANSLATE_NOOP("SettingsHistory", "λ")),
    choicePart<&MechanismChoice::beta>(QT_TRANSLATE_NOOP("SettingsHistory", "β")),
    gammaModePart(),
    memberPart<&AnalysisSettings::gamma>(QT_TRANSLATE_NOOP("SettingsHistory", "γ")),
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
    if (base.settings.choice.gamma) {
        base.settings.choice.gamma = base.settings.gamma;
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
