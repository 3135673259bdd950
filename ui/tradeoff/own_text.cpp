#include "ui/tradeoff/own_text.h"

#include "ui/state/analysis_state.h"
#include "ui/state/share_counts.h"
#include "ui/tradeoff/labelled_source.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

OwnText::OwnText(AnalysisState& state, JobBoard& jobs, const LabelledSource& source,
                 QObject* parent)
    : QObject(parent),
      m_state(state),
      m_source(source),
      m_measurement(state, jobs, calibration::measure, QuickMeasurement::Subject::text) {
    connect(&m_source, &LabelledSource::coverageChanged, this, [this] {
        const experiment::TokenSample* sample = m_source.sample();
        m_measurement.setText(sample != nullptr
                                  ? std::optional(WeightedWords{sample->rows, sample->weights})
                                  : std::nullopt);
    });
    connect(&m_measurement, &QuickMeasurement::changed, this, &OwnText::changed);
    m_state.onChange(&AnalysisSettings::epsilon, this, &OwnText::changed);
}

QString OwnText::sentence() const {
    if (m_source.sample() == nullptr || !m_measurement.isCurrent()) {
        return {};
    }
    const calibration::OutputShares shares = m_measurement.result()->sharesAt(m_state.epsilon());
    return tr("Of 100 known words of %1 %2 survive (measured on %3 of them).")
        .arg(toQString(m_source.texts()->data.file))
        .arg(countsOf(shares.kept, shares.near, shares.far).kept)
        .arg(counted(m_source.sample()->tokens));
}

}  // namespace epsilens::ui
