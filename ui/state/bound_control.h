#pragma once

#include "ui/state/analysis_state.h"
#include "ui/widgets/choice_list.h"
#include "ui/widgets/parameter_control.h"

namespace epsilens::ui {

/// Lets a list show a part of the settings, and set it.
///
/// get  gives the part, of the settings
/// set  takes what was chosen into the settings
template <typename Value, typename Get, typename Set>
void bindTo(AnalysisState& state, ChoiceList<Value>& list, Get get, Set set) {
    QObject::connect(&list, &QComboBox::currentIndexChanged, &state, [&state, &list, set] {
        state.edit([&](AnalysisSettings& settings) { set(settings, list.value()); });
    });
    const auto show = [&state, &list, get] { list.show(get(state.settings())); };
    state.onChange(get, &list, show);
    show();
}

/// The same of a number.
template <typename Get, typename Set>
void bindTo(AnalysisState& state, ParameterControl& control, Get get, Set set) {
    QObject::connect(&control, &ParameterControl::valueChanged, &state,
                     [&state, set](double value) {
                         state.edit([&](AnalysisSettings& settings) { set(settings, value); });
                     });
    const auto show = [&state, &control, get] { control.setValue(get(state.settings())); };
    state.onChange(get, &control, show);
    show();
}

/// A list, bound to the settings, of what becomes of words that the vocabulary does not have.
[[nodiscard]] QComboBox* unknownWordsList(AnalysisState& state, const char* objectName,
                                          const QString& description, QWidget* parent);
/// The same of how words are looked up.
[[nodiscard]] QComboBox* letterCaseList(AnalysisState& state, const char* objectName,
                                        const QString& description, QWidget* parent);

}  // namespace epsilens::ui
