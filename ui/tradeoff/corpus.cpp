#include "ui/tradeoff/corpus.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <QFileInfo>
#include <QStringList>

#include "core/attack/prior.h"
#include "core/base/error.h"
#include "core/report/memo_words.h"
#include "core/text/lookup.h"
#include "ui/state/word.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

/// The words are looked up once more, so that their spellings need not be kept meanwhile.
release::TextSurvey unknownOf(const std::vector<corpus::Document>& documents,
                              const embedding::Vocabulary& vocabulary,
                              const corpus::ReplacementPolicies& policies,
                              const corpus::TokenisedDocuments& words) {
    // As many as can be common.
    constexpr std::size_t kMostUnknown = 100;
    release::TextSurvey survey;
    survey.counts.words = words.tokens();
    if (words.knownTokens() == words.tokens()) {
        return survey;
    }
    const text::Lookup lookup(vocabulary, policies.letterCase);
    text::Tokeniser tokeniser;
    release::WordTally tally;
    for (const corpus::Document& document : documents) {
        const text::TokenisedText found =
            corpus::tokeniseDocument(document.text, tokeniser, lookup, policies);
        for (std::size_t i = 0; i < found.words.size(); ++i) {
            if (!found.words[i].row) {
                const std::string_view word = found.spelling(i);
                lookup.casePolicy() == text::CasePolicy::lower ? tally.add(text::toLower(word))
                                                               : tally.add(word);
            }
        }
    }
    survey.mostUnknown = tally.mostFrequent(kMostUnknown);
    return survey;
}

}  // namespace

corpus::ReplacementPolicies replacementPolicies(const TextPolicies& policies) {
    return {.unknown = policies.unknownWords, .letterCase = policies.letterCase};
}

Corpus::Corpus(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_reader(tr("Reading labelled texts"),
               [this](Result<LabelledTextsHandle> texts) { takeTexts(std::move(texts)); }),
      m_counter(tr("Finding known words"), [this](const Result<CoverageHandle>& coverage) {
          m_coverage = coverage.value_or(nullptr);
          Q_EMIT coverageChanged();
      }) {
    connect(&m_reader, &JobRunnerBase::started, this, &Corpus::changed);
    connect(&m_reader, &JobRunnerBase::finished, this, &Corpus::changed);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &Corpus::measureCoverage);
    m_state.onChange(&AnalysisSettings::textPolicies, this, &Corpus::measureCoverage);
}

void Corpus::open(const QString& path) {
    document::KeptData source;
    source.options.path = toStdPath(QFileInfo(path).absoluteFilePath());
    read(std::move(source), false);
}

void Corpus::setColumns(const Columns& columns) {
    if (!m_texts) {
        return;
    }
    document::KeptData source{m_texts->source.options, {}, {}};
    source.options.textColumn = toStd(columns.text.trimmed());
    source.options.labelColumn = toStd(columns.label.trimmed());
    source.options.authorColumn = toStd(columns.author.trimmed());
    const auto columnsOf = [](const corpus::DataSetOptions& options) {
        return std::tie(options.textColumn, options.labelColumn, options.authorColumn);
    };
    if (columnsOf(source.options) != columnsOf(m_texts->source.options)) {
        read(std::move(source), false);
    }
}

void Corpus::reopen(document::KeptData data, const std::string& path) {
    data.options.path = path;
    read(std::move(data), true);
}

void Corpus::read(document::KeptData source, bool isReopening) {
    const QString name = QFileInfo(toQString(source.options.path)).fileName();
    m_isReopening = isReopening;
    m_reader.start(
        [source = std::move(source), isReopening,
         gone = toStd(tr("%1 is gone; these results belong to the texts as they were.").arg(name)),
         changed = toStd(
             tr("%1 has changed; these results belong to the texts as they were.").arg(name))](
            const JobContext& job) -> Result<LabelledTextsHandle> {
            // Where the bytes cannot be read twice, reading the texts says what is wrong.
            const auto found =
                corpus::fingerprintOf(source.options, job.stop).value_or(corpus::DataFingerprint{});
            if (isReopening && found != source.fingerprint) {
                return fail(ErrorCode::badFile, found.sha256.empty() ? gone : changed);
            }
            ASSIGN_OR_RETURN(auto data, corpus::readDataSet(source.options, job));
            return std::make_shared<const LabelledTexts>(
                LabelledTexts{{source.options, source.relativePath, found}, std::move(data)});
        });
}

void Corpus::takeTexts(Result<LabelledTextsHandle> texts) {
    if (texts) {
        m_texts = std::move(*texts);
        measureCoverage();
    } else if (m_isReopening) {
        Q_EMIT reopenFailed(toQString(texts.error().message));
    } else {
        Q_EMIT failed(texts.error());
    }
}

void Corpus::measureCoverage() {
    m_coverage.reset();
    Q_EMIT coverageChanged();
    if (!m_texts || !m_state.embedding()) {
        return;
    }
    m_counter.start([texts = m_texts, embedding = m_state.embedding(),
                     replacing = replacementPolicies(m_state.textPolicies())](
                        const JobContext& job) -> Result<CoverageHandle> {
        ASSIGN_OR_RETURN(const auto words,
                         corpus::tokeniseDocuments(texts->data.documents, embedding->vocabulary(),
                                                   replacing, 0, job));
        return std::make_shared<const Coverage>(Coverage{
            words.tokens(), words.knownTokens(),
            unknownOf(texts->data.documents, embedding->vocabulary(), replacing, words),
            corpus::sampleTokens(words, CurrentMeasurement::kWords),
            attack::smoothedPrior(attack::wordCounts(words.rows(), embedding->wordCount())),
            corpus::textLengths(words)});
    });
}

void Corpus::close() {
    m_reader.drop();
    m_counter.drop();
    m_texts.reset();
    m_coverage.reset();
    Q_EMIT coverageChanged();
    Q_EMIT changed();
}

std::optional<int> Corpus::knownPercent() const {
    if (m_coverage == nullptr || m_coverage->tokens == 0) {
        return std::nullopt;
    }
    // Neither 0 nor 100 unless that is so.
    return std::clamp(100 - report::percentUnknown(unknownShare()),
                      m_coverage->knownTokens > 0 ? 1 : 0,
                      m_coverage->knownTokens < m_coverage->tokens ? 99 : 100);
}

QString Corpus::shortText() const {
    if (!m_texts) {
        return {};
    }
    const QString file = toQString(m_texts->data.file);
    const auto known = knownPercent();
    return known ? tr("%1% known of %2").arg(*known).arg(file) : file;
}

QString Corpus::summaryText() const {
    if (!m_texts) {
        return {};
    }
    const corpus::DataSet& data = m_texts->data;
    QStringList parts{
        tr("%1: %2 documents")
            .arg(toQString(data.file), counted(static_cast<qint64>(data.documents.size())))};
    if (!data.classes.empty()) {
        parts.append(tr("%1 classes").arg(counted(static_cast<qint64>(data.classes.size()))));
    }
    if (!data.authors.empty()) {
        parts.append(tr("%1 authors").arg(counted(static_cast<qint64>(data.authors.size()))));
    }
    if (const auto known = knownPercent()) {
        parts.append(tr("the embedding knows %1% of the %2 words")
                         .arg(*known)
                         .arg(counted(m_coverage->tokens)));
    }
    return parts.join(QStringLiteral(" · "));
}

std::optional<WeightedWords> Corpus::words() const {
    return m_coverage != nullptr
               ? std::optional(WeightedWords{m_coverage->sample.rows, m_coverage->sample.weights})
               : std::nullopt;
}

std::optional<MeasuredText> Corpus::measuredBy(calibration::MeasurementHandle measurement) const {
    return m_coverage != nullptr
               ? std::optional(MeasuredText{std::move(measurement), toQString(m_texts->data.file),
                                            static_cast<qint64>(m_coverage->sample.tokens),
                                            unknownShare(), m_coverage->lengths})
               : std::nullopt;
}

double Corpus::unknownShare() const {
    return m_coverage == nullptr || m_coverage->tokens == 0
               ? 0.0
               : static_cast<double>(m_coverage->tokens - m_coverage->knownTokens) /
                     static_cast<double>(m_coverage->tokens);
}

QString Corpus::unknownText() const {
    const QString words = m_coverage != nullptr ? mostUnknownText(m_coverage->unknown) : QString();
    return words.isEmpty() ? words : tr("Not known to the embedding, most often: %1.").arg(words);
}

QString Corpus::remarkText() const {
    QStringList parts;
    const QString unknown =
        m_coverage != nullptr
            ? commonUnknownWarning(m_coverage->unknown, m_state.textPolicies().unknownWords)
            : QString();
    if (!unknown.isEmpty()) {
        parts.append(unknown);
    }
    if (m_texts && m_texts->data.badRows > 0) {
        QStringList rows;
        for (const std::int64_t row : m_texts->data.firstBadRows) {
            rows.append(counted(row));
        }
        if (m_texts->data.badRows > rows.size()) {
            rows.append(QStringLiteral("…"));
        }
        parts.append(tr("Rows not measured, though a release holds them, because they lack a text "
                        "or another column, or are malformed: %1 (%2).")
                         .arg(counted(m_texts->data.badRows), rows.join(QStringLiteral(", "))));
    }
    if (m_texts && m_texts->data.duplicates > 0) {
        parts.append(tr("Documents that repeat the text of another: %1.")
                         .arg(counted(m_texts->data.duplicates)));
    }
    return parts.join(QLatin1Char(' '));
}

}  // namespace epsilens::ui
