// How the window opens embeddings and sessions.

#include <array>
#include <utility>

#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTextCursor>
#include <QTimer>

#include "core/embedding/row_readers.h"
#include "core/io/byte_source.h"
#include "core/io/text_decoder.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/empty_state.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session_file.h"
#include "ui/shell/status_area.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {

/// The editor of the text to look at, where something was dropped on it; null elsewhere.
QPlainTextEdit* textEditorAt(QWidget* target) {
    for (QWidget* widget = target; widget != nullptr; widget = widget->parentWidget()) {
        if (widget->objectName() == QLatin1String("sentenceEdit")) {
            return qobject_cast<QPlainTextEdit*>(widget);
        }
    }
    return nullptr;
}

bool holdsVectors(const QString& path) {
    auto source = io::ByteSource::open(toStdPath(path));
    return source &&
           embedding::detectFormat(**source, embedding::InputFormat::automatic).has_value();
}

/// The text of a file that is dropped on that editor, in UTF-8 and not too long. Nothing for
/// sessions, vectors and whatever else is no such text: that is opened as it is anywhere in the
/// window.
std::optional<QString> textOfFile(const QString& path) {
    constexpr qint64 kMostTextBytes = qint64{4} << 20;
    QFile file(path);
    if (SessionFile::isSession(path) || file.size() > kMostTextBytes || holdsVectors(path) ||
        !file.open(QIODevice::ReadOnly)) {
        return std::nullopt;
    }
    const QByteArray bytes = file.readAll();
    auto decoder = io::TextDecoder::create();
    std::string text;
    if (!decoder ||
        !decoder->decode({bytes.constData(), static_cast<std::size_t>(bytes.size())}, true, text)) {
        return std::nullopt;
    }
    return toQString(text);
}

}  // namespace

void MainWindow::connectLoading() {
    EmbeddingLoader& loader = m_setup->loader();
    connect(m_setup, &SetupPanel::openRequested, this, &MainWindow::chooseFile);
    connect(m_setup, &SetupPanel::reloadRequested, this, [this](const QString& path, qint64 rows) {
        if (mayReplace()) {
            openEmbedding(path, rows);
        }
    });
    connect(&m_drop, &FileDrop::dropped, this, &MainWindow::drop);
    connect(m_empty, &EmptyState::openRequested, this, &MainWindow::chooseFile);
    connect(m_empty, &EmptyState::fileRequested, this, &MainWindow::open);
    connect(&loader, &EmbeddingLoader::loadingStarted, this, [this](const QString& path) {
        m_notice->clear();
        m_empty->setLoading(EmbeddingLoader::shownName(path));
    });
    connect(&loader, &EmbeddingLoader::opened, this, &MainWindow::follow);
    connect(&loader, &EmbeddingLoader::failed, this, &MainWindow::showLoadError);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &MainWindow::updateCommands);
    connect(&m_state, &AnalysisState::changed, this,
            [this](const AnalysisSettings& before, const AnalysisSettings& now) {
                if (before.epsilon != now.epsilon && now.epsilonChosen) {
                    withdraw(m_news);
                }
                const QString mechanism = mechanismTitle(now.chosen());
                if (before.epsilonChosen && !now.epsilonChosen &&
                    mechanismTitle(before.chosen()) != mechanism) {
                    showMessage(tr("Under %1 ε means something else, so it is the default again; "
                                   "Ctrl+Z goes back.")
                                    .arg(mechanism));
                }
            });
}

/// Once the drag is over: opening may ask something, and the source of the drag waits.
void MainWindow::drop(const QString& path, QWidget* target) {
    QTimer::singleShot(0, this,
                       [this, path, editor = QPointer<QPlainTextEdit>(textEditorAt(target))] {
                           if (const auto text = editor ? textOfFile(path) : std::nullopt) {
                               // So that undo brings the one before back.
                               QTextCursor cursor(editor->document());
                               cursor.select(QTextCursor::Document);
                               cursor.insertText(*text);
                               editor->moveCursor(QTextCursor::Start);
                           } else {
                               open(path);
                           }
                       });
}

void MainWindow::follow(const QString& openedPath) {
    if (!EmbeddingLoader::isBuiltIn(openedPath)) {
        remembered::addRecentFile(openedPath);
    }
    m_openPath = openedPath;
    updateTitle();
    const auto& embedding = *m_state.embedding();
    m_status->showMessage(tr("%1 loaded in %2")
                              .arg(toQString(embedding.embedding.name),
                                   duration(embedding.loadSeconds + embedding.prepareSeconds)));
    m_centre->setCurrentWidget(m_tabs);
    tellWhatChanged();
    tellBadLines();
}

void MainWindow::open(const QString& path) {
    if (mayReplace()) {
        Q_EMIT openingOther();
        m_replaced.reset();
        // A session brings its own settings.
        if (m_state.embedding() && !SessionFile::isSession(path)) {
            const GuaranteeModel& promise = m_setup->guarantee();
            m_replaced = {m_openPath, promise.firstWord(), promise.secondWord()};
            m_replacesPin = m_state.pin().has_value();
        }
        start(path);
    }
}

void MainWindow::tellWhatChanged() {
    const auto replaced = std::exchange(m_replaced, std::nullopt);
    if (!replaced || replaced->front() == m_openPath) {
        return;
    }
    QString text = tr("ε follows the default of %1, because distances differ between embeddings%2.")
                       .arg(toQString(m_state.embedding()->embedding.name),
                            m_state.limits().empty() ? QString() : tr("; your limits are kept"));
    if (m_replacesPin) {
        text += tr(" What was pinned is gone: its ε belongs to the vectors before.");
    }
    // The words may be of the analyst's text.
    const QString logged = text;
    const GuaranteeModel& promise = m_setup->guarantee();
    const std::array now{promise.firstWord(), promise.secondWord()};
    if (now != std::array{(*replaced)[1], (*replaced)[2]}) {
        text += tr(" The promise is told for “%1” against “%2”, because “%3” and “%4” are not both "
                   "known here.")
                    .arg(now[0], now[1], (*replaced)[1], (*replaced)[2]);
    }
    Notice notice{Severity::info, text, {}, true, logged};
    if (!m_state.limits().empty()) {
        notice.actions.append(
            {tr("Remove the limits"), [this] { m_state.edit(&AnalysisSettings::limits, {}); }});
    }
    m_notice->present(notice);
    m_news = text;
}

void MainWindow::tellBadLines() {
    const embedding::Embedding& embedding = m_state.embedding()->embedding;
    if (const std::int64_t bad = embedding.report.badLines(); bad > 0) {
        m_notice->present({Severity::warning,
                           tr("Bad lines of %1 that were left out: %2. Their words are unknown.")
                               .arg(toQString(embedding.name), counted(bad)),
                           {{tr("Show which"), [this] {
                                 m_setupDock->show();
                                 focusDetails();
                             }}}});
    }
}

void MainWindow::start(const QString& path) {
    if (SessionFile::isSession(path)) {
        Q_EMIT sessionRequested(path);
    } else {
        m_setup->loader().open(path);
    }
}

void MainWindow::openEmbedding(const QString& path, qint64 firstRows) {
    m_setup->loader().open(path, firstRows);
}

QString MainWindow::askForFile() {
    QString path = dialogs::openFile(
        this, tr("Open an embedding or a session"), remembered::folder(),
        {tr("Embeddings and sessions (*.txt *.vec *.bin *.gz *.xz *.bz2 *.zst *.zip *.epsilens)"),
         tr("All files (*)")});
    if (!path.isEmpty()) {
        remembered::setFolder(QFileInfo(path).absolutePath());
    }
    return path;
}

void MainWindow::chooseFile() {
    const QString path = askForFile();
    if (!path.isEmpty()) {
        open(path);
    }
}

void MainWindow::showLoadError(const QString& path, const Error& error) {
    m_empty->endLoading();
    if (error.code == ErrorCode::cancelled) {
        m_status->showMessage(tr("Loading cancelled"));
        return;
    }
    Notice notice = noticeFor(error);
    const auto again = [this, path, rows = m_setup->loader().lastFirstRows()] {
        if (mayReplace()) {
            openEmbedding(path, rows);
        }
    };
    // What failed may have been asked for by a session, which goes on waiting.
    const auto chooseInstead = [this] {
        const QString chosen = askForFile();
        if (!chosen.isEmpty() && mayReplace()) {
            start(chosen);
        }
    };
    notice.actions = {{tr("Try again"), again}, {tr("Open another…"), chooseInstead}};
    if (error.code == ErrorCode::resourceLimit) {
        if (remembered::memoryLimitBytes() > 0) {
            // Then it is not the machine that has no more.
            notice.actions.prepend({tr("Preferences…"), [this, again] {
                                        if (showPreferences()) {
                                            again();
                                        }
                                    }});
        }
        notice.actions.prepend(fewerRows(path, error.rowsThatFit));
    }
    m_notice->present(notice);
}

NoticeAction MainWindow::fewerRows(const QString& path, qint64 rowsThatFit) {
    if (rowsThatFit <= 0) {
        return {tr("Load the first rows…"), [this] {
                    m_setupDock->show();
                    m_setup->askForRowLimit();
                }};
    }
    return {tr("Load the first %1").arg(counted(rowsThatFit)), [this, path, rowsThatFit] {
                if (mayReplace()) {
                    openEmbedding(path, rowsThatFit);
                }
            }};
}

/// Files that are gone cannot be chosen.
void MainWindow::fillRecentMenu(QMenu& menu) {
    menu.clear();
    const QStringList paths = remembered::recentFiles();
    for (const QString& path : paths) {
        QAction* action =
            menu.addAction(QDir::toNativeSeparators(path), this, [this, path] { open(path); });
        action->setEnabled(QFileInfo::exists(path));
    }
    if (paths.isEmpty()) {
        menu.addAction(tr("No recent files"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    menu.addAction(tr("&Clear"), this, [this] {
        remembered::clearRecentFiles();
        m_empty->refresh();
    });
}

}  // namespace epsilens::ui
