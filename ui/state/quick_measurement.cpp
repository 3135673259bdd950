#include "ui/state/quick_measurement.h"

#include <algorithm>
#include <utility>

#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kMeasurementRestMs = 120;

bool isOf(const calibration::MeasurementOptions& measured,
          const calibration::MeasurementOptions& asked) {
    return measured.mechanism == asked.mechanism && measured.words == asked.words &&
           measured.weights == asked.weights && measured.draws == asked.draws &&
           measured.seed == asked.seed;
}

}  // namespace

QuickMeasurement::QuickMeasurement(AnalysisState& state, JobBoard& jobs, MeasureFunction function,
                                   Subject subject, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_jobs(jobs),
      m_subject(subject),
      m_measure(std::move(function)),
      m_rest(kMeasurementRestMs),
      m_job(tr("Measuring words"),
            [this](const Result<calibration::MeasurementHandle>& answer) { take(answer); }) {
    jobs.watch(&m_job);
    // Does not take the cores from what the analyst waits for.
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (m_jobs.isAnswering()) {
            m_rest.start();
        } else {
            measure();
        }
    });
    connect(&m_state, &AnalysisState::embeddingDropped, this, &QuickMeasurement::forget);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &QuickMeasurement::followSetting);
    connect(&m_state, &AnalysisState::changed, this,
            [this](const AnalysisSettings& before, const AnalysisSettings& now) {
                if (before.chosen() != now.chosen() || before.draws != now.draws ||
                    before.seed != now.seed || before.words != now.words) {
                    followSetting();
                }
            });
}

calibration::MeasurementOptions QuickMeasurement::wanted() const {
    calibration::MeasurementOptions options;
    options.mechanism = m_state.mechanism();
    options.words.count = kWords;
    options.draws = m_state.draws();
    options.seed = m_state.seed();
    if (m_text) {
        options.words = {calibration::WordSelection::Kind::list, 0, m_text->rows};
        options.weights = m_text->weights;
    } else if (m_wordsOfRun == m_state.words()) {
        options.words = m_state.words();
    } else if (m_state.embedding()) {
        options.words.count = std::min<std::int64_t>(kWords, m_state.embedding()->wordCount());
    }
    return options;
}

bool QuickMeasurement::isToAskFor() const {
    return canMeasure() && !isCurrent() && !isRunning() && !m_rest.isActive() &&
           m_problem.isEmpty();
}

bool QuickMeasurement::canMeasure() const {
    return m_state.searchSpace() && (m_subject == Subject::vocabulary || m_text);
}

bool QuickMeasurement::isCurrent() const {
    return m_result && canMeasure() && isOf(m_result->options(), wanted());
}

QString QuickMeasurement::wordsText() const {
    const calibration::WordSelection words = wanted().words;
    if (words.kind == calibration::WordSelection::Kind::all) {
        return tr("all words");
    }
    // A run asks for more words than there may be.
    const std::int64_t there = m_state.embedding() ? m_state.embedding()->wordCount() : words.count;
    return tr("%1 words")
        .arg(counted(words.kind == calibration::WordSelection::Kind::list
                         ? static_cast<qint64>(words.rows.size())
                         : std::min<std::int64_t>(words.count, there)));
}

void QuickMeasurement::setText(std::optional<WeightedWords> words) {
    m_text = std::move(words);
    if (!m_text) {
        m_rest.stop();
        m_job.drop();
    }
    followSetting();
}

void QuickMeasurement::measureWordsOfRuns() {
    const calibration::WordSelection& words = m_state.words();
    // A small vocabulary is measured whole by both.
    const auto there = m_state.embedding() ? m_state.embedding()->wordCount() : 0;
    const bool isSame = words.kind == calibration::WordSelection::Kind::random && there > 0 &&
                        std::min(words.count, wanted().words.count) >= there;
    if (words.kind != calibration::WordSelection::Kind::all && m_tooMany != words && !isSame) {
        followWords(words);
    }
}

void QuickMeasurement::followWords(const calibration::WordSelection& words) {
    m_wordsOfRun = words;
    if (m_state.searchSpace() && !isCurrent()) {
        measure();
    }
}

void QuickMeasurement::forget() {
    m_rest.stop();
    m_job.drop();
    m_result.reset();
    m_text.reset();
    m_wordsOfRun.reset();
    m_tooMany.reset();
    m_problem.clear();
}

void QuickMeasurement::followSetting() {
    m_problem.clear();
    // What it would find is not wanted any more, and the analyst waits for other answers.
    if (isRunning() && !isOf(m_asked, wanted())) {
        m_job.drop();
    }
    if (canMeasure() && !isCurrent()) {
        m_rest.start();
    }
    Q_EMIT changed();
}

void QuickMeasurement::measure() {
    if (!canMeasure()) {
        return;
    }
    m_rest.stop();
    m_asked = wanted();
    m_job.start([space = m_state.searchSpace(), options = m_asked,
                 measure = m_measure](const JobContext& job) {
        return measure ? measure(*space, options, job) : calibration::measure(*space, options, job);
    });
    Q_EMIT changed();
}

void QuickMeasurement::take(const Result<calibration::MeasurementHandle>& answer) {
    if (!answer) {
        // Fewer words than those of a run may still be measured.
        if (answer.error().code == ErrorCode::resourceLimit && m_wordsOfRun == m_state.words()) {
            m_tooMany = std::exchange(m_wordsOfRun, std::nullopt);
            followSetting();
            return;
        }
        if (answer.error().code != ErrorCode::cancelled) {
            m_problem = toQString(answer.error().message);
        }
    } else {
        m_result = *answer;
    }
    Q_EMIT changed();
}

}  // namespace epsilens::ui
