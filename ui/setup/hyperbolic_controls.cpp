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
             "and Drake 2019. Only riemannian with Möbius gives ε·d_H."),
          this)),
      m_placement(new ChoiceList<mechanism::Placement>(
          "placementComboBox", tr("Placement"),
          tr("How noise is applied to a word: moved there by an isometry (Möbius), or added. Only "
             "riemannian with Möbius gives ε·d_H."),
          this)) {
    m_law->add(mechanism::RadialLaw::riemannian, tr("riemannian"));
    m_law->add(mechanism::RadialLaw::eq7, tr("Eq. 7 of the paper"));
    m_placement->add(mechanism::Placement::mobius, tr("Möbius"));
    m_placement->add(mechanism::Placement::additive, tr("additive"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(kRowSpacing);
    addLabelledRow(*grid, tr("&Noise"), m_law);
    addLabelledRow(*grid, tr("&Placement"), m_placement);
    connect(m_law, &QComboBox::currentIndexChanged, this,
            [this] { m_state.edit(&AnalysisSettings::setParameters, {.law = m_law->value()}); });
    connect(m_placement, &QComboBox::currentIndexChanged, this, [this] {
        m_state.edit(&AnalysisSettings::setParameters, {.placement = m_placement->value()});
    });
    m_state.onChange(&AnalysisSettings::mechanism, this, &HyperbolicControls::showState);
    showState();
}

void HyperbolicControls::showState() {
    m_law->show(*m_state.parameters().law);
    m_placement->show(*m_state.parameters().placement);
}

}  // namespace epsilens::ui
