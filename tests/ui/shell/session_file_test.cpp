#include "ui/shell/session_file.h"

#include <QAction>
#include <QCheckBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSemaphore>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QThread>

#include "core/document/session_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/report/report_panel.h"
#include "ui/setup/embedding_loader.h"
#include "ui/shell/recent_files.h"
#include "ui/shell/window_factory.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::dataFolder;
using test::findControl;
using test::kPatienceMs;
using test::vectors;
using test::writeFile;

class SessionFileTest : public QObject, protected test::SessionWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(); }
    void cleanup() { clean(); }

    /// Sessions of before said nothing about it, and nothing is made up.
    void tellsWhoChoseEpsilonOnlyWhereThatWasKept() {
        const QString byHand =
            QStringLiteral("ε was set by hand, not found by a search under limits.");
        load();
        m_window->state().edit(&AnalysisSettings::chooseEpsilon, 3.0);
        saveTo("work.epsilens");
        auto session = document::openSession(toStdPath(path("work.epsilens")));
        QVERIFY(session && !session->report.epsilonOrigin.empty());
        session->report.epsilonOrigin.clear();
        QVERIFY(document::saveSession(toStdPath(path("before.epsilens")), *session).has_value());
        for (const bool isKept : {true, false}) {
            openWindow();
            m_window->open(path(isKept ? "work.epsilens" : "before.epsilens"));
            QTRY_COMPARE_WITH_TIMEOUT(m_window->state().epsilon(), 3.0, kPatienceMs);
            QTRY_COMPARE(m_window->state().epsilonOrigin(), isKept ? byHand : QString());
            m_window->state().edit(&AnalysisSettings::chooseEpsilon, 4.0);
            QCOMPARE(m_window->state().epsilonOrigin(), byHand);
        }
    }

    /// Also one that the new window has already, before the default of the data replaces it.
    void keepsTheEpsilonOfEveryWindow() {
        const double initial = m_window->state().epsilon();
        load();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().epsilon() != initial, kPatienceMs);
        m_window->state().edit(&AnalysisSettings::chooseEpsilon, initial);
        saveTo("work.epsilens");
        // The default comes when the session is there, as with embeddings of a usual size.
        const auto isOpen = std::make_shared<QSemaphore>();
        LoadFunctions functions = coreLoadFunctions();
        functions.epsilonRange = [isOpen, range = functions.epsilonRange](
                                     const engine::SearchSpace& space,
                                     const calibration::CalibrationOptions& options,
                                     const JobContext& job) {
            isOpen->tryAcquire(1, kPatienceMs);
            return range(space, options, job);
        };
        m_window.reset();
        m_window = createWindow(functions);
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY(m_window->windowTitle().contains(QStringLiteral("work.epsilens")));
        isOpen->release(100);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().epsilonScale().low.has_value(), kPatienceMs);
        QCOMPARE(m_window->state().epsilon(), initial);
        QVERIFY(!m_window->isWindowModified());
    }

    void resultsOfAnotherNumberOfWordsAreLeftOut() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        saveTo("work.epsilens");
        std::string session = test::contentOf(toStdPath(path("work.epsilens")));
        const std::string words = "\"words\": 40,";
        const auto place = session.find(words, session.find("\"results\""));
        QVERIFY(place != std::string::npos);
        session.replace(place, words.size(), "\"words\": 2000000000,");
        openWindow();
        m_window->open(writeFile(path("changed.epsilens"), session));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_VERIFY_WITH_TIMEOUT(
            notice->text().contains(QStringLiteral("a different number of words")), kPatienceMs);
        QCOMPARE(m_window->state().draws(), 5);
        QVERIFY(report()->draft().run() == nullptr);
        QVERIFY(curves()->result() == nullptr);
    }

    /// As after the run: the words are measured anew, N_w and S_w at every epsilon too.
    void measuresTheWordsAgain() {
        load();
        m_window->state().edit([](AnalysisSettings& settings) { settings.grid.epsilons = {2, 6}; });
        run();
        const double between = readAt(*curves()->result(), 3.3).front().nw->over.mean;
        saveTo("work.epsilens");

        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(
            curves()->result() && readAt(*curves()->result(), 3.3).front().isExact, kPatienceMs);
        QVERIFY(curves()->result()->isRestored);
        QCOMPARE(readAt(*curves()->result(), 3.3).front().nw->over.mean, between);
        auto* words = findControl<QTableView>(*m_window, "wordsTableView");
        QTRY_COMPARE(words->model()->rowCount(), 40);
        QVERIFY(!m_window->isWindowModified());
    }

    void savesAndOpensWhatWasSet() {
        load();
        AnalysisState& state = m_window->state();
        state.edit(&AnalysisSettings::chooseEpsilon, 3.5);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.75});
        state.edit(&AnalysisSettings::draws, 12);
        state.edit(&AnalysisSettings::seed, 9);
        state.edit(&AnalysisSettings::band, {25, 75});
        state.edit(&AnalysisSettings::textPolicies,
                   {release::UnknownPolicy::drop, text::CasePolicy::keep});
        state.edit([](AnalysisSettings& settings) {
            settings.grid.epsilons = {2, 6};
            settings.grid.lambdas = {0, 0.5};
        });
        run();
        const std::vector limits{*calibration::parseLimit("nw.p95<=45%"),
                                 *calibration::parseLimit("nw.max<=90%")};
        m_window->state().edit(&AnalysisSettings::limits, limits);
        QTRY_VERIFY(m_window->isWindowModified());
        saveTo("work.epsilens");
        QVERIFY(!m_window->isWindowModified());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("work.epsilens")));
        // The limit on the worst word has it counted again.
        QVERIFY(document::openSession(toStdPath(path("work.epsilens")))->grid.rerunWorst);
        QCOMPARE(RecentFiles::list().front(), path("work.epsilens"));
        RecentFiles::clear();
        const auto before = report()->draft().run()->summary->cells[3].nw.mean;

        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(report()->draft().run() != nullptr, kPatienceMs);
        QCOMPARE(RecentFiles::list().front(), path("work.epsilens"));
        const AnalysisState& again = m_window->state();
        QCOMPARE(again.epsilon(), 3.5);
        QCOMPARE(again.lambda(), 0.75);
        QCOMPARE(again.draws(), 12);
        QCOMPARE(again.seed(), std::uint64_t{9});
        QVERIFY(again.band() == (PercentileBand{25, 75}));
        QVERIFY(again.textPolicies() ==
                (TextPolicies{release::UnknownPolicy::drop, text::CasePolicy::keep}));
        QCOMPARE(again.grid().epsilons, (std::vector<double>{2, 6}));
        QVERIFY(m_window->state().limits() == limits);
        QCOMPARE(report()->draft().run()->summary->cells[3].nw.mean, before);
        QTRY_VERIFY_WITH_TIMEOUT(curves()->result() != nullptr, kPatienceMs);
        QVERIFY(curves()->model().staleness().isEmpty());
        test::letPass(50);
        // The report keeps its worst words.
        QVERIFY(!report()->draft().run()->worstWords.front().empty());
        QTRY_VERIFY(!isModified());
        m_window->state().edit(&AnalysisSettings::seed, 10);
        QTRY_VERIFY(m_window->isWindowModified());
    }

    /// A step of a slider has 16 ms; comparing all settings with the file takes its part of them.
    void movingEpsilonComparesNothingUntilItRests() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        saveTo("work.epsilens");
        auto* file = m_window->findChild<SessionFile*>();
        QSignalSpy changed(file, &SessionFile::changed);
        for (int step = 1; step <= 20; ++step) {
            m_window->state().edit(&AnalysisSettings::chooseEpsilon, 3.0 + 0.1 * step);
        }
        QCOMPARE(changed.count(), 0);
        QVERIFY(file->isModified());
        QTRY_VERIFY(m_window->isWindowModified());
    }

    void aSessionOfTheFirstRowsOpensWithTheseRows() {
        m_window->openEmbedding(m_vectors, 30);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        test::letPass(20);
        QCOMPARE(m_window->state().embedding()->wordCount(), 30);
        m_window->state().edit(&AnalysisSettings::draws, 5);
        run();
        saveTo("rows.epsilens");

        // Into an empty window, and into one that has the whole file.
        openWindow();
        for (const bool isOpen : {false, true}) {
            if (isOpen) {
                QTRY_VERIFY(!isModified());
                m_window->open(m_vectors);
                QTRY_COMPARE_WITH_TIMEOUT(m_window->state().embedding()->wordCount(), 40,
                                          kPatienceMs);
            }
            QTRY_VERIFY(!isModified());
            QSignalSpy restored(m_window->findChild<SessionFile*>(), &SessionFile::restored);
            m_window->open(path("rows.epsilens"));
            QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatienceMs);
            QCOMPARE(m_window->state().embedding()->wordCount(), 30);
            QCOMPARE(findControl<NumberField>(*m_window, "rowLimitField")->value(), 30.0);
            QVERIFY(findControl<QCheckBox>(*m_window, "rowLimitCheckBox")->isChecked());
        }
    }

    void otherVectorsAreRefusedOrTakenWithoutResults() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        m_window->state().edit(&AnalysisSettings::seed, 77);
        run();
        saveTo("work.epsilens");
        openWindow();
        writeFile(m_vectors, vectors(2));
        m_window->open(path("work.epsilens"));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_VERIFY_WITH_TIMEOUT(notice->text().contains(QStringLiteral("different vectors")),
                                 kPatienceMs);
        QVERIFY(m_window->state().seed() != 77U);
        const auto buttons = notice->findChildren<QAbstractButton*>();
        const auto use =
            std::find_if(buttons.begin(), buttons.end(), [](const QAbstractButton* button) {
                return button->text().contains(QStringLiteral("drop results"));
            });
        QVERIFY(use != buttons.end());
        QTest::mouseClick(*use, Qt::LeftButton);
        QTRY_COMPARE(m_window->state().seed(), std::uint64_t{77});
        QVERIFY(report()->draft().run() == nullptr);
    }

    void theRightVectorsCanBeLocated() {
        load();
        m_window->state().edit(&AnalysisSettings::draws, 5);
        m_window->state().edit(&AnalysisSettings::seed, 78);
        run();
        saveTo("work.epsilens");
        QVERIFY(QFile::copy(m_vectors, path("moved.txt")));
        openWindow();
        writeFile(m_vectors, vectors(2));
        m_window->open(path("work.epsilens"));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_VERIFY_WITH_TIMEOUT(notice->text().contains(QStringLiteral("different vectors")),
                                 kPatienceMs);
        const auto buttons = notice->findChildren<QAbstractButton*>();
        const auto locate =
            std::find_if(buttons.begin(), buttons.end(), [](const QAbstractButton* button) {
                return button->text() == QStringLiteral("Locate…");
            });
        QVERIFY(locate != buttons.end());
        dialogs::presetOpenFile(path("moved.txt"));
        QTest::mouseClick(*locate, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->state().seed(), std::uint64_t{78}, kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(report()->draft().run() != nullptr, kPatienceMs);
    }

    /// Such as a hyperbolic one on vectors outside the ball: those of the window reach up to 11.
    void aMechanismThatCannotRunGivesWay() {
        load();
        saveTo("work.epsilens");
        auto session = document::openSession(toStdPath(path("work.epsilens")));
        QVERIFY(session.has_value());
        session->current.mechanism = mechanism::Hyperbolic();
        session->current.epsilon = 77.0;
        session->grid.grid.mechanism = mechanism::Hyperbolic();
        session->grid.grid.epsilons = {77.0};
        session->grid.draws = 33;
        QVERIFY(document::saveSession(toStdPath(path("ball.epsilens")), *session).has_value());
        openWindow();
        m_window->open(path("ball.epsilens"));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_VERIFY_WITH_TIMEOUT(notice->text().contains(QStringLiteral("cannot run on these")),
                                 kPatienceMs);
        QVERIFY2(notice->text().contains(QStringLiteral("norm ≥ 1")), qPrintable(notice->text()));
        const AnalysisState& state = m_window->state();
        QVERIFY(state.mechanism().as<mechanism::Mahalanobis>());
        QCOMPARE(state.draws(), 33);
        QTRY_VERIFY_WITH_TIMEOUT(state.epsilonScale().low.has_value(), kPatienceMs);
        QCOMPARE(state.epsilon(), state.epsilonScale().suggested);
        QVERIFY(state.grid().epsilons != std::vector<double>{77.0});
    }

    void aSessionWhoseVectorsAreMissingIsForgottenWithTheNextFile() {
        load();
        m_window->state().edit(&AnalysisSettings::seed, 79);
        saveTo("work.epsilens");
        const QString other = writeFile(path("other.txt"), vectors(2));
        QVERIFY(QFile::rename(m_vectors, path("moved.txt")));
        openWindow();
        m_window->open(path("work.epsilens"));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_VERIFY_WITH_TIMEOUT(notice->text().contains(QStringLiteral("small.txt")), kPatienceMs);
        m_window->open(other);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        test::letPass(20);
        QVERIFY2(notice->isHidden(), qPrintable(notice->text()));
        QVERIFY(m_window->state().seed() != 79U);
    }

    void aSessionWhoseVectorsAreMissingWaitsForThoseThatAreOpenedInstead() {
        load();
        m_window->state().edit(&AnalysisSettings::seed, 80);
        saveTo("work.epsilens");
        QVERIFY(QFile::rename(m_vectors, path("moved.txt")));
        openWindow();
        m_window->open(path("work.epsilens"));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_VERIFY_WITH_TIMEOUT(notice->text().contains(QStringLiteral("small.txt")), kPatienceMs);
        const auto buttons = notice->findChildren<QAbstractButton*>();
        const auto another =
            std::find_if(buttons.begin(), buttons.end(), [](const QAbstractButton* button) {
                return button->text() == QStringLiteral("Open another…");
            });
        QVERIFY(another != buttons.end());
        dialogs::presetOpenFile(path("moved.txt"));
        QTest::mouseClick(*another, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->state().seed(), std::uint64_t{80}, kPatienceMs);
    }

    void aSessionWhoseLoadingWasCancelledIsForgotten() {
        load();
        m_window->state().edit(&AnalysisSettings::seed, 81);
        saveTo("work.epsilens");
        const QString other = writeFile(path("other.txt"), vectors(2));
        LoadFunctions functions = coreLoadFunctions();
        functions.open = [open = functions.open](const embedding::LoadOptions& options,
                                                 const JobContext& job) {
            while (options.path.ends_with("small.txt") && !job.stopRequested()) {
                QThread::msleep(1);
            }
            return open(options, job);
        };
        m_window.reset();
        m_window = createWindow(functions);
        const auto* loader = m_window->findChild<EmbeddingLoader*>();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(loader->isLoading(), kPatienceMs);
        m_window->jobs().cancelAll();
        QTRY_VERIFY_WITH_TIMEOUT(!loader->isLoading(), kPatienceMs);
        m_window->openEmbedding(other, 0);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        test::letPass(20);
        QVERIFY2(findControl<NoticeLine>(*m_window, "noticeLine")->text().isEmpty(),
                 qPrintable(findControl<NoticeLine>(*m_window, "noticeLine")->text()));
        QVERIFY(m_window->state().seed() != 81U);
    }

    void aDamagedSessionIsExplained() {
        m_window->open(writeFile(path("bad.epsilens"), "{\"schema\": \"epsilens.session/9\"}"));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_VERIFY_WITH_TIMEOUT(notice->text().contains(QStringLiteral("epsilens.session/9")),
                                 kPatienceMs);
    }

    void whatACrashLeftIsOffered() {
        load();
        m_window->state().edit(&AnalysisSettings::seed, 55);
        const QString copy =
            dataFolder() +
            QStringLiteral("/recovery-%1.epsilens").arg(QCoreApplication::applicationPid());
        const auto keptSeed = [&copy] {
            const auto kept = document::openSession(toStdPath(copy));
            return kept ? kept->grid.seed : 0U;
        };
        // On a slow machine there is a copy of what was before already.
        QTRY_COMPARE_WITH_TIMEOUT(keptSeed(), std::uint64_t{55}, kPatienceMs);
        // As if the process had been another one, which is gone.
        const QString left = dataFolder() + QStringLiteral("/recovery-999999999.epsilens");
        QVERIFY(QFile::copy(copy, left));
        openWindow();
        QVERIFY(!QFile::exists(copy));
        auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QVERIFY(notice->text().contains(QStringLiteral("closed unexpectedly")));
        // Most windows begin with loading, which clears the line.
        load();
        QVERIFY(notice->text().contains(QStringLiteral("closed unexpectedly")));
        QAbstractButton* const restore = buttonOf(*notice, QStringLiteral("Restore"));
        QVERIFY(restore != nullptr);
        QTest::mouseClick(restore, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->state().seed(), std::uint64_t{55}, kPatienceMs);
        QVERIFY(!QFile::exists(left));
        QVERIFY(m_window->isWindowModified());
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

    void aStartWithoutAFileOffersTheLastSession() {
        load();
        m_window->state().edit(&AnalysisSettings::seed, 61);
        saveTo("mine.epsilens");
        openWindow();
        // A file of its own is what was asked for.
        load();
        const auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QVERIFY2(!notice->isVisible(), qPrintable(notice->text()));
        m_window->open(path("mine.epsilens"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->state().seed(), std::uint64_t{61}, kPatienceMs);
        openWindow();
        m_window->open(QStringLiteral("sample"));
        notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_COMPARE_WITH_TIMEOUT(
            notice->text(), QStringLiteral("Your last session was mine.epsilens."), kPatienceMs);
        QAbstractButton* const open = buttonOf(*notice, QStringLiteral("Open it"));
        QVERIFY(open != nullptr);
        QTest::mouseClick(open, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->state().seed(), std::uint64_t{61}, kPatienceMs);
    }

    /// One that is open is not offered, however it was opened.
    void aSessionThatIsOpenIsNotOffered() {
        m_window->open(QStringLiteral("sample"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        m_window->state().edit(&AnalysisSettings::seed, 61);
        saveTo("mine.epsilens");
        openWindow();
        m_window->open(path("mine.epsilens"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->state().seed(), std::uint64_t{61}, kPatienceMs);
        const auto* notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QVERIFY2(!notice->isVisible(), qPrintable(notice->text()));
        openWindow();
        m_window->open(QStringLiteral("sample"));
        notice = findControl<NoticeLine>(*m_window, "noticeLine");
        QTRY_COMPARE_WITH_TIMEOUT(
            notice->text(), QStringLiteral("Your last session was mine.epsilens."), kPatienceMs);
        m_window->open(path("mine.epsilens"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->state().seed(), std::uint64_t{61}, kPatienceMs);
        QVERIFY2(!notice->isVisible(), qPrintable(notice->text()));
    }

    /// Neither labelled texts nor what was typed stay from the session before.
    void aSessionBringsNoTextsOfTheOneBefore() {
        load();
        saveTo("without.epsilens");
        LabelledSource& source =
            findControl<TradeOffPanel>(*m_window, "tradeOffPanel")->model().source();
        source.open(texts("first.csv", 40));
        QTRY_VERIFY_WITH_TIMEOUT(source.texts() != nullptr, kPatienceMs);
        m_window->state().lookAt(QStringLiteral("w1 w2"));
        m_window->open(path("without.epsilens"));
        const auto* bar = findControl<QLabel>(*m_window, "summaryDataLabel");
        QTRY_COMPARE_WITH_TIMEOUT(bar->text(), QStringLiteral("my data: none"), kPatienceMs);
        QVERIFY(source.texts() == nullptr);
        QCOMPARE(m_window->state().sentence(), QString());
    }

    // Everything that the program writes goes to the folder of the test or to those of the
    // settings and the data, which the test program has moved to a folder of its own.

private:
    /// Null where the notice offers no such thing.
    [[nodiscard]] static QAbstractButton* buttonOf(const NoticeLine& notice, const QString& text) {
        const auto buttons = notice.findChildren<QAbstractButton*>();
        const auto found =
            std::find_if(buttons.begin(), buttons.end(),
                         [&text](const QAbstractButton* button) { return button->text() == text; });
        return found == buttons.end() ? nullptr : *found;
    }
    /// What closing would ask about; the title follows a moment later.
    [[nodiscard]] bool isModified() const {
        return m_window->findChild<SessionFile*>()->isModified();
    }
};

EPSILENS_UI_TEST(SessionFileTest)
#include "session_file_test.moc"
