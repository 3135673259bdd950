#pragma once

#include <QWidget>

#include "ui/state/analysis_settings.h"

namespace epsilens::ui {

class AnalysisState;
template <typename Value>
class ChoiceList;

/// What happens to words that the vocabulary does not have, and to letter case.
class TextSection : public QWidget {
    Q_OBJECT

public:
    /// state  must outlive this widget
    explicit TextSection(AnalysisState& state, QWidget* parent = nullptr);

    /// The gist of the settings: "Text: unknown words masked".
    [[nodiscard]] static QString heading(const TextPolicies& policies);

private:
    void show();
    void apply();

    AnalysisState& m_state;
    ChoiceList<release::UnknownPolicy>* m_unknown;
    ChoiceList<text::CasePolicy>* m_letterCase;
    QWidget* m_warning;
};

}  // namespace epsilens::ui
