#include "ui/setup/hyperbolic_controls.h"

#include "ui/setup/choice_list.h"
#include "ui/state/analysis_state.h"

namespace epsilens::ui {

HyperbolicControls::HyperbolicControls(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_law(new ChoiceList<mechanism::RadialLaw>(
          "noiseComboBox", tr("Noise"),
          tr("The law of the noise's hyperbolic radius: riemannian, or Eq. 7 of Feyisetan, Diethe "
             "and Drake 2019. Only riemannian gives ε·d_H."),
          this)) {
    m_law->add(mechanism::RadialLaw::riemannian, tr("riemannian"));
    m_law->add(mechanism::RadialLaw::eq7, tr("Eq. 7 of the paper"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(kRowSpacing);
    addLabelledRow(*grid, tr("&Noise"), m_law);
    connect(m_law, &QComboBox::currentIndexChanged, this,
            [this] { m_state.edit(&AnalysisSettings::setParameters, {.law = m_law->value()}); });
    m_state.onChange(&AnalysisSettings::mechanism, this, &HyperbolicControls::showState);
    showState();
}

void HyperbolicControls::showState() {
    m_law->show(*m_state.parameters().law);
}

}  // namespace epsilens::ui
