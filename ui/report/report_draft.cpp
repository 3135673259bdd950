#include "ui/report/report_draft.h"

#include <utility>

#include <QCoreApplication>
#include <QDate>
#include <QFileInfo>

#include "core/base/error.h"
#include "core/calibration/run_curves.h"
#include "core/document/report_document.h"
#include "core/io/output.h"
#include "core/report/memo_figures.h"
#include "core/report/memo_words.h"
#include "ui/report/report_document.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/word.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr double kPreviewMargin = 16.0;
constexpr int kDraftRestMs = 200;

std::string today() {
    return toStd(QDate::currentDate().toString(Qt::ISODate));
}

/// The preview, owned by the thread of the interface; goes away there, too.
std::shared_ptr<QTextDocument> previewOf(const report::ReportContent& content, double pointSize) {
    auto document = reportDocument(content, pointSize, kPreviewMargin);
    document->moveToThread(QCoreApplication::instance()->thread());
    return {document.release(), [](QTextDocument* unused) { unused->deleteLater(); }};
}

Result<void> writeReport(const document::Report& report, const QString& path) {
    const auto write = [&path](const std::string& text) {
        return io::replaceFile(toStdPath(path), text);
    };
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QLatin1String("json")) {
        return document::reportJson(report).and_then(write);
    }
    ASSIGN_OR_RETURN(const auto content, report::composeReport(report));
    if (ending == QLatin1String("pdf")) {
        return writePdf(content, path);
    }
    if (ending == QLatin1String("html") || ending == QLatin1String("htm")) {
        return write(report::reportHtml(content));
    }
    return fail(ErrorCode::invalidArgument,
                toStd(ReportDraft::tr("the file name must end in .pdf, .html or .json")));
}

bool concernsReport(const AnalysisSettings& before, const AnalysisSettings& now) {
    return now.setting() != before.setting() || !now.asksForRunOf(before) ||
           now.limits != before.limits || now.figureLimits != before.figureLimits ||
           now.pin != before.pin || now.textPolicies != before.textPolicies;
}

}  // namespace

ReportDraft::ReportDraft(AnalysisState& state, SessionResults& results, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_results(results),
      m_preview(
          {.title = tr("Composing the report"),
           .key =
               [this] { return m_run && !isOutdated() ? std::optional(subject()) : std::nullopt; },
           .make = [](const Subject& subject, const JobContext& job) -> Result<Preview> {
               Preview preview;
               ASSIGN_OR_RETURN(const auto report, reportOf(subject, preview.known, job));
               ASSIGN_OR_RETURN(auto content, report::composeReport(report));
               preview.document = previewOf(content, subject.pointSize);
               preview.content = std::make_shared<const report::ReportContent>(std::move(content));
               return preview;
           },
           .restMs = kDraftRestMs}),
      m_exporter(tr("Exporting the report"), [this](Result<Known> written) {
          const bool isOfRun = std::exchange(m_exportedRun, nullptr) == m_run;
          if (written) {
              m_known = isOfRun ? std::move(*written) : m_known;
              Q_EMIT exported(m_exportPath);
          } else {
              Q_EMIT failed(written.error());
          }
      }) {
    m_settings.date = today();
    m_preview.setWanted(false);
    connect(&m_preview, &QueryBase::changed, this, &ReportDraft::takePreview);
    connect(&m_state, &AnalysisState::embeddingReset, this, [this] {
        m_run.reset();
        m_known = {};
        m_evaluations.clear();
        m_search.reset();
        m_ownText.reset();
        m_settings.density.reset();
        m_preview.update();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, [this] {
        const auto& embedding = m_state.embedding();
        const std::string name =
            embedding ? embedding->embedding.path + embedding->embedding.name : std::string();
        if (std::exchange(m_about, name) != name) {
            // What was stated of another choice is not stated of this one.
            document::ReportSettings blank;
            blank.author = m_settings.author;
            blank.date = today();
            const bool isOther = document::settingsKey(blank) != document::settingsKey(m_settings);
            m_settings = std::move(blank);
            if (isOther) {
                Q_EMIT edited();
            }
        }
        setRun(nullptr);
    });
    connect(&m_state, &AnalysisState::changed, this,
            [this](const AnalysisSettings& before, const AnalysisSettings& now) {
                if (concernsReport(before, now)) {
                    noteChange();
                }
            });
    connect(&m_state, &AnalysisState::epsilonOriginChanged, this, &ReportDraft::noteChange);
    connect(&m_state, &AnalysisState::sentenceChanged, this, [this] {
        if (m_includesSentence) {
            noteChange();
        }
    });
    connect(&m_results, &SessionResults::densityChanged, this, &ReportDraft::noteChange);
}

document::ReportSettings ReportDraft::settings() const {
    document::ReportSettings settings = m_settings;
    settings.limits = m_state.limits();
    settings.figureLimits = m_state.settings().figureLimits;
    settings.unknownWords = release::unknownPolicyName(m_state.textPolicies().unknownWords);
    if (const auto& density = m_results.density()) {
        settings.density = density->figures;
    }
    if (m_ownText) {
        const calibration::Measurement& measured = *m_ownText->measurement;
        const calibration::OutputShares shares = measured.sharesAt(m_state.epsilon());
        settings.texts = {toStd(m_ownText->file),
                          m_ownText->tokens,
                          measured.options().draws,
                          shares.kept,
                          shares.near,
                          shares.far,
                          m_ownText->unknownShare,
                          m_ownText->lengths};
    } else {
        settings.texts.reset();
    }
    settings.epsilonOrigin = toStd(m_state.epsilonOrigin());
    settings.choice.reset();
    if (m_run && !isOutdated()) {
        const auto& summary = *reportedRun()->summary;
        if (const auto cell = calibration::cellOf(summary.grid, m_state.setting())) {
            settings.choice = calibration::choiceOf(summary.cells[*cell]);
        }
    }
    settings.sentences.clear();
    if (m_includesSentence && !m_state.sentence().isEmpty()) {
        settings.sentences.push_back(toStd(m_state.sentence()));
    }
    return settings;
}

void ReportDraft::setSettings(const document::ReportSettings& settings) {
    m_settings = settings;
    if (m_settings.date.empty()) {
        m_settings.date = today();
    }
    m_state.edit([&settings](AnalysisSettings& analysis) {
        analysis.limits = settings.limits;
        analysis.figureLimits = settings.figureLimits;
        if (const auto policy = release::parseUnknownPolicy(settings.unknownWords)) {
            analysis.textPolicies.unknownWords = *policy;
        }
    });
    Q_EMIT edited();
    noteChange();
}

void ReportDraft::setIncludesSentence(bool includes) {
    if (includes != m_includesSentence) {
        m_includesSentence = includes;
        Q_EMIT edited();
        noteChange();
    }
}

void ReportDraft::setPair(std::optional<calibration::NamedPair> pair) {
    if (pair != m_pair) {
        m_pair = std::move(pair);
        noteChange();
    }
}

void ReportDraft::setIncludesPair(bool includes) {
    if (includes != m_includesPair) {
        m_includesPair = includes;
        noteChange();
    }
}

bool ReportDraft::hidesPair() const {
    if (!m_pair || m_includesPair || calibration::isWellKnown(*m_pair) || !m_state.embedding()) {
        return false;
    }
    const embedding::Vocabulary& vocabulary = m_state.embedding()->vocabulary();
    const auto rows = exampleWords(vocabulary);
    return rows.empty() || *m_pair != calibration::NamedPair(vocabulary.word(rows.front().first),
                                                             vocabulary.word(rows.front().second));
}

void ReportDraft::setRun(calibration::RunHandle run) {
    m_run = std::move(run);
    m_known = {};
    Q_EMIT runChanged();
    noteChange();
}

void ReportDraft::setEvaluations(Evaluations evaluations,
                                 std::shared_ptr<const document::KeptSearch> search) {
    if (evaluations != m_evaluations || search != m_search) {
        m_evaluations = std::move(evaluations);
        m_search = std::move(search);
        noteChange();
    }
}

void ReportDraft::setOwnText(std::optional<MeasuredText> text) {
    m_ownText = std::move(text);
    noteChange();
}

void ReportDraft::setTypedWords(std::vector<calibration::Row> rows) {
    m_typed = std::move(rows);
    noteChange();
}

bool ReportDraft::isOutdated() const {
    return m_run && !answers(m_run->request.options, m_state.calibrationOptions());
}

ReportDraft::Subject ReportDraft::subject() const {
    Subject subject{settings(), m_run, m_state.setting(), m_state.searchSpace(), m_evaluations,
                    m_search,   {},    hidesPair(),       m_previewPointSize,    m_known};
    subject.settings.choice.reset();  // follows from the setting
    subject.ownText = m_ownText ? m_ownText->measurement : nullptr;
    subject.typed = m_typed;
    if (m_includesPair) {
        subject.pair = m_pair;
    }
    if (const auto& pin = m_state.pin(); pin && *pin != m_state.setting()) {
        std::string& alternatives = subject.settings.alternatives;
        alternatives +=
            (alternatives.empty() ? "" : "; ") + toStd(tr("pinned A: %1").arg(pinTitle(*pin)));
    }
    return subject;
}

bool ReportDraft::Subject::operator==(const Subject& other) const {
    return document::settingsKey(settings) == document::settingsKey(other.settings) &&
           run == other.run && setting == other.setting && space == other.space &&
           evaluations == other.evaluations && search == other.search && pair == other.pair &&
           hidesPair == other.hidesPair && pointSize == other.pointSize &&
           ownText == other.ownText && typed == other.typed;
}

/// The report about the setting, which is measured first where the run lacks it. Fails as
/// calibration::runWith.
///
/// known  becomes what it was made of
Result<document::Report> ReportDraft::reportOf(const Subject& subject, Known& known,
                                               const JobContext& job) {
    known = subject.known;
    const bool isWide = known.run && calibration::cellOf(known.run->summary->grid, subject.setting);
    ASSIGN_OR_RETURN(known.run, calibration::runWith(isWide ? known.run : subject.run,
                                                     subject.setting, *subject.space, job));
    const calibration::RunHandle& run = known.run;
    document::Report report{subject.settings, *run};
    report.hidesPair = subject.hidesPair;
    report.search = subject.search;
    if (subject.ownText) {
        report.beyondLimits.push_back(report::wordsBeyond(*subject.ownText, subject.settings.limits,
                                                          subject.setting.epsilon,
                                                          subject.settings.texts->file));
    }
    if (!subject.typed.empty() && !subject.settings.limits.empty()) {
        calibration::MeasurementOptions options{run->request.options, subject.setting.mechanism};
        options.words = {calibration::WordSelection::Kind::list, 0, subject.typed};
        ASSIGN_OR_RETURN(const auto typed, calibration::measure(*subject.space, options, job));
        report.beyondLimits.push_back(report::wordsBeyond(
            *typed, subject.settings.limits, subject.setting.epsilon, toStd(tr("the typed text"))));
    }
    if (subject.pair) {
        ASSIGN_OR_RETURN(report.run.pairs,
                         calibration::pairDistances(*subject.space, run->summary->grid,
                                                    calibration::pairsWith(*run, *subject.pair)));
    }
    if (const auto cell = calibration::cellOf(run->summary->grid, subject.setting)) {
        report.settings.choice = calibration::choiceOf(run->summary->cells[*cell]);
        ASSIGN_OR_RETURN(
            report.examples,
            document::examplesOfChoice(report, report.settings.sentences, *subject.space, job));
        if (!known.others || known.others->empty() ||
            known.others->front().mechanism != subject.setting.mechanism) {
            auto others = document::measureOthers(report, *subject.space, 0, job);
            if (!others && others.error().code == ErrorCode::cancelled) {
                return tl::unexpected(others.error());
            }
            known.others = std::make_shared<const std::vector<calibration::ComparedMechanism>>(
                std::move(others).value_or(std::vector<calibration::ComparedMechanism>()));
        }
        ASSIGN_OR_RETURN(report.compared,
                         document::compareChoice(report, *known.others,
                                                 subject.space->embedding().vocabulary()));
        ASSIGN_OR_RETURN(const auto findings, document::findingsOf(report));
        ASSIGN_OR_RETURN(report.alongAxis, calibration::familyAlongAxis(
                                               *run, subject.setting.mechanism, *subject.space,
                                               report::memoAxis(report, findings).low, job));
    }
    for (const auto& evaluation : subject.evaluations) {
        if (document::checkBelongs(*evaluation, *run)) {
            report.evaluations.push_back(*evaluation);
        }
    }
    return report;
}

const calibration::RunHandle& ReportDraft::reportedRun() const {
    const bool isWiderWanted =
        m_known.run && calibration::cellOf(m_known.run->summary->grid, m_state.setting());
    return isWiderWanted ? m_known.run : m_run;
}

void ReportDraft::setPreviewPointSize(double pointSize) {
    if (pointSize != m_previewPointSize) {
        m_previewPointSize = pointSize;
        noteChange();
    }
}

void ReportDraft::noteChange() {
    m_preview.update();
    Q_EMIT changed();
}

void ReportDraft::takePreview() {
    if (const Preview* preview = m_preview.current()) {
        m_known = preview->known;
        Q_EMIT previewReady(preview->document, preview->content);
        Q_EMIT changed();
    } else if (const Error* error = m_preview.error();
               error != nullptr && error->code != ErrorCode::cancelled) {
        Q_EMIT failed(*error);
    }
}

QStringList ReportDraft::filters() {
    return {tr("PDF (*.pdf)"), tr("HTML (*.html *.htm)"), tr("JSON (*.json)")};
}

void ReportDraft::exportTo(const QString& path) {
    if (!m_run || isOutdated() || path.isEmpty()) {
        return;
    }
    m_exportPath = path;
    m_exportedRun = m_run;
    m_exporter.start([subject = subject(), path](const JobContext& job) -> Result<Known> {
        Known known;
        ASSIGN_OR_RETURN(const auto report, reportOf(subject, known, job));
        RETURN_IF_ERROR(writeReport(report, path));
        return known;
    });
}

}  // namespace epsilens::ui
