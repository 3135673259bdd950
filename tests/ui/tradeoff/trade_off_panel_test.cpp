#include "ui/tradeoff/trade_off_panel.h"

#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/evaluation/evaluation_run.h"
#include "tests/ui/tradeoff/trade_off_fixture.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"

using namespace epsilens;
using namespace epsilens::ui;
using attack::Task;
using test::kPatienceMs;

namespace {

struct Measured : test::TradeOffFixture {
    Measured() { measure(); }
};

}  // namespace

class TradeOffPanelTest : public QObject {
    Q_OBJECT

    using Fixture = test::TradeOffFixture;

private Q_SLOTS:
    void beginsWithOneButton() {
        Fixture f;
        QVERIFY(f.model.obstacle().contains("Open texts with"));
        QVERIFY(!f.isShown("measureTradeOffPushButton") && !f.isShown("linearCheckBox"));
        dialogs::presetOpenFile(
            test::writeFile(f.folder.filePath("texts.csv"), test::labelledCsv(20)));
        f.click("openLabelledPushButton");
        QTRY_VERIFY(f.model.source().texts() != nullptr);
        QVERIFY(f.isShown("measureTradeOffPushButton") && f.isShown("linearCheckBox"));
    }

    /// Before anything is measured. At so much epsilon every known word stays, at so little none of
    /// forty does; what is promised of one word is that of the dial.
    void whatIsPromisedOfTheTextsAndTenOfThemReleasedComeFirst() {
        Fixture f;
        f.open(20);
        const auto& table = f.find<QTableWidget>("beforeAfterTableView");
        const auto isAfter = [&](const auto& expected) {
            return test::handleEventsUntil([&] {
                bool isAll = table.isEnabled() && table.rowCount() == 10;
                for (int row = 0; isAll && row < 10; ++row) {
                    isAll = table.item(row, 1)->text() == expected(table.item(row, 0)->text());
                }
                return isAll;
            });
        };
        f.chooseEpsilon(1e9);
        QVERIFY(isAfter([](QString before) { return before.replace("unheard", "<unk>"); }));
        QCOMPARE(table.item(9, 0)->text().toStdString(),
                 f.model.source().texts()->data.documents[18].text);
        f.state.edit(&AnalysisSettings::textPolicies,
                     {release::UnknownPolicy::drop, text::CasePolicy::automatic});
        QVERIFY(isAfter([](const QString& before) { return before.section(' ', 0, 3); }));
        f.chooseEpsilon(1e-9);
        QTRY_VERIFY(table.isEnabled() && table.item(0, 1)->text() != table.item(0, 0)->text());
        // Four known words each: ln 1,000,000 = 13.8.
        const double loss = *f.guarantee.lossAt(1.0);
        f.chooseEpsilon(13.8 / 4.0 / loss);
        QVERIFY(f.says("textsPromiseLabel", " at most ×98") &&
                f.says("textsPromiseLabel", "0 (median text, 4 words) · ×98"));
        f.chooseEpsilon(14.0 / 4.0 / loss);
        QVERIFY(f.says("textsPromiseLabel", " · 10⁷: no useful bound (longest, 4 words)."));
    }

    void aFolderOfClassesIsOpenedToo() {
        Fixture f;
        for (const char* name : {"spam", "ham"}) {
            QVERIFY(QDir(f.folder.path()).mkdir(name));
            for (int i = 0; i < 3; ++i) {
                test::writeFile(f.folder.filePath(QString("%1/%2.txt").arg(name).arg(i)),
                                "paris london");
            }
        }
        dialogs::presetOpenFile(f.folder.path());
        f.panel.chooseFolder();
        QTRY_VERIFY(f.model.source().texts() != nullptr);
        QCOMPARE(f.model.source().texts()->data.documents.size(), 6);
        QCOMPARE(f.model.source().texts()->data.classes.size(), 2);
    }

    void whatTheTextsDoNotSupportIsOffWithTheReason() {
        Fixture f;
        f.open();
        auto* authors = &f.find<QCheckBox>("authorshipCheckBox");
        QVERIFY(!authors->isEnabled());
        QVERIFY(authors->toolTip().contains("two authors"));
        QVERIFY(f.isEnabled("membershipCheckBox"));
        for (const char* name : {"linearCheckBox", "reconstructCheckBox"}) {
            f.find<QCheckBox>(name).setChecked(false);
        }
        QCOMPARE(f.text("tradeOffProgressLabel"), "Choose what to measure.");
        QVERIFY(!f.isEnabled("measureTradeOffPushButton"));
        QCOMPARE(f.find<QLineEdit>("labelColumnLineEdit").placeholderText(), "label (guessed)");
        f.enter("authorColumnLineEdit", "penned");
        QTRY_VERIFY(authors->isEnabled());
        authors->setChecked(true);
        QCOMPARE(f.model.options().tasks, std::vector<Task>{Task::authorship});
        QVERIFY(f.isEnabled("measureTradeOffPushButton"));
    }

    void aNumberOfRepeatsThatIsRefusedIsNotMeasuredWith() {
        Fixture f;
        f.open();
        f.panel.activateWindow();
        const auto measureWith = [&](const char* typed) {
            f.enter("repeatsField", typed);
            f.click("measureTradeOffPushButton");
            return f.model.isRunning();
        };
        QVERIFY(!measureWith("1"));
        QCOMPARE(f.panel.focusWidget(), &f.find("repeatsField"));
        QVERIFY(measureWith("2"));
        QCOMPARE(f.model.options().repeats, 2);
    }

    /// Lines beside the curve of accuracy are what the evaluation found without noise and in words
    /// drawn at random; at epsilon 1 nothing of the toy survives, at 50 nearly all.
    void plotsShowUseAndRiskBetweenTheirEnds() {
        Fixture f;
        // A limit lies as far between the ends as it asks for, and on risk above the prior.
        f.state.edit(&AnalysisSettings::figureLimits,
                     {*evaluation::parseFigureLimit("attack.gain<=20%"),
                      *evaluation::parseFigureLimit("classify.linear.retained>=75%")});
        f.measure();
        QCOMPARE(f.model.family(), 1);
        const evaluation::EvaluationSummary& summary = f.model.result()->summary();
        const auto accuracy = [](const attack::Findings& found) {
            return 100.0 * attack::figureAt(found, "linear.accuracy")->value;
        };
        const PlotContent& use = f.content("utilityPlot");
        const double floor = accuracy(summary.floor);
        const double ceiling = accuracy(summary.ceiling);
        QVERIFY(ceiling > floor);
        const std::array ends{ceiling, floor, 100.0 * summary.majority,
                              0.25 * floor + 0.75 * ceiling};
        QCOMPARE(use.references.size(), ends.size());
        for (std::size_t i = 0; i < ends.size(); ++i) {
            QVERIFY(std::abs(use.references[i].value - ends.at(i)) < 1e-9);
            QCOMPARE(use.references[i].isLimit, i == 3);
        }
        QCOMPARE(use.series.size(), 1);
        QCOMPARE(use.series.front().name, "by words");
        const auto& points = use.series.front().points;
        QCOMPARE(points.size(), 2);
        QVERIFY(points[0].x == 1.0 && points[1].x == 50.0 && points[1].y > points[0].y);
        QCOMPARE(points[1].y, accuracy(summary.cells[*points[1].id].classify));
        const PlotContent& risk = f.content("riskPlot");
        const PlotSeries& best = risk.series.front();
        QCOMPARE(best.name, "best attacker");
        QVERIFY(best.points[1].y > best.points[0].y + 20.0);
        QCOMPARE(risk.references.size(), 2);
        QVERIFY(risk.references.front().value < 20.0);
        QCOMPARE(risk.references[1].value, risk.references[0].value + 20.0);
    }

    void resultsAreToldInWordsNumbersAndRows() {
        Measured f;
        const QString said = f.text("tradeOffSentenceLabel");
        QVERIFY(test::begins(said, "At ε 50, λ 0.5: ") &&
                test::holds(said, "always saying \"first\""));
        // No attacker's count stands without its interval.
        const QString count = "\\d+\\.\\d \\(\\d+\\.\\d to \\d+\\.\\d\\)";
        const QString risk = f.find<XyPlot>("riskPlot").accessibleDescription();
        QVERIFY2(QRegularExpression(" best attacker: " + count).match(risk).hasMatch(),
                 qPrintable(risk));
        QVERIFY(f.text("tradeOffOriginLabel").contains("no guarantee"));
        auto* use = &f.find<XyPlot>("utilityPlot");
        QVERIFY2(QRegularExpression(
                     "^curve,epsilon,of100,low95,high95\n\"by words\",1,[^,\n]+,"
                     "[^,\n]+,[^,\n]+\n\"by words\",50,[^\n]+\n\"no noise: 100% useful\",,")
                     .match(use->visibleCsv())
                     .hasMatch(),
                 qPrintable(use->visibleCsv()));
        auto* frontier = &f.find<XyPlot>("frontierPlot");
        std::size_t settings = 0;
        for (const PlotSeries& line : frontier->content().series) {
            settings += line.points.size();
            QCOMPARE(line.points.front().text.count(" to "), 2);
        }
        QCOMPARE(settings, 4);
        QVERIFY(frontier->accessibleDescription().startsWith("No other setting"));
        // The original text, two references and four settings.
        QCOMPARE(f.find<QTableView>("tradeOffTableView").model()->rowCount(), 7);
        f.click("copyNumbersPushButton");
        QVERIFY(QApplication::clipboard()->text().contains("reconstruct"));
    }

    void speaksOfThePresentSettingOnly() {
        Measured f;
        QVERIFY(f.model.isPresentMeasured());
        f.chooseEpsilon(40.0);
        QVERIFY(f.text("tradeOffSentenceLabel")
                    .startsWith("Measured nearest to your setting: At ε 50, λ 0.5: "));
        QVERIFY(!f.model.isPresentMeasured());
        f.chooseEpsilon(60.0);
        QCOMPARE(f.model.attackerSentence(), QString());
        QVERIFY(f.text("tradeOffSentenceLabel").contains("outside the measured range, 1 to 50"));
        // Another lambda of the grid needs no other measurement.
        f.chooseEpsilon(1.0);
        f.set({.lambda = 0.0});
        QVERIFY(f.text("tradeOffSentenceLabel").startsWith("At ε 1, λ 0: "));
    }

    /// References: the rule, held against the figures that were found, and an evaluation of all of
    /// these epsilons at once.
    void sixEpsilonsAreMeasuredWhereTheCurvesAreSteep() {
        Fixture f;
        f.compareNoLambdas();
        f.chooseEpsilon(7.5);
        f.open();
        f.model.measurePresent();
        QTRY_VERIFY(f.model.isPresentMeasured() && !f.model.isRunning());
        // What is known of the setting stays while more is measured.
        const auto present = f.model.result();
        const QString said = f.text("tradeOffSentenceLabel");
        int more = 0;
        const auto watch = QObject::connect(&f.panel.goals(), &TextsSearch::changed, [&] {
            more += f.model.isRunning() && f.model.result() != present ? 1 : 0;
            QCOMPARE(f.model.stored(), std::vector{f.model.result()->record});
            QCOMPARE(f.text("tradeOffSentenceLabel"), said);
        });
        f.model.measure();
        f.settle();
        QObject::disconnect(watch);
        QVERIFY(more > 0);
        const evaluation::EvaluationSummary& summary = f.model.result()->summary();
        const std::vector<double>& measured = summary.options.grid.epsilons;
        QCOMPARE(measured.size(), 6);
        const auto difference = [&](double a, double b) {
            double largest = 0.0;
            for (const char* path : {"classify.linear.retained", "reconstruct.gain"}) {
                const auto at = [&](double epsilon) {
                    const auto cell =
                        calibration::cellOf(summary.options.grid, {f.state.mechanism(), epsilon});
                    return evaluation::figureAt(summary, evaluation::kBaselines + *cell, path)
                        ->value;
                };
                largest = std::max(largest, std::abs(at(a) - at(b)));
            }
            return largest;
        };
        std::vector<double> known{1.0, 7.5, 50.0};
        while (known.size() < measured.size()) {
            std::size_t steepest = 1;
            for (std::size_t i = 2; i < known.size(); ++i) {
                if (difference(known[i - 1], known[i]) >
                    difference(known[steepest - 1], known[steepest])) {
                    steepest = i;
                }
            }
            const double middle = std::sqrt(known[steepest - 1] * known[steepest]);
            const auto nearest = std::ranges::min_element(
                measured, {}, [middle](double epsilon) { return std::abs(epsilon - middle); });
            known.insert(known.begin() + static_cast<std::ptrdiff_t>(steepest), *nearest);
            QVERIFY(std::abs(known[steepest] / middle - 1.0) < 0.005);
        }
        QCOMPARE(known, measured);
        const auto whole = evaluation::Evaluation::create(
            *f.state.searchSpace(), f.model.source().texts()->data, summary.options);
        const auto jsonOf = [&](const evaluation::EvaluationSummary& of) {
            auto json = document::evaluationDocument({f.model.result()->record->provenance, of});
            json["run"].erase("seconds");
            return json.dump();
        };
        QCOMPARE(jsonOf(summary), jsonOf(whole.value().run().value()));
        // They stay wherever the dial stands, and it adds its own.
        f.chooseEpsilon(8.0);
        f.state.edit([](AnalysisSettings& settings) { settings.grid.epsilons = {1.0, 8.0, 50.0}; });
        QVERIFY(f.model.staleness().isEmpty() && !f.model.isPresentMeasured());
        f.model.measure();
        f.settle();
        QVERIFY(f.model.isPresentMeasured());
        known.insert(std::ranges::lower_bound(known, 8.0), 8.0);
        QCOMPARE(f.model.result()->summary().options.grid.epsilons, known);
    }

    void otherLambdasAreMeasuredOnlyWhereTheGridWasChanged() {
        Fixture f;
        f.state.edit([](AnalysisSettings& settings) {
            settings.grid.lambdas = calibration::defaultLambdaGrid();
        });
        QCOMPARE(f.model.options().grid.lambdas, std::vector<double>{0.5});
        // That of a vocabulary whose covariance is singular.
        f.state.edit([](AnalysisSettings& settings) { settings.grid.lambdas.pop_back(); });
        QCOMPARE(f.model.options().grid.lambdas, std::vector<double>{0.5});
        f.state.edit([](AnalysisSettings& settings) { settings.grid.lambdas = {0.0, 1.0}; });
        QCOMPARE(f.model.options().grid.lambdas, (std::vector<double>{0.0, 0.5, 1.0}));
        f.choose(mechanism::Tem());
        f.set({.beta = 0.01});
        QCOMPARE(f.model.options().grid.betas, std::vector<double>{0.01});
    }

    void whatWasFinishedBeforeCancelStays() {
        Fixture f;
        f.open();
        std::vector<TradeOffResultHandle> shown;
        QObject::connect(&f.model, &TradeOffModel::changed, &f.model, [&] {
            const auto& result = f.model.result();
            if (result && (shown.empty() || shown.back() != result)) {
                shown.push_back(result);
            }
            if (result && f.model.isRunning() && result->summary().repeats == 3) {
                f.model.cancel();
            }
        });
        f.panel.measureOrOpen();
        QTRY_VERIFY(f.model.result() != nullptr && !f.model.isRunning());
        // What is not finished goes into no report and no session.
        QCOMPARE(shown.front()->summary().repeats, 1);
        QVERIFY(shown.front()->summary().partial && !shown.front()->isFinished);
        const evaluation::EvaluationSummary& summary = f.model.result()->summary();
        QVERIFY(summary.partial && summary.repeats >= 3);
        QCOMPARE(summary.cells.size(), 4);
        QVERIFY(f.text("tradeOffSentenceLabel").contains("get the right class"));
        QVERIFY(f.text("tradeOffOriginLabel").startsWith("Partial: cancelled before the end."));
        QVERIFY(f.isShown("utilityPlot"));
        // Everything, and once more in vain.
        f.model.disconnect(&f.model);
        f.model.measure();
        f.settle();
        const auto before = f.model.result();
        QVERIFY(!before->summary().partial && before->isFinished);
        f.model.measure();
        f.model.cancel();
        f.settle();
        QVERIFY(f.model.result() == before && f.model.staleness().isEmpty());
    }

    /// And the others are measured when it goes on.
    void epsilonsThatWereFinishedBeforeCancelStay() {
        Fixture f;
        f.compareNoLambdas();
        f.open();
        const auto measured = [&f] {
            const auto& result = f.model.result();
            return result ? result->summary().options.grid.epsilons : std::vector<double>();
        };
        QObject::connect(&f.model, &TradeOffModel::changed, &f.panel, [&] {
            if (f.model.isRunning() && measured().size() == 2) {
                f.model.cancel();
            }
        });
        f.model.measure();
        f.settle();
        QCOMPARE(measured(), (std::vector<double>{1.0, 50.0}));
        QVERIFY(!f.model.result()->summary().partial && f.model.kept().evaluation);
        f.model.disconnect(&f.panel);
        f.model.measure();
        f.settle();
        QCOMPARE(measured().size(), 6);
    }

    void droppedTextsTakeTheirResultsAlong() {
        Measured f;
        QVERIFY(f.model.kept().evaluation != nullptr);
        f.model.measure();
        QVERIFY(f.model.isRunning());
        f.model.dropTexts();
        QVERIFY(f.model.source().texts() == nullptr);
        f.settle();
        QVERIFY(f.model.result() == nullptr && f.model.kept() == KeptTradeOff());
        QVERIFY(f.model.staleness().isEmpty());
        QVERIFY(f.model.obstacle().contains("Open texts with"));
    }

    void aRestoredEvaluationOfTextsThatAreNotThereIsGrey() {
        Measured f;
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
                 "texts.csv has changed; these results belong to the texts as they "
                 "were.");
        QVERIFY(QFile::remove(f.folder.filePath("texts.csv")));
        QCOMPARE(stalenessOf(),
                 "texts.csv is gone; these results belong to the texts as they were.");
    }

    void resultsBelongToTheirSettings() {
        Measured f;
        const TextPolicies policies = f.state.textPolicies();
        QCOMPARE(f.model.staleness(), QString());
        for (const TextPolicies& other :
             {TextPolicies{release::UnknownPolicy::drop, policies.letterCase},
              TextPolicies{policies.unknownWords, text::CasePolicy::keep}}) {
            f.state.edit(&AnalysisSettings::textPolicies, other);
            QVERIFY(f.model.staleness().contains("previous settings"));
        }
        f.state.edit(&AnalysisSettings::textPolicies, policies);
        QCOMPARE(f.model.staleness(), QString());
        f.state.edit(&AnalysisSettings::seed, 9);
        auto* line = f.panel.findChild<NoticeLine*>();
        auto* copy = &f.find<QPushButton>("copyNumbersPushButton");
        QVERIFY(line->text().contains("previous settings"));
        QVERIFY(f.text("tradeOffSentenceLabel").isEmpty());
        QVERIFY(!copy->isEnabled());
        QVERIFY(copy->toolTip().contains("are not exported"));
        // Measured again they speak for themselves.
        QTest::mouseClick(line->findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_VERIFY(!f.model.isRunning() && line->isHidden());
        QVERIFY(copy->isEnabled());
        f.open(60);
        QVERIFY(f.model.staleness().contains("other texts"));
        test::open(f.state, test::toyEmbedding(30, 3));
        QVERIFY(!f.model.result() && f.model.staleness().isEmpty());
    }

    void aPointThatIsChosenBecomesTheSetting() {
        Measured f;
        const evaluation::EvaluationSummary& summary = f.model.result()->summary();
        auto* plot = &f.find<XyPlot>("riskPlot");
        for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
            Q_EMIT plot->pointChosen(cell);
            QCOMPARE(f.state.epsilon(), summary.cells[cell].epsilon);
            QCOMPARE(f.state.lambda(), summary.cells[cell].lambda);
        }
        QCOMPARE(f.model.staleness(), QString());
        // The plots move the epsilon of the window together.
        const double before = f.state.epsilon();
        QTest::keyClick(plot, Qt::Key_PageDown);
        QVERIFY(f.state.epsilon() < before);
        QCOMPARE(f.find<XyPlot>("utilityPlot").cursor(), f.state.epsilon());
        // One of other settings is not taken.
        f.choose(mechanism::Tem{});
        f.chooseEpsilon(3.25);
        Q_EMIT plot->pointChosen(0);
        QCOMPARE(f.state.epsilon(), 3.25);
        QVERIFY(f.state.mechanism().isKindOf(mechanism::Tem{}));
    }

    void aLowWindowScrolls() {
        Fixture f;
        f.panel.resize(940, 340);
        f.measure();
        auto* area = f.panel.findChild<QScrollArea*>(QString(), Qt::FindDirectChildrenOnly);
        const auto isWhollyVisible = [area](const QWidget& widget) {
            const int top = widget.mapTo(area->viewport(), QPoint()).y();
            return top >= 0 && top + widget.height() <= area->viewport()->height();
        };
        QTRY_VERIFY(area->verticalScrollBar()->maximum() > 0);
        QVERIFY(isWhollyVisible(f.find<QPushButton>("measureTradeOffPushButton")));
        area->verticalScrollBar()->setValue(area->verticalScrollBar()->maximum());
        QTRY_VERIFY(isWhollyVisible(f.find<QLabel>("tradeOffOriginLabel")));
        QVERIFY(isWhollyVisible(f.find<XyPlot>("utilityPlot")));
    }
};

EPSILENS_UI_TEST(TradeOffPanelTest)
#include "trade_off_panel_test.moc"
