#include "ui/setup/text_section.h"

#include <QVBoxLayout>

#include "ui/setup/choice_list.h"
#include "ui/state/analysis_state.h"

namespace epsilens::ui {

using release::UnknownPolicy;
using text::CasePolicy;

TextSection::TextSection(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_unknown(new ChoiceList<UnknownPolicy>(
          "setupUnknownComboBox", tr("Unknown words"),
          tr("What happens to words that the vocabulary does not have, in Choose, in released "
             "files and in the report. “Keep” leaves the word unprotected."),
          this)),
      m_letterCase(new ChoiceList<CasePolicy>(
          "setupLetterCaseComboBox", tr("Letter case"),
          tr("How words are looked up. Automatic: in lower case if under 1% of the vocabulary has "
             "capitals."),
          this)) {
    m_unknown->add(UnknownPolicy::mask, tr("Mask"));
    m_unknown->add(UnknownPolicy::random, tr("Any word at random"));
    m_unknown->add(UnknownPolicy::drop, tr("Drop"));
    m_unknown->add(UnknownPolicy::keep, tr("Keep, unprotected"));
    m_letterCase->add(CasePolicy::automatic, tr("Automatic"));
    m_letterCase->add(CasePolicy::keep, tr("As typed"));
    m_letterCase->add(CasePolicy::lower, tr("Lower case"));
    auto* warning =
        hintLabel(tr("⚠ Unknown words stay as they are: names, numbers and addresses too."), this);
    warning->setObjectName(QStringLiteral("unknownKeptLabel"));
    warning->setWordWrap(true);
    m_warning = warning;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(kRowSpacing);
    addLabelledRow(*grid, tr("Un&known words"), m_unknown);
    addLabelledRow(*grid, tr("Letter &case"), m_letterCase);
    layout->addLayout(grid);
    layout->addWidget(m_warning);
    connect(m_unknown, &QComboBox::currentIndexChanged, this, &TextSection::apply);
    connect(m_letterCase, &QComboBox::currentIndexChanged, this, &TextSection::apply);
    m_state.onChange(&AnalysisSettings::textPolicies, this, &TextSection::show);
    show();
}

QString TextSection::heading(const TextPolicies& policies) {
    switch (policies.unknownWords) {
        case UnknownPolicy::mask:
            return tr("Unknown words: masked");
        case UnknownPolicy::random:
            return tr("Unknown words: replaced");
        case UnknownPolicy::drop:
            return tr("Unknown words: dropped");
        case UnknownPolicy::keep:
            return tr("Unknown words: ⚠ kept");
    }
    return {};
}

void TextSection::show() {
    const TextPolicies& policies = m_state.textPolicies();
    m_unknown->show(policies.unknownWords);
    m_letterCase->show(policies.letterCase);
    m_warning->setVisible(policies.unknownWords == UnknownPolicy::keep);
}

void TextSection::apply() {
    m_state.edit(&AnalysisSettings::textPolicies, {m_unknown->value(), m_letterCase->value()});
}

}  // namespace epsilens::ui
