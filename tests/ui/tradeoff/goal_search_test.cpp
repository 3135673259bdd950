#include "ui/tradeoff/goal_search.h"

#include <array>
#include <atomic>
#include <functional>

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>

#include "core/experiment/evaluation.h"
#include "core/experiment/figure_reader.h"
#include "tests/ui/support/ui_test.h"
#include "tests/ui/tradeoff/trade_off_fixture.h"
#include "ui/tradeoff/goal_bar.h"
#include "ui/tradeoff/numbers_view.h"
#include "ui/tradeoff/trade_off_model.h"

using namespace epsilens;
using namespace epsilens::ui;
using experiment::FigureName;
using test::findControl;
using test::kPatienceMs;

namespace {

struct GoalFixture {
    explicit GoalFixture(GoalSearchFunction function = experiment::recommendWithin)
        : search(model, std::move(function)), bar(search) {
        test::loadToyGridInto(state);
        bar.show();
    }
    void open() {
        model.source().open(
            test::written(folder, QStringLiteral("texts.csv"), test::labelledCsv(120)));
        QTRY_VERIFY_WITH_TIMEOUT(
            model.source().texts() != nullptr && !model.source().reader().isRunning(), kPatienceMs);
    }
    void fill(const char* field, const char* text) {
        auto* blank = findControl<QLineEdit>(bar, field);
        blank->clear();
        QTest::keyClicks(blank, QLatin1String(text));
        QTest::keyClick(blank, Qt::Key_Return);
    }
    [[nodiscard]] QString message() { return findControl<QLabel>(bar, "goalMessageLabel")->text(); }
    QPushButton* button() { return findControl<QPushButton>(bar, "findGoalButton"); }

    QTemporaryDir folder;
    AnalysisState state;
    TradeOffModel model{state};
    GoalSearch search;
    GoalBar bar;
};

/// A search that finds epsilon 7 at once.
Result<experiment::LimitedRecommendation> findsSeven(const engine::SearchSpace& /*space*/,
                                                     const experiment::DataSet& /*data*/,
                                                     const experiment::LimitedOptions& /*options*/,
                                                     const JobContext& /*job*/) {
    experiment::LimitedRecommendation found;
    found.figures.settings.emplace_back().epsilon = 7.0;
    return found;
}

}  // namespace

class GoalSearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatIsMissing() {
        GoalFixture f;
        QVERIFY(!f.button()->isEnabled());
        QVERIFY2(f.message().contains(QStringLiteral("Open texts with")), qPrintable(f.message()));
        // Where the pointer or a screen reader is, the reason is, too.
        QVERIFY(f.button()->toolTip().startsWith(f.message() + QLatin1Char('\n')));
        QCOMPARE(f.button()->accessibleDescription(), f.button()->toolTip());
        f.open();
        QVERIFY(f.message().startsWith(QStringLiteral("Fill in one of the two blanks.")));
        f.fill("leastRetainedField", "101");
        QVERIFY2(f.message().contains(QStringLiteral("from 0 to 100")), qPrintable(f.message()));
        QVERIFY(!f.button()->isEnabled());
        QVERIFY(f.button()->toolTip().contains(QStringLiteral("from 0 to 100")));
        f.fill("leastRetainedField", "80");
        QVERIFY(f.button()->isEnabled());
        QVERIFY(f.button()->toolTip().startsWith(QStringLiteral("Measures the texts at some 20")));
        QCOMPARE(f.button()->accessibleDescription(), f.button()->toolTip());
        f.fill("leastRetainedField", "");
        QVERIFY(!f.search.leastRetained());
        QVERIFY(!f.button()->isEnabled());
    }

    /// Its finding would be named after the texts at hand.
    void aSearchEndsWithItsTexts() {
        GoalFixture f;
        f.open();
        f.fill("leastRetainedField", "80");
        f.button()->click();
        QVERIFY(f.search.isRunning());
        const double epsilon = f.state.epsilon();
        f.model.dropTexts();
        QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
        QCOMPARE(f.state.epsilon(), epsilon);
        QVERIFY2(f.message().contains(QStringLiteral("Open texts with")), qPrintable(f.message()));
    }

    void aSearchSaysWhatItTriesAndForHowLong() {
        GoalFixture f([](const auto& /*space*/, const auto& /*data*/, const auto& /*options*/,
                         const JobContext& job) -> Result<experiment::LimitedRecommendation> {
            double fraction = 0.12;
            while (!job.stopRequested()) {
                job.progress(fraction = std::min(fraction + 1e-3, 0.129), "trying ε = 24 to 41");
                QThread::msleep(1);
            }
            return fail(ErrorCode::cancelled, "cancelled");
        });
        f.open();
        f.fill("leastRetainedField", "80");
        f.button()->click();
        QTRY_VERIFY2(f.message().startsWith(QStringLiteral("12%: trying ε = 24 to 41, running "
                                                           "for ")),
                     qPrintable(f.message()));
        QTRY_VERIFY2(f.message().contains(QStringLiteral(" left. It ends early")),
                     qPrintable(f.message()));
        QVERIFY2(f.message().contains(QStringLiteral(" left.")), qPrintable(f.message()));
        f.button()->click();
        QTRY_VERIFY(!f.search.isRunning());
    }

    /// What it finds would be set for a mechanism, or called within limits, that were not searched.
    void aSearchEndsWithItsMechanismAndLimits() {
        using Change = std::function<void(GoalFixture&)>;
        for (const Change& change :
             {Change([](GoalFixture& f) {
                  f.state.edit([](AnalysisSettings& s) { s.choose(mechanism::Tem()); });
              }),
              Change([](GoalFixture& f) { f.fill("mostGainField", "5"); })}) {
            std::atomic<bool> mayEnd = false;
            // Ends with a finding, whether or not it is asked to stop.
            GoalFixture f(
                [&mayEnd](const auto& /*space*/, const auto& /*data*/, const auto& /*options*/,
                          const JobContext& /*job*/) -> Result<experiment::LimitedRecommendation> {
                    while (!mayEnd) {
                        QThread::msleep(1);
                    }
                    experiment::LimitedRecommendation found;
                    found.figures.settings.emplace_back().epsilon = 7.0;
                    return found;
                });
            f.open();
            f.fill("leastRetainedField", "80");
            f.button()->click();
            QVERIFY(f.search.isRunning());
            change(f);
            const double epsilon = f.state.epsilon();
            mayEnd = true;
            QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
            test::letPass(20);
            QCOMPARE(f.state.epsilon(), epsilon);
            QVERIFY2(!f.message().contains(QStringLiteral("7")), qPrintable(f.message()));
        }
    }

    /// An evaluation of the epsilon found, of its own, has a gain within the limit.
    void setsTheLargestEpsilonWithinBothLimits() {
        GoalFixture f;
        f.open();
        f.fill("mostGainField", "40");
        f.fill("leastRetainedField", "10");
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
        // What other draws say may be on the other side of a limit, which is told.
        QVERIFY2(f.message().contains(QStringLiteral("within these limits")) &&
                     f.message().contains(QStringLiteral("; again with other random draws ")) &&
                     f.message().contains(QStringLiteral("but not with others")) ==
                         f.message().contains(QStringLiteral("other random draws ✗")),
                 qPrintable(f.message()));
        const double epsilon = f.state.epsilon();
        QVERIFY(epsilon > 1.0 && epsilon < 50.0);
        const FigureName gain{FigureName::Kind::gain, {}};
        const FigureName retained{FigureName::Kind::retained, experiment::ClassifierKind::linear};
        experiment::EvaluationOptions options =
            experiment::optionsFor({gain, retained}, f.model.options());
        options.grid = mechanism::Grid::of(f.state.mechanism());
        options.grid.epsilons = {epsilon};
        const auto summary = experiment::evaluateWhole(*f.state.searchSpace(),
                                                       f.model.source().texts()->data, options, {});
        QVERIFY(summary);
        const auto found = experiment::figureOf(*summary, 0, gain);
        QVERIFY(found.ci95 && (*found.ci95)[1] <= 0.4);
        QVERIFY((*experiment::figureOf(*summary, 0, retained).ci95)[0] >= 0.1);
        // The memo does not hide what other draws gave.
        const auto findings = f.search.findings();
        QCOMPARE(findings.size(), std::size_t{2});
        // With these texts other draws miss a limit, which a release has to be told.
        QVERIFY(f.message().contains(QStringLiteral("but not with others")));
        QVERIFY(findings.front().missed() || findings.back().missed());
        QTRY_VERIFY_WITH_TIMEOUT(!f.model.isRunning() && f.model.isPresentMeasured(), kPatienceMs);
        // The measurement has the draws of the search, which meet the limits, and changes nothing.
        for (std::size_t i = 0; i < findings.size(); ++i) {
            if (findings[i].missed()) {
                QCOMPARE(f.search.findings()[i].check->figure.value,
                         findings[i].check->figure.value);
            }
        }
        QCOMPARE(f.model.stored().size(), std::size_t{2});
        QVERIFY2(f.state.epsilonOrigin().contains(QStringLiteral(
                     " With other random draws, on which the search did not rest: ")),
                 qPrintable(f.state.epsilonOrigin()));
        // The memo tells whose choice it is, on which texts and under which limits.
        const QRegularExpression origin(QStringLiteral(
            "^The program found ε by its search “Find ε for these texts”: of (\\d+) values tried "
            "on "
            "texts\\.csv, it is the largest value found within the limits\\. Seed 1\\."));
        const auto said = origin.match(f.state.epsilonOrigin());
        QVERIFY2(said.hasMatch(), qPrintable(f.state.epsilonOrigin()));
        // Eight steps a decade until one misses, and five halvings of the last.
        QVERIFY(said.captured(1).toInt() > 5);
        QVERIFY(said.captured(1).toInt() <= 4 * 8 + 5);
        // The memo has the limits, unless they are others by then.
        f.fill("mostGainField", "50");
        QVERIFY2(f.state.epsilonOrigin().contains(QStringLiteral(
                     " The limits were changed after that; they were: an attacker guesses at most "
                     "40 of 100 words more than without the release; a linear classifier")),
                 qPrintable(f.state.epsilonOrigin()));
        // What was found stays, and says under which limits it was.
        QVERIFY2(f.message().startsWith(QStringLiteral(
                     "The last search was within other limits or settings: an attacker guesses at "
                     "most 40 of 100 words more")),
                 qPrintable(f.message()));
        f.fill("mostGainField", "40");
        f.state.edit(&AnalysisSettings::chooseEpsilon, 2.0);
        QCOMPARE(f.state.epsilonOrigin(),
                 QStringLiteral("ε was set by hand, not found by a search under limits."));
        QVERIFY2(f.message().startsWith(QStringLiteral("ε = %1 is ").arg(shortest(epsilon))),
                 qPrintable(f.message()));
        // The limits are judged at the present one.
        QVERIFY(!f.search.findings().front().check && !f.search.findings().back().check);
        f.state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
        QVERIFY(f.search.findings().front().missed() || f.search.findings().back().missed());
    }

    /// Attackers guess more, and more usefulness is left, the larger ε is.
    void theAdviceFollowsFromTheLimitThatOtherDrawsMiss() {
        struct Case {
            double gain;      // with other draws; at most 0.1
            double retained;  // likewise; at least 0.6
            bool isEnded;     // by the limit on attackers
            const char* advised;
            const char* unsaid;
        };
        for (const Case& now :
             {Case{0.05, 0.7, true, "the largest value found", "take a"},
              Case{0.15, 0.7, true, "take a smaller ε", "larger"},
              Case{0.05, 0.57, true,
                   "loosen that limit, or take a larger ε and loosen what it misses: an attacker "
                   "guesses at most 10",
                   "smaller"},
              Case{0.05, 0.57, false, "take a larger ε, or loosen that limit", "smaller"},
              Case{0.15, 0.57, true, "loosen a limit", "take a"}}) {
            GoalFixture f([now](const auto&, const auto&, const experiment::LimitedOptions& options,
                                const auto&) -> Result<experiment::LimitedRecommendation> {
                const experiment::FigureLimit& gain = options.figures[0];
                const experiment::FigureLimit& retained = options.figures[1];
                experiment::LimitedRecommendation found;
                auto& figures = found.figures.settings.emplace_back();
                figures.epsilon = 7.0;
                figures.checks = {experiment::checkFigure(gain, {0.05, {}}),
                                  experiment::checkFigure(retained, {0.65, {}})};
                figures.fresh = {experiment::checkFigure(gain, {now.gain, {}}),
                                 experiment::checkFigure(retained, {now.retained, {}})};
                if (now.isEnded) {
                    figures.above = 8.0;
                    figures.binding = experiment::checkFigure(gain, {0.2, {}});
                }
                return found;
            });
            f.open();
            f.fill("mostGainField", "10");
            f.fill("leastRetainedField", "60");
            f.button()->click();
            QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
            QVERIFY2(f.message().contains(QString::fromUtf8(now.advised)) &&
                         !f.message().contains(QString::fromUtf8(now.unsaid)),
                     qPrintable(f.message()));
        }
    }

    /// A search that found nothing has measured for minutes.
    void allThatASearchMeasuredIsShown() {
        GoalFixture f;
        f.open();
        f.fill("mostGainField", "0");
        f.fill("leastRetainedField", "10");
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
        QVERIFY(f.model.result() == nullptr && f.search.nearest());
        const QString said = f.message();
        const auto& tried = f.model.search()->found.tried;
        QVERIFY(tried.size() > 1);
        for (const experiment::TriedEpsilon& at : tried) {
            QVERIFY2(
                said.contains(QStringLiteral("ε %1: attackers ").arg(significant(at.epsilon, 3))),
                qPrintable(said));
        }
        QVERIFY2(said.contains(QStringLiteral(", usefulness ")), qPrintable(said));
        // Another ε, another mechanism and the way back.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 2.0);
        QCOMPARE(f.message(), said);
        f.state.edit([](AnalysisSettings& s) { s.choose(mechanism::Tem()); });
        QVERIFY2(f.message().startsWith(QStringLiteral("The last search was within other limits")),
                 qPrintable(f.message()));
        QVERIFY(!f.search.nearest());
        QVERIFY2(f.message().contains(QStringLiteral("No ε meets these limits.")),
                 qPrintable(f.message()));
        // Other texts were not searched.
        f.model.dropTexts();
        QVERIFY2(!f.message().contains(QStringLiteral("No ε meets")), qPrintable(f.message()));
    }

    void tabLeadsFromTheBlanksToTheSearch() {
        GoalFixture f;
        f.open();
        f.bar.activateWindow();
        auto* blank = findControl<QLineEdit>(f.bar, "leastRetainedField");
        blank->setFocus();
        QTest::keyClicks(blank, QStringLiteral("70"));
        QTest::keyClick(blank, Qt::Key_Tab);
        QCOMPARE(f.bar.focusWidget(), f.button());
        QCOMPARE(f.search.leastRetained(), 70.0);
    }

    /// A reviewer reads which limits were given up for those that are met.
    void limitsThatNothingMetStandInTheOrigin() {
        GoalFixture f;
        f.open();
        f.fill("mostGainField", "0");
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
        f.fill("mostGainField", "60");
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
        QVERIFY2(f.message().contains(QStringLiteral("✓")), qPrintable(f.message()));
        QVERIFY2(f.state.epsilonOrigin().contains(
                     QStringLiteral(" Searches on these texts before found no ε for: an attacker "
                                    "guesses no more words")),
                 qPrintable(f.state.epsilonOrigin()));
    }

    void whatCannotBeHadIsSaidWithWhatMissesIt() {
        GoalFixture f;
        f.open();
        f.fill("mostGainField", "0");
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
        QVERIFY2(f.message().startsWith(QStringLiteral("No ε meets these limits. ε = ")),
                 qPrintable(f.message()));
        QVERIFY2(f.message().contains(QStringLiteral("\n✗ an attacker guesses no more words")),
                 qPrintable(f.message()));
        QCOMPARE(f.state.epsilon(), 50.0);
        QVERIFY(!f.state.epsilonOrigin().contains(QStringLiteral("no ε for")));
        // The nearest one is a click away, and is measured as a whole.
        const double nearest = f.search.nearest().value();
        findControl<QPushButton>(f.bar, "takeNearestButton")->click();
        QCOMPARE(f.state.epsilon(), nearest);
        QVERIFY(!f.search.nearest());
        const QString said = f.message();
        QTRY_VERIFY_WITH_TIMEOUT(!f.model.isRunning() && f.model.isPresentMeasured(), kPatienceMs);
        // What the search found is true at another setting, too, and leads back.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 2.0);
        QVERIFY2(f.message().startsWith(said), qPrintable(f.message()));
        QCOMPARE(f.search.nearest().value(), nearest);
        f.state.edit(&AnalysisSettings::chooseEpsilon, nearest);
        QCOMPARE(f.message(), said);
        QVERIFY(f.search.findings().front().missed());
    }

    /// Reference: a search within the loosened limit.
    void whatIsMissedSaysHowFarToLoosenIt() {
        GoalFixture f;
        f.open();
        f.fill("mostGainField", "0");
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
        const auto told =
            QRegularExpression(QStringLiteral("loosen to: an attacker guesses at most (\\d+) "
                                              "of 100 words more than without the release"))
                .match(f.message());
        QVERIFY2(told.hasMatch(), qPrintable(f.message()));
        f.fill("mostGainField", told.captured(1).toUtf8().constData());
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
        QVERIFY2(f.message().startsWith(QStringLiteral("ε = ")), qPrintable(f.message()));
    }

    void whereNothingUsefulIsLeftTheOtherLimitIsToGiveWay() {
        GoalFixture f([](const auto&, const auto&, const experiment::LimitedOptions& options,
                         const auto&) -> Result<experiment::LimitedRecommendation> {
            experiment::LimitedRecommendation found;
            auto& nearest = found.figures.settings.emplace_back();
            nearest.checks = {
                experiment::checkFigure(options.figures.front(), {0.1, std::array{-0.04, 0.24}})};
            nearest.closest = 2.0;
            return found;
        });
        f.open();
        f.fill("leastRetainedField", "95");
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
        QVERIFY2(f.message().contains(QStringLiteral("let an attacker guess more")) &&
                     !f.message().contains(QStringLiteral("loosen to")),
                 qPrintable(f.message()));
    }

    /// The grid takes minutes; the setting that was found takes seconds.
    void onlyTheSettingFoundIsMeasured() {
        GoalFixture f(findsSeven);
        f.open();
        f.fill("leastRetainedField", "10");
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            !f.search.isRunning() && !f.model.isRunning() && f.model.isPresentMeasured(),
            kPatienceMs);
        const experiment::EvaluationOptions& made = f.model.result()->summary().options;
        QCOMPARE(made.grid.epsilons, std::vector<double>{7.0});
        QCOMPARE(f.model.result()->summary().cells.size(), std::size_t{1});
        // All that is ticked.
        QCOMPARE(made.tasks, f.model.options().tasks);
        QCOMPARE(made.repeats, f.model.options().repeats);
        QVERIFY2(f.model.sentence().startsWith(QStringLiteral("At ε 7, λ 0.5: ")),
                 qPrintable(f.model.sentence()));
        QVERIFY(f.search.findings().front().check.has_value());
        QVERIFY(f.model.current()->stored && f.model.kept().evaluation == f.model.result()->kept);
        // It says nothing of other settings.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 8.0);
        QVERIFY(!f.model.current());
        QCOMPARE(f.model.sentence(), QString());
        f.state.edit(&AnalysisSettings::chooseEpsilon, 7.0);
        QVERIFY(f.model.isPresentMeasured());
    }

    /// Reference: the same setting within a grid.
    void aGridStaysBesideTheSettingFound() {
        GoalFixture f(findsSeven);
        f.open();
        f.model.measure();
        QTRY_VERIFY_WITH_TIMEOUT(!f.model.isRunning() && f.model.result(), kPatienceMs);
        const auto grid = f.model.result();
        f.fill("leastRetainedField", "10");
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            !f.search.isRunning() && !f.model.isRunning() && f.model.isPresentMeasured(),
            kPatienceMs);
        QVERIFY(f.model.result() == grid && f.model.staleness().isEmpty());
        const auto alone = f.model.current();
        QVERIFY(alone != grid && f.model.kept().evaluation == grid->kept &&
                f.model.kept().alone == alone->kept);
        const QString said = f.model.sentence();
        QVERIFY2(said.startsWith(QStringLiteral("At ε 7, λ 0.5: ")), qPrintable(said));
        const double checked = f.search.findings().front().check->figure.value;
        NumbersView numbers;
        numbers.setResult(grid, f.model.present());
        const auto* table = findControl<QTableView>(numbers, "tradeOffTableView")->model();
        QCOMPARE(table->index(table->rowCount() - 1, 0).data().toString(),
                 QStringLiteral("ε 7, λ 0.5"));
        findControl<QPushButton>(numbers, "copyNumbersPushButton")->click();
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral(",7,0.5,")));
        // Elsewhere the grid speaks.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 50.0);
        QVERIFY(f.model.current() == grid);
        f.state.edit(&AnalysisSettings::chooseEpsilon, 7.0);
        f.model.measure();
        QTRY_VERIFY_WITH_TIMEOUT(!f.model.isRunning(), kPatienceMs);
        QVERIFY(f.model.current() == f.model.result() && f.model.result() != grid);
        QCOMPARE(f.model.sentence(), said);
        QCOMPARE(f.search.findings().front().check->figure.value, checked);
    }

    /// What is not measured yet misses no limit.
    void aSearchWaitsForTheMeasurement() {
        GoalFixture f;
        f.open();
        f.fill("mostGainField", "40");
        QVERIFY(f.search.canFind());
        QStringList said;
        QObject::connect(&f.search, &GoalSearch::changed, &f.search,
                         [&f, &said] { said.append(f.message()); });
        f.model.measure();
        QVERIFY(!f.search.canFind());
        QVERIFY(!f.button()->isEnabled());
        QVERIFY(f.message().endsWith(
            QStringLiteral("Finding ε can start when the measurement has ended.")));
        QVERIFY(f.button()->toolTip().startsWith(
            QStringLiteral("Finding ε can start when the measurement has ended.")));
        QTRY_VERIFY_WITH_TIMEOUT(f.search.canFind() && f.button()->isEnabled(), kPatienceMs);
        QVERIFY(said.filter(QStringLiteral("undetermined")).isEmpty());
    }

    /// Undo, sessions and reports know the limits: they stand in the settings.
    void blanksShowTheLimitsOfTheSettings() {
        GoalFixture f;
        f.fill("leastRetainedField", "80");
        f.fill("mostGainField", "5");
        QCOMPARE(f.state.settings().figureLimits,
                 (std::vector{*experiment::parseFigureLimit("attack.gain<=5%"),
                              *experiment::parseFigureLimit("classify.linear.retained>=80%")}));
        f.state.edit(&AnalysisSettings::figureLimits,
                     {*experiment::parseFigureLimit("attack.gain<=0.1")});
        QCOMPARE(findControl<QLineEdit>(f.bar, "mostGainField")->text(), QStringLiteral("10"));
        QCOMPARE(findControl<QLineEdit>(f.bar, "leastRetainedField")->text(), QString());
    }

    void aSearchCanBeCancelled() {
        std::atomic<bool> isReached = false;
        GoalFixture f(
            [&isReached](const auto& /*space*/, const auto& /*data*/, const auto& /*options*/,
                         const JobContext& job) -> Result<experiment::LimitedRecommendation> {
                isReached = true;
                while (!job.stopRequested()) {
                    QThread::msleep(1);
                }
                return fail(ErrorCode::cancelled, "cancelled");
            });
        f.open();
        f.fill("mostGainField", "40");
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(isReached, kPatienceMs);
        QCOMPARE(f.button()->text(), QStringLiteral("Cancel"));
        f.button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(!f.search.isRunning(), kPatienceMs);
        QCOMPARE(f.state.epsilon(), 50.0);
        QCOMPARE(f.button()->text(), QStringLiteral("Find ε for these texts"));
    }
};

EPSILENS_UI_TEST(GoalSearchTest)
#include "goal_search_test.moc"
