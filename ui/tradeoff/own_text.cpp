#include "ui/tradeoff/own_text.h"

#include "ui/state/analysis_state.h"
#include "ui/tradeoff/labelled_source.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

OwnText::OwnText(AnalysisState& state, JobBoard& jobs, const LabelledSource& source,
                 QObject* parent)
    : QObject(parent),
      m_state(state),
      m_source(source),
      m_measurement(state, jobs, measureAlone, QuickMeasurement::Subject::text) {
    connect(&m_source, &LabelledSource::coverageChanged, this, [this] {
        const experiment::TokenSample* sample = m_source.sample();
        m_measurement.setText(sample != nullptr
                                  ? std::optional(WeightedWords{sample->rows, sample->weights})
                                  : std::nullopt);
    });
    connect(&m_measurement, &QuickMeasurement::changed, this, &OwnText::changed);
}

std::optional<MeasuredText> OwnText::measuredText() const {
    if (m_source.sample() == nullptr || !m_measurement.isCurrent()) {
        return std::nullopt;
    }
    return MeasuredText{m_measurement.result(), toQString(m_source.texts()->data.file),
                        static_cast<qint64>(m_source.sample()->tokens), m_source.unknownShare()};
}

std::optional<UnmeasuredText> OwnText::unmeasuredText() const {
    if (m_source.sample() == nullptr || !m_measurement.isToAskFor()) {
        return std::nullopt;
    }
    return UnmeasuredText{toQString(m_source.texts()->data.file),
                          static_cast<qint64>(m_source.sample()->tokens)};
}

}  // namespace epsilens::ui
