#include "ui/curves/curves_panel.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/csv_rows.h"
#include "core/report/report_parts.h"
#include "tests/ui/support/state_driver.h"
#include "ui/state/output_mark.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

namespace {

const RunCurvesHandle& sampledRun() {
    static const RunCurvesHandle run = [] {
        const engine::SearchSpace space(test::toyEmbedding());
        calibration::CalibrationOptions options;
        options.grid.mechanism = mechanism::Mahalanobis();
        options.grid.epsilons = {1.0, 4.0, 16.0};
        options.grid.lambdas = {0.0, 0.5};
        options.words.kind = calibration::WordSelection::Kind::all;
        options.draws = 50;
        return withResponses(space, *calibration::runCurves(space, options)).value();
    }();
    return run;
}

/// A panel of curves, shown.
struct CurvesFixture : test::StateDriver {
    explicit CurvesFixture(const embedding::EmbeddingHandle& embedding = test::toyEmbedding()) {
        open(embedding);
        state.edit(&AnalysisSettings::suggest, {4.0, 2.0, 8.0});
        state.edit(&AnalysisSettings::draws, 20);
        panel.resize(880, 640);
        panel.show();
    }
    /// Until the results are shown, those between the points of the grid too.
    void run() {
        const QSignalSpy results(&panel, &CurvesPanel::resultChanged);
        panel.run();
        QTRY_VERIFY(!results.isEmpty() && panel.result() && !panel.isRunning() &&
                    !panel.refiner().isRunning());
        QCoreApplication::processEvents();
    }
    XyPlot* plot(const char* name) { return &find<XyPlot>(name); }
    QLineEdit* epsilons() { return &find<QLineEdit>("epsilonGridLineEdit"); }
    QTableView* table() { return &find<QTableView>("curvesTableView"); }
    NoticeLine* notice() { return &find<NoticeLine>("noticeLine"); }
    [[nodiscard]] bool isOutdated() {
        return notice()->isVisible() && notice()->text().contains("Settings changed");
    }
    QString bandOf() {
        const auto& series = plot("nwPlot")->content().series;
        return std::ranges::find_if(series, [](const auto& one) { return one.width > 2.0; })->name;
    }
    CurvesPanel panel{state};

protected:
    [[nodiscard]] const QObject& root() const override { return panel; }
};

}  // namespace

class CurvesPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void offersTheRunAndTheNumbers() {
        AnalysisState state;
        const CurvesPanel without(state);
        QVERIFY(!findControl<QPushButton>(without, "runPushButton")->isEnabled());
        QVERIFY(
            findControl<QLabel>(without, "curvesEmptyLabel")->text().contains("Open an embedding"));
        CurvesFixture f;
        QVERIFY(f.isShown("curvesEmptyLabel") && f.isEnabled("runPushButton"));
        f.click("runPushButton");
        QTRY_VERIFY(f.panel.result() != nullptr);
        QVERIFY(f.plot("nwPlot")->isVisible() && !f.table()->isVisible());
        const int low = f.plot("nwPlot")->height();
        f.find<CollapsibleSection>("curvesNumbersSection").setOpen(true);
        QTRY_VERIFY(f.table()->isVisible() && f.plot("nwPlot")->height() < low);
        f.click("copyNumbersPushButton");
        QCOMPARE(QApplication::clipboard()->text(),
                 toQString(document::csvRows(document::calibrationDocument(*f.panel.result()->run),
                                             "cells")));
        // On the screen, with the digits that the sampling supports.
        const auto* table = f.table()->model();
        QCOMPARE(table->rowCount(), 25);
        QCOMPARE(f.table()->accessibleDescription(), "Rows: 25.");
        QCOMPARE(table->headerData(0, Qt::Horizontal).toString(), "ε");
        QCOMPARE(table->index(7, 0).data().toString(),
                 toQString(report::shownNumber(f.panel.result()->summary().cells[7].epsilon)));
    }

    void typedGridsGoToTheState() {
        CurvesFixture f;
        f.enter("epsilonGridLineEdit", "1; 5; 10");
        QCOMPARE(f.state.grid().epsilons, (std::vector<double>{1, 5, 10}));
        f.enter("epsilonGridLineEdit", "1; five");
        QVERIFY(f.isShown("gridProblemLabel") && f.says("gridProblemLabel", "five"));
        QCOMPARE(f.epsilons()->text(), "1; five");
        QCOMPARE(f.state.grid().epsilons, (std::vector<double>{1, 5, 10}));
        // Nor does a grid that is taken beside it put back what was refused.
        f.enter("parameterGridLineEdit", "0; 0.5");
        QCOMPARE(f.state.grid().lambdas, (std::vector<double>{0, 0.5}));
        QCOMPARE(f.epsilons()->text(), QStringLiteral("1; five"));
        QVERIFY(f.isShown("gridProblemLabel") && f.says("gridProblemLabel", "five"));
        // No run over other values than the fields show.
        f.panel.run();
        QVERIFY(!f.panel.isRunning());
    }

    void aGridThatComesLateLeavesWhatIsTyped() {
        CurvesFixture f;
        f.panel.window()->activateWindow();
        QLineEdit* field = f.epsilons();
        field->setFocus();
        QTRY_VERIFY(field->hasFocus());
        field->selectAll();
        QTest::keyClicks(field, "1; 5");
        f.state.edit([](AnalysisSettings& settings) { settings.grid.epsilons = {3, 7}; });
        QCOMPARE(field->text(), "1; 5");
        QTest::keyClicks(field, "; 10");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(f.state.grid().epsilons, (std::vector<double>{1, 5, 10}));
        // Nothing is being typed any more.
        f.state.edit([](AnalysisSettings& settings) { settings.grid.epsilons = {2, 4}; });
        QCOMPARE(field->text(), "2; 4");
    }

    void someMechanismsHaveOneCurve() {
        CurvesFixture f(test::toyBall(120, 4));
        f.choose(mechanism::Laplace());
        QVERIFY(!f.isEnabled("parameterGridLineEdit"));
        f.run();
        QCOMPARE(f.plot("nwPlot")->content().series.size(), 2);  // and its band
        f.choose(mechanism::Hyperbolic());
        QVERIFY(!f.isShown("parameterGridLineEdit"));
        f.run();
        QCOMPARE(f.plot("nwPlot")->content().series.front().name, "all words");
        // It is known between the points of the grid, and nowhere below m - 1.
        QVERIFY(f.plot("nwPlot")->content().series.front().points.front().x > 3.0);
        f.chooseEpsilon(3.5);
        QVERIFY(!f.text("readingLabel").contains("unknown"));
        f.enter("epsilonGridLineEdit", "2; 10");
        QVERIFY(f.panel.obstacle().contains("3"));
    }

    void temRunsOverBetaAndIsExact() {
        CurvesFixture f(test::toyEmbedding(120, 4));
        f.choose(mechanism::Tem());
        f.enter("parameterGridLineEdit", "0.001; 0.1");
        f.enter("epsilonGridLineEdit", "5; 20");
        f.run();
        QVERIFY(f.text("nwOriginLabel").contains("exact at the 2 ε"));
        QCOMPARE(f.plot("nwPlot")->content().series[1].name, "β 0.1");
        f.set({.beta = 0.2});
        QCOMPARE(f.bandOf(), "β 0.1");
        QVERIFY(!f.isOutdated());  // the grid, not the control, is what was run
        f.set({.metric = metric::Metric::angular});
        QVERIFY(f.isOutdated());
    }

    void resultsAreReadAtEpsilonInBothPlots() {
        CurvesFixture f;
        f.run();
        QVERIFY(f.text("resultLabel").startsWith("40 words, R = 20 draws, seed 1"));
        const QString before = f.plot("nwPlot")->accessibleDescription();
        QVERIFY(test::begins(before, "kept, of 20 draws. λ 0: "));
        f.chooseEpsilon(5.5);
        QTRY_VERIFY(f.plot("nwPlot")->accessibleDescription() != before);
        QVERIFY(f.text("readingLabel").startsWith("At ε 5.5, λ 0.5: N<sub>w</sub> "));
        QVERIFY(!f.plot("swPlot")->accessibleName().isEmpty());
        f.plot("swPlot")->showXs({3.0, 5.0});
        QCOMPARE(f.plot("nwPlot")->shownX().low, 3.0);
        QCOMPARE(f.plot("nwPlot")->shownX().high, 5.0);
        f.chooseEpsilon(4.0);
        QTest::keyClick(f.plot("swPlot"), Qt::Key_Right);
        QCOMPARE(f.state.epsilon(), 4.09);
        QCOMPARE(f.plot("nwPlot")->cursor(), 4.09);
        // The band is that of the curve nearest to the value set.
        QCOMPARE(f.bandOf(), "λ 0.5");
        f.set({.lambda = 0.8});
        QCOMPARE(f.bandOf(), "λ 0.75");
        const auto& series = f.plot("nwPlot")->content().series;
        QCOMPARE(series.back().name, "median, P5–P95");
        f.state.edit(&AnalysisSettings::band, {25, 75});
        QCOMPARE(series.back().name, "median, P25–P75");
    }

    /// The cursor of the present setting does not lie over curves of another one.
    void resultsOfOtherSettingsAreGreyAndOfferAnotherRun() {
        CurvesFixture f;
        f.run();
        auto* plot = f.plot("nwPlot");
        const auto isOfOthers = [&] {
            const std::set<bool> signs{
                plot->accessibleDescription().startsWith("Of earlier settings."),
                !f.isEnabled("copyNumbersPushButton"), f.text("readingLabel").isEmpty(),
                f.isOutdated()};
            return signs.size() == 1 ? std::optional(*signs.begin()) : std::nullopt;
        };
        QCOMPARE(isOfOthers(), std::optional(false));
        f.state.edit(&AnalysisSettings::seed, 9);
        QCOMPARE(isOfOthers(), std::optional(true));
        f.state.edit(&AnalysisSettings::seed, 1);
        QCOMPARE(isOfOthers(), std::optional(false));
        f.state.edit(&AnalysisSettings::seed, 9);
        const auto before = f.panel.result();
        QTest::mouseClick(f.notice()->findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_VERIFY(f.panel.result() != before && !f.panel.isRunning());
        QCOMPARE(f.panel.result()->summary().seed, std::uint64_t{9});
        QCOMPARE(isOfOthers(), std::optional(false));
        // What cannot run again stays old.
        f.state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::list, 0, {}});
        QTRY_VERIFY(!f.panel.obstacle().isEmpty());
        f.panel.run();
        QCOMPARE(isOfOthers(), std::optional(true));
        f.open(test::toyEmbedding(50, 3));
        QVERIFY(!f.panel.result() && f.panel.staleness().isEmpty() && f.notice()->isHidden());
    }

    /// Theirs are another axis and another unit of epsilon.
    void curvesOfAnotherMechanismAreNotDrawn() {
        CurvesFixture f;
        f.run();
        const mechanism::Mechanism chosen = f.state.mechanism();
        QVERIFY(f.plot("nwPlot")->isVisible());
        f.choose(mechanism::Tem());
        QVERIFY(!f.plot("nwPlot")->isVisible() && f.notice()->isHidden());
        QVERIFY(f.isShown("curvesEmptyLabel") &&
                test::begins(f.text("curvesEmptyLabel"),
                             "What was measured belongs to another mechanism: Regularized"));
        f.choose(chosen);
        QVERIFY(f.plot("nwPlot")->isVisible());
        f.choose(mechanism::Tem());
        f.run();
        QVERIFY(f.plot("nwPlot")->isVisible() && f.notice()->isHidden());
    }

    void aFailedRunLeavesTheStateInView() {
        CurvesFixture f;
        // A space that lacks words of the embedding, as no file gives.
        f.state.setEmbedding(test::toyEmbedding(60, 3),
                             std::make_shared<const engine::SearchSpace>(test::toyEmbedding()));
        const auto choose = [&f](embedding::Row word) {
            f.state.edit(&AnalysisSettings::words,
                         {calibration::WordSelection::Kind::list, 0, {word}});
        };
        choose(1);
        f.run();
        choose(50);
        QVERIFY(f.isOutdated());
        f.panel.run();
        QTRY_VERIFY(f.notice()->isVisible() && !f.isOutdated());
        findControl<QAbstractButton>(*f.notice(), "noticeCloseButton")->click();
        QVERIFY(f.isOutdated());
    }

    void aRunCountsTheWorstWordsAgain() {
        CurvesFixture f;
        f.state.edit([](AnalysisSettings& settings) {
            settings.grid.epsilons = {2.0, 8.0};
            settings.grid.lambdas = {0.5};
        });
        f.limit("nw.max<=90%");
        double last = 0.0;
        bool rises = true;
        connect(&f.panel.runner(), &JobRunnerBase::progressChanged, this, [&](double fraction) {
            rises = rises && fraction >= last;
            last = fraction;
        });
        f.run();
        QVERIFY(rises);
        for (const calibration::Cell& cell : f.panel.result()->summary().cells) {
            QVERIFY(cell.worst.has_value());
        }
        QVERIFY(f.text("nwOriginLabel").contains("exact at every ε"));
        // The same results answer other limits.
        f.limit("nw.p95<=90%");
        QVERIFY(!f.isOutdated());
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

    void aRunAndResultsOfBeforeDoNotTakeEachOthersPlace() {
        CurvesFixture f;
        f.run();
        const RunCurvesHandle before = f.panel.result();
        for (int attempt = 0; attempt < 20; ++attempt) {
            f.panel.restore(before->run);
            QVERIFY(f.panel.result()->isRestored);
            f.panel.run();
            QTRY_VERIFY(!f.panel.isRunning());
            test::letPass(2);
            QVERIFY(!f.panel.result()->isRestored);
            f.panel.run();
            f.panel.restore(before->run);
            QTRY_VERIFY(!f.panel.isRunning());
            test::letPass(2);
            QVERIFY(f.panel.result()->isRestored);
        }
        QTRY_VERIFY(!f.panel.result()->responses.empty());
        // Results whose settings were lost are shown, but nothing is measured with other settings.
        calibration::Run others = *before->run;
        others.request.options.grid.lambdas = {0.5};
        f.panel.restore(std::make_shared<const calibration::Run>(others));
        test::letPass(50);
        QVERIFY(!f.panel.refiner().isRunning() && f.panel.result()->responses.empty());
        QCOMPARE(f.panel.result()->curves.size(), std::size_t{5});
    }

    void cancellingTheMeasurementBetweenThePointsKeepsTheGrid() {
        CurvesFixture f;
        QSignalSpy begun(&f.panel.refiner(), &JobRunnerBase::started);
        connect(&f.panel.refiner(), &JobRunnerBase::started, &f.panel.refiner(),
                &JobRunnerBase::drop);
        f.run();
        QTRY_COMPARE(begun.count(), 1);
        QTRY_VERIFY(!f.panel.refiner().isRunning());
        test::letPass(50);
        QCOMPARE(begun.count(), 1);
        QVERIFY(f.panel.result()->responses.empty());
    }

    void cancelKeepsFinishedWords() {
        CurvesFixture f(test::toyEmbedding(3'000, 20));
        f.state.edit(&AnalysisSettings::draws, 200);
        f.state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::all, 0, {}});
        connect(&f.panel.runner(), &JobRunnerBase::progressChanged, &f.panel, [&f] {
            if (f.panel.runner().fraction() > 0.15) {
                f.panel.runner().cancel();
            }
        });
        f.panel.run();
        QTRY_VERIFY_WITH_TIMEOUT(!f.panel.isRunning(), 60'000);
        QVERIFY(f.panel.result() && f.panel.result()->summary().partial);
        const auto done = f.panel.result()->summary().words;
        QVERIFY(done > 0 && done < 3'000);
        QVERIFY(test::begins(f.text("resultLabel"), "partial: "));
        QVERIFY(test::holds(f.text("resultLabel"), "of 3,000 words"));
        // The words that were measured are not those that a response would have.
        QVERIFY(f.panel.result()->responses.empty());
    }

    void closingDuringARunIsClean() {
        auto f = std::make_unique<CurvesFixture>();
        f->state.edit(&AnalysisSettings::draws, 5'000);
        f->epsilons()->setFocus();
        f->panel.run();
        QTRY_VERIFY(f->panel.isRunning());
        f.reset();
    }
};

class CurveContentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readingsSayWhatIsKnown() {
        const engine::SearchSpace space(test::toyEmbedding());
        const RunCurves run = *calibration::runCurves(space, sampledRun()->options()).value();
        QVERIFY(originText(run, Statistic::nw).contains("sampled"));
        const auto readingAt = [&](double epsilon, double lambda) {
            return readingText(run, 1, epsilon, {}, mechanism::Mahalanobis{.lambda = lambda});
        };
        const QString between = readingAt(8.0, 0.5);
        QVERIFY(test::begins(between, "At ε 8, λ 0.5") && test::holds(between, "S<sub>w</sub> ≈"));
        QVERIFY(readingAt(99.0, 0.5).contains("S<sub>w</sub> unknown outside the grid"));
        // The curve of another λ is not taken for that of the λ set.
        QCOMPARE(
            readingAt(8.0, 0.53),
            "There is no curve for λ 0.53, the value set; this is the nearest one. " + between);
    }

    /// The means of every λ, and median and band of the one that is set, are those of the cells.
    void curvesAreThoseOfTheCells() {
        for (const auto statistic : {Statistic::nw, Statistic::sw}) {
            const PlotContent content = curveContent(*sampledRun(), statistic, {25, 75}, 1);
            QVERIFY(content.x.isLogarithmic && content.x.symbol == "ε");
            QCOMPARE(content.csvTitle, "curve,epsilon,value,p25,p75");
            QCOMPARE(content.series.size(), 3);
            const auto at = [&](std::size_t series, double epsilon) {
                const auto& points = content.series[series].points;
                return *std::ranges::find_if(
                    points, [&](const PlotPoint& point) { return point.x == epsilon; });
            };
            for (const calibration::Cell& cell : sampledRun()->summary().cells) {
                const calibration::Summary& over = statistic == Statistic::nw ? cell.nw : cell.sw;
                const PlotPoint mean = at(cell.lambda == 0.0 ? 0 : 1, cell.epsilon);
                QVERIFY(mean.isMarked);
                QCOMPARE(mean.y, over.mean);
                if (cell.lambda == 0.5) {
                    const PlotPoint median = at(2, cell.epsilon);
                    QCOMPARE(median.y, over.p50);
                    QCOMPARE((*median.range)[0], over.p25);
                    QCOMPARE((*median.range)[1], over.p75);
                }
            }
            const auto& points = content.series.front().points;
            QVERIFY(points.size() > 10);
            QCOMPARE(std::ranges::count_if(points,
                                           [](const PlotPoint& point) { return point.isMarked; }),
                     3);
        }
    }

    // Lines at least 3 : 1 (WCAG 2.1, 1.4.11).
    void everyCurveStandsOutFromThePlot() {
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            const Theme theme = themeFor(palette);
            for (const auto statistic : {Statistic::nw, Statistic::sw}) {
                for (int index = 0; index < 5; ++index) {
                    const QColor colour = curveColour(statistic, theme, index, 5);
                    QVERIFY2(contrast(colour, theme.surface) >= 3.0, qPrintable(colour.name()));
                }
            }
        }
    }

    /// Okabe and Ito's hues, the lighter ones for lines on dark.
    void aSingleCurveHasTheHueOfItsStatistic() {
        const Theme light = themeFor(lightPalette());
        const Theme dark = themeFor(darkPalette());
        QCOMPARE(curveColour(Statistic::nw, light, 0, 1).name(), "#0072b2");
        QCOMPARE(curveColour(Statistic::sw, light, 0, 1).name(), "#d55e00");
        QCOMPARE(curveColour(Statistic::nw, dark, 0, 1).name(), "#56b4e9");
        QCOMPARE(curveColour(Statistic::sw, dark, 0, 1).name(), "#e69f00");
    }
};

EPSILENS_UI_TEST(CurvesPanelTest)
EPSILENS_UI_TEST(CurveContentTest)
#include "curves_panel_test.moc"
