#include "ui/shell/session_file.h"

#include <QAbstractButton>
#include <QFile>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTableView>
#include <QThread>

#include "core/document/session_file.h"
#include "tests/ui/shell/whole_window.h"
#include "ui/setup/setup_panel.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::dataFolder;
using test::kPatienceMs;
using test::vectors;
using test::writeFile;

/// What a session brings into a window. Everything that the program writes goes to the folder of
/// the test or to those of the settings and the data, which the test program has moved to a folder
/// of its own.
class SessionFileTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() { prepare(); }
    void cleanup() { clean(); }

    /// Sessions of before said nothing about it, and nothing is made up.
    void tellsWhoChoseEpsilonOnlyWhereThatWasKept() {
        const QString byHand =
            QStringLiteral("ε was set by hand, not found by a search under limits.");
        load();
        state().edit(&AnalysisSettings::chooseEpsilon, 3.0);
        saveTo("work.epsilens");
        document::Session session = saved("work.epsilens");
        QVERIFY(!session.report.epsilonOrigin.empty());
        session.report.epsilonOrigin.clear();
        put(session, "before.epsilens");
        for (const bool isKept : {true, false}) {
            openWindow();
            m_window->open(path(isKept ? "work.epsilens" : "before.epsilens"));
            QTRY_COMPARE_WITH_TIMEOUT(state().epsilon(), 3.0, kPatienceMs);
            QTRY_COMPARE(state().epsilonOrigin(), isKept ? byHand : QString());
            state().edit(&AnalysisSettings::chooseEpsilon, 4.0);
            QCOMPARE(state().epsilonOrigin(), byHand);
        }
    }

    /// Also one that the new window has already, before the default of the data replaces it.
    void keepsTheEpsilonOfEveryWindow() {
        const double initial = state().epsilon();
        load();
        QTRY_VERIFY_WITH_TIMEOUT(state().epsilon() != initial, kPatienceMs);
        state().edit(&AnalysisSettings::chooseEpsilon, initial);
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
        openWindow(functions);
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY(m_window->windowTitle().contains(QStringLiteral("work.epsilens")));
        isOpen->release(100);
        QTRY_VERIFY_WITH_TIMEOUT(state().epsilonScale().low.has_value(), kPatienceMs);
        QCOMPARE(state().epsilon(), initial);
        QVERIFY(!m_window->isWindowModified());
    }

    void resultsOfAnotherNumberOfWordsAreLeftOut() {
        load();
        run();
        saveTo("work.epsilens");
        QByteArray session = test::contentOf(path("work.epsilens"));
        const auto place = session.indexOf("\"words\": 40,", session.indexOf("\"results\""));
        QVERIFY(place > 0);
        session.replace(place, 12, "\"words\": 2000000000,");
        openWindow();
        m_window->open(writeFile(path("changed.epsilens"), session));
        QVERIFY(isTold("a different number of words"));
        QCOMPARE(state().draws(), 5);
        QVERIFY(report().draft().run() == nullptr);
        QVERIFY(curves().result() == nullptr);
    }

    /// As after the run: the words are measured anew, N_w and S_w at every epsilon too.
    void measuresTheWordsAgain() {
        load();
        state().edit([](AnalysisSettings& settings) { settings.grid.epsilons = {2, 6}; });
        run();
        const double between = readAt(*curves().result(), 3.3).front().nw->over.mean;
        saveTo("work.epsilens");
        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(
            curves().result() && readAt(*curves().result(), 3.3).front().isExact, kPatienceMs);
        QVERIFY(curves().result()->isRestored);
        QCOMPARE(readAt(*curves().result(), 3.3).front().nw->over.mean, between);
        QTRY_COMPARE(find<QTableView>("wordsTableView").model()->rowCount(), 40);
        QVERIFY(!m_window->isWindowModified());
    }

    void savesAndOpensWhatWasSet() {
        load();
        state().edit([](AnalysisSettings& settings) {
            settings.chooseEpsilon(3.5);
            settings.setParameters({.lambda = 0.75});
            settings.draws = 12;
            settings.seed = 9;
            settings.band = {25, 75};
            settings.textPolicies = {release::UnknownPolicy::drop, text::CasePolicy::keep};
            settings.grid.epsilons = {2, 6};
            settings.grid.lambdas = {0, 0.5};
            settings.pin = {mechanism::Tem{metric::Metric::mahalanobis, 0.25, 3.0}, 4.0};
        });
        run();
        // The limit on the worst word has it counted again.
        state().edit(&AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=45%"),
                                                 *calibration::parseLimit("nw.max<=90%")});
        const AnalysisSettings set = state().settings();
        QTRY_VERIFY(m_window->isWindowModified());
        saveTo("work.epsilens");
        QVERIFY(!m_window->isWindowModified());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("work.epsilens")));
        QVERIFY(saved("work.epsilens").grid.rerunWorst);
        QCOMPARE(remembered::recentFiles().front(), path("work.epsilens"));
        remembered::clearRecentFiles();
        const auto before = report().draft().run()->summary->cells[3].nw.mean;

        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(report().draft().run() != nullptr, kPatienceMs);
        QCOMPARE(remembered::recentFiles().front(), path("work.epsilens"));
        const AnalysisSettings& again = state().settings();
        QVERIFY(again.setting() == set.setting());
        QVERIFY(again.pin == set.pin);
        QCOMPARE(again.draws, 12);
        QCOMPARE(again.seed, std::uint64_t{9});
        QVERIFY(again.band == set.band && again.textPolicies == set.textPolicies);
        QCOMPARE(again.grid.epsilons, (std::vector<double>{2, 6}));
        QVERIFY(again.limits == set.limits);
        QCOMPARE(report().draft().run()->summary->cells[3].nw.mean, before);
        QTRY_VERIFY_WITH_TIMEOUT(curves().result() != nullptr, kPatienceMs);
        QVERIFY(curves().staleness().isEmpty());
        test::letPass(50);
        // The report keeps its worst words.
        QVERIFY(!report().draft().run()->worstWords.front().empty());
        QTRY_VERIFY(!session().isModified());
        state().edit(&AnalysisSettings::seed, 10);
        QTRY_VERIFY(m_window->isWindowModified());
    }

    /// A step of a slider has 16 ms; comparing all settings with the file takes its part of them.
    void movingEpsilonComparesNothingUntilItRests() {
        load();
        saveTo("work.epsilens");
        const QSignalSpy changed(&session(), &SessionFile::changed);
        for (int step = 1; step <= 20; ++step) {
            state().edit(&AnalysisSettings::chooseEpsilon, 3.0 + 0.1 * step);
        }
        QCOMPARE(changed.count(), 0);
        QVERIFY(session().isModified());
        QTRY_VERIFY(m_window->isWindowModified());
    }

    void aSessionOfTheFirstRowsOpensWithTheseRows() {
        m_window->openEmbedding(m_vectors, 30);
        QTRY_VERIFY_WITH_TIMEOUT(state().embedding() != nullptr, kPatienceMs);
        test::letPass(20);
        QCOMPARE(state().embedding()->wordCount(), 30);
        state().edit(&AnalysisSettings::draws, 5);
        run();
        saveTo("rows.epsilens");

        // Into an empty window, and into one that has the whole file.
        openWindow();
        for (const bool isOpen : {false, true}) {
            QTRY_VERIFY(!session().isModified());
            if (isOpen) {
                open(m_vectors);
                QCOMPARE(state().embedding()->wordCount(), 40);
                QTRY_VERIFY(!session().isModified());
            }
            const QSignalSpy restored(&session(), &SessionFile::restored);
            m_window->open(path("rows.epsilens"));
            QTRY_COMPARE_WITH_TIMEOUT(restored.count(), 1, kPatienceMs);
            QCOMPARE(state().embedding()->wordCount(), 30);
        }
    }

    void otherVectorsAreRefusedUntilSomebodyDecides() {
        load();
        state().edit(&AnalysisSettings::seed, 77);
        run();
        saveTo("work.epsilens");
        QVERIFY(QFile::copy(m_vectors, path("moved.txt")));
        writeFile(m_vectors, vectors(2));
        for (const bool locates : {true, false}) {
            openWindow();
            m_window->open(path("work.epsilens"));
            QVERIFY(isTold("different vectors"));
            QVERIFY(state().seed() != 77U);
            dialogs::presetOpenFile(path("moved.txt"));
            answer(locates ? "Locate…" : "Use these, drop results");
            QTRY_COMPARE_WITH_TIMEOUT(state().seed(), std::uint64_t{77}, kPatienceMs);
            QTRY_COMPARE_WITH_TIMEOUT(report().draft().run() != nullptr, locates, kPatienceMs);
        }
        (void)dialogs::openFile(nullptr, {}, {}, {});  // which nobody has asked for
    }

    /// Such as a hyperbolic one on vectors outside the ball: those of the window reach up to 11.
    void aMechanismThatCannotRunGivesWay() {
        load();
        saveTo("work.epsilens");
        document::Session session = saved("work.epsilens");
        session.current = {mechanism::Hyperbolic(), 77.0};
        session.pins = {session.current};
        session.grid.grid.mechanism = mechanism::Hyperbolic();
        session.grid.grid.epsilons = {77.0};
        session.grid.draws = 33;
        put(session, "ball.epsilens");
        openWindow();
        m_window->open(path("ball.epsilens"));
        QVERIFY(isTold("cannot run on these"));
        QVERIFY2(notice().text().contains(QStringLiteral("norm ≥ 1")), qPrintable(notice().text()));
        QVERIFY(state().mechanism().as<mechanism::Mahalanobis>());
        QVERIFY(!state().pin());
        QCOMPARE(state().draws(), 33);
        QTRY_VERIFY_WITH_TIMEOUT(state().epsilonScale().low.has_value(), kPatienceMs);
        QCOMPARE(state().epsilon(), state().epsilonScale().suggested);
        QVERIFY(state().grid().epsilons != std::vector<double>{77.0});
    }

    /// It waits for those that are opened instead, and is forgotten with another file.
    void aSessionWhoseVectorsAreMissing() {
        load();
        state().edit(&AnalysisSettings::seed, 79);
        saveTo("work.epsilens");
        QVERIFY(QFile::rename(m_vectors, path("moved.txt")));
        const QString other = writeFile(path("other.txt"), vectors(2));
        for (const bool isOpenedInstead : {true, false}) {
            openWindow();
            m_window->open(path("work.epsilens"));
            QVERIFY(isTold("small.txt"));
            if (isOpenedInstead) {
                dialogs::presetOpenFile(path("moved.txt"));
                answer("Open another…");
                QTRY_COMPARE_WITH_TIMEOUT(state().seed(), std::uint64_t{79}, kPatienceMs);
            } else {
                open(other);
                QVERIFY2(notice().isHidden(), qPrintable(notice().text()));
                QVERIFY(state().seed() != 79U);
            }
        }
    }

    void aSessionWhoseLoadingWasCancelledIsForgotten() {
        load();
        state().edit(&AnalysisSettings::seed, 81);
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
        openWindow(functions);
        const EmbeddingLoader& loader = m_window->setup().loader();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(loader.isLoading(), kPatienceMs);
        m_window->jobs().cancelAll();
        QTRY_VERIFY_WITH_TIMEOUT(!loader.isLoading(), kPatienceMs);
        m_window->openEmbedding(other, 0);
        QTRY_VERIFY_WITH_TIMEOUT(state().embedding() != nullptr, kPatienceMs);
        test::letPass(20);
        QVERIFY2(notice().text().isEmpty(), qPrintable(notice().text()));
        QVERIFY(state().seed() != 81U);
    }

    void aDamagedSessionIsExplained() {
        m_window->open(writeFile(path("bad.epsilens"), "{\"schema\": \"epsilens.session/9\"}"));
        QVERIFY(isTold("epsilens.session/9"));
    }

    void whatACrashLeftIsOffered() {
        load();
        state().edit(&AnalysisSettings::seed, 55);
        const QString copy = SessionFile::copyPath();
        // On a slow machine there is a copy of what was before already.
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                const auto kept = document::openSession(toStdPath(copy));
                return kept && kept->grid.seed == 55U;
            }(),
            kPatienceMs);
        // As if the process had been another one, which is gone.
        const QString left = dataFolder() + QStringLiteral("/recovery-999999999.epsilens");
        QVERIFY(QFile::copy(copy, left));
        openWindow();
        QVERIFY(!QFile::exists(copy));
        QVERIFY(notice().text().contains(QStringLiteral("closed unexpectedly")));
        // Most windows begin with loading, which clears the line.
        load();
        QVERIFY(notice().text().contains(QStringLiteral("closed unexpectedly")));
        answer("Restore");
        QTRY_COMPARE_WITH_TIMEOUT(state().seed(), std::uint64_t{55}, kPatienceMs);
        QVERIFY(!QFile::exists(left));
        QVERIFY(m_window->isWindowModified());
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

    void noCopyIsKeptWhereNothingIsToBeRemembered() {
        load();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(SessionFile::copyPath()), kPatienceMs);
        QVERIFY(QFile::remove(SessionFile::copyPath()));
        remembered::setNothing(true);
        state().edit(&AnalysisSettings::seed, 56);
        test::letPass(2 * test::kAutosaveMs);
        QVERIFY(!QFile::exists(SessionFile::copyPath()));
    }

    /// By a start without a file; one that is open is not offered, however it was opened.
    void theLastSessionIsOffered() {
        const QString offer = QStringLiteral("Your last session was mine.epsilens.");
        open(QStringLiteral("sample"));
        state().edit(&AnalysisSettings::seed, 61);
        saveTo("mine.epsilens");
        openWindow();
        m_window->open(path("mine.epsilens"));
        QTRY_COMPARE_WITH_TIMEOUT(state().seed(), std::uint64_t{61}, kPatienceMs);
        QVERIFY2(!notice().isVisible(), qPrintable(notice().text()));
        for (const bool isTaken : {true, false}) {
            openWindow();
            m_window->open(QStringLiteral("sample"));
            QTRY_COMPARE_WITH_TIMEOUT(notice().text(), offer, kPatienceMs);
            if (isTaken) {
                answer("Open it");
            } else {
                m_window->open(path("mine.epsilens"));
            }
            QTRY_COMPARE_WITH_TIMEOUT(state().seed(), std::uint64_t{61}, kPatienceMs);
            QVERIFY2(!notice().isVisible(), qPrintable(notice().text()));
        }
        // A file of its own is what was asked for.
        openWindow();
        load();
        QVERIFY2(!notice().isVisible(), qPrintable(notice().text()));
    }

    /// Neither labelled texts nor what was typed stay from the session before.
    void aSessionBringsNoTextsOfTheOneBefore() {
        load();
        saveTo("without.epsilens");
        openTexts(texts("first.csv", 40));
        state().lookAt(QStringLiteral("w1 w2"));
        m_window->open(path("without.epsilens"));
        QTRY_COMPARE_WITH_TIMEOUT(text("summaryDataLabel"), QStringLiteral("my data: none"),
                                  kPatienceMs);
        QVERIFY(tradeOff().model().source().texts() == nullptr);
        QCOMPARE(state().sentence(), QString());
    }

private:
    void put(const document::Session& session, const char* name) const {
        QVERIFY(document::saveSession(toStdPath(path(name)), session).has_value());
    }
    [[nodiscard]] bool isTold(const char* words) const {
        test::handleEventsUntil([&] { return notice().text().contains(QString::fromUtf8(words)); },
                                kPatienceMs);
        return notice().text().contains(QString::fromUtf8(words));
    }
    void answer(const char* text) const {
        QTest::mouseClick(&test::buttonOf(notice(), QString::fromUtf8(text)), Qt::LeftButton);
    }
};

EPSILENS_UI_TEST(SessionFileTest)
#include "session_file_test.moc"
