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

Result<void> writeReport(const document::Report& report, const QString& path) {
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

ReportDraft::ReportDraft(AnalysisState& state, SessionResults& results, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_results(results),
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
    connect(&m_state, &AnalysisState::embeddingChanged, this, &ReportDraft::showRun);
    connect(&m_results, &SessionResults::densityChanged, this, &ReportDraft::requestPreview);
    m_state.onChange(&AnalysisSettings::limits, this, [this] {
        Q_EMIT limitsChanged();
        requestPreview();
    });
    m_state.onChange(&AnalysisSettings::textPolicies, this, &ReportDraft::requestPreview);
    connect(&m_state, &AnalysisState::sentenceChanged, this, [this] {
        if (m_includesSentence) {
            requestPreview();
        }
    });
}

document::ReportSettings ReportDraft::settings() const {
    document::ReportSettings settings = m_settings;
    settings.limits = m_state.limits();
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
    m_state.edit([&settings](AnalysisSettings& analysis) {
        analysis.limits = settings.limits;
        if (const auto policy = release::parseUnknownPolicy(settings.unknownWords)) {
            analysis.textPolicies.unknownWords = *policy;
        }
    });
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
    for (const calibration::Limit& limit : m_state.limits()) {
        sentences.append(toQString(calibration::limitSentence(limit)));
    }
    return sentences;
}

/// What was computed for the embedding before says nothing about this one.
void ReportDraft::forget() {
    m_run.reset();
    m_settings.density.reset();
}

void ReportDraft::setRun(calibration::RunHandle run) {
    m_run = std::move(run);
    if (m_run && !m_isNoneChosen && chosenCell() < 0) {
        chooseNearest();
    }
    showRun();
}

void ReportDraft::restoreRun(calibration::RunHandle run) {
    m_isNoneChosen = run && !m_settings.choice;
    if (run || m_run) {
        m_run = std::move(run);
        showRun();
    }
}

void ReportDraft::showRun() {
    Q_EMIT runChanged();
    requestPreview();
}

/// The calibrated setting that comes nearest to the one looked at.
void ReportDraft::chooseNearest() {
    const auto& cells = m_run->summary->cells;
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
    m_settings.choice = calibration::choiceOf(cells[best]);
}

QStringList ReportDraft::choices() const {
    QStringList texts;
    if (m_run) {
        for (const calibration::Cell& cell : m_run->summary->cells) {
            texts.append(toQString(report::settingText(*m_run->summary, cell)));
        }
    }
    return texts;
}

int ReportDraft::chosenCell() const {
    if (!m_run || !m_settings.choice) {
        return -1;
    }
    const auto findings = calibration::findingsOf(*m_run, {}, m_settings.choice);
    return findings && findings->cell ? static_cast<int>(*findings->cell) : -1;
}

void ReportDraft::setChosenCell(int cell) {
    if (!m_run) {
        return;
    }
    m_isNoneChosen = cell < 0;
    if (cell == chosenCell()) {
        return;
    }
    m_settings.choice.reset();
    if (cell >= 0 && static_cast<std::size_t>(cell) < m_run->summary->cells.size()) {
        m_settings.choice =
            calibration::choiceOf(m_run->summary->cells[static_cast<std::size_t>(cell)]);
    }
    Q_EMIT edited();
    requestPreview();
}

document::Report ReportDraft::report() const {
    return {settings(), *m_run};
}

void ReportDraft::setPreviewed(bool previewed) {
    m_isPreviewed = previewed;
    if (m_isPreviewed && m_isPreviewOutdated) {
        requestPreview();
    }
}

void ReportDraft::requestPreview() {
    if (!m_run) {
        m_composer.drop();
    }
    m_isPreviewOutdated = m_run && !m_isPreviewed;
    if (!m_run || !m_isPreviewed) {
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
    if (!m_run || path.isEmpty()) {
        return;
    }
    m_exportPath = path;
    m_exporter.start([report = report(), path](const JobContext&) -> Result<bool> {
        return writeReport(report, path).map([] { return true; });
    });
}

}  // namespace epsilens::ui
