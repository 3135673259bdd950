#include "ui/shell/main_window.h"

#include <algorithm>

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QDeadlineTimer>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QThread>
#include <QToolButton>
#include <QUrl>

#include "core/calibration/limits.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/shell/empty_state.h"
#include "ui/shell/preferences.h"
#include "ui/shell/recent_files.h"
#include "ui/shell/window_factory.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::findControl;

namespace {

class FakePanel final : public Panel {
public:
    explicit FakePanel(QString name, std::optional<PanelCommand> command = {})
        : m_name(std::move(name)), m_command(command), m_edit(new QLineEdit(this)) {}
    QString title() const override { return m_name; }
    bool handles(PanelCommand command) const override { return command == m_command; }
    void execute(PanelCommand /*command*/) override { ++executed; }
    QWidget* firstControl() const override { return m_edit; }

    int executed = 0;

private:
    QString m_name;
    std::optional<PanelCommand> m_command;
    QLineEdit* m_edit;
};

QString writeFile(const QTemporaryDir& folder, const char* name, const QByteArray& content) {
    QString path = folder.filePath(QLatin1String(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) {
        return {};
    }
    return path;
}

QByteArray smallGlove() {
    QByteArray text;
    for (int row = 0; row < 30; ++row) {
        text += "word" + QByteArray::number(row);
        for (int column = 0; column < 4; ++column) {
            text += ' ' + QByteArray::number((row * 7 + column * column * 3) % 11 * 0.25, 'f', 2);
        }
        text += '\n';
    }
    return text;
}

}  // namespace

class MainWindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    /// A folder in which somebody else may write must not bring code along.
    void pluginsNeverComeFromTheWorkingDirectory() {
        const QTemporaryDir folder;
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.path()));
        const QStringList places = QCoreApplication::libraryPaths();
        QVERIFY(!places.isEmpty());
        for (const QString& place : places) {
            QVERIFY2(QDir::isAbsolutePath(place), qPrintable(place));
            QVERIFY2(QDir(place) != QDir::current(), qPrintable(place));
        }
        QVERIFY(QDir::setCurrent(before));
    }

    void startsWithWaysToOpenSomething() {
        QVERIFY(findControl<EmptyState>(*m_window, "emptyState")->isVisible());
        QVERIFY(findControl<QPushButton>(*m_window, "emptyStateSampleButton")->isVisible());
        QVERIFY(!findControl<QAction>(*m_window, "runAction")->isEnabled());
        QCOMPARE(m_window->minimumSize(), QSize(960, 600));
    }

    /// Such as by clearing the list of recent files meanwhile.
    void thePageOfAFileThatIsLoadingStays() {
        EmptyState page;
        const auto* title = findControl<QLabel>(page, "emptyStateTitleLabel");
        const auto* open = findControl<QPushButton>(page, "emptyStateOpenButton");
        page.setLoading(QStringLiteral("glove.txt"));
        page.refresh();
        QCOMPARE(title->text(), QStringLiteral("Loading glove.txt…"));
        QVERIFY(!open->isVisibleTo(&page));
        page.endLoading();
        QVERIFY(title->text() != QStringLiteral("Loading glove.txt…"));
        QVERIFY(open->isVisibleTo(&page));
    }

    void recentFilesBeyondThosePageShowsAreInTheMenu() {
        EmptyState page;
        const auto more = [&page] {
            return page.findChild<QLabel*>(QStringLiteral("moreRecentLabel")) != nullptr;
        };
        for (int i = 0; i < 6; ++i) {
            QVERIFY(!more());
            RecentFiles::add(QStringLiteral("/data/%1.txt").arg(i));
            page.refresh();
        }
        QVERIFY(more());
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void opensAFileThroughTheDialog_data() {
        QTest::addColumn<QString>("button");
        QTest::newRow("by key") << QString();
        QTest::newRow("of the set-up") << QStringLiteral("openButton");
        QTest::newRow("of the empty window") << QStringLiteral("emptyStateOpenButton");
    }
    void opensAFileThroughTheDialog() {
        QFETCH(const QString, button);
        const QTemporaryDir folder;
        const QString path = writeFile(folder, "small.txt", smallGlove());
        dialogs::presetOpenFile(path);
        if (button.isEmpty()) {
            QTest::keyClick(m_window.get(), Qt::Key_O, Qt::ControlModifier);
        } else {
            showDetails();
            QTest::mouseClick(findControl<QPushButton>(*m_window, button.toLatin1().constData()),
                              Qt::LeftButton);
        }
        QTRY_VERIFY(m_window->state().embedding() != nullptr);
        QCOMPARE(m_window->state().embedding()->wordCount(), 30);
        QCOMPARE(m_window->state().embedding()->dimensions(), Eigen::Index{4});
        QCOMPARE(RecentFiles::list(), QStringList{path});
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("small.txt")));
        QVERIFY(findControl<QLabel>(*m_window, "summaryEmbeddingLabel")
                    ->text()
                    .contains(QStringLiteral("30 × 4")));
        QVERIFY(!findControl<EmptyState>(*m_window, "emptyState")->isVisible());
    }

    void cancelledDialogChangesNothing() {
        dialogs::presetOpenFile({});
        findControl<QAction>(*m_window, "openAction")->trigger();
        QVERIFY(m_window->state().embedding() == nullptr);
        QCOMPARE(m_window->jobs().runningCount(), 0);
    }

    void opensADroppedFile() {
        const QTemporaryDir folder;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(writeFile(folder, "dropped.txt", smallGlove()))});
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(300, 300), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &drop);
        QTRY_VERIFY(m_window->state().embedding() != nullptr);
    }

    /// A field would take the address of the file as text.
    void opensAFileDroppedOnAField() {
        const QTemporaryDir folder;
        auto* panel = new FakePanel(QStringLiteral("Choose"));
        m_window->addPanel(panel);
        auto* field = qobject_cast<QLineEdit*>(panel->firstControl());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(writeFile(folder, "dropped.txt", smallGlove()))});
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(field, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(field, &drop);
        QVERIFY(field->text().isEmpty());
        QTRY_VERIFY(m_window->state().embedding() != nullptr);
        QVERIFY(field->text().isEmpty());
    }

    void severalFilesAndTextAreNotOpened() {
        QMimeData files;
        files.setUrls({QUrl::fromLocalFile(QStringLiteral("/data/a.txt")),
                       QUrl::fromLocalFile(QStringLiteral("/data/b.txt"))});
        QMimeData text;
        text.setText(QStringLiteral("words"));
        auto* panel = new FakePanel(QStringLiteral("Choose"));
        m_window->addPanel(panel);
        auto* field = qobject_cast<QLineEdit*>(panel->firstControl());
        for (const auto& [data, accepted] : {std::pair{&files, false}, std::pair{&text, true}}) {
            QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, data, Qt::LeftButton,
                                  Qt::NoModifier);
            QApplication::sendEvent(field, &enter);
            QCOMPARE(enter.isAccepted(), accepted);
        }
    }

    void saysWhatIsWrongWithAFile() {
        const QTemporaryDir folder;
        m_window->open(writeFile(folder, "broken.txt", "this is no embedding\nat all\n"));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_VERIFY(notice->isVisible());
        QVERIFY2(notice->text().contains(QStringLiteral("broken.txt")), qPrintable(notice->text()));
        QVERIFY(m_window->state().embedding() == nullptr);
        QVERIFY(findControl<EmptyState>(*m_window, "emptyState")->isVisible());
        QVERIFY(RecentFiles::list().isEmpty());
        m_window->open(writeFile(folder, "good.txt", smallGlove()));
        QTRY_VERIFY(m_window->state().embedding() != nullptr);
        QVERIFY(notice->isHidden());
    }

    void badLinesOfAFileAreTold() {
        const QTemporaryDir folder;
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        m_window->open(writeFile(folder, "bad.txt", smallGlove() + "broken 1\n"));
        QTRY_VERIFY(m_window->state().embedding() != nullptr);
        QTRY_VERIFY(notice->isVisible());
        QVERIFY2(notice->text().startsWith(
                     QStringLiteral("Bad lines of bad.txt that were left out: 1.")),
                 qPrintable(notice->text()));
    }

    void anotherEmbeddingSaysWhatItChanged() {
        const QTemporaryDir folder;
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        m_window->open(writeFile(folder, "good.txt", smallGlove()));
        QTRY_VERIFY(m_window->state().embedding() != nullptr);
        QVERIFY(notice->isHidden());
        const auto before = m_window->state().embedding();
        m_window->state().edit(&AnalysisSettings::pinPresent);
        m_window->open(writeFile(folder, "other.txt", smallGlove()));
        QTRY_VERIFY(m_window->state().embedding() != before);
        QTRY_VERIFY(notice->isVisible());
        QVERIFY2(notice->text().startsWith(QStringLiteral(
                     "ε follows the default of other.txt, because distances differ between "
                     "embeddings. What was pinned is gone:")),
                 qPrintable(notice->text()));
        // It is no news once ε is chosen anew.
        m_window->state().edit(&AnalysisSettings::chooseEpsilon, 3.0);
        QVERIFY(notice->isHidden());
        // Limits go on, which may not be wanted.
        m_window->state().edit(&AnalysisSettings::limits,
                               std::vector{calibration::parseLimit("nw.p95<=50%").value()});
        m_window->open(writeFile(folder, "third.txt", smallGlove()));
        QTRY_VERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("; your limits are kept.")));
        const auto buttons = notice->findChildren<QAbstractButton*>();
        const auto remove =
            std::find_if(buttons.begin(), buttons.end(), [](const QAbstractButton* button) {
                return button->text() == QStringLiteral("Remove the limits");
            });
        QVERIFY(remove != buttons.end());
        (*remove)->click();
        QVERIFY(m_window->state().limits().empty());
    }

    void tabsAnswerToKeysAndCommands() {
        auto* live = new FakePanel(QStringLiteral("Choose"), PanelCommand::sample);
        auto* curves = new FakePanel(QStringLiteral("Curves"), PanelCommand::run);
        m_window->addPanel(live);
        m_window->addPanel(curves);
        auto* run = findControl<QAction>(*m_window, "runAction");
        QVERIFY(!run->isEnabled());  // nothing to run on yet
        openToy();
        QVERIFY(run->isEnabled());
        auto* tabs = findControl<QTabWidget>(*m_window, "tabs");
        QCOMPARE(tabs->currentIndex(), 0);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QCOMPARE(curves->executed, 1);
        QCOMPARE(tabs->currentIndex(), 1);
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(tabs->currentIndex(), 0);
        QVERIFY(live->firstControl()->hasFocus());
        QTest::keyClick(m_window.get(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(live->executed, 1);
    }

    void keysReachTheControls() {
        openToy();
        showDetails();
        QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("lambdaField"));
        m_window->addPanel(new FakePanel(QStringLiteral("Choose")));
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("openButton"));
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(m_window->centralWidget()->isAncestorOf(QApplication::focusWidget()));
    }

    void f6ReachesTheButtonsOfTheEmptyWindow() {
        showDetails();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        findControl<QPushButton>(*m_window, "openButton")->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("emptyStateOpenButton"));
    }

    void undoTakesBackASettingAndNotText() {
        openToy();
        test::letPass(1);
        const double before = m_window->state().epsilon();
        m_window->state().edit(&AnalysisSettings::chooseEpsilon, before * 2);
        auto* seed = findControl<QLineEdit>(*m_window, "seedField");
        seed->setFocus();
        QTest::keyClicks(seed, QStringLiteral("7"));
        QTest::keyClick(seed, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->state().epsilon(), before * 2);
        m_window->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_window->state().epsilon(), before);
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_window->state().epsilon(), before * 2);
    }

    void theCommandOfTheSettingsIsCopied() {
        openToy();
        m_window->state().edit(&AnalysisSettings::seed, 17);
        QTest::keyClick(m_window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString command = QApplication::clipboard()->text();
        QVERIFY2(command.startsWith(QStringLiteral("epsilens-cli calibrate sample --mechanism")),
                 qPrintable(command));
        QVERIFY(command.endsWith(QStringLiteral("--seed 17")));
    }

    void theCommandOfWordsChosenOneByOneNamesTheirFile() {
        openToy();
        calibration::WordSelection words;
        words.kind = calibration::WordSelection::Kind::list;
        words.rows = {1, 2};
        m_window->state().edit(&AnalysisSettings::words, words);
        findControl<QAction>(*m_window, "copyCommandAction")->trigger();
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("--words @words.txt")));
        QVERIFY(findControl<QLabel>(*m_window, "statusLabel")
                    ->text()
                    .contains(QStringLiteral("put them into words.txt")));
    }

    void noticesOfAllPartsReachTheLog() {
        const QTemporaryDir folder;
        m_window->open(writeFile(folder, "broken.txt", "this is no embedding\nat all\n"));
        auto* button = findControl<QToolButton>(*m_window, "logButton");
        QTRY_COMPARE(button->text(), QStringLiteral("log ⚠ 1"));
    }

    void rememberingNothingKeepsNoWindow() {
        Preferences preferences;
        preferences.rememberNothing = true;
        preferences.save();
        openToy();
        m_window->resize(1010, 650);
        m_window->close();
        QVERIFY(!QSettings().contains(QStringLiteral("window/geometry")));
        QVERIFY(!QSettings().contains(QStringLiteral("files/recent")));
    }

    void escapeInAFieldDoesNotCancelJobs() {
        openToy();
        JobRunner<int> runner(QStringLiteral("job"), [](const Result<int>&) {});
        m_window->jobs().watch(&runner);
        runner.start(test::untilStopped);
        auto* field = findControl<QLineEdit>(*m_window, "lambdaField");
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("5"));
        QTest::keyClick(field, Qt::Key_Escape);
        test::letPass(30);
        QVERIFY(runner.isRunning());
        QTest::keyClick(field, Qt::Key_Escape);
        QTRY_VERIFY(!runner.isRunning());
    }

    void closesCleanlyDuringAJob() {
        LoadFunctions functions;
        bool wasStopped = false;
        functions.open = [&](const embedding::LoadOptions&,
                             const JobContext& job) -> Result<embedding::EmbeddingHandle> {
            const QDeadlineTimer patience(test::kPatienceMs);
            while (!job.stopRequested() && !patience.hasExpired()) {
                QThread::msleep(1);
            }
            wasStopped = job.stopRequested();
            return fail(ErrorCode::cancelled, "cancelled");
        };
        m_window = std::make_unique<MainWindow>(functions);
        m_window->open(QStringLiteral("/slow"));
        QCOMPARE(m_window->jobs().runningCount(), 1);
        QVERIFY(m_window->close());
        m_window.reset();
        QVERIFY(wasStopped);
    }

    void remembersItsSizeButNoText() {
        openToy();
        m_window->state().lookAt(QStringLiteral("confidential sentence"));
        m_window->resize(1010, 650);
        QTRY_COMPARE(m_window->size(), QSize(1010, 650));
        m_window->close();
        m_window = std::make_unique<MainWindow>();
        QCOMPARE(m_window->size(), QSize(1010, 650));
        QSettings settings;
        settings.sync();
        QVERIFY(!test::contentOf(settings.fileName()).contains("confidential"));
    }

    /// Runners that go with the window are news to the board of jobs; by then the progress of a job
    /// that still runs must not be shown any more.
    void endsBeforeAJobWasShown() {
        JobRunner<int> job(QStringLiteral("Counting"), [](const Result<int>&) {});
        m_window->jobs().watch(&job);
        job.start(test::untilStopped);
        while (job.elapsedSeconds() < 0.4) {
            QThread::msleep(10);
        }
        findControl<QProgressBar>(*m_window, "jobProgressBar")->installEventFilter(this);
        m_window.reset();
        QVERIFY(!m_hasShownProgress);
    }

protected:
    bool eventFilter(QObject* /*watched*/, QEvent* event) override {
        m_hasShownProgress |= event->type() == QEvent::ShowToParent;
        return false;
    }

private:
    void showDetails() { findControl<QDockWidget>(*m_window, "setupDock")->show(); }

    void openToy() {
        m_window->state().setEmbedding(test::toyEmbedding(), nullptr);
        Q_EMIT m_window->findChild<EmbeddingLoader*>()->opened(EmbeddingLoader::sampleName());
    }

    std::unique_ptr<MainWindow> m_window;
    bool m_hasShownProgress = false;
};

EPSILENS_UI_TEST(MainWindowTest)
#include "main_window_test.moc"
