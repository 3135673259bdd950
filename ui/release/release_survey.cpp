#include "ui/release/release_survey.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <QFileInfo>
#include <QStringList>

#include "core/report/memo_words.h"
#include "ui/state/unknown_words.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

// Names are typed letter by letter.
constexpr int kRestMs = 200;
// As many as can be common.
constexpr std::size_t kMostUnknown = 100;

/// Whether a survey of the one is one of the other.
bool readAlike(const ReleaseRequest& one, const ReleaseRequest& other) {
    return one.space == other.space && one.inputPath == other.inputPath &&
           one.decoding.encoding == other.decoding.encoding &&
           one.decoding.invalid == other.decoding.invalid &&
           one.table.columns == other.table.columns && one.table.format == other.table.format &&
           one.policies.unknown == other.policies.unknown &&
           one.policies.mask == other.policies.mask &&
           one.policies.letterCase == other.policies.letterCase &&
           one.stopWordsPath == other.stopWordsPath;
}

/// Neither 0 nor 100 unless that is so.
QString percentOf(std::int64_t part, std::int64_t all) {
    constexpr double kHundred = 100.0;
    const double percent = kHundred * static_cast<double>(part) / static_cast<double>(all);
    if (percent < 1.0) {
        return ReleaseSurvey::tr("under 1%");
    }
    if (part < all && percent > kHundred - 1.0) {
        return ReleaseSurvey::tr("over 99%");
    }
    return ReleaseSurvey::tr("%1%").arg(report::percentUnknown(percent / kHundred));
}

QString sizeOf(const release::TextSurvey& survey, bool isTable) {
    const std::int64_t parts = isTable ? survey.records : survey.counts.lines;
    const QString words = survey.counts.words == 1
                              ? ReleaseSurvey::tr("1 word")
                              : ReleaseSurvey::tr("%1 words").arg(counted(survey.counts.words));
    const QString of = isTable && parts == 1 ? ReleaseSurvey::tr("1 row")
                       : isTable             ? ReleaseSurvey::tr("%1 rows").arg(counted(parts))
                       : parts == 1          ? ReleaseSurvey::tr("1 line")
                                             : ReleaseSurvey::tr("%1 lines").arg(counted(parts));
    return ReleaseSurvey::tr("%1 in %2").arg(words, of);
}

}  // namespace

QString surveyText(const release::TextSurvey& survey, release::UnknownPolicy unknown,
                   bool isTable) {
    const release::ReleaseCounts& counts = survey.counts;
    const QString size = sizeOf(survey, isTable);
    const std::int64_t unknownWords = counts.words - counts.replaced - counts.stopWords;
    QString text;
    if (counts.words == 0) {
        return ReleaseSurvey::tr("%1: nothing to release.").arg(size);
    }
    if (unknownWords == 0) {
        text = ReleaseSurvey::tr("%1, none of them unknown.").arg(size);
    } else {
        text = ReleaseSurvey::tr("%1. %2 of the words are unknown and %3, most often: %4%5.")
                   .arg(size, percentOf(unknownWords, counts.words), fateOfUnknown(unknown),
                        mostUnknownText(survey),
                        survey.isUnknownPartial
                            ? ReleaseSurvey::tr(" (among the first %1 different ones)")
                                  .arg(counted(survey.differentUnknown))
                            : QString());
    }
    if (counts.stopWords > 0) {
        text += ReleaseSurvey::tr(" Stop words that would stay as they are: %1.")
                    .arg(percentOf(counts.stopWords, counts.words));
    }
    if (const QString warning = commonUnknownWarning(survey, unknown); !warning.isEmpty()) {
        text += QLatin1Char('\n') + warning;
    }
    return text;
}

ReleaseSurvey::ReleaseSurvey(QObject* parent)
    : QObject(parent),
      m_rest(kRestMs),
      m_runner(tr("Reading the text to release"), [this](Result<release::TextSurvey> found) {
          // While another request rests, this was of the one before.
          if (m_rest.isActive() || m_stage != Stage::reading) {
              return;
          }
          m_stage = Stage::done;
          m_found = found ? std::optional(std::move(*found)) : std::nullopt;
          Q_EMIT changed();
      }) {
    connect(&m_rest, &QTimer::timeout, this, &ReleaseSurvey::start);
    connect(&m_runner, &JobRunnerBase::progressChanged, this, &ReleaseSurvey::changed);
}

void ReleaseSurvey::follow(const ReleaseRequest& request) {
    const QFileInfo file(toQString(request.inputPath));
    if (m_stage != Stage::none && readAlike(request, m_request) &&
        file.lastModified() == m_modified) {
        return;
    }
    stop();
    m_request = request;
    m_modified = file.lastModified();
    m_found.reset();
    // Reading from anything but a file would take away what it has.
    m_stage = request.space && file.isFile() ? Stage::reading : Stage::none;
    if (m_stage == Stage::reading) {
        m_rest.start();
    }
    Q_EMIT changed();
}

void ReleaseSurvey::stop() {
    m_stage = m_stage == Stage::reading ? Stage::none : m_stage;
    m_rest.stop();
    m_runner.drop();
}

void ReleaseSurvey::start() {
    m_runner.start([request = m_request](const JobContext& job) {
        return surveyRelease(request, kMostUnknown, job);
    });
}

QString ReleaseSurvey::text() const {
    if (m_found) {
        return surveyText(*m_found, m_request.policies.unknown, !m_request.table.columns.empty());
    }
    constexpr double kHundred = 100.0;
    return m_stage == Stage::reading
               ? tr("Reading the whole text: %1%")
                     .arg(m_runner.isRunning() ? std::lround(kHundred * m_runner.fraction()) : 0L)
               : QString();
}

}  // namespace epsilens::ui
