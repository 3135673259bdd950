#include "ui/shell/session_file.h"

#include <type_traits>
#include <utility>

#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QSessionManager>

#include "core/document/session_file.h"
#include "ui/shell/session_translator.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

// Comparing all settings with the file is no work for every step of a slider.
constexpr int kCompareMs = 150;

/// Whether the vectors are those that a session was made with; nothing: a session without vectors.
bool areThose(const embedding::EmbeddingHandle& open,
              const std::optional<document::SessionEmbedding>& wanted) {
    return !wanted || (open && open->embedding.report.sha256 == wanted->sha256 &&
                       open->embedding.report.limitedTo.value_or(0) == wanted->load.limitRows);
}

KeptTradeOff tradeOffOf(const document::Session& session) {
    const auto handleOf = [](const auto& kept) {
        using Kept = std::remove_cvref_t<decltype(*kept)>;
        return kept ? std::make_shared<const Kept>(*kept) : nullptr;
    };
    return {handleOf(session.evaluation), handleOf(session.evaluationAlone),
            handleOf(session.evaluationAgain), handleOf(session.search)};
}

void putInto(document::Session& session, const KeptTradeOff& kept) {
    const auto put = [](const auto& handle, auto& part) {
        if (handle) {
            part = *handle;
        }
    };
    put(kept.evaluation, session.evaluation);
    put(kept.alone, session.evaluationAlone);
    put(kept.again, session.evaluationAgain);
    put(kept.search, session.search);
}

}  // namespace

SessionFile::SessionFile(AnalysisState& state, ReportDraft& draft, QWidget* window,
                         std::function<void()> takeTyping)
    : QObject(window),
      m_state(state),
      m_draft(draft),
      m_window(window),
      m_takeTyping(std::move(takeTyping)),
      m_compare(kCompareMs),
      m_reader(tr("Opening the session"),
               [this](Result<document::Session> session) { takeSession(std::move(session)); }),
      m_writer(tr("Saving the session"),
               [this](const Result<bool>& written) { takeWritten(written); }),
      m_recovery([this] {
          return m_state.embedding() ? std::optional(recoveryOf(m_state, m_draft)) : std::nullopt;
      }) {
    connect(&m_compare, &QTimer::timeout, this, &SessionFile::changed);
    connect(&m_state, &AnalysisState::settled, this, &SessionFile::noteChange);
    connect(&m_draft, &ReportDraft::runChanged, this, &SessionFile::noteChange);
    connect(&m_draft, &ReportDraft::edited, this, [this] {
        m_reportEdited = true;
        noteChange();
    });
    // Behind all others that follow the embedding, which forget what belongs to the one before.
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SessionFile::followEmbedding,
            Qt::QueuedConnection);
    connect(qApp, &QGuiApplication::commitDataRequest, this, [this](QSessionManager& manager) {
        logOut({[&manager] { return manager.allowsInteraction(); },
                [&manager] { manager.release(); }, [&manager] { manager.cancel(); }});
    });
}

void SessionFile::noteChange() {
    m_recovery.noteChange();
    m_compare.start();
}

QString SessionFile::name() const {
    return QFileInfo(m_path).fileName();
}

SessionFile::Snapshot SessionFile::snapshot() const {
    document::Session session = sessionWithoutResults(m_state, m_draft);
    // Follows from ε and the run, and comes once the report has measured an ε beside the grid:
    // nothing that the analyst changed.
    session.report.choice.reset();
    return {document::sessionJson(session), session.embedding, m_draft.run(), m_tradeOff};
}

void SessionFile::setTradeOff(KeptTradeOff tradeOff) {
    m_tradeOff = std::move(tradeOff);
    m_compare.start();
}

bool SessionFile::hasUnsavedResults() const {
    return (m_draft.run() && m_draft.run() != m_saved.results) ||
           (m_tradeOff != KeptTradeOff() && m_tradeOff != m_saved.tradeOff);
}

bool SessionFile::isModified() const {
    if (hasUnsavedResults()) {
        return true;
    }
    const bool isOther = snapshot().key != m_saved.key;
    if (!m_path.isEmpty()) {
        return isOther;
    }
    // Without a file only what took some thought is worth a question.
    const AnalysisSettings& settings = m_state.settings();
    const bool hasThoughts =
        !settings.limits.empty() || !settings.figureLimits.empty() || settings.pin.has_value();
    return m_reportEdited || (isOther && hasThoughts);
}

void SessionFile::markSaved() {
    m_saved = snapshot();
    m_reportEdited = false;
    m_compare.stop();
    Q_EMIT changed();
}

bool SessionFile::isSession(const QString& path) {
    return path.endsWith(QLatin1String(".epsilens"), Qt::CaseInsensitive);
}

QString SessionFile::filter() {
    return tr("Sessions (*.epsilens)");
}

void SessionFile::open(const QString& path) {
    m_openingPath = path;
    m_reader.start([path = toStdPath(path)](const JobContext& job) {
        return document::openSession(path, job.stop);
    });
}

void SessionFile::takeSession(Result<document::Session> session) {
    if (!session) {
        Q_EMIT noticed(noticeFor(session.error()));
        return;
    }
    m_pending = std::move(*session);
    if (areThose(m_state.embedding(), m_pending->embedding)) {
        applyPending();
        return;
    }
    const auto place = document::firstExisting(
        document::embeddingPlaces(*m_pending->embedding, toStdPath(m_openingPath)));
    if (!place) {
        forgetPending();
        Q_EMIT noticed(noticeFor(place.error()));
        return;
    }
    Q_EMIT embeddingWanted(toQString(*place), m_pending->embedding->load.limitRows);
}

void SessionFile::forgetPending() {
    m_pending.reset();
}

void SessionFile::followEmbedding() {
    if (m_pending) {
        applyPending();
        return;
    }
    // Settings of other vectors do not belong into the file of these.
    if (m_writing && !areThose(m_state.embedding(), m_writing->embedding)) {
        m_writing.reset();
    }
    if (!m_path.isEmpty() && !areThose(m_state.embedding(), m_saved.embedding)) {
        m_path.clear();
        markSaved();
    }
}

void SessionFile::applyPending() {
    if (!areThose(m_state.embedding(), m_pending->embedding)) {
        refuseVectors();
        return;
    }
    const auto& results = m_pending->results;
    const auto& open = m_state.embedding();
    const bool fits =
        !results || (open && results->provenance.embedding.words == open->wordCount() &&
                     results->provenance.embedding.dimensions == open->dimensions());
    restore(*std::exchange(m_pending, std::nullopt), fits);
    if (!fits) {
        Q_EMIT noticed(
            {Severity::warning, tr("The results of the session are for a different number of words "
                                   "than this embedding has, so they were left out.")});
    }
}

void SessionFile::refuseVectors() {
    const document::Session session = *std::exchange(m_pending, std::nullopt);
    const auto& open = m_state.embedding();
    const bool isSameFile = open && open->embedding.report.sha256 == session.embedding->sha256;
    Notice notice{
        Severity::warning,
        isSameFile
            ? tr("The session expects a different number of rows from this file.")
            : tr("The session expects different vectors: the SHA-256 of this file differs.")};
    notice.actions = {
        {tr("Locate…"),
         [this, session] {
             const QString path =
                 dialogs::openFile(m_window, tr("Locate the embedding"),
                                   QFileInfo(m_openingPath).absolutePath(), {tr("All files (*)")});
             if (!path.isEmpty()) {
                 m_pending = session;
                 Q_EMIT embeddingWanted(path, session.embedding->load.limitRows);
             }
         }},
        {tr("Use these, drop results"), [this, session] { restore(session, false); }}};
    Q_EMIT noticed(notice);
}

void SessionFile::restore(const document::Session& session, bool withResults) {
    m_writing.reset();
    withdrawOffer();
    // What was typed belongs to the session before, and must not get into the report of this one.
    if (!m_path.isEmpty() || session.keepsSentences) {
        m_state.lookAt(QString());
    }
    applySettings(session, m_state);
    m_draft.setIncludesSentence(session.keepsSentences);
    document::ReportSettings report = session.report;
    if (!withResults) {
        report.density.reset();  // of the vectors that are not here
    }
    m_draft.setSettings(report);
    // An earlier version kept none: then nobody knows who chose.
    m_state.rememberOrigin(toQString(report.epsilonOrigin));
    const calibration::RunHandle run =
        withResults && session.results ? std::make_shared<const calibration::Run>(*session.results)
                                       : nullptr;
    if (run || m_draft.run()) {
        m_draft.setRun(run);
    }
    if (run) {
        Q_EMIT resultsRestored(run);
    }
    const KeptTradeOff tradeOff = withResults ? tradeOffOf(session) : KeptTradeOff();
    Q_EMIT tradeOffRestored(tradeOff, toStdPath(m_openingPath));
    m_tradeOff = tradeOff;
    if (RecoveryCopy::isCopy(m_openingPath)) {
        QFile::remove(m_openingPath);
        m_path.clear();
    } else {
        m_path = m_openingPath;
        remembered::addRecentFile(QFileInfo(m_path).absoluteFilePath());
    }
    markSaved();
    // What a crash left is in no file that the analyst knows of.
    m_reportEdited = m_path.isEmpty();
    Q_EMIT changed();
    Q_EMIT restored();
    tellOfReplaced(session.current.mechanism);
}

void SessionFile::tellOfReplaced(const mechanism::Mechanism& wanted) {
    const QString refusal = metricRefusal(m_state.embedding(), wanted.metric());
    if (!refusal.isEmpty()) {
        Q_EMIT noticed({Severity::warning,
                        tr("%1 of the session cannot run on these vectors (%2). %3 took its place, "
                           "with the default ε.")
                            .arg(shortTitle(wanted), refusal, shortTitle(m_state.mechanism()))});
    }
}

void SessionFile::save() {
    m_takeTyping();
    // The name that a save under way is about to give.
    const QString path = m_writing && m_writer.isRunning() ? m_writingPath : m_path;
    if (path.isEmpty()) {
        saveAs();
    } else {
        writeTo(path);
    }
}

void SessionFile::saveAs() {
    m_takeTyping();
    const QString path = dialogs::saveFile(
        m_window, tr("Save the session"),
        m_path.isEmpty() ? QStringLiteral("calibration.epsilens") : m_path, {filter()});
    if (path.isEmpty()) {
        return;
    }
    writeTo(path);
}

void SessionFile::writeTo(const QString& path) {
    m_writing = snapshot();
    m_writingPath = path;
    document::Session session = sessionOf(m_state, m_draft);
    putInto(session, m_tradeOff);
    m_writer.start([path = toStdPath(path),
                    session = std::move(session)](const JobContext& /*job*/) -> Result<bool> {
        return document::saveSession(path, session).map([] { return true; });
    });
}

void SessionFile::takeWritten(const Result<bool>& written) {
    if (!written) {
        Q_EMIT noticed(noticeFor(written.error()));
        return;
    }
    remembered::addRecentFile(QFileInfo(m_writingPath).absoluteFilePath());
    if (m_writing) {
        m_path = m_writingPath;
        m_saved = *std::exchange(m_writing, std::nullopt);
        m_reportEdited = false;
        withdrawOffer();
        Q_EMIT changed();
    }
    Q_EMIT saved(QFileInfo(m_writingPath).fileName());
}

void SessionFile::waitUntilWritten() {
    QEventLoop loop;
    connect(&m_writer, &JobRunnerBase::finished, &loop, &QEventLoop::quit);
    while (m_writer.isRunning()) {
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    }
}

bool SessionFile::mayClose(bool opensOther) {
    m_takeTyping();
    waitUntilWritten();
    // Limits and a pin outlast what is opened.
    const bool isKept = opensOther && m_path.isEmpty() && !hasUnsavedResults() && !m_reportEdited;
    if (!isModified() || isKept) {
        return true;
    }
    QString question = !m_path.isEmpty()     ? tr("Save the changes to %1?").arg(name())
                       : hasUnsavedResults() ? tr("Save the settings and the results as a session?")
                                             : tr("Save the settings as a session?");
    if (opensOther && m_state.embedding() && hasUnsavedResults()) {
        question = tr("What you open takes the place of the results of %1.")
                       .arg(toQString(m_state.embedding()->embedding.name)) +
                   QLatin1Char('\n') + question;
    }
    const auto answer =
        dialogs::ask(m_window, tr("Epsilens"), question, {tr("&Save"), tr("&Discard")});
    if (!answer) {
        return false;
    }
    if (*answer == 0) {
        save();
        waitUntilWritten();
        return !isModified();
    }
    // Not to be asked about again, however many windows and files go on from here.
    markSaved();
    return true;
}

void SessionFile::logOut(const Desktop& desktop) {
    m_takeTyping();
    if (!isModified() || !desktop.allowsInteraction()) {
        return;
    }
    const bool mayEnd = mayClose();
    desktop.release();
    if (!mayEnd) {
        desktop.cancel();
    }
}

/// One session is open, so nobody looks for the last one.
void SessionFile::withdrawOffer() {
    if (!m_offered.isEmpty()) {
        Q_EMIT withdrawn(std::exchange(m_offered, QString()));
    }
}

void SessionFile::offer(const QString& text, const QString& open, const QString& path,
                        const QList<NoticeAction>& others) {
    Notice notice{Severity::info, text};
    notice.actions = QList<NoticeAction>{{open,
                                          [this, path] {
                                              if (mayClose()) {
                                                  this->open(path);
                                              }
                                          }}} +
                     others;
    Q_EMIT noticed(notice);
}

void SessionFile::offerSession() {
    const QString left = RecoveryCopy::abandoned();
    const QString last = remembered::recentFiles().value(0);
    const bool isAtStart = m_path.isEmpty() && !m_pending && !m_reader.isRunning() &&
                           m_state.embedding() && m_state.embedding()->embedding.path.empty();
    if (!left.isEmpty() && left != m_openingPath) {
        offer(tr("Epsilens closed unexpectedly last time. Its settings were kept."), tr("Restore"),
              left, {{tr("Discard"), [left] { QFile::remove(left); }}});
    } else if (left.isEmpty() && isAtStart && isSession(last) && QFileInfo::exists(last)) {
        // The program began without a file and the last one opened was a session.
        m_offered = tr("Your last session was %1.").arg(QFileInfo(last).fileName());
        offer(m_offered, tr("Open it"), last);
    }
}

}  // namespace epsilens::ui
