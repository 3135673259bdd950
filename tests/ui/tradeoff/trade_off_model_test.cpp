#include "ui/tradeoff/trade_off_model.h"

#include <cmath>

#include <QComboBox>
#include <QCoreApplication>
#include <QFile>
#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "tests/ui/tradeoff/trade_off_fixture.h"
#include "ui/tradeoff/measured_curves.h"
#include "ui/tradeoff/numbers_view.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
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
        QVERIFY(model.obstacle().contains(QStringLiteral("Open texts with")));
    }

    void droppedTextsTakeTheirResultsAlong() {
        Fixture f;
        f.measure();
        QVERIFY(f.model.kept().evaluation != nullptr);
        f.model.measure();
        QVERIFY(f.model.isRunning());
        f.model.dropTexts();
        QVERIFY(f.model.source().texts() == nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(!f.model.isRunning(), kPatienceMs);
        QVERIFY(f.model.result() == nullptr && f.model.kept().evaluation == nullptr);
        QVERIFY(f.model.staleness().isEmpty());
        QVERIFY(f.model.obstacle().contains(QStringLiteral("Open texts with")));
    }

    void tasksThatTheTextsDoNotSupportAreRefused() {
        Fixture f;
        f.open();
        QVERIFY(f.model.refusalOf(Task::classify).isEmpty());
        QVERIFY(f.model.refusalOf(Task::membership).isEmpty());
        QVERIFY(f.model.refusalOf(Task::authorship).contains(QStringLiteral("authors")));
        f.model.setChoice({{}, {Task::authorship}, 3});
        QVERIFY(f.model.options().tasks.empty());
        QCOMPARE(f.model.obstacle(), QStringLiteral("Choose what to measure."));
        f.model.source().setColumns({{}, {}, QStringLiteral("penned")});
        QTRY_VERIFY_WITH_TIMEOUT(f.model.refusalOf(Task::authorship).isEmpty(), kPatienceMs);
        QCOMPARE(f.model.options().tasks, std::vector<Task>{Task::authorship});
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

    /// Lines beside the curve of accuracy are what the evaluation found without noise and in words
    /// drawn at random.
    void theCurveOfUseStandsBetweenItsEnds() {
        Fixture f;
        f.measure();
        const experiment::EvaluationSummary& summary = f.model.result()->summary();
        const auto accuracy = [](const experiment::ClassifierResults& results) {
            return 100.0 * results.of(experiment::Measure::accuracy).mean;
        };
        const MeasuredCurves curves = utilityCurves(*f.model.result(), 0);
        QCOMPARE(curves.references.size(), std::size_t{3});
        const double floor = accuracy(summary.floor.front());
        const double ceiling = accuracy(summary.ceiling.front());
        QVERIFY(ceiling > floor);
        // A limit lies as far between the ends as it asks for, and on risk above the prior.
        const std::vector limits{*experiment::parseFigureLimit("attack.gain<=20%"),
                                 *experiment::parseFigureLimit("classify.linear.retained>=75%")};
        const MeasuredCurves limited = utilityCurves(*f.model.result(), 0, limits);
        QCOMPARE(limited.references.size(), std::size_t{4});
        QVERIFY(limited.references.back().isLimit);
        QCOMPARE(limited.references.back().value, 0.25 * floor + 0.75 * ceiling);
        const MeasuredCurves risk = riskCurves(*f.model.result(), 0, limits);
        QCOMPARE(risk.references.size(), std::size_t{2});
        QCOMPARE(risk.references[1].value, risk.references[0].value + 20.0);
        QCOMPARE(curves.references[0].value, accuracy(summary.ceiling.front()));
        QCOMPARE(curves.references[1].value, accuracy(summary.floor.front()));
        QCOMPARE(curves.references[2].value, 100.0 * summary.majority);
    }

    void speaksOfThePresentSettingOnly() {
        Fixture f;
        f.measure();
        QVERIFY(f.model.isPresentMeasured());
        QVERIFY2(f.model.sentence().startsWith(QStringLiteral("At ε 50, λ 0.5: ")) &&
                     f.model.sentence().contains(QStringLiteral("always saying \"first\"")),
                 qPrintable(f.model.sentence()));
        f.state.edit(&AnalysisSettings::chooseEpsilon, 40.0);
        QVERIFY(f.model.sentence().startsWith(
            QStringLiteral("Measured nearest to your setting: At ε 50, λ 0.5: ")));
        QVERIFY(!f.model.isPresentMeasured());
        f.state.edit(&AnalysisSettings::chooseEpsilon, 60.0);
        QCOMPARE(f.model.attackerSentence(), QString());
        QVERIFY(f.model.sentence().contains(QStringLiteral("outside the measured range, 1 to 50")));
        // Another lambda of the grid needs no other measurement.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 1.0);
        f.state.edit(&AnalysisSettings::setParameters, {.lambda = 0.0});
        QCOMPARE(f.model.family(), std::size_t{0});
        QVERIFY(f.model.sentence().startsWith(QStringLiteral("At ε 1, λ 0: ")));
    }

    void theSettingOfTheDialIsMeasuredToo() {
        Fixture f;
        f.state.edit([](AnalysisSettings& settings) {
            settings.chooseEpsilon(7.5);
            settings.setParameters({.lambda = 0.25});
        });
        f.open();
        QCOMPARE(f.model.options().grid.epsilons, (std::vector<double>{1.0, 7.5, 50.0}));
        QCOMPARE(f.model.options().grid.lambdas, (std::vector<double>{0.0, 0.25, 0.5}));
        f.measure();
        QVERIFY(f.model.isPresentMeasured());
        QVERIFY2(f.model.sentence().startsWith(QStringLiteral("At ε 7.5, λ 0.25: ")),
                 qPrintable(f.model.sentence()));
        // The grid is answered wherever the dial stands.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 8.0);
        QCOMPARE(f.model.staleness(), QString());
        f.state.edit([](AnalysisSettings& settings) { settings.grid.epsilons = {1.0, 8.0}; });
        QVERIFY(f.model.staleness().contains(QStringLiteral("previous settings")));
    }

    void showsWhatWasFoundWhileItMeasures() {
        Fixture f;
        f.open();
        std::vector<TradeOffResultHandle> shown;
        QObject::connect(&f.model, &TradeOffModel::resultChanged, &f.model,
                         [&] { shown.push_back(f.model.result()); });
        f.measure();
        QVERIFY(shown.size() > 1);
        QVERIFY(shown.front()->summary().partial);
        QCOMPARE(shown.front()->summary().repeats, 1);
        // What is not finished goes into no report and no session.
        QVERIFY(!shown.front()->stored && !shown.front()->kept);
        QVERIFY(!shown.back()->summary().partial);
        QVERIFY(shown.back()->stored && shown.back()->kept);
    }

    void anEvaluationOfASessionIsShownWithoutMeasuring() {
        Fixture f;
        f.measure();
        const QString said = f.model.sentence();
        TradeOffModel other(f.state);
        other.restore(f.model.kept(), toStdPath(f.folder.filePath(QStringLiteral("x"))));
        QVERIFY(other.kept().evaluation == f.model.result()->kept);
        QTRY_VERIFY_WITH_TIMEOUT(other.result() != nullptr && other.source().texts() != nullptr &&
                                     !other.source().reader().isRunning(),
                                 kPatienceMs);
        QVERIFY2(other.staleness().isEmpty(), qPrintable(other.staleness()));
        QCOMPARE(other.sentence(), said);
        QVERIFY(other.kept().evaluation == f.model.result()->kept);
        QCOMPARE(other.result()->record.summary.guarantees.size(),
                 f.model.result()->record.summary.guarantees.size());
        other.restore({}, {});
        QVERIFY(!other.result() && other.kept() == KeptTradeOff());
        QVERIFY(!other.source().texts());
    }

    void aRestoredEvaluationOfTextsThatAreNotThereIsGrey() {
        Fixture f;
        f.measure();
        const KeptTradeOff kept = f.model.kept();
        const auto stalenessOf = [&] {
            TradeOffModel other(f.state);
            other.restore(kept, {});
            const bool isShown = QTest::qWaitFor(
                [&] { return other.result() && !other.source().isReading(); }, kPatienceMs);
            return isShown && other.sentence().isEmpty() ? other.staleness() : QString();
        };
        f.open(60);
        QCOMPARE(stalenessOf(),
                 QStringLiteral("texts.csv has changed; these results belong to the texts as they "
                                "were."));
        QVERIFY(QFile::remove(f.folder.filePath(QStringLiteral("texts.csv"))));
        QCOMPARE(
            stalenessOf(),
            QStringLiteral("texts.csv is gone; these results belong to the texts as they were."));
    }

    void resultsBelongToTheirSettings() {
        Fixture f;
        f.measure();
        QCOMPARE(f.model.staleness(), QString());
        f.state.edit(&AnalysisSettings::seed, 9);
        QVERIFY(f.model.staleness().contains(QStringLiteral("previous settings")));
        QCOMPARE(f.model.sentence(), QString());
        f.state.edit(&AnalysisSettings::seed, 1);
        QCOMPARE(f.model.staleness(), QString());
        const TextPolicies policies = f.state.textPolicies();
        for (const TextPolicies& other :
             {TextPolicies{release::UnknownPolicy::drop, policies.letterCase},
              TextPolicies{policies.unknownWords, text::CasePolicy::keep}}) {
            f.state.edit(&AnalysisSettings::textPolicies, other);
            QVERIFY(f.model.staleness().contains(QStringLiteral("previous settings")));
        }
        f.state.edit(&AnalysisSettings::textPolicies, policies);
        QCOMPARE(f.model.staleness(), QString());
        f.open(60);
        QVERIFY(f.model.staleness().contains(QStringLiteral("other texts")));
        const auto other = test::toyEmbedding(30, 3);
        f.state.setEmbedding(other, std::make_shared<const engine::SearchSpace>(other));
        QVERIFY(!f.model.result() && f.model.staleness().isEmpty());
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
        // One of other settings does not.
        f.state.edit(&AnalysisSettings::choose, mechanism::Mechanism(mechanism::Tem{}));
        f.state.edit(&AnalysisSettings::chooseEpsilon, 3.25);
        f.model.choose(0);
        QCOMPARE(f.state.epsilon(), 3.25);
        QVERIFY(f.state.mechanism().isKindOf(mechanism::Tem{}));
    }

    void aRunOfEarlierSettingsSaysSo() {
        Fixture f;
        f.measure();
        f.model.measure();
        QCOMPARE(f.model.runStaleness(), QString());
        f.state.edit(&AnalysisSettings::choose, mechanism::Mechanism(mechanism::Tem{}));
        QVERIFY(f.model.runStaleness().contains(QStringLiteral("of the settings before")));
        f.model.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!f.model.isRunning(), kPatienceMs);
        QCOMPARE(f.model.runStaleness(), QString());
    }

    /// Reference: what was measured of the setting before the grid.
    void whatIsKnownOfTheSettingStaysWhileAGridIsMeasured() {
        Fixture f;
        f.open();
        f.model.measurePresent();
        QTRY_VERIFY_WITH_TIMEOUT(f.model.isPresentMeasured() && !f.model.isRunning(), kPatienceMs);
        const auto known = f.model.result();
        const QString said = f.model.sentence();
        int partial = 0;
        QObject::connect(&f.model, &TradeOffModel::stalenessChanged, &f.model, [&] {
            if (!f.model.isRunning()) {
                return;
            }
            partial += f.model.result() != known ? 1 : 0;
            QVERIFY(f.model.current() == known && f.model.kept().evaluation == known->kept);
            QCOMPARE(f.model.sentence(), said);
            NumbersView numbers;
            numbers.setResult(f.model.result(), f.model.present());
            // Of what is not attacked yet too.
            QCOMPARE(test::findControl<QComboBox>(numbers, "numbersComboBox")->count(), 2);
        });
        f.model.measure();
        QTRY_VERIFY_WITH_TIMEOUT(!f.model.isRunning(), kPatienceMs);
        QVERIFY(partial > 0);
        QVERIFY(f.model.current() == f.model.result() && f.model.result() != known);
        QCOMPARE(f.model.sentence(), said);
    }

    void aCancelledMeasurementLeavesTheOneBefore() {
        Fixture f;
        f.measure();
        const auto before = f.model.result();
        f.model.measure();
        f.model.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!f.model.isRunning(), kPatienceMs);
        QVERIFY(f.model.result() == before && f.model.staleness().isEmpty());
    }
};

EPSILENS_UI_TEST(TradeOffModelTest)
#include "trade_off_model_test.moc"
