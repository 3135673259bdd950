#include "ui/state/bound_control.h"

#include <QCoreApplication>

namespace epsilens::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("BoundControl", text);
}

}  // namespace

QComboBox* unknownWordsList(AnalysisState& state, const char* objectName,
                            const QString& description, QWidget* parent) {
    using release::UnknownPolicy;
    auto* list = new ChoiceList<UnknownPolicy>(objectName, tr("Unknown words"), description,
                                               {{UnknownPolicy::mask, tr("Mask")},
                                                {UnknownPolicy::random, tr("Any word at random")},
                                                {UnknownPolicy::drop, tr("Drop")},
                                                {UnknownPolicy::keep, tr("Keep, unprotected")}},
                                               parent);
    bindTo(
        state, *list,
        [](const AnalysisSettings& settings) { return settings.textPolicies.unknownWords; },
        [](AnalysisSettings& settings, UnknownPolicy chosen) {
            settings.textPolicies.unknownWords = chosen;
        });
    return list;
}

QComboBox* letterCaseList(AnalysisState& state, const char* objectName, const QString& description,
                          QWidget* parent) {
    using text::CasePolicy;
    auto* list = new ChoiceList<CasePolicy>(objectName, tr("Letter case"), description,
                                            {{CasePolicy::automatic, tr("Automatic")},
                                             {CasePolicy::keep, tr("As typed")},
                                             {CasePolicy::lower, tr("Lower case")}},
                                            parent);
    bindTo(
        state, *list,
        [](const AnalysisSettings& settings) { return settings.textPolicies.letterCase; },
        [](AnalysisSettings& settings, CasePolicy chosen) {
            settings.textPolicies.letterCase = chosen;
        });
    return list;
}

}  // namespace epsilens::ui
