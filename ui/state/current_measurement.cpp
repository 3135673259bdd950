#include "ui/state/current_measurement.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kMeasurementRestMs = 120;

}  // namespace

bool CurrentMeasurement::Key::operator==(const Key& other) const {
    const calibration::MeasurementOptions& asked = other.options;
    return space == other.space && options.mechanism == asked.mechanism &&
           options.words == asked.words && options.weights == asked.weights &&
           options.draws == asked.draws && options.seed == asked.seed;
}

CurrentMeasurement::CurrentMeasurement(AnalysisState& state, JobBoard& jobs,
                                       MeasureFunction function, Subject subject, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_query({.title = tr("Measuring words"),
               .key = [this, subject]() -> std::optional<Key> {
                   return m_state.searchSpace() && (subject == Subject::vocabulary || m_text)
                              ? std::optional(Key{m_state.searchSpace(), wanted()})
                              : std::nullopt;
               },
               .make = [function = std::move(function)](const Key& key,
                                                        const JobContext& job) -> Result<Measured> {
                   ASSIGN_OR_RETURN(auto measured,
                                    function ? function(*key.space, key.options, job)
                                             : calibration::measure(*key.space, key.options, job));
                   return Measured{key.space, std::move(measured)};
               },
               .restMs = kMeasurementRestMs,
               // Does not take the cores from what the analyst waits for.
               .waits = [&jobs] { return jobs.hasInteractiveJob(); }}) {
    jobs.watch(&m_query.job());
    connect(&m_query.job(), &JobRunnerBase::started, this, &CurrentMeasurement::changed);
    connect(&m_query, &QueryBase::changed, this, [this] {
        // Fewer words than those of a run may still be measured.
        const Error* error = m_query.currentError();
        if (error != nullptr && error->code == ErrorCode::resourceLimit &&
            m_wordsOfRun == m_state.words()) {
            m_tooMany = std::exchange(m_wordsOfRun, std::nullopt);
            m_query.update();
        }
        Q_EMIT changed();
    });
    connect(&m_state, &AnalysisState::embeddingReset, this, [this] {
        m_text.reset();
        m_wordsOfRun.reset();
        m_tooMany.reset();
        m_query.forget();
        m_query.update();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &CurrentMeasurement::updateQuery);
    m_state.onChange(
        [](const AnalysisSettings& settings) {
            return std::tuple(settings.currentMechanism(), settings.draws, settings.seed,
                              settings.words);
        },
        this, &CurrentMeasurement::updateQuery);
}

calibration::MeasurementOptions CurrentMeasurement::wanted() const {
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

calibration::MeasurementHandle CurrentMeasurement::result() const {
    const Measured* last = m_query.last();
    return last != nullptr && last->space == m_state.searchSpace() ? last->measurement : nullptr;
}

bool CurrentMeasurement::wasCancelled() const {
    const Error* error = m_query.currentError();
    return error != nullptr && error->code == ErrorCode::cancelled;
}

QString CurrentMeasurement::problem() const {
    const Error* error = m_query.currentError();
    return error != nullptr && !wasCancelled() ? toQString(error->message) : QString();
}

QString CurrentMeasurement::wordsText() const {
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

void CurrentMeasurement::setText(std::optional<WeightedWords> words) {
    m_text = std::move(words);
    updateQuery();
}

void CurrentMeasurement::measureWordsOfRuns() {
    const calibration::WordSelection& words = m_state.words();
    // A small vocabulary is measured whole by both.
    const auto there = m_state.embedding() ? m_state.embedding()->wordCount() : 0;
    const bool isSame = words.kind == calibration::WordSelection::Kind::random && there > 0 &&
                        std::min(words.count, wanted().words.count) >= there;
    if (words.kind != calibration::WordSelection::Kind::all && m_tooMany != words && !isSame) {
        followWords(words);
    }
}

void CurrentMeasurement::followWords(const calibration::WordSelection& words) {
    m_wordsOfRun = words;
    updateQuery();
}

void CurrentMeasurement::updateQuery() {
    m_query.update();
    Q_EMIT changed();
}

void CurrentMeasurement::measure() {
    m_query.retry();
    Q_EMIT changed();
}

}  // namespace epsilens::ui
