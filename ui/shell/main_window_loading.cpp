// How the window opens embeddings and sessions.

#include <utility>

#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/live/live_panel.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/session_file.h"
#include "ui/shell/status_area.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

void MainWindow::buildEmptyPage() {
    m_empty = new QWidget(m_centre);
    m_emptyText = emptyStateLabel({}, m_empty);
    m_emptyText->setObjectName(QStringLiteral("emptyStateLabel"));
    m_waysToOpen = new QWidget(m_empty);
    auto* row = new QHBoxLayout(m_waysToOpen);
    row->setSpacing(kRowSpacing);
    const auto add = [&](const char* name, const QString& text, const QString& description) {
        auto* button = described(new QPushButton(text, m_waysToOpen), name, text, description);
        row->addWidget(button);
        return button;
    };
    auto* choose = add("emptyStateOpenButton", tr("Open a file…"), tr("Choose an embedding file"));
    m_empty->setFocusProxy(choose);
    connect(choose, &QPushButton::clicked, this, &MainWindow::chooseFile);
    add("emptyStateRecentButton", tr("Recent files"), tr("Files that were opened last"))
        ->setMenu(m_recent);
    connect(add("emptyStateSampleButton", tr("Use the built-in sample"),
                tr("12,000 English words in 100 dimensions")),
            &QPushButton::clicked, this, [this] { open(EmbeddingLoader::sampleName()); });
    connect(add("emptyStatePoincareSampleButton", tr("Use the Poincaré sample"),
                tr("14,065 English nouns in the Poincaré ball, 10 dimensions, for hyperbolic "
                   "noise")),
            &QPushButton::clicked, this, [this] { open(EmbeddingLoader::poincareSampleName()); });
    auto* column = new QVBoxLayout(m_empty);
    column->addStretch();
    column->addWidget(m_emptyText);
    column->addWidget(m_waysToOpen, 0, Qt::AlignHCenter);
    column->addStretch();
    showEmptyPage();
}

void MainWindow::showEmptyPage(const QString& loading) {
    m_emptyText->setText(loading.isEmpty()
                             ? tr("Drop an embedding here: GloVe, word2vec or fastText vectors, "
                                  "text or binary, plain or compressed.")
                             : tr("Loading %1…").arg(loading));
    m_waysToOpen->setVisible(loading.isEmpty());
}

void MainWindow::connectLoading() {
    EmbeddingLoader& loader = m_setup->loader();
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    connect(m_setup, &SetupPanel::openRequested, this, &MainWindow::chooseFile);
    connect(m_setup, &SetupPanel::reloadRequested, this, [this](const QString& path, qint64 rows) {
        if (m_session->mayClose(true)) {
            openEmbedding(path, rows);
        }
    });
    // Once the drag is over: opening may ask something, and the source of the drag waits.
    connect(&m_drop, &FileDrop::dropped, this, [this](const QString& path) {
        QTimer::singleShot(0, this, [this, path] { open(path); });
    });
    connect(&loader, &EmbeddingLoader::loadingStarted, this, [this](const QString& path) {
        m_notice->clear();
        showEmptyPage(EmbeddingLoader::shownName(path));
    });
    connect(&loader, &EmbeddingLoader::opened, this, &MainWindow::follow);
    connect(&loader, &EmbeddingLoader::failed, this, &MainWindow::showLoadError);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &MainWindow::updateCommands);
    connect(
        &m_state, &AnalysisState::changed, this,
        [this](const AnalysisSettings& before, const AnalysisSettings& now) {
            const QString mechanism = mechanismTitle(now.chosen());
            if (m_history.isPuttingBack()) {
                showMessage(tr("%1 is the present setting again.").arg(pinTitle(now.setting())));
            } else if (before.epsilonChosen && !now.epsilonChosen &&
                       mechanismTitle(before.chosen()) != mechanism) {
                showMessage(tr("Under %1 ε means something else, so it is the default again; "
                               "Ctrl+Z goes back.")
                                .arg(mechanism));
            }
        });
}

void MainWindow::follow(const QString& openedPath) {
    if (!EmbeddingLoader::isBuiltIn(openedPath)) {
        remembered::addRecentFile(openedPath);
    }
    const bool isOther = std::exchange(m_openPath, openedPath) != openedPath;
    const auto hadPin = std::exchange(m_replacesPin, std::nullopt);
    updateTitle();
    const auto& embedding = *m_state.embedding();
    m_status->showMessage(tr("%1 loaded in %2")
                              .arg(toQString(embedding.embedding.name),
                                   duration(embedding.loadSeconds + embedding.prepareSeconds)));
    m_centre->setCurrentIndex(1);
    if (hadPin && isOther) {
        tellWhatChanged(*hadPin);
    }
    tellBadLines();
}

void MainWindow::open(const QString& path) {
    if (m_session->mayClose(true)) {
        m_session->forgetPending();
        // A session brings its own settings.
        m_replacesPin = m_state.embedding() && !SessionFile::isSession(path)
                            ? std::optional(m_state.pin().has_value())
                            : std::nullopt;
        start(path);
    }
}

/// What another embedding changed of the settings.
void MainWindow::tellWhatChanged(bool hadPin) {
    const bool hasLimits = !m_state.limits().empty();
    QString text = tr("ε follows the default of %1, because distances differ between embeddings%2.")
                       .arg(toQString(m_state.embedding()->embedding.name),
                            hasLimits ? tr("; your limits are kept") : QString());
    if (hadPin) {
        text += tr(" What was pinned is gone: its ε belongs to the vectors before.");
    }
    Notice notice{Severity::info, text};
    if (hasLimits) {
        notice.actions.append(
            {tr("Remove the limits"), [this] { m_state.edit(&AnalysisSettings::limits, {}); }});
    }
    present(notice);
}

/// Rows of the file that are no words of the embedding.
void MainWindow::tellBadLines() {
    const embedding::Embedding& embedding = m_state.embedding()->embedding;
    if (const std::int64_t bad = embedding.report.badLines(); bad > 0) {
        present({Severity::warning,
                 tr("Bad lines of %1 that were left out: %2. Their words are unknown.")
                     .arg(toQString(embedding.name), counted(bad)),
                 {{tr("Show which"), [this] {
                       m_details->show();
                       focusDetails();
                   }}}});
    }
}

void MainWindow::start(const QString& path) {
    if (SessionFile::isSession(path)) {
        m_notice->clear();
        m_session->open(path);
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
    showEmptyPage();
    if (error.code == ErrorCode::cancelled) {
        m_session->forgetPending();
        m_status->showMessage(tr("Loading cancelled"));
        return;
    }
    Notice notice = noticeFor(error);
    const auto loadRows = [this, path](qint64 rows) {
        if (m_session->mayClose(true)) {
            openEmbedding(path, rows);
        }
    };
    const auto again = [loadRows, rows = m_setup->loader().lastFirstRows()] { loadRows(rows); };
    // What failed may have been asked for by a session, which goes on waiting.
    const auto chooseInstead = [this] {
        const QString chosen = askForFile();
        if (!chosen.isEmpty() && m_session->mayClose(true)) {
            start(chosen);
        }
    };
    if (error.code == ErrorCode::resourceLimit) {
        if (const qint64 rows = error.rowsThatFit; rows > 0) {
            notice.actions.append(
                {tr("Load the first %1").arg(counted(rows)), [loadRows, rows] { loadRows(rows); }});
        } else {
            notice.actions.append({tr("Load the first rows…"), [this] {
                                       m_details->show();
                                       m_setup->askForRowLimit();
                                   }});
        }
        // Else it is the machine that has no more.
        if (remembered::memoryLimitBytes() > 0) {
            notice.actions.append({tr("Preferences…"), [this, again] {
                                       if (showPreferences()) {
                                           again();
                                       }
                                   }});
        }
    }
    notice.actions.append({tr("Try again"), again});
    notice.actions.append({tr("Open another…"), chooseInstead});
    present(notice);
}

/// Files that are gone cannot be chosen.
void MainWindow::fillRecentMenu() {
    m_recent->clear();
    const QStringList paths = remembered::recentFiles();
    for (const QString& path : paths) {
        m_recent->addAction(QDir::toNativeSeparators(path), this, [this, path] { open(path); })
            ->setEnabled(QFileInfo::exists(path));
    }
    if (paths.isEmpty()) {
        m_recent->addAction(tr("No recent files"))->setEnabled(false);
        return;
    }
    m_recent->addSeparator();
    m_recent->addAction(tr("&Clear"), this, [] { remembered::clearRecentFiles(); });
}

QString MainWindow::startFile(const QStringList& arguments) {
    const QString name = arguments.size() == 2 ? arguments.at(1) : EmbeddingLoader::sampleName();
    const QFileInfo file(name);
    const bool builtIn =
        arguments.size() < 2 || (EmbeddingLoader::isBuiltIn(name) && !file.exists());
    return builtIn ? name : file.absoluteFilePath();
}

void MainWindow::openAtStart(const QStringList& arguments) {
    m_state.edit(&AnalysisSettings::choose, mechanism::Tem{});
    m_history.forget();
    // When the page is there, what is typed goes into its text.
    connect(
        &m_state, &AnalysisState::embeddingChanged, this,
        [this] {
            if (m_live->isVisible()) {
                m_live->execute(PanelCommand::focusSentence);
            }
        },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    open(startFile(arguments));
}

}  // namespace epsilens::ui
