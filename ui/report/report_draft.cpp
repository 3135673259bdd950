#include "ui/report/report_draft.h"

#include <cmath>
#include <utility>

#include <QCoreApplication>
#include <QDate>
#include <QFileInfo>
#include <QThread>

#include "core/base/pass_on.h"
#include "core/io/replace_file.h"
#include "core/report/report_html.h"
#include "core/report/report_json.h"
#include "core/report/report_markdown.h"
#include "core/report/report_parts.h"
#include "ui/report/report_document.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr double kPreviewPointSize = 9.5;
constexpr double kPreviewMargin = 16.0;

RecordHandle gather(const FinishedRun& run, Result<calibration::RunDetails> details) {
    calibration::RunDescription description = calibration::describeRun(run.space->embedding());
    description.selection = run.selection;
    if (details) {
        description.details = std::move(*details);
    }
    return std::make_shared<const document::CalibrationRecord>(
        document::CalibrationRecord{std::move(description), run.summary});
}

/// How the embedding of a run was read, as far as it tells.
embedding::LoadOptions loadOf(const embedding::Embedding& embedding) {
    embedding::LoadOptions load;
    load.path = embedding.path.empty() ? embedding.name : embedding.path;
    load.limitRows = embedding.report.limitedTo.value_or(0);
    return load;
}

std::string today() {
    return toStd(QDate::currentDate().toString(Qt::ISODate));
}

/// The preview, owned by the thread of the interface; goes away there, too.
std::shared_ptr<QTextDocument> previewOf(const report::ReportContent& content) {
    auto document = reportDocument(content, kPreviewPointSize, kPreviewMargin);
    document->moveToThread(QCoreApplication::instance()->thread());
    return {document.release(), [](QTextDocument* unused) { unused->deleteLater(); }};
}

Result<void> writeText(const Result<std::string>& text, const QString& path) {
    return text ? io::replaceFile(toStdPath(path), *text)
                : Result<void>(tl::unexpected(text.error()));
}

Result<void> writeReport(const report::Report& report, const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QLatin1String("json")) {
        return writeText(report::reportJson(report), path);
    }
    ASSIGN_OR_RETURN(const auto content, report::composeReport(report));
    if (ending == QLatin1String("pdf")) {
        return writePdf(content, path);
    }
    if (ending == QLatin1String("html") || ending == QLatin1String("htm")) {
        return writeText(report::reportHtml(content), path);
    }
    if (ending == QLatin1String("md") || ending == QLatin1String("markdown")) {
        return writeText(report::reportMarkdown(content), path);
    }
    return fail(
        ErrorCode::invalidArgument,
        toStd(ReportDraft::tr("the ending of the file is none of .pdf, .html, .md and .json")));
}

}  // namespace

ReportDraft::ReportDraft(AnalysisState& state, LimitState& limits, SessionResults& results,
                         QObject* parent)
    : QObject(parent),
      m_state(state),
      m_limits(limits),
      m_results(results),
      m_gatherer(tr("Gathering the results"),
                 [this](Result<RecordHandle> record) { takeRun(std::move(record)); }),
      m_composer(tr("Composing the report"),
                 [this](Result<std::shared_ptr<QTextDocument>> document) {
                     if (document && !m_isPreviewed) {
                         m_isPreviewOutdated = true;
                     } else if (document) {
                         Q_EMIT previewReady(*document);
                     } else if (document.error().code != ErrorCode::cancelled) {
                         Q_EMIT failed(document.error());
                     }
                 }),
      m_exporter(tr("Exporting the report"), [this](const Result<bool>& written) {
          if (written) {
              Q_EMIT exported(m_exportPath);
          } else {
              Q_EMIT failed(written.error());
          }
      }) {
    m_settings.date = today();
    connect(&m_state, &AnalysisState::embeddingDropped, this, &ReportDraft::forget);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &ReportDraft::followEmbedding);
    connect(&m_results, &SessionResults::densityChanged, this, &ReportDraft::requestPreview);
    connect(&m_limits, &LimitState::limitsChanged, this, [this] {
        Q_EMIT limitsChanged();
        requestPreview();
    });
    connect(&m_state, &AnalysisState::textPoliciesChanged, this, &ReportDraft::requestPreview);
    connect(&m_state, &AnalysisState::sentenceChanged, this, [this] {
        if (m_includesSentence) {
            requestPreview();
        }
    });
}

document::ReportSettings ReportDraft::settings() const {
    document::ReportSettings settings = m_settings;
    settings.limits = m_limits.limits();
    settings.unknownWords = release::unknownPolicyName(m_state.textPolicies().unknownWords);
    if (const auto& density = m_results.density()) {
        settings.density = document::describeDensity(density->figures);
    }
    settings.sentences.clear();
    if (m_includesSentence && !m_state.sentence().isEmpty()) {
        settings.sentences.push_back(toStd(m_state.sentence()));
    }
    return settings;
}

void ReportDraft::setSettings(const document::ReportSettings& settings) {
    m_settings = settings;
    m_settings.sentences.clear();
    if (m_settings.date.empty()) {
        m_settings.date = today();
    }
    m_limits.setLimits(settings.limits);
    if (const auto policy = release::parseUnknownPolicy(settings.unknownWords)) {
        m_state.setTextPolicies({*policy, m_state.textPolicies().letterCase});
    }
    Q_EMIT edited();
    requestPreview();
}

void ReportDraft::setIncludesSentence(bool includes) {
    if (includes == m_includesSentence) {
        return;
    }
    m_includesSentence = includes;
    Q_EMIT edited();
    requestPreview();
}

QStringList ReportDraft::limitSentences() const {
    QStringList sentences;
    for (const calibration::Limit& limit : m_limits.limits()) {
        sentences.append(toQString(calibration::limitSentence(limit)));
    }
    return sentences;
}

/// What was computed for the embedding before says nothing about this one.
void ReportDraft::forget() {
    m_gatherer.drop();
    m_gathered.reset();
    m_record.reset();
    m_settings.density.reset();
}

void ReportDraft::followEmbedding() {
    Q_EMIT gatheringChanged();
    showRecord();
}

void ReportDraft::setRun(FinishedRun run) {
    setGathered(run.summary);
    m_gatherer.start([run = std::move(run)](const JobContext&) -> Result<RecordHandle> {
        const embedding::Embedding& embedding = run.space->embedding().embedding;
        return gather(run, calibration::describeDetails(
                               *run.space, *run.summary,
                               calibration::keptRequest(loadOf(embedding), run.options)));
    });
}

void ReportDraft::dropRun() {
    m_gatherer.cancel();
    setGathered(nullptr);
}

void ReportDraft::setGathered(SummaryOfRun summary) {
    if (summary != m_gathered) {
        m_gathered = std::move(summary);
        Q_EMIT gatheringChanged();
    }
}

const SummaryOfRun& ReportDraft::summary() const {
    return m_gathered || !m_record ? m_gathered : m_record->summary;
}

void ReportDraft::setRecord(RecordHandle record) {
    dropRun();
    m_isNoneChosen = record && !m_settings.choice;
    if (record || m_record) {
        m_record = std::move(record);
        showRecord();
    }
}

void ReportDraft::takeRun(Result<RecordHandle> record) {
    // Another embedding or a session came meanwhile.
    if (!isGathering()) {
        return;
    }
    if (!record) {
        Q_EMIT failed(record.error());
    } else {
        m_record = std::move(*record);
        if (!m_isNoneChosen && chosenCell() < 0) {
            chooseNearest();
        }
        showRecord();
    }
    setGathered(nullptr);
}

void ReportDraft::showRecord() {
    Q_EMIT recordChanged();
    requestPreview();
}

/// The calibrated setting that comes nearest to the one looked at.
void ReportDraft::chooseNearest() {
    const auto& cells = m_record->summary->cells;
    std::size_t best = 0;
    const auto distance = [&](const calibration::Cell& cell) {
        return std::abs(std::log(cell.epsilon / m_state.epsilon())) +
               parameterDistance(cell, m_state.mechanism());
    };
    for (std::size_t i = 1; i < cells.size(); ++i) {
        if (distance(cells[i]) < distance(cells[best])) {
            best = i;
        }
    }
    m_settings.choice = report::choiceOf(cells[best]);
}

QStringList ReportDraft::choices() const {
    QStringList texts;
    if (m_record) {
        for (const calibration::Cell& cell : m_record->summary->cells) {
            texts.append(toQString(report::settingText(*m_record->summary, cell)));
        }
    }
    return texts;
}

int ReportDraft::chosenCell() const {
    if (!m_record || !m_settings.choice) {
        return -1;
    }
    document::ReportSettings chosen;
    chosen.choice = m_settings.choice;
    const auto findings = report::findingsOf({chosen, *m_record});
    return findings && findings->cell ? static_cast<int>(*findings->cell) : -1;
}

void ReportDraft::setChosenCell(int cell) {
    if (!m_record) {
        return;
    }
    m_isNoneChosen = cell < 0;
    if (cell == chosenCell()) {
        return;
    }
    m_settings.choice.reset();
    if (cell >= 0 && static_cast<std::size_t>(cell) < m_record->summary->cells.size()) {
        m_settings.choice =
            report::choiceOf(m_record->summary->cells[static_cast<std::size_t>(cell)]);
    }
    Q_EMIT edited();
    requestPreview();
}

report::Report ReportDraft::report() const {
    return {settings(), *m_record};
}

void ReportDraft::setPreviewed(bool previewed) {
    m_isPreviewed = previewed;
    if (m_isPreviewed && m_isPreviewOutdated) {
        requestPreview();
    }
}

void ReportDraft::requestPreview() {
    if (!m_record) {
        m_composer.drop();
    }
    m_isPreviewOutdated = m_record && !m_isPreviewed;
    if (!m_record || !m_isPreviewed) {
        return;
    }
    m_composer.start(
        [report = report()](const JobContext&) -> Result<std::shared_ptr<QTextDocument>> {
            return report::composeReport(report).map(previewOf);
        });
}

QStringList ReportDraft::filters() {
    return {tr("PDF (*.pdf)"), tr("HTML (*.html *.htm)"), tr("Markdown (*.md *.markdown)"),
            tr("JSON (*.json)")};
}

void ReportDraft::exportTo(const QString& path) {
    if (!m_record || path.isEmpty()) {
        return;
    }
    m_exportPath = path;
    m_exporter.start([report = report(), path](const JobContext&) -> Result<bool> {
        return writeReport(report, path).map([] { return true; });
    });
}

}  // namespace epsilens::ui
