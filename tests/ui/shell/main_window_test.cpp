#include "ui/shell/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QDeadlineTimer>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QThread>
#include <QUrl>

#include "core/calibration/limits.h"
#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/shell/empty_state.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::vectors;
using test::writeFile;

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

/// Whether the window would take it.
bool dragOn(QWidget& target, const QMimeData& data) {
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &enter);
    return enter.isAccepted();
}

}  // namespace

/// The window without its pages.
class MainWindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    /// A folder in which somebody else may write must not bring code along.
    void pluginsNeverComeFromTheWorkingDirectory() {
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_folder.path()));
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
        dialogs::presetOpenFile({});  // given up
        findControl<QAction>(*m_window, "openAction")->trigger();
        QVERIFY(m_window->state().embedding() == nullptr);
        QCOMPARE(m_window->jobs().runningCount(), 0);
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
        for (int i = 0; i < 6; ++i) {
            QVERIFY(!page.findChild<QLabel*>(QStringLiteral("moreRecentLabel")));
            remembered::addRecentFile(QStringLiteral("/data/%1.txt").arg(i));
            page.refresh();
        }
        QVERIFY(page.findChild<QLabel*>(QStringLiteral("moreRecentLabel")));
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
        const QString path = write("small.txt", vectors(1));
        dialogs::presetOpenFile(path);
        if (button.isEmpty()) {
            QTest::keyClick(m_window.get(), Qt::Key_O, Qt::ControlModifier);
        } else {
            showDetails();
            findControl<QPushButton>(*m_window, qPrintable(button))->click();
        }
        QTRY_VERIFY(m_window->state().embedding() != nullptr);
        QCOMPARE(m_window->state().embedding()->wordCount(), 40);
        QCOMPARE(remembered::recentFiles(), QStringList{path});
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("small.txt")));
        QVERIFY(findControl<QLabel>(*m_window, "summaryEmbeddingLabel")
                    ->text()
                    .contains(QStringLiteral("40 × 4")));
        QVERIFY(!findControl<EmptyState>(*m_window, "emptyState")->isVisible());
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void whatIsDropped_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("opens");
        const QString before = QStringLiteral("before");
        const QByteArray text = "Grüße from Paris,\nand from London";
        QTest::newRow("vectors on the window") << "window" << vectors(1) << before << true;
        // A field would take the address of the file as text.
        QTest::newRow("vectors on a field") << "field" << vectors(1) << before << true;
        // There a text is meant; vectors are opened wherever they are dropped.
        QTest::newRow("vectors on the text") << "text" << vectors(1) << before << true;
        QTest::newRow("a text on the text") << "text" << text << QString::fromUtf8(text) << false;
        QTest::newRow("bytes on the text")
            << "text" << QByteArray("a\0\xff\xfe", 4) << before << false;
        QTest::newRow("too long a text")
            << "text" << QByteArray((4 << 20) + 1, 'a') << before << false;
    }
    void whatIsDropped() {
        QFETCH(const QString, target);
        QFETCH(const QByteArray, content);
        QFETCH(const QString, text);
        QFETCH(const bool, opens);
        QPlainTextEdit editor(QStringLiteral("before"), m_window.get());
        editor.setObjectName(QStringLiteral("sentenceEdit"));
        QLineEdit field(m_window.get());
        QWidget& on = target == QStringLiteral("window")  ? static_cast<QWidget&>(*m_window)
                      : target == QStringLiteral("field") ? field
                                                          : *editor.viewport();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(write("dropped.txt", content))});
        QVERIFY(dragOn(on, data));
        QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&on, &drop);
        QTRY_VERIFY((opens && m_window->state().embedding()) || notice().isVisible() ||
                    editor.toPlainText() != QStringLiteral("before"));
        QCOMPARE(m_window->state().embedding() != nullptr, opens);
        QCOMPARE(editor.toPlainText(), text);
        QVERIFY(field.text().isEmpty());
        editor.undo();
        QCOMPARE(editor.toPlainText(), QStringLiteral("before"));
    }

    void severalFilesAndTextAreNotOpened() {
        QMimeData files;
        files.setUrls({QUrl::fromLocalFile(QStringLiteral("/data/a.txt")),
                       QUrl::fromLocalFile(QStringLiteral("/data/b.txt"))});
        QMimeData text;
        text.setText(QStringLiteral("words"));
        QLineEdit field(m_window.get());
        QVERIFY(!dragOn(field, files));
        QVERIFY(dragOn(field, text));
    }

    /// In a notice, which the log keeps.
    void saysWhatIsWrongWithAFile() {
        m_window->open(write("broken.txt", "this is no embedding\nat all\n"));
        QTRY_VERIFY(notice().isVisible());
        QVERIFY2(notice().text().contains(QStringLiteral("broken.txt")),
                 qPrintable(notice().text()));
        QCOMPARE(findControl<QAbstractButton>(*m_window, "logButton")->text(),
                 QStringLiteral("log ⚠ 1"));
        QVERIFY(m_window->state().embedding() == nullptr);
        QVERIFY(findControl<EmptyState>(*m_window, "emptyState")->isVisible());
        QVERIFY(remembered::recentFiles().isEmpty());
        open("good.txt");
        QVERIFY(notice().isHidden());
        open("bad.txt", vectors(1) + "broken 1\n");
        QTRY_VERIFY2(notice().text().startsWith(
                         QStringLiteral("Bad lines of bad.txt that were left out: 1.")),
                     qPrintable(notice().text()));
    }

    void anotherEmbeddingSaysWhatItChanged() {
        open("good.txt");
        QVERIFY(notice().isHidden());
        m_window->state().edit(&AnalysisSettings::pinPresent);
        open("other.txt");
        QTRY_VERIFY(notice().isVisible());
        QVERIFY2(notice().text().startsWith(QStringLiteral(
                     "ε follows the default of other.txt, because distances differ between "
                     "embeddings. What was pinned is gone:")),
                 qPrintable(notice().text()));
        // It is no news once ε is chosen anew.
        m_window->state().edit(&AnalysisSettings::chooseEpsilon, 3.0);
        QVERIFY(notice().isHidden());
        // Limits go on, which may not be wanted.
        m_window->state().edit(&AnalysisSettings::limits,
                               std::vector{calibration::parseLimit("nw.p95<=50%").value()});
        open("third.txt");
        QTRY_VERIFY(notice().isVisible());
        QVERIFY(notice().text().contains(QStringLiteral("; your limits are kept.")));
        test::buttonOf(notice(), QStringLiteral("Remove the limits")).click();
        QVERIFY(m_window->state().limits().empty());
    }

    void tabsAnswerToKeysAndCommands() {
        auto* live = new FakePanel(QStringLiteral("Choose"), PanelCommand::sample);
        auto* curves = new FakePanel(QStringLiteral("Curves"), PanelCommand::run);
        m_window->addPanel(live);
        m_window->addPanel(curves);
        auto* run = findControl<QAction>(*m_window, "runAction");
        QVERIFY(!run->isEnabled());  // nothing to run on yet
        test::show(test::toyEmbedding(), *m_window);
        QVERIFY(run->isEnabled());
        QCOMPARE(m_window->tabs().currentIndex(), 0);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QCOMPARE(curves->executed, 1);
        QCOMPARE(m_window->tabs().currentIndex(), 1);
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(m_window->tabs().currentIndex(), 0);
        QVERIFY(live->firstControl()->hasFocus());
        QTest::keyClick(m_window.get(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(live->executed, 1);
    }

    void keysReachTheControls() {
        showDetails();
        findControl<QPushButton>(*m_window, "openButton")->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(focused(), QStringLiteral("emptyStateOpenButton"));
        test::show(test::toyEmbedding(), *m_window);
        QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(focused(), QStringLiteral("lambdaField"));
        m_window->addPanel(new FakePanel(QStringLiteral("Choose")));
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(focused(), QStringLiteral("openButton"));
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QVERIFY(m_window->centralWidget()->isAncestorOf(QApplication::focusWidget()));
    }

    void theCommandOfTheSettingsIsCopied() {
        test::show(test::toyEmbedding(), *m_window);
        m_window->state().edit(&AnalysisSettings::seed, 17);
        QTest::keyClick(m_window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QString command = QApplication::clipboard()->text();
        QVERIFY2(command.startsWith(QStringLiteral("epsilens-cli calibrate sample --mechanism")),
                 qPrintable(command));
        QVERIFY(command.endsWith(QStringLiteral("--seed 17")));
        m_window->state().edit(&AnalysisSettings::words,
                               {calibration::WordSelection::Kind::list, 500, {1, 2}});
        findControl<QAction>(*m_window, "copyCommandAction")->trigger();
        command = QApplication::clipboard()->text();
        QVERIFY2(command.contains(QStringLiteral("--words @words.txt")), qPrintable(command));
        QVERIFY(findControl<QLabel>(*m_window, "statusLabel")
                    ->text()
                    .contains(QStringLiteral("put them into words.txt")));
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
    [[nodiscard]] NoticeLine& notice() { return *findControl<NoticeLine>(*m_window, "noticeLine"); }
    [[nodiscard]] static QString focused() { return QApplication::focusWidget()->objectName(); }
    void showDetails() { findControl<QDockWidget>(*m_window, "setupDock")->show(); }
    [[nodiscard]] QString write(const char* name, const QByteArray& content) const {
        return writeFile(m_folder.filePath(QLatin1String(name)), content);
    }
    void open(const char* name, const QByteArray& content = vectors(1)) {
        const auto before = m_window->state().embedding();
        m_window->open(write(name, content));
        QTRY_VERIFY(m_window->state().embedding() != before);
    }

    const QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
    bool m_hasShownProgress = false;
};

EPSILENS_UI_TEST(MainWindowTest)
#include "main_window_test.moc"
