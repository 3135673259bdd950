#include "ui/shell/main_window.h"

#include <array>

#include "core/base/random_stream.h"
#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/dial/dial_view.h"
#include "ui/present/presentation.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/preferences.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::vectors;

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
            QVERIFY2(QDir::isAbsolutePath(place) && QDir(place) != QDir::current(),
                     qPrintable(place));
        }
        QVERIFY(QDir::setCurrent(before));
    }

    void startsWithWaysToOpenSomething() {
        QVERIFY(isShown("emptyStateLabel") && isShown("emptyStateSampleButton"));
        QVERIFY(!find<QAction>("runAction").isEnabled());
        QCOMPARE(m_window->minimumSize(), QSize(960, 600));
        dialogs::presetOpenFile({});  // given up
        click("openAction");
        QVERIFY(state().embedding() == nullptr && isIdle());
        dialogs::presetOpenFile(m_vectors);
        click("emptyStateOpenButton");
        QTRY_VERIFY(state().embedding() != nullptr);
        QCOMPARE(remembered::recentFiles(), QStringList{m_vectors});
        QVERIFY(test::holds(m_window->windowTitle(), "small.txt"));
        QVERIFY(says("summaryEmbeddingLabel", "40 × 4"));
        QVERIFY(!isShown("emptyStateLabel"));
    }

    /// A field would take the address of the file as text. Several files are none, and text is that
    /// of a field.
    void whatIsDroppedIsOpened() {
        QLineEdit field(m_window.get());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(write("dropped.txt", vectors(1)))});
        for (QWidget* target :
             {static_cast<QWidget*>(m_window.get()), static_cast<QWidget*>(&field)}) {
            const auto before = state().embedding();
            QVERIFY(dragOn(*target, data));
            QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(target, &drop);
            QTRY_VERIFY(state().embedding() != before);
            QVERIFY(field.text().isEmpty());
        }
        data.setUrls({QUrl::fromLocalFile("/data/a.txt"), QUrl::fromLocalFile("/data/b.txt")});
        QVERIFY(!dragOn(field, data));
        data.clear();
        data.setText("words");
        QVERIFY(dragOn(field, data));
    }

    void saysWhatIsWrongWithAFile() {
        m_window->open(write("broken.txt", "this is no embedding\nat all\n"));
        QTRY_VERIFY(notice().isVisible());
        QVERIFY(isTold("broken.txt"));
        QCOMPARE(text("logButton"), "log ⚠ 1");
        QVERIFY(state().embedding() == nullptr && isShown("emptyStateLabel"));
        QVERIFY(remembered::recentFiles().isEmpty());
        openNew("good.txt");
        QVERIFY(notice().isHidden());
        openNew("bad.txt", vectors(1) + "broken 1\n");
        QVERIFY(isTold("Bad lines of bad.txt that were left out: 1."));
    }

    void anotherEmbeddingSaysWhatItChanged() {
        openNew("good.txt");
        QVERIFY(notice().isHidden());
        set(&AnalysisSettings::pinPresent);
        openNew("other.txt");
        QVERIFY(
            isTold("ε follows the default of other.txt, because distances differ between "
                   "embeddings. What was pinned is gone:"));
        // Limits go on, which may not be wanted.
        limit("nw.p95<=50%");
        openNew("third.txt");
        QVERIFY(isTold("; your limits are kept."));
        answer("Remove the limits");
        QVERIFY(state().limits().empty());
    }

    void keysReachTheControls() {
        find("setupDock").show();
        find("rowLimitField").setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F6);
        QCOMPARE(focused(), "emptyStateOpenButton");
        show(test::toyEmbedding());
        find("sentenceEdit").setFocus();
        for (const char* next : {"epsilonField", "rowLimitField", "sentenceEdit"}) {
            QTest::keyClick(m_window.get(), Qt::Key_F6);
            QCOMPARE(focused(), next);
        }
    }

    void theCommandOfTheSettingsIsCopied() {
        show(test::toyEmbedding());
        set(&AnalysisSettings::seed, 17);
        QTest::keyClick(m_window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString command = QApplication::clipboard()->text();
        QVERIFY(test::begins(command, "epsilens-cli calibrate sample --mechanism"));
        QVERIFY(test::ends(command, "--seed 17"));
        set(&AnalysisSettings::words, {calibration::WordSelection::Kind::list, 500, {1, 2}});
        click("copyCommandAction");
        QVERIFY(test::holds(QApplication::clipboard()->text(), "--words @words.txt"));
        QVERIFY(says("statusLabel", "put them into words.txt"));
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
        openWindow(functions);
        m_window->open("/slow");
        QCOMPARE(m_window->jobs().runningCount(), 1);
        QVERIFY(m_window->close());
        m_window.reset();
        QVERIFY(wasStopped);
    }

    /// Runners that go with the window are news to the board of jobs; by then the progress of a job
    /// that still runs must not be shown any more.
    void endsBeforeAJobWasShown() {
        JobRunner<int> job("Counting", [](const Result<int>&) {});
        m_window->jobs().watch(&job);
        job.start(test::untilStopped);
        while (job.elapsedSeconds() < 0.4) {
            QThread::msleep(10);
        }
        find("jobProgressBar").installEventFilter(this);
        m_window.reset();
        QVERIFY(!m_hasShownProgress);
    }

    void aboutHoldsVersionLicencesAndNotice() {
        const std::unique_ptr<QDialog> dialog(newAboutDialog());
        const QString version = versionText();
        QVERIFY(version.contains(qVersion()) && version.contains("0.1.0"));
        const auto has = [&dialog](const char* name, const char* words) {
            return test::holds(test::findControl<QTextBrowser>(*dialog, name)->toPlainText(),
                               words);
        };
        for (const char* component : {"Qt 6", "QCustomPlot", "OpenBLAS", "WordNet 3.0"}) {
            QVERIFY(has("componentsText", component));
        }
        // WordNet's licence asks that its notice appear on all copies.
        QVERIFY(has("wordnetText", "WordNet 3.0 Copyright 2006 by Princeton University."));
        QVERIFY(has("gplText", "GNU GENERAL PUBLIC LICENSE"));
        test::findControl<QPushButton>(*dialog, "copyVersionButton")->click();
        QCOMPARE(QApplication::clipboard()->text(), version);
    }

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
        const bool isOpen = find<CollapsibleSection>("textSection").isOpen();
        const bool areNumbersOpen = find<CollapsibleSection>("curvesNumbersSection").isOpen();
        tabs().setCurrentIndex(3);
        find<CollapsibleSection>("textSection").setOpen(!isOpen);
        m_window->resize(1010, 650);
        QTRY_COMPARE(m_window->size(), QSize(1010, 650));
        m_window->close();
        QCOMPARE(QSettings().contains("window/geometry"), remembers);
        openWindow();
        QCOMPARE(m_window->size(), remembers ? QSize(1010, 650) : QSize(1200, 800));
        QCOMPARE(tabs().currentIndex(), remembers ? 3 : 0);
        QCOMPARE(find<QTabBar>("tabBar").currentIndex(), remembers ? 3 : 0);
        QCOMPARE(find<CollapsibleSection>("textSection").isOpen(), isOpen != remembers);
        QCOMPARE(find<CollapsibleSection>("curvesNumbersSection").isOpen(), areNumbersOpen);
    }

    /// It was laid out too low for its texts where it was hidden while it took the last tab again.
    void theTabBarIsWholeOnTheLastTab() {
        QSettings().setValue("window/tab", 6);
        openWindow();
        state().setEmbedding(test::toyEmbedding(), nullptr);
        const QTabBar& bar = find<QTabBar>("tabBar");
        QCOMPARE(bar.currentIndex(), 6);
        QTRY_VERIFY(bar.isVisible() && bar.height() >= bar.fontMetrics().height());
        for (int tab = 0; tab < bar.count(); ++tab) {
            QTRY_VERIFY(bar.rect().contains(bar.tabRect(tab)));
        }
    }

    /// The more important first, then what was done last in the tab in front.
    void oneNoticeIsShownAtATime() {
        show(test::toyEmbedding());
        auto& ofReport = *test::findControl<NoticeLine>(report(), "noticeLine");
        auto& staleness = find<NoticeLine>("reportStalenessLine");
        const auto shown = [&] {
            QStringList texts;
            for (const NoticeLine* line : {&notice(), &ofReport, &staleness}) {
                if (!line->isHidden()) {
                    texts << line->text();
                }
            }
            return texts.join('|');
        };
        const auto note = [](const char* text) { return Notice{Severity::info, text}; };
        tabs().setCurrentWidget(&report());
        m_window->present(note("of the window"));
        QCOMPARE(shown(), "of the window");
        staleness.present(note("old results"));
        QCOMPARE(shown(), "old results");
        ofReport.present(note("written"));
        QCOMPARE(shown(), "written");
        m_window->present({Severity::error, "not opened"});
        QCOMPARE(shown(), "not opened");
        notice().clear();
        QCOMPARE(shown(), "written");
        ofReport.clear();
        QCOMPARE(shown(), "old results");
        m_window->present(note("of the window"));
        QCOMPARE(shown(), "old results");
        // Those of another tab hide nothing.
        tabs().setCurrentWidget(&curves());
        QVERIFY(notice().isVisible());
    }

    void changedSettingsAreToldOncePerChange() {
        show(test::toyEmbedding(60, 4));
        // The grid follows the range of epsilon.
        QTRY_VERIFY(state().epsilonScale().low.has_value());
        set(&AnalysisSettings::draws, 20);
        run();
        for (const auto& [panel, name] : std::initializer_list<std::pair<Panel*, const char*>>{
                 {&curves(), "noticeLine"}, {&report(), "reportStalenessLine"}}) {
            QTRY_VERIFY(isIdle());
            tabs().setCurrentWidget(panel);
            auto* line = test::findControl<NoticeLine>(*panel, name);
            const QSignalSpy presented(line, &NoticeLine::presented);
            const auto before = curves().result();
            set(&AnalysisSettings::draws, state().draws() + 1);
            QTRY_COMPARE(presented.count(), 1);
            QTest::mouseClick(line->findChild<QPushButton*>(), Qt::LeftButton);
            QTRY_VERIFY(curves().result() != before && isIdle());
            QVERIFY(line->isHidden());
            QCOMPARE(presented.count(), 1);
        }
        // F5 runs for the report in front, and stays there.
        const auto before = curves().result();
        click("runAction");
        QCOMPARE(tabs().currentWidget(), &report());
        QTRY_VERIFY(curves().result() != before && isIdle());
    }

protected:
    bool eventFilter(QObject* /*watched*/, QEvent* event) override {
        m_hasShownProgress |= event->type() == QEvent::ShowToParent;
        return false;
    }

private:
    void openNew(const char* name, const QByteArray& content = vectors(1)) {
        open(write(name, content));
    }

    bool m_hasShownProgress = false;
};

namespace {

constexpr int kManyRows = 10'000;

/// A word2vec file of random vectors.
bool writeVectors(const QString& path) {
    constexpr std::size_t kDimensions = 300;
    QFile file(path);
    bool written = file.open(QIODevice::WriteOnly) && file.write("10000 300\n") > 0;
    SeededStream random(StreamKey{5, StreamPurpose::unitDraws, 0, 0});
    std::array<float, kDimensions> row{};
    for (int i = 0; i < kManyRows && written; ++i) {
        for (float& value : row) {
            value = static_cast<float>(random.uniform());
        }
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the bytes of the numbers
        const QByteArray bytes(reinterpret_cast<const char*>(row.data()), sizeof(row));
        written = file.write("w" + QByteArray::number(i) + ' ' + bytes) > 0;
    }
    return written;
}

}  // namespace

/// The memory that the Preferences allow for loading.
class MemoryLimitTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        m_path = m_large.filePath("vectors.bin");
        QVERIFY(QFile::exists(m_path) || writeVectors(m_path));
        // 75.2 MB: buffers take 67 MB of them, which leaves too little for the 12 MB of the
        // vectors.
        remembered::setMemoryLimitGiB(0.07);
        m_window->resize(m_window->minimumSize());
    }
    void cleanup() {
        clean();
        QSettings().clear();
    }

    void asManyRowsAsTheMessageNamesFit() {
        m_window->open(m_path);
        QVERIFY(isTold("10,000 rows of 300 values need") && isTold("75 MB are allowed"));
        const QRegularExpression first("load the first ([0-9,]+) ");
        const QString named = first.match(notice().text()).captured(1);
        const int rows = QString(named).remove(',').toInt();
        QVERIFY2(rows > 0 && rows < kManyRows, qPrintable(notice().text()));
        QVERIFY(state().embedding() == nullptr);
        // The line fits into the smallest window.
        QCOMPARE(m_window->size(), m_window->minimumSize());
        answer("Load the first " + named);
        QTRY_VERIFY(state().embedding() != nullptr);
        QCOMPARE(state().embedding()->wordCount(), rows);
        QCOMPARE(state().embedding()->embedding.report.limitedTo, std::int64_t{rows});
        QVERIFY(!notice().isVisible());
    }

    void whereNoRowFitsTheirNumberIsTyped() {
        remembered::setMemoryLimitGiB(0.05);  // 53.7 MB: less than the buffers take
        m_window->open(m_path);
        QTRY_VERIFY(notice().isVisible());
        answer("Load the first rows…");
        QTRY_COMPARE(focused(), "rowLimitField");
        enter("rowLimitField", "2000");
        remembered::setMemoryLimitGiB(0.0);
        click("reloadButton");
        QTRY_VERIFY(state().embedding() != nullptr);
        QCOMPARE(state().embedding()->wordCount(), 2'000);
    }

    void theMessageLeadsToTheLimit() {
        m_window->open(m_path);
        QTRY_VERIFY(notice().isVisible());
        // What somebody does in the dialog while it is open.
        QTimer::singleShot(0, this, [this] {
            auto& dialog = find<QDialog>("preferencesDialog");
            find<NumberField>("memoryField").setValue(0.1);
            dialog.accept();
        });
        answer("Preferences…");
        QTRY_VERIFY(state().embedding() != nullptr);
        QCOMPARE(state().embedding()->wordCount(), kManyRows);
    }

private:
    const QTemporaryDir m_large;  ///< for all tests
    QString m_path;
};

class PresentationTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        QVERIFY(!find<QAction>("presentAction").isEnabled());
        show(test::toyEmbedding());
        state().setSentence("paris & london");
        QCOMPARE(find<QAction>("presentAction").shortcut(), QKeySequence(Qt::Key_F11));
        click("presentAction");
        click("presentAction");
        QCOMPARE(m_window->findChildren<QWidget*>("presentation").size(), 1);
        m_presentation = &find("presentation");
        QTRY_VERIFY(m_window->measurement().isCurrent());
    }
    void cleanup() { clean(); }

    void keysGoThroughFiveStepsThatSpeakOfTheSetting() {
        for (const char* said : {"paris &amp; london", "of the vocabulary survive", "odds",
                                 "No limits are set.", "ε = "}) {
            QVERIFY(says("presentationText", said));
            press(isAt(2) ? Qt::Key_PageDown : Qt::Key_Right);
        }
        // There is no sixth, and none before the first.
        QCOMPARE(text("presentationTitle"), "5 of 5: The choice");
        QVERIFY(!isEnabled("presentationNextButton"));
        for (int i = 0; i < 6; ++i) {
            press(Qt::Key_Left);
        }
        QVERIFY(isAt(1));
        press(Qt::Key_Escape);
        QTRY_VERIFY(!m_presentation);
    }

    void whatAStepSaysIsNotSaidTwiceAndTheKeyThatOpensCloses() {
        goTo(2);
        QVERIFY(says("presentationText", "survive"));
        for (const char* name :
             {"surviveLabel", "replacedLabel", "promiseLabel", "dialLineLabel"}) {
            QVERIFY2(!test::findControl<QLabel>(*m_presentation, name)->isVisible(), name);
        }
        press(Qt::Key_F11);
        QTRY_VERIFY(!m_presentation);
    }

    void thePromiseIsAsLargeAsWhatStandsBesideIt() {
        const auto sizeOf = [this](const char* name) {
            return test::findControl<QLabel>(*m_presentation, name)->font().pointSizeF();
        };
        QTRY_COMPARE(sizeOf("promiseLabel"), sizeOf("attackerLabel"));
        QVERIFY(sizeOf("promiseLabel") > m_window->font().pointSizeF());
    }

    void theDialStillMovesEpsilonAndTheTextFollows() {
        goTo(5);
        auto* dial = test::findControl<DialView>(*m_presentation, "epsilonSlider");
        dial->moveTo(0.5);
        QCOMPARE(state().epsilon(), 0.5);
        QVERIFY(says("presentationText", "ε = 0.5"));
        QTest::keyClick(dial, Qt::Key_Right);
        QVERIFY(state().epsilon() > 0.5);
        QVERIFY(isAt(5));
    }

    void aSmallWindowShowsAllOfIt() {
        m_presentation->showNormal();
        m_presentation->resize(960, 600);
        QTRY_COMPARE(m_presentation->size(), QSize(960, 600));
        for (const char* name :
             {"presentationTitle", "dialPanel", "epsilonField", "presentationCloseButton"}) {
            const auto* part = test::findControl<QWidget>(*m_presentation, name);
            const auto isInside = [&] {
                const QRect place(part->mapTo(m_presentation, QPoint()), part->size());
                return part->isVisible() && m_presentation->rect().contains(place) &&
                       (part->minimumHeight() == part->maximumHeight() ||
                        part->height() >= part->minimumSizeHint().height());
            };
            QVERIFY2(test::handleEventsUntil(isInside), name);
        }
        // Several lines of the step remain.
        QVERIFY(find("presentationArea").height() >=
                4 * find("presentationText").fontMetrics().lineSpacing());
    }

    void limitsStandWithTheirVerdict() {
        limit("nw.p95<=60%");
        goTo(4);
        QVERIFY(says("presentationText", "95 of 100 words"));
        QVERIFY(says("presentationText", "Limits: 1 of 1 not met ✗"));
    }

private:
    void press(Qt::Key key) { QTest::keyClick(m_presentation.data(), key); }
    [[nodiscard]] bool isAt(int step) {
        return text("presentationTitle").startsWith(QString::number(step));
    }
    void goTo(int step) {
        while (!isAt(step)) {
            press(Qt::Key_Right);
        }
    }

    QPointer<QWidget> m_presentation;
};

EPSILENS_UI_TEST(MainWindowTest)
EPSILENS_UI_TEST(MemoryLimitTest)
EPSILENS_UI_TEST(PresentationTest)
#include "window_test.moc"
