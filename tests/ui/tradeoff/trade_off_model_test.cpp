#include "ui/tradeoff/trade_off_model.h"

#include <cmath>

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "tests/ui/tradeoff/trade_off_fixture.h"
#include "ui/tradeoff/measured_curves.h"

using namespace epsilens;
using namespace epsilens::ui;
using experiment::ClassifierKind;
using experiment::Task;
using test::kPatienceMs;

namespace {

struct TradeOffModelFixture {
    TradeOffModelFixture() { test::loadToyGridInto(state); }
    void open(int documents = 120) {
        model.source().open(
            test::written(folder, QStringLiteral("texts.csv"), test::labelledCsv(documents)));
        QTRY_VERIFY_WITH_TIMEOUT(
            model.source().texts() != nullptr && !model.source().reader().isRunning(), kPatienceMs);
    }
    void measure() {
        open();
        QCOMPARE(model.obstacle(), QString());
        model.measure();
        QTRY_VERIFY_WITH_TIMEOUT(model.result() != nullptr && !model.isRunning(), kPatienceMs);
    }

    QTemporaryDir folder;
    AnalysisState state;
    TradeOffModel model{state};
};

}  // namespace

class TradeOffModelTest : public QObject {
    Q_OBJECT

    using Fixture = TradeOffModelFixture;

private Q_SLOTS:
    void saysWhatIsMissing() {
        AnalysisState state;
        TradeOffModel model(state);
        QVERIFY(model.obstacle().contains(QStringLiteral("Open an embedding")));
        test::loadToyGridInto(state);
        QVERIFY(model.obstacle().contains(QStringLiteral("Open labelled texts")));
    }

    void tasksThatTheTextsDoNotSupportAreRefused() {
        Fixture f;
        f.open();
        QVERIFY(f.model.refusalOf(Task::classify).isEmpty());
        QVERIFY(f.model.refusalOf(Task::membership).isEmpty());
        QVERIFY(f.model.refusalOf(Task::authorship).contains(QStringLiteral("authors")));
        f.model.setChoice({{}, {Task::authorship}});
        QVERIFY(f.model.options().tasks.empty());
        QCOMPARE(f.model.obstacle(), QStringLiteral("Choose what to measure."));
        f.model.source().setColumns({{}, {}, QStringLiteral("penned")});
        QTRY_VERIFY_WITH_TIMEOUT(f.model.refusalOf(Task::authorship).isEmpty(), kPatienceMs);
        QCOMPARE(f.model.options().tasks, std::vector<Task>{Task::authorship});
    }

    void theCostIsToldBeforeStart() {
        Fixture f;
        f.open();
        QTRY_VERIFY_WITH_TIMEOUT(
            f.model.costText().startsWith(QStringLiteral("4 settings × 5 repeats, ")), kPatienceMs);
        QVERIFY(f.model.costText().endsWith(QStringLiteral(" GiB")));
    }

    // At epsilon 1 nothing of the toy survives, at 50 nearly all.
    void measuresBothSides() {
        Fixture f;
        f.measure();
        const TradeOffResult& result = *f.model.result();
        QCOMPARE(result.families.size(), std::size_t{2});
        QCOMPARE(f.model.family(), std::size_t{1});
        const MeasuredCurves utility = utilityCurves(result, 1);
        QCOMPARE(utility.lines.size(), std::size_t{1});
        QCOMPARE(utility.lines.front().name, QStringLiteral("by words"));
        QCOMPARE(utility.lines.front().points.size(), std::size_t{2});
        QCOMPARE(utility.lines.front().points[1].epsilon, 50.0);
        QVERIFY(utility.lines.front().points[1].value > utility.lines.front().points[0].value);
        QCOMPARE(utility.references.size(), std::size_t{3});
        const MeasuredCurves risk = riskCurves(result, 1);
        QCOMPARE(risk.lines.front().name, QStringLiteral("best attacker"));
        QVERIFY(risk.lines.front().points[1].value > risk.lines.front().points[0].value + 20.0);
        QCOMPARE(risk.references.size(), std::size_t{1});
        QVERIFY(risk.references.front().value < 20.0);
    }

    void speaksOfThePresentSettingOnly() {
        Fixture f;
        f.measure();
        QVERIFY(f.model.sentence().startsWith(QStringLiteral("At ε 50, λ 0.5 a linear")));
        f.state.edit(&AnalysisSettings::chooseEpsilon, 40.0);
        QVERIFY(f.model.sentence().startsWith(
            QStringLiteral("Measured nearest to your setting: At ε 50, λ 0.5")));
        f.state.edit(&AnalysisSettings::chooseEpsilon, 60.0);
        QCOMPARE(f.model.attackerSentence(), QString());
        QVERIFY(f.model.sentence().contains(QStringLiteral("outside what was measured, 1 to 50")));
        // Another lambda of the grid needs no other measurement.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 1.0);
        f.state.edit(&AnalysisSettings::setParameters, {.lambda = 0.0});
        QCOMPARE(f.model.family(), std::size_t{0});
        QVERIFY(f.model.sentence().startsWith(QStringLiteral("At ε 1, λ 0 ")));
    }

    void resultsBelongToTheirSettings() {
        Fixture f;
        f.measure();
        QCOMPARE(f.model.staleness(), QString());
        f.state.edit(&AnalysisSettings::seed, 9);
        QVERIFY(f.model.staleness().contains(QStringLiteral("settings before")));
        QCOMPARE(f.model.sentence(), QString());
        f.state.edit(&AnalysisSettings::seed, 1);
        QCOMPARE(f.model.staleness(), QString());
        f.open(60);
        QVERIFY(f.model.staleness().contains(QStringLiteral("other texts")));
        const auto other = test::toyEmbedding(30, 3);
        f.state.setEmbedding(other, std::make_shared<const engine::SearchSpace>(other));
        QVERIFY(f.model.staleness().contains(QStringLiteral("another embedding")));
    }

    void aChosenCellBecomesTheSetting() {
        Fixture f;
        f.measure();
        const experiment::EvaluationSummary& summary = f.model.result()->summary();
        for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
            f.model.choose(cell);
            QCOMPARE(f.state.epsilon(), summary.cells[cell].epsilon);
            QCOMPARE(f.state.lambda(), summary.cells[cell].lambda);
        }
        QCOMPARE(f.model.staleness(), QString());
    }

    void aCancelledMeasurementLeavesTheOneBefore() {
        Fixture f;
        f.measure();
        const auto before = f.model.result();
        f.model.measure();
        f.model.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!f.model.isRunning(), kPatienceMs);
        QVERIFY(f.model.result() == before || f.model.result()->summary().partial);
    }
};

EPSILENS_UI_TEST(TradeOffModelTest)
#include "trade_off_model_test.moc"
