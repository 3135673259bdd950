#include "ui/curves/curves_model.h"

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_settings.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

struct Fixture {
    explicit Fixture(int words = 40, int dimensions = 3) { load(words, dimensions); }
    void load(int words, int dimensions) { load(test::toyEmbedding(words, dimensions)); }
    void load(const embedding::EmbeddingHandle& embedding) {
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        state.edit(&AnalysisSettings::draws, 20);
    }
    void suggest(double suggested, double low, double high) {
        state.edit(&AnalysisSettings::suggest, {suggested, low, high});
    }
    void limit(const char* text) {
        state.edit(&AnalysisSettings::limits, {*calibration::parseLimit(text)});
    }
    void run() {
        model.run();
        QTRY_VERIFY(model.result() && !model.isRunning());
    }
    void runWithResponses() {
        run();
        QTRY_VERIFY(!model.result()->responses.empty());
    }
    [[nodiscard]] std::pair<double, double> ends() const {
        return {state.grid().epsilons.front(), state.grid().epsilons.back()};
    }

    AnalysisState state;
    CurvesModel model{state};
    CurveGrid& grid = model.grid();
};

}  // namespace

class CurvesModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhyItCannotRun() {
        AnalysisState state;
        CurvesModel model(state);
        QVERIFY(model.obstacle().contains(QStringLiteral("Open an embedding")));
        model.run();
        QVERIFY(!model.isRunning());
        QCOMPARE(model.nearestCurve(), -1);
        QCOMPARE(Fixture().model.obstacle(), QString());
    }

    /// The default grid goes from low / 2 to 2 high.
    void defaultGridFollowsTheEstimatedRangeUntilOneIsTyped() {
        Fixture f;
        f.suggest(20.0, 10.0, 40.0);
        QCOMPARE(f.state.grid().epsilons.size(), std::size_t{5});
        QCOMPARE(f.ends(), (std::pair{5.0, 80.0}));
        QCOMPARE(f.grid.setEpsilonText(QStringLiteral("1..40 x9")), QString());
        QCOMPARE(f.state.grid().epsilons.size(), std::size_t{9});
        f.suggest(30.0, 20.0, 50.0);
        QCOMPARE(f.state.grid().epsilons.size(), std::size_t{9});
        QCOMPARE(f.grid.setEpsilonText(QString()), QString());
        QCOMPARE(f.ends(), (std::pair{10.0, 100.0}));
    }

    /// Results of a default grid would be out of date whenever lambda moves.
    void defaultGridStaysWhenOnlyTheScaleMoves() {
        Fixture f;
        f.suggest(20.0, 10.0, 40.0);
        const std::vector<double> grid = f.state.grid().epsilons;
        f.state.edit(&AnalysisSettings::setParameters, {.lambda = 0.9});
        f.suggest(21.0, 11.0, 43.0);
        QCOMPARE(f.state.grid().epsilons, grid);
        f.state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QCOMPARE(f.state.grid().epsilons, grid);
        f.suggest(30.0, 20.0, 50.0);
        QCOMPARE(f.ends(), (std::pair{10.0, 100.0}));
        f.load(50, 3);
        f.suggest(8.0, 4.0, 16.0);
        QCOMPARE(f.state.grid().epsilons.front(), 2.0);
    }

    void anotherEmbeddingReturnsToItsDefaultGrid() {
        Fixture f;
        QCOMPARE(f.grid.setEpsilonText(QStringLiteral("7")), QString());
        f.load(50, 3);
        QCOMPARE(f.state.grid().epsilons.size(), std::size_t{5});
    }

    void gridsSetElsewhereAreKept() {
        Fixture f;
        f.state.edit([](AnalysisSettings& settings) { settings.grid.epsilons = {3.0, 9.0}; });
        f.suggest(20.0, 10.0, 40.0);
        QCOMPARE(f.grid.epsilonText(), QStringLiteral("3; 9"));
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void readsLists_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("read");
        QTest::newRow("sorted, each once") << "10; 1; 5; 5"
                                           << "1; 5; 10";
        // The middle of nine is the geometric mean of the ends, to six digits.
        QTest::newRow("a range, spaced logarithmically")
            << "1..40 x9"
            << "1; 1.58583; 2.51487; 3.98816; 6.32456; 10.0297; 15.9054; 25.2233; 40";
    }
    void readsLists() {
        QFETCH(const QString, text);
        QFETCH(const QString, read);
        Fixture f;
        QCOMPARE(f.grid.setEpsilonText(text), QString());
        QCOMPARE(f.grid.epsilonText(), read);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void refusesWhatNoGridCanHave_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("lambda");
        QTest::addColumn<QString>("named");
        QTest::newRow("words") << "one" << false << "one";
        QTest::newRow("zero") << "0; 1" << false << "above 0";
        QTest::newRow("decimal comma of a lambda") << "0,5" << true << "write 0.5";
        QTest::newRow("too many") << "1..40 x101" << false << "100";
        QTest::newRow("lambda above one") << "0; 1.01" << true << "1.01";
    }
    void refusesWhatNoGridCanHave() {
        QFETCH(const QString, text);
        QFETCH(const bool, lambda);
        QFETCH(const QString, named);
        Fixture f;
        const GridValues before = f.state.grid();
        const QString problem =
            lambda ? f.grid.setParameterText(text) : f.grid.setEpsilonText(text);
        QVERIFY2(problem.contains(named), qPrintable(problem));
        QVERIFY(f.state.grid() == before);
    }

    /// Three words span two of three dimensions, so the covariance is singular.
    void lambdaOneIsLeftOutOfTheDefaultWhenTheCovarianceIsSingular() {
        Fixture f(3, 3);
        QCOMPARE(f.grid.parameterText(), QStringLiteral("0; 0.25; 0.5; 0.75"));
        QVERIFY(f.grid.note().contains(QStringLiteral("singular")));
        const std::vector<double> before = f.state.grid().lambdas;
        QCOMPARE(f.grid.setParameterText(QStringLiteral("0.5")), QString());
        QCOMPARE(f.grid.note(), QString());
        f.state.edit([&](AnalysisSettings& settings) { settings.grid.lambdas = before; });  // undo
        QVERIFY(f.grid.note().contains(QStringLiteral("singular")));
        f.load(40, 3);
        QCOMPARE(f.grid.parameterText(), QStringLiteral("0; 0.25; 0.5; 0.75; 1"));
        QCOMPARE(f.grid.note(), QString());
        f.load(3, 3);
        QCOMPARE(f.grid.setParameterText(QStringLiteral("0..1x2")), QString());
        QVERIFY(f.model.obstacle().contains(QStringLiteral("0.99")));
        f.model.run();
        QVERIFY(!f.model.isRunning());
    }

    void temRunsOverBetaAndIsExact() {
        Fixture f(120, 4);
        f.state.edit(&AnalysisSettings::choose, mechanism::Tem());
        QCOMPARE(f.grid.parameterText(), QStringLiteral("0.001"));
        QCOMPARE(f.grid.setParameterText(QStringLiteral("0.001; 0.1")), QString());
        QCOMPARE(f.grid.setEpsilonText(QStringLiteral("5; 20")), QString());
        f.runWithResponses();
        const RunCurves& run = *f.model.result();
        QVERIFY(run.summary().isExact());
        QCOMPARE(run.nw.size(), std::size_t{2});
        QCOMPARE(run.nw[1].value, 0.1);
        QVERIFY(originText(run, Statistic::nw).contains(QStringLiteral("exact at the 2 ε")));
        f.state.edit(&AnalysisSettings::setParameters, {.beta = 0.2});
        QCOMPARE(f.model.nearestCurve(), 1);
        QCOMPARE(f.model.staleness(), QString());  // the grid, not the control, is what was run
        f.state.edit(&AnalysisSettings::setParameters, {.metric = metric::Metric::angular});
        QVERIFY(!f.model.staleness().isEmpty());
    }

    void givenRadiiMakeTheCurves() {
        Fixture f;
        f.state.edit(&AnalysisSettings::choose, mechanism::Tem());
        f.state.edit([](AnalysisSettings& settings) { settings.mechanism.gammaGiven = true; });
        f.state.edit(&AnalysisSettings::largestDistance, 2.0);
        QCOMPARE(f.grid.parameterText(), QStringLiteral("0.5; 1; 1.5; 2"));
        QVERIFY(!f.grid.setParameterText(QStringLiteral("-1")).isEmpty());
    }

    /// m = 4: the default grid is 3 + {1, 5, 10, 20, 40}; the curve is known between its points.
    void riemannianNoiseHasItsOwnGrid() {
        Fixture f;
        f.load(test::toyBall(120, 4));
        f.state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        QCOMPARE(f.grid.epsilonText(), QStringLiteral("4; 8; 13; 23; 43"));
        QVERIFY(f.grid.parameter() == CurveParameter::none);
        f.runWithResponses();
        const RunCurves& run = *f.model.result();
        QCOMPARE(run.nw.size(), std::size_t{1});
        QVERIFY(run.nw.front().line.front().epsilon > 3.0);
        QVERIFY(!readCurve(run, 0, 2.9).nw && readCurve(run, 0, 10.0).nw);
        QCOMPARE(f.grid.setEpsilonText(QStringLiteral("2; 10")), QString());
        QVERIFY(f.model.obstacle().contains(QStringLiteral("3")));
    }

    void aRunCountsTheWorstWordsAgain() {
        Fixture f;
        f.state.edit([](AnalysisSettings& settings) {
            settings.grid.epsilons = {2.0, 8.0};
            settings.grid.lambdas = {0.5};
        });
        f.limit("nw.max<=90%");
        double last = 0.0;
        bool rises = true;
        connect(&f.model.runner(), &JobRunnerBase::progressChanged, this, [&](double fraction) {
            rises = rises && fraction >= last;
            last = fraction;
        });
        f.run();
        QVERIFY(rises);
        for (const calibration::Cell& cell : f.model.result()->summary().cells) {
            QVERIFY(cell.worst.has_value());
        }
        QTRY_VERIFY(f.model.result()->isExact());
        // The same results answer other limits.
        f.limit("nw.p95<=90%");
        QVERIFY(!f.model.options().rerunWorst);
        QVERIFY2(f.model.staleness().isEmpty(), qPrintable(f.model.staleness()));
    }

    /// TEM keeps a word exactly as often as it says.
    void limitsOnTheWorstWordHaveItCountedAgain() {
        const auto isRerun = [](const mechanism::Mechanism& mechanism, const char* limit) {
            calibration::CalibrationOptions options;
            options.grid.mechanism = mechanism;
            return optionsUnder({*calibration::parseLimit(limit)}, options).rerunWorst;
        };
        QVERIFY(isRerun(mechanism::Laplace(), "nw.max<=90%"));
        QVERIFY(isRerun(mechanism::Hyperbolic(), "kept.max<=0.9"));
        QVERIFY(!isRerun(mechanism::Laplace(), "sw.max<=90"));
        QVERIFY(!isRerun(mechanism::Laplace(), "nw.p99<=90%"));
        QVERIFY(!isRerun(mechanism::Tem(), "nw.max<=90%"));
    }

    void runsAndNoticesChangedSettings() {
        Fixture f;
        f.run();
        QCOMPARE(f.model.result()->summary().cells.size(), std::size_t{25});
        QVERIFY(f.model.resultText().startsWith(QStringLiteral("40 words, R = 20 draws, seed 1")));
        QCOMPARE(f.model.staleness(), QString());
        f.state.edit(&AnalysisSettings::seed, 2);
        QVERIFY(f.model.staleness().contains(QStringLiteral("Settings changed")));
        f.state.edit(&AnalysisSettings::seed, 1);
        QCOMPARE(f.model.staleness(), QString());
        f.state.edit(&AnalysisSettings::chooseEpsilon, 3.0);
        QCOMPARE(f.model.staleness(), QString());
        f.state.edit(&AnalysisSettings::setParameters, {.lambda = 0.8});
        QCOMPARE(f.model.nearestCurve(), 3);
        f.state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QCOMPARE(f.model.nearestCurve(), 0);
        f.load(50, 3);
        QVERIFY(!f.model.result() && f.model.staleness().isEmpty());
    }

    /// Whichever was asked for last is shown, whatever ends last.
    void aRunAndResultsOfBeforeDoNotTakeEachOthersPlace() {
        Fixture f;
        f.run();
        const RunCurvesHandle before = f.model.result();
        for (int attempt = 0; attempt < 20; ++attempt) {
            f.model.restore(before->run);
            QVERIFY(f.model.result()->isRestored);
            f.run();
            test::letPass(2);
            QVERIFY(!f.model.result()->isRestored);
            f.model.run();
            f.model.restore(before->run);
            QTRY_VERIFY(!f.model.isRunning());
            test::letPass(2);
            QVERIFY(f.model.result()->isRestored);
        }
        QTRY_VERIFY(!f.model.result()->responses.empty());
    }

    /// Results whose settings were lost are shown, but nothing is measured with other settings.
    void resultsWithoutTheirSettingsAreNotMeasuredFurther() {
        Fixture f;
        f.run();
        calibration::Run others = *f.model.result()->run;
        others.request.options.grid.lambdas = {0.5};
        f.model.restore(std::make_shared<const calibration::Run>(others));
        QTRY_VERIFY(!f.model.refiner().isRunning());
        const QSignalSpy refined(&f.model, &CurvesModel::linesRefined);
        test::letPass(50);
        QCOMPARE(refined.count(), 0);
        QCOMPARE(f.model.result()->nw.size(), std::size_t{5});
    }

    /// What was cancelled is not begun again by itself.
    void cancellingTheMeasurementBetweenThePointsKeepsTheGrid() {
        Fixture f;
        QSignalSpy begun(&f.model.refiner(), &JobRunnerBase::started);
        connect(&f.model.refiner(), &JobRunnerBase::started, &f.model.refiner(),
                &JobRunnerBase::drop);
        f.run();
        QTRY_COMPARE(begun.count(), 1);
        QTRY_VERIFY(!f.model.refiner().isRunning());
        test::letPass(50);
        QCOMPARE(begun.count(), 1);
        QVERIFY(f.model.result()->responses.empty());
    }

    void cancelKeepsFinishedWords() {
        Fixture f(3'000, 20);
        f.state.edit(&AnalysisSettings::draws, 200);
        f.state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::all, 0, {}});
        connect(&f.model.runner(), &JobRunnerBase::progressChanged, &f.model, [&f] {
            if (f.model.runner().fraction() > 0.15) {
                f.model.cancel();
            }
        });
        f.model.run();
        QTRY_VERIFY_WITH_TIMEOUT(!f.model.isRunning(), 60'000);
        QVERIFY(f.model.result() && f.model.result()->summary().partial);
        const auto done = f.model.result()->summary().words;
        QVERIFY(done > 0 && done < 3'000);
        QVERIFY2(f.model.resultText().startsWith(QStringLiteral("partial: ")) &&
                     f.model.resultText().contains(QStringLiteral("of 3,000 words")),
                 qPrintable(f.model.resultText()));
        // The words that were measured are not those that a response would have.
        QVERIFY(f.model.result()->responses.empty());
    }
};

EPSILENS_UI_TEST(CurvesModelTest)
#include "curves_model_test.moc"
