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
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBrowser>
#include <QThread>
#include <QUrl>

#include "core/calibration/limits.h"
#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/preferences.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::vectors;
using test::writeFile;

namespace {

/// Whether the window would take it.
bool dragOn(QWidget& target, const QMimeData& data) {
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &enter);
    return enter.isAccepted();
}

}  // namespace

class MainWindowTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { clean(); }

    /// A folder in which somebody else may write must not bring code along.
    void pluginsNeverComeFromTheWorkingDirectory() {
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_folder->path()));
        const QStringList places = QCoreApplication::libraryPaths();
        QVERIFY(!places.isEmpty());
        for (const QString& place : places) {
            QVERIFY2(QDir::isAbsolutePath(place), qPrintable(place));
            QVERIFY2(QDir(place) != QDir::current(), qPrintable(place));
        }
        QVERIFY(QDir::setCurrent(before));
    }

    void startsWithWaysToOpenSomething() {
        QVERIFY(find<QLabel>("emptyStateLabel").isVisible());
        QVERIFY(find<QPushButton>("emptyStateSampleButton").isVisible());
        QVERIFY(!find<QAction>("runAction").isEnabled());
        QCOMPARE(m_window->minimumSize(), QSize(960, 600));
        dialogs::presetOpenFile({});  // given up
        find<QAction>("openAction").trigger();
        QVERIFY(state().embedding() == nullptr);
        QCOMPARE(m_window->jobs().runningCount(), 0);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void opensAFileThroughTheDialog_data() {
        QTest::addColumn<QByteArray>("button");
        QTest::newRow("by key") << QByteArray();
        QTest::newRow("of the set-up") << QByteArray("openButton");
        QTest::newRow("of the empty window") << QByteArray("emptyStateOpenButton");
    }
    void opensAFileThroughTheDialog() {
        QFETCH(const QByteArray, button);
        const QString& path = m_vectors;
        dialogs::presetOpenFile(path);
        if (button.isEmpty()) {
            QTest::keyClick(m_window.get(), Qt::Key_O, Qt::ControlModifier);
        } else {
            showDetails();
            find<QPushButton>(button).click();
        }
        QTRY_VERIFY(state().embedding() != nullptr);
        QCOMPARE(state().embedding()->wordCount(), 40);
        QCOMPARE(remembered::recentFiles(), QStringList{path});
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("small.txt")));
        QVERIFY(find<QLabel>("summaryEmbeddingLabel").text().contains(QStringLiteral("40 × 4")));
        QVERIFY(!find<QLabel>("emptyStateLabel").isVisible());
    }

    /// A field would take the address of the file as text.
    void whatIsDroppedIsOpened() {
        QLineEdit field(m_window.get());
        for (QWidget* target :
             {static_cast<QWidget*>(m_window.get()), static_cast<QWidget*>(&field)}) {
            const auto before = state().embedding();
            QMimeData data;
            data.setUrls({QUrl::fromLocalFile(writeFile(path("dropped.txt"), vectors(1)))});
            QVERIFY(dragOn(*target, data));
            QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(target, &drop);
            QTRY_VERIFY(state().embedding() != before);
            QVERIFY(field.text().isEmpty());
        }
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
        m_window->open(writeFile(path("broken.txt"), "this is no embedding\nat all\n"));
        QTRY_VERIFY(notice().isVisible());
        QVERIFY2(notice().text().contains(QStringLiteral("broken.txt")),
                 qPrintable(notice().text()));
        QCOMPARE(find<QAbstractButton>("logButton").text(), QStringLiteral("log ⚠ 1"));
        QVERIFY(state().embedding() == nullptr);
        QVERIFY(find<QLabel>("emptyStateLabel").isVisible());
        QVERIFY(remembered::recentFiles().isEmpty());
        openNew("good.txt");
        QVERIFY(notice().isHidden());
        openNew("bad.txt", vectors(1) + "broken 1\n");
        QTRY_VERIFY2(notice().text().startsWith(
                         QStringLiteral("Bad lines of bad.txt that were left out: 1.")),
                     qPrintable(notice().text()));
    }

    void anotherEmbeddingSaysWhatItChanged() {
        openNew("good.txt");
        QVERIFY(notice().isHidden());
        state().edit(&AnalysisSettings::pinPresent);
        openNew("other.txt");
        QTRY_VERIFY(notice().isVisible());
        QVERIFY2(notice().text().startsWith(QStringLiteral(
                     "ε follows the default of other.txt, because distances differ between "
                     "embeddings. What was pinned is gone:")),
                 qPrintable(notice().text()));
        // Limits go on, which may not be wanted.
        state().edit(&AnalysisSettings::limits,
                     std::vector{calibration::parseLimit("nw.p95<=50%").value()});
        openNew("third.txt");
        QTRY_VERIFY(notice().isVisible());
        QVERIFY(notice().text().contains(QStringLiteral("; your limits are kept.")));
        test::buttonOf(notice(), QStringLiteral("Remove the limits")).click();
        QVERIFY(state().limits().empty());
    }

    void keysReachTheControls() {
        showDetails();
        find<QPushButton>("openButton").setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(focused(), QStringLiteral("emptyStateOpenButton"));
        test::show(test::toyEmbedding(), *m_window);
        QTest::keyClick(m_window.get(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(focused(), QStringLiteral("lambdaField"));
        find<QWidget>("sentenceEdit").setFocus();
        for (const char* next : {"epsilonField", "openButton", "sentenceEdit"}) {
            QTest::keyClick(m_window.get(), Qt::Key_F6);
            QCOMPARE(focused(), QLatin1String(next));
        }
    }

    void theCommandOfTheSettingsIsCopied() {
        test::show(test::toyEmbedding(), *m_window);
        state().edit(&AnalysisSettings::seed, 17);
        QTest::keyClick(m_window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QString command = QApplication::clipboard()->text();
        QVERIFY2(command.startsWith(QStringLiteral("epsilens-cli calibrate sample --mechanism")),
                 qPrintable(command));
        QVERIFY(command.endsWith(QStringLiteral("--seed 17")));
        state().edit(&AnalysisSettings::words,
                     {calibration::WordSelection::Kind::list, 500, {1, 2}});
        find<QAction>("copyCommandAction").trigger();
        command = QApplication::clipboard()->text();
        QVERIFY2(command.contains(QStringLiteral("--words @words.txt")), qPrintable(command));
        QVERIFY(
            find<QLabel>("statusLabel").text().contains(QStringLiteral("put them into words.txt")));
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
        find<QProgressBar>("jobProgressBar").installEventFilter(this);
        m_window.reset();
        QVERIFY(!m_hasShownProgress);
    }

    void aboutHoldsVersionLicencesAndNotice() {
        const AboutDialog dialog;
        const QString version = AboutDialog::versionText();
        QVERIFY(version.contains(QString::fromLatin1(qVersion())));
        QVERIFY(version.contains(QStringLiteral("0.1.0")));
        const auto text = [&dialog](const char* name) {
            return test::findControl<QTextBrowser>(dialog, name)->toPlainText();
        };
        for (const char* component : {"Qt 6", "QCustomPlot", "OpenBLAS", "WordNet 3.0"}) {
            QVERIFY2(text("componentsText").contains(QLatin1String(component)), component);
        }
        // WordNet's licence asks that its notice appear on all copies.
        QVERIFY(
            text("wordnetText")
                .contains(QStringLiteral("WordNet 3.0 Copyright 2006 by Princeton University.")));
        QVERIFY(text("gplText").contains(QStringLiteral("GNU GENERAL PUBLIC LICENSE")));
        test::findControl<QPushButton>(dialog, "copyVersionButton")->click();
        QCOMPARE(QApplication::clipboard()->text(), version);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void whatIsOpenIsRemembered_data() {
        QTest::addColumn<bool>("remembers");
        QTest::newRow("usually") << true;
        QTest::newRow("unless nothing is to be") << false;
    }
    void whatIsOpenIsRemembered() {
        QFETCH(const bool, remembers);
        Preferences preferences;
        preferences.rememberNothing = !remembers;
        preferences.save();
        QCOMPARE(tabs().currentIndex(), 0);
        const bool isOpen = find<CollapsibleSection>("limitsSection").isOpen();
        const bool textIsOpen = find<CollapsibleSection>("textSection").isOpen();
        tabs().setCurrentIndex(3);
        find<CollapsibleSection>("limitsSection").setOpen(!isOpen);
        m_window->resize(1010, 650);
        QTRY_COMPARE(m_window->size(), QSize(1010, 650));
        m_window->close();
        QCOMPARE(QSettings().contains(QStringLiteral("window/geometry")), remembers);
        openWindow();
        QCOMPARE(m_window->size(), remembers ? QSize(1010, 650) : QSize(1200, 800));
        QCOMPARE(tabs().currentIndex(), remembers ? 3 : 0);
        QCOMPARE(m_window->tabBar().currentIndex(), remembers ? 3 : 0);
        QCOMPARE(find<CollapsibleSection>("limitsSection").isOpen(), isOpen != remembers);
        QCOMPARE(find<CollapsibleSection>("textSection").isOpen(), textIsOpen);
    }

    /// It was laid out too low for its texts where it was hidden while it took the last tab again.
    void theTabBarIsWholeOnTheLastTab() {
        QSettings().setValue(QStringLiteral("window/tab"), 6);
        openWindow();
        state().setEmbedding(test::toyEmbedding(), nullptr);
        const QTabBar& bar = m_window->tabBar();
        QCOMPARE(bar.currentIndex(), 6);
        QTRY_VERIFY(bar.isVisible());
        QTRY_VERIFY(bar.height() >= bar.fontMetrics().height());
        for (int tab = 0; tab < bar.count(); ++tab) {
            QTRY_VERIFY2(bar.rect().contains(bar.tabRect(tab)), qPrintable(bar.tabText(tab)));
        }
    }

protected:
    bool eventFilter(QObject* /*watched*/, QEvent* event) override {
        m_hasShownProgress |= event->type() == QEvent::ShowToParent;
        return false;
    }

private:
    [[nodiscard]] QTabWidget& tabs() const { return m_window->tabs(); }
    [[nodiscard]] static QString focused() { return QApplication::focusWidget()->objectName(); }
    void showDetails() const { find<QDockWidget>("setupDock").show(); }
    void openNew(const char* name, const QByteArray& content = vectors(1)) {
        open(writeFile(path(name), content));
    }

    bool m_hasShownProgress = false;
};

EPSILENS_UI_TEST(MainWindowTest)
#include "main_window_test.moc"
