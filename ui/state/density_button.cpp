#include "ui/state/density_button.h"

#include "ui/state/session_results.h"

namespace epsilens::ui {

DensityButton::DensityButton(SessionResults& results, const QString& offer, QWidget* parent)
    : QPushButton(parent), m_results(results), m_offer(offer) {
    setAccessibleDescription(
        tr("Finds the nearest neighbour of every word of the vocabulary. Choose, Words, the report "
           "and the details use the result until another file is opened."));
    setToolTip(accessibleDescription());
    connect(this, &QPushButton::clicked, this, &DensityButton::computeOrStop);
    connect(&m_results, &SessionResults::densityChanged, this, &DensityButton::refresh);
    const JobRunnerBase& runner = m_results.densityRunner();
    connect(&runner, &JobRunnerBase::started, this, &DensityButton::refresh);
    connect(&runner, &JobRunnerBase::finished, this, &DensityButton::refresh);
    refresh();
}

void DensityButton::refresh() {
    setText(m_results.densityRunner().isRunning() ? tr("Stop computing distances") : m_offer);
    setVisible(m_results.offersDensity());
}

void DensityButton::computeOrStop() {
    if (m_results.densityRunner().isRunning()) {
        m_results.densityRunner().cancel();
    } else {
        m_results.computeDensity();
    }
}

}  // namespace epsilens::ui
