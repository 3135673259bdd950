#include "ui/shell/session_file.h"

#include <type_traits>
#include <utility>

#include <QtWidgets>

#include "core/calibration/provenance.h"
#include "ui/curves/curves_panel.h"
#include "ui/report/report_draft.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

// Comparing all settings with the file is no work for every step of a slider.
constexpr int kCompareMs = 150;
constexpr int kCopyMs = 5'000;

QDir folderOfCopies() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation));
}

bool isCopy(const QString& path) {
    return !path.isEmpty() && QFileInfo(path).absoluteDir() == folderOfCopies();
}

/// The copy of a window that did not end in good order; empty if there is none.
QString abandonedCopy() {
    static const QRegularExpression pattern(QStringLiteral("^recovery-(\\d+)\\.epsilens$"));
    for (const QFileInfo& file : folderOfCopies().entryInfoList(QDir::Files, QDir::Time)) {
        const auto match = pattern.match(file.fileName());
        if (match.hasMatch() && !QFileInfo::exists(QStringLiteral("/proc/") + match.captured(1))) {
            return file.filePath();
        }
    }
    return {};
}

/// Whether the vectors are those that a session was made with; nothing: a session without vectors.
bool areThose(const embedding::EmbeddingHandle& open,
              const std::optional<document::SessionEmbedding>& wanted) {
    return !wanted || (open && open->embedding.report.sha256 == wanted->sha256 &&
                       open->embedding.report.limitedTo.value_or(0) == wanted->load.limitRows);
}

document::SessionEmbedding embeddingOf(const embedding::Embedding& embedding) {
    document::SessionEmbedding kept;
    embedding::LoadOptions load;
    load.path = embedding.path.empty() ? embedding.name : embedding.path;
    load.limitRows = embedding.report.limitedTo.value_or(0);
    kept.load = calibration::keptRequest(load, {}).load;
    kept.bytes = embedding.report.fileBytes;
    kept.sha256 = embedding.report.sha256;
    return kept;
}

std::optional<mechanism::Setting> usablePin(const document::Session& session,
                                            const AnalysisState& state) {
    if (session.pins.empty() || !state.embedding()) {
        return std::nullopt;
    }
    const mechanism::Setting& pin = session.pins.front();
    const bool runs = runnableOn(state.embedding(), pin.mechanism) == pin.mechanism &&
                      pin.epsilon > pin.mechanism.epsilonBound(state.embedding()->dimensions());
    return runs ? std::optional(pin) : std::nullopt;
}

/// The grid of a session where it has one; what its mechanism does not have stays.
void takeGrid(const mechanism::Grid& grid, GridValues& values) {
    const auto take = [](const std::vector<double>& kept, std::vector<double>& value) {
        if (!kept.empty()) {
            value = kept;
        }
    };
    if (grid.mechanism.hasLambda() && !grid.mechanism.hasRadius()) {
        take(grid.lambdas, values.lambdas);
    }
    take(grid.betas, values.betas);
    take(grid.gammas, values.gammas);
}

/// A mechanism that cannot run on the embedding gives way to one that can, at its default epsilon.
void applySettings(const document::Session& session, AnalysisState& state) {
    const mechanism::Mechanism possible = runnableOn(state.embedding(), session.current.mechanism);
    state.edit([&](AnalysisSettings& settings) { settings.mechanism.setMechanism(possible); });
    state.edit([&](AnalysisSettings& settings) {
        if (possible != session.current.mechanism) {
            settings.epsilon = settings.epsilonScale.suggested;
            settings.epsilonChosen = false;
            return;
        }
        settings.chooseEpsilon(session.current.epsilon);
        if (!session.grid.grid.epsilons.empty()) {
            settings.grid.epsilons = session.grid.grid.epsilons;
        }
    });
    state.edit([&](AnalysisSettings& settings) {
        settings.draws = session.grid.draws;
        settings.seed = session.grid.seed;
        settings.pin = usablePin(session, state);
        settings.band = {session.percentileBand[0], session.percentileBand[1]};
        // What happens to unknown words is kept with the report, in new sessions.
        settings.textPolicies = {TextPolicies{}.unknownWords, session.letterCase};
        takeGrid(session.grid.grid, settings.grid);
    });
    // Words may be drawn anew for a seed: those of the session come after it.
    const auto from = session.wordsFrom || !session.results ? session.wordsFrom
                                                            : session.results->provenance.selection;
    state.edit([&](AnalysisSettings& settings) { settings.chooseWords(session.grid.words, from); });
    if (!session.report.sentences.empty()) {
        state.setSentence(QString::fromStdString(session.report.sentences.front()));
    }
}

KeptTradeOff tradeOffOf(const document::Session& session) {
    const auto handleOf = [](const auto& kept) {
        using Kept = std::remove_cvref_t<decltype(*kept)>;
        return kept ? std::make_shared<const Kept>(*kept) : nullptr;
    };
    return {handleOf(session.evaluation), handleOf(session.evaluationAgain),
            handleOf(session.search)};
}

void putInto(document::Session& session, const KeptTradeOff& kept) {
    const auto put = [](const auto& handle, auto& part) {
        if (handle) {
            part = *handle;
        }
    };
    put(kept.evaluation, session.evaluation);
    put(kept.again, session.evaluationAgain);
    put(kept.search, session.search);
}

/// Without results, and without anything that was typed as text.
document::Session copyOf(document::Session session) {
    document::ReportSettings kept;
    kept.choice = session.report.choice;
    kept.epsilonOrigin = session.report.epsilonOrigin;
    kept.limits = session.report.limits;
    kept.figureLimits = session.report.figureLimits;
    kept.unknownWords = session.report.unknownWords;
    session.report = kept;
    session.keepsSentences = false;
    return session;
}

}  // namespace

SessionFile::SessionFile(const Parts& parts, QWidget* window, std::function<void()> takeTyping)
    : QObject(window),
      m_parts(parts),
      m_window(window),
      m_takeTyping(std::move(takeTyping)),
      m_compare(kCompareMs),
      m_copyRest(kCopyMs),
      m_reader(tr("Opening the session"),
               [this](Result<document::Session> session) { takeSession(std::move(session)); }),
      m_writer(tr("Saving the session"),
               [this](const Result<bool>& written) { takeWritten(written); }) {
    // A copy that cannot be written is no reason to disturb the work it is made for.
    m_copier.emplace(tr("Saving a copy for recovery"), [](const Result<bool>& /*written*/) {});
    connect(&m_copyRest, &QTimer::timeout, this, &SessionFile::writeCopy);
    connect(&m_compare, &QTimer::timeout, this, &SessionFile::changed);
    connect(&m_state, &AnalysisState::settled, this, &SessionFile::noteChange);
    connect(&m_parts.draft, &ReportDraft::runChanged, this, &SessionFile::noteChange);
    connect(&m_parts.draft, &ReportDraft::edited, this, [this] {
        m_reportEdited = true;
        noteChange();
    });
    connect(&m_parts.tradeOff, &TradeOffModel::changed, &m_compare, qOverload<>(&QTimer::start));
    // Behind all others that follow the embedding, which forget what belongs to the one before.
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SessionFile::followEmbedding,
            Qt::QueuedConnection);
    connect(qApp, &QGuiApplication::commitDataRequest, this, [this](QSessionManager& desktop) {
        m_takeTyping();
        if (!isModified() || !desktop.allowsInteraction()) {
            return;
        }
        const bool mayEnd = mayClose();
        desktop.release();
        if (!mayEnd) {
            desktop.cancel();
        }
    });
}

SessionFile::~SessionFile() {
    m_copier.reset();
    QFile::remove(copyPath());
}

QString SessionFile::copyPath() {
    return folderOfCopies().filePath(
        QStringLiteral("recovery-%1.epsilens").arg(QCoreApplication::applicationPid()));
}

void SessionFile::noteChange() {
    m_copyRest.start();
    m_compare.start();
}

void SessionFile::writeCopy() {
    if (!m_state.embedding() || remembered::nothing()) {
        return;
    }
    m_copier->start([session = copyOf(settings())](const JobContext& job) -> Result<bool> {
        // The window closes, and would take the copy away again.
        if (job.stopRequested()) {
            return false;
        }
        QDir().mkpath(folderOfCopies().path());
        return document::saveSession(toStdPath(copyPath()), session).map([] { return true; });
    });
}

QString SessionFile::name() const {
    return QFileInfo(m_path).fileName();
}

document::Session SessionFile::settings() const {
    document::Session session;
    session.version = calibration::programVersion();
    if (m_state.embedding()) {
        session.embedding = embeddingOf(m_state.embedding()->embedding);
    }
    session.current = m_state.setting();
    if (const auto& pin = m_state.pin()) {
        session.pins = {*pin};
    }
    session.report = m_parts.draft.settings();
    // Measured anew on the texts, which the session names where it keeps what was found on them.
    session.report.texts.reset();
    session.grid = optionsUnder(session.report.limits, m_state.calibrationOptions());
    session.wordsFrom = m_state.settings().wordsFrom();
    session.percentileBand = {m_state.band().low, m_state.band().high};
    session.letterCase = m_state.textPolicies().letterCase;
    session.keepsSentences = m_parts.draft.includesSentence();
    return session;
}

SessionFile::Snapshot SessionFile::snapshot() const {
    document::Session session = settings();
    // Comes once the report has measured ε: no change by the analyst.
    session.report.choice.reset();
    return {document::sessionJson(session), session.embedding, m_parts.draft.run(),
            m_parts.tradeOff.kept()};
}

bool SessionFile::hasUnsavedResults() const {
    const KeptTradeOff tradeOff = m_parts.tradeOff.kept();
    return (m_parts.draft.run() && m_parts.draft.run() != m_saved.results) ||
           (tradeOff != KeptTradeOff() && tradeOff != m_saved.tradeOff);
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
             remembered::setFolder(QFileInfo(m_openingPath).absolutePath());
             const QString path =
                 dialogs::openFile(m_window, tr("Locate the embedding"), {tr("All files (*)")});
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
    // What was typed belongs to the session before, and must not get into the report of this one.
    if (!m_path.isEmpty() || session.keepsSentences) {
        m_state.setSentence(QString());
    }
    applySettings(session, m_state);
    ReportDraft& draft = m_parts.draft;
    draft.setIncludesSentence(session.keepsSentences);
    document::ReportSettings report = session.report;
    if (!withResults) {
        report.density.reset();  // of the vectors that are not here
    }
    draft.setSettings(report);
    m_state.rememberOrigin(toQString(report.epsilonOrigin));
    if (withResults && session.results) {
        const auto run = std::make_shared<const calibration::Run>(*session.results);
        draft.setRun(run);
        m_parts.curves.restore(run);
    } else if (draft.run()) {
        draft.setRun(nullptr);
    }
    m_parts.tradeOff.restore(withResults ? tradeOffOf(session) : KeptTradeOff(),
                             toStdPath(m_openingPath));
    if (isCopy(m_openingPath)) {
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
    const mechanism::Mechanism& wanted = session.current.mechanism;
    if (const QString refusal = metricRefusal(m_state.embedding(), wanted.metric());
        !refusal.isEmpty()) {
        Q_EMIT noticed({Severity::warning,
                        tr("%1 of the session cannot run on these vectors (%2). %3 took its place, "
                           "with the default ε.")
                            .arg(shortTitle(wanted), refusal, shortTitle(m_state.mechanism()))});
    }
}

void SessionFile::save() {
    m_takeTyping();
    const QString path = m_writing && m_writer.isRunning() ? m_writingPath : m_path;
    if (path.isEmpty()) {
        saveAs();
    } else {
        writeTo(path);
    }
}

void SessionFile::saveAs() {
    m_takeTyping();
    const QString path =
        dialogs::saveFile(m_window, tr("Save the session"),
                          m_path.isEmpty() ? QStringLiteral("calibration.epsilens") : m_path,
                          {tr("Sessions (*.epsilens)")});
    if (!path.isEmpty()) {
        writeTo(path);
    }
}

void SessionFile::writeTo(const QString& path) {
    m_writing = snapshot();
    m_writingPath = path;
    document::Session session = settings();
    if (m_parts.draft.run()) {
        session.results = *m_parts.draft.reportedRun();
    }
    putInto(session, m_writing->tradeOff);
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
    markSaved();
    return true;
}

void SessionFile::offer(const QString& text, const QString& open, const QString& path,
                        const QList<NoticeAction>& others) {
    const auto take = [this, path] {
        if (mayClose()) {
            this->open(path);
        }
    };
    Q_EMIT noticed({Severity::info, text, QList<NoticeAction>{{open, take}} + others});
}

void SessionFile::offerSession() {
    const QString left = abandonedCopy();
    const QString last = remembered::recentFiles().value(0);
    const bool isAtStart = m_path.isEmpty() && !m_pending && !m_reader.isRunning() &&
                           m_state.embedding() && m_state.embedding()->embedding.path.empty();
    if (!left.isEmpty() && left != m_openingPath) {
        offer(tr("Epsilens closed unexpectedly last time. Its settings were kept."), tr("Restore"),
              left, {{tr("Discard"), [left] { QFile::remove(left); }}});
    } else if (left.isEmpty() && isAtStart && isSession(last) && QFileInfo::exists(last)) {
        offer(tr("Your last session was %1.").arg(QFileInfo(last).fileName()), tr("Open it"), last);
    }
}

}  // namespace epsilens::ui
