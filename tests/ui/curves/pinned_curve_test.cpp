#include "ui/curves/pinned_curve.h"

#include <qcustomplot.h>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include "core/calibration/recommend.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curve_table.h"
#include "ui/curves/curves_panel.h"
#include "ui/curves/statistic_plot.h"
#include "ui/widgets/notice_line.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

namespace {

/// A panel over the toy embedding with the curves of two epsilons and two lambdas.
struct PinnedCurveFixture {
    PinnedCurveFixture() {
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        state.edit(&AnalysisSettings::chooseEpsilon, 4.0);
        state.edit(&AnalysisSettings::draws, 20);
        state.edit([](AnalysisSettings& settings) {
            settings.grid.epsilons = {2.0, 8.0};
            settings.grid.lambdas = {0.0, 0.5};
        });
        panel.resize(880, 640);
        panel.show();
    }
    void run() {
        panel.run();
        QTRY_VERIFY_WITH_TIMEOUT(panel.result() != nullptr && !panel.runner()->isRunning(),
                                 kPatienceMs);
    }
    void waitForPinned() { QTRY_VERIFY_WITH_TIMEOUT(table()->rowCount() == 6, kPatienceMs); }
    QAbstractItemModel* table() {
        return findControl<QTableView>(panel, "curvesTableView")->model();
    }
    double number(int row, int column) {
        return table()->index(row, column).data(Qt::EditRole).toDouble();
    }
    QString description(const char* plot) {
        return findControl<StatisticPlot>(panel, plot)->accessibleDescription();
    }

    AnalysisState state;
    CurvesPanel panel{state};
};

}  // namespace

class PinnedCurveTest : public QObject {
    Q_OBJECT

    using Fixture = PinnedCurveFixture;

private Q_SLOTS:
    /// The pinned lambda is one of the grid: its rows are the same again.
    void aCurveOfTheRunIsNotMeasuredAgain() {
        Fixture f;
        f.state.edit(&AnalysisSettings::pinPresent);
        f.run();
        QCOMPARE(f.table()->rowCount(), 6);
        for (int column = CurveTable::nwMeanColumn; column < CurveTable::columnEnd; ++column) {
            QCOMPARE(f.number(4, column), f.number(2, column));
            QCOMPARE(f.number(5, column), f.number(3, column));
        }
        QCOMPARE(f.table()->index(4, 0).data().toString(), QStringLiteral("pinned: λ 0.5"));
        QVERIFY2(f.description("nwPlot").contains(
                     QStringLiteral("Grey and dashed, pinned: λ 0.5: mean ")),
                 qPrintable(f.description("nwPlot")));
        f.state.edit(&AnalysisSettings::pin, std::nullopt);
        QCOMPARE(f.table()->rowCount(), 4);
        QVERIFY(!f.description("nwPlot").contains(QStringLiteral("pinned")));
    }

    void aGreyLineStandsAtThePinnedEpsilon() {
        Fixture f;
        f.state.edit(&AnalysisSettings::pinPresent);
        f.run();
        const auto shownAt = [&f]() -> std::optional<double> {
            const auto& canvas = findControl<StatisticPlot>(f.panel, "nwPlot")->plot();
            const auto* line = findControl<QCPItemStraightLine>(canvas, "pinnedEpsilonLine");
            return line->visible() ? std::optional(line->point1->key()) : std::nullopt;
        };
        QCOMPARE(shownAt(), std::optional(4.0));
        QVERIFY(f.description("nwPlot").contains(QStringLiteral("Grey line: pinned ε 4.")));
        f.state.edit(&AnalysisSettings::chooseEpsilon, 5.0);
        QCOMPARE(shownAt(), std::optional(4.0));
        f.state.edit(&AnalysisSettings::pinPresent);
        QTRY_COMPARE_WITH_TIMEOUT(shownAt(), std::optional(5.0), kPatienceMs);
        f.state.edit(&AnalysisSettings::pin, std::nullopt);
        QCOMPARE(shownAt(), std::optional<double>());
    }

    /// Against a calibration of the core with the same words, draws and seed.
    void anotherMechanismIsMeasuredAlongWithTheRun() {
        Fixture f;
        f.state.edit(&AnalysisSettings::setParameters, {.lambda = 0.9});
        f.state.edit(&AnalysisSettings::pinPresent);
        QTRY_VERIFY(f.panel.model().costText().contains(QStringLiteral("+ pinned")));
        f.run();
        f.waitForPinned();
        calibration::CalibrationOptions options = f.panel.result()->options();
        options.grid.lambdas = {0.9};
        const auto expected = calibration::calibrate(*f.state.searchSpace(), options).value();
        QCOMPARE(f.number(4, CurveTable::nwMeanColumn), expected.cells[0].nw.mean);
        QCOMPARE(f.number(5, CurveTable::swMeanColumn), expected.cells[1].sw.mean);
        const QStringList lines =
            static_cast<CurveTable*>(f.table())->csv().split(QLatin1Char('\n'));
        QVERIFY(lines[0].endsWith(QStringLiteral(",pinned")));
        QVERIFY(lines[4].endsWith(QLatin1Char(',')));
        QVERIFY(lines[5].endsWith(QStringLiteral("\"pinned: λ 0.9\"")));
    }

    /// A run of a session may count another number of near words than the window does.
    void thePinIsMeasuredAsTheRunWas() {
        Fixture f;
        f.state.edit(&AnalysisSettings::pinPresent);
        calibration::CalibrationOptions run = f.state.calibrationOptions();
        run.draws = 7;
        run.seed = 12;
        run.nearNeighbours = 5;
        run.words = {calibration::WordSelection::Kind::random, 30, {}};
        const calibration::CalibrationOptions pinned = pinnedOptions(f.state, run).value();
        QCOMPARE(pinned.draws, 7);
        QCOMPARE(pinned.seed, std::uint64_t{12});
        QCOMPARE(pinned.nearNeighbours, 5);
        QVERIFY(pinned.words == run.words);
    }

    /// What is pinned later is measured too, since this is a matter of seconds.
    void anotherUnitOfEpsilonIsSaid() {
        Fixture f;
        f.run();
        f.state.edit(&AnalysisSettings::choose, mechanism::Tem());
        f.state.edit(&AnalysisSettings::pinPresent);
        f.waitForPinned();
        const QModelIndex name = f.table()->index(4, 0);
        QCOMPARE(name.data().toString(), QStringLiteral("pinned"));
        QVERIFY(
            name.data(Qt::ToolTipRole).toString().contains(QStringLiteral("ε in its own unit")));
    }

    /// No epsilon of the grid is above m - 1 = 2 of the pinned noise, so there is no such curve.
    void epsilonsOfTheGridThatCannotBeAreLeftOut() {
        AnalysisState state;
        const auto ball = test::toyBall(30, 3);
        state.setEmbedding(ball, std::make_shared<const engine::SearchSpace>(ball));
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        state.edit(&AnalysisSettings::pinPresent);
        calibration::CalibrationOptions run;
        run.grid.epsilons = {1.0, 2.0, 5.0};
        const auto pinned = pinnedOptions(state, run);
        QVERIFY(pinned.has_value());
        QCOMPARE(pinned->grid.epsilons, (std::vector<double>{5.0}));
        run.grid.epsilons = {1.0, 2.0};
        QVERIFY(!pinnedOptions(state, run));
    }

    void aPinnedCurveThatCannotBeSaysWhy() {
        AnalysisState state;
        const auto ball = test::toyBall(30, 3);
        state.setEmbedding(ball, std::make_shared<const engine::SearchSpace>(ball));
        state.edit(&AnalysisSettings::draws, 20);
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        state.edit(&AnalysisSettings::pinPresent);
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        state.edit([](AnalysisSettings& settings) { settings.grid.epsilons = {1.0, 2.0}; });
        CurvesPanel panel(state);
        panel.show();
        panel.run();
        auto* notice = findControl<NoticeLine>(panel, "noticeLine");
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
        QCOMPARE(notice->text(),
                 QStringLiteral("The pinned curve is not shown: no ε of the grid is above 2, where "
                                "it begins."));
        QVERIFY(notice->findChildren<QPushButton*>().isEmpty());
        state.edit(&AnalysisSettings::pin, std::nullopt);
        QVERIFY(!notice->isVisible());
    }

    void aFailedMeasurementIsToldAndCanBeTriedAgain() {
        Fixture f;
        f.run();
        auto* notice = findControl<NoticeLine>(f.panel, "noticeLine");
        // Rows of the toy lie outside the unit ball, where hyperbolic noise does not exist.
        f.state.edit(&AnalysisSettings::pin, mechanism::Setting{mechanism::Hyperbolic(), 8.0});
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
        QVERIFY2(notice->text().startsWith(QStringLiteral("The pinned curve is not shown: ")),
                 qPrintable(notice->text()));
        const QString why = notice->text();
        QTest::mouseClick(notice->findChild<QPushButton*>(), Qt::LeftButton);
        QVERIFY(!notice->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
        QCOMPARE(notice->text(), why);
        // Changed settings are the more urgent matter; then it is said again.
        f.state.edit(&AnalysisSettings::seed, 9);
        QVERIFY(notice->text().startsWith(QStringLiteral("Settings changed")));
        f.state.edit(&AnalysisSettings::seed, 1);
        QCOMPARE(notice->text(), why);
    }

    /// Of a session's results nobody has seen the cost of another curve.
    void whatTakesLongIsMeasuredWhenAskedFor() {
        const auto embedding = test::toyEmbedding(5'000, 50);
        AnalysisState state;
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        calibration::Run asked;
        calibration::CalibrationOptions& options = asked.request.options;
        options = state.calibrationOptions();
        options.grid.epsilons = {2.0, 8.0};
        options.words.count = 5'000;
        options.draws = 100'000;
        RunCurves run;
        run.embedding = embedding;
        run.run = std::make_shared<const calibration::Run>(asked);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.9});
        state.edit(&AnalysisSettings::pinPresent);
        PinnedCurve pinned(state);
        QSignalSpy changes(&pinned, &PinnedCurve::obstacleChanged);
        pinned.setResult(std::make_shared<const RunCurves>(run), false);
        QTRY_COMPARE_WITH_TIMEOUT(changes.count(), 1, kPatienceMs);
        QVERIFY2(
            pinned.obstacle().contains(QStringLiteral("too long to start without being asked")),
            qPrintable(pinned.obstacle()));
        QVERIFY(pinned.canMeasure());
        // The same result once more says nothing new.
        pinned.setResult(std::make_shared<const RunCurves>(run), false);
        QVERIFY(!pinned.runner().isRunning());
        pinned.measure();
        QVERIFY(pinned.runner().isRunning());
        QVERIFY(pinned.obstacle().isEmpty());
        pinned.runner().cancel();
        QTRY_COMPARE_WITH_TIMEOUT(pinned.obstacle(), QStringLiteral("measuring it was cancelled"),
                                  kPatienceMs);
        QVERIFY(!pinned.run());
        state.edit(&AnalysisSettings::pin, std::nullopt);
        QVERIFY(pinned.obstacle().isEmpty());
    }

    void theDataInViewHoldThePinnedCurve() {
        Fixture f;
        f.run();
        const auto plot = [&f] { return findControl<StatisticPlot>(f.panel, "nwPlot"); };
        QVERIFY(!plot()->visibleCsv().contains(QStringLiteral("pinned")));
        QVERIFY(plot()->visibleCsv().contains(QStringLiteral(",\"current\"\n")));
        f.state.edit(&AnalysisSettings::setParameters, {.lambda = 0.9});
        f.state.edit(&AnalysisSettings::pinPresent);
        f.waitForPinned();
        QVERIFY(plot()->visibleCsv().contains(QStringLiteral("\n0.9,2,")));
        QVERIFY(plot()->visibleCsv().contains(QStringLiteral(",\"pinned: λ 0.9\"\n")));
        // Of another mechanism it has no value of the grid's parameter.
        f.state.edit(&AnalysisSettings::choose, mechanism::Tem());
        f.state.edit(&AnalysisSettings::pinPresent);
        QTRY_VERIFY_WITH_TIMEOUT(plot()->visibleCsv().contains(QStringLiteral("ε in its own unit")),
                                 kPatienceMs);
        QVERIFY(plot()->visibleCsv().contains(QStringLiteral("\n,2,")));
    }

    void limitsAreDrawnAndWritten() {
        Fixture f;
        f.state.edit(&AnalysisSettings::limits, calibration::defaultLimits());
        f.run();
        const QString before = f.description("nwPlot");
        QVERIFY2(before.contains(QStringLiteral("Limits: kept draws P95 ≤ 50%, ")),
                 qPrintable(before));
        QVERIFY(f.description("swPlot").contains(QStringLiteral("different outputs P5 ≥ 20, ")));
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("nw.svg"));
        QVERIFY(findControl<StatisticPlot>(f.panel, "nwPlot")->saveAs(path));
        QVERIFY(test::contentOf(path).contains("kept draws P95"));
        f.state.edit(&AnalysisSettings::limits, {});
        QVERIFY(!f.description("nwPlot").contains(QStringLiteral("Limits")));
        // At so large an epsilon every word is kept: 20 of 20 draws are more than half of them.
        f.state.edit(&AnalysisSettings::limits, {calibration::parseLimit("nw.p95<=50%").value()});
        f.state.edit(&AnalysisSettings::chooseEpsilon, 1e5);
        QVERIFY2(f.description("nwPlot").contains(QStringLiteral("≤ 50%, not met")),
                 qPrintable(f.description("nwPlot")));
    }
};

EPSILENS_UI_TEST(PinnedCurveTest)
#include "pinned_curve_test.moc"
