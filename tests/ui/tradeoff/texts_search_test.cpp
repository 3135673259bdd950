#include "ui/tradeoff/texts_search.h"

#include <atomic>
#include <functional>

#include "tests/ui/tradeoff/trade_off_fixture.h"
#include "ui/tradeoff/trade_off_content.h"

using namespace epsilens;
using namespace epsilens::ui;
using evaluation::FigureName;

namespace {

using Found = Result<evaluation::LimitedRecommendation>;

struct GoalFixture : test::TradeOffFixture {
    using TradeOffFixture::TradeOffFixture;

    void search() {
        goals.find();
        QTRY_VERIFY(!goals.isRunning());
    }
    /// Until what was found has been measured.
    void searchAndMeasure() {
        search();
        QTRY_VERIFY(!model.isRunning() && model.isPresentMeasured());
    }
    [[nodiscard]] bool says(const char* part) { return test::holds(message(), part); }
    [[nodiscard]] QString message() { return text("goalMessageLabel"); }

    TextsSearch& goals = panel.goals();
};

/// A search that looks at epsilon 3 and finds 7 at once.
Found findsSeven(const engine::SearchSpace& /*space*/, const corpus::DataSet& /*data*/,
                 const evaluation::LimitedOptions& options, const JobContext& /*job*/) {
    evaluation::LimitedRecommendation found;
    evaluation::LimitsFound& setting = found.figures.emplace_back();
    setting.epsilon = 7.0;
    setting.tried = {{3.0, {evaluation::checkFigure(options.figures.front(), {0.5, {}})}}};
    return found;
}

}  // namespace

class TextsSearchTest : public QObject {
    Q_OBJECT

    using Fixture = GoalFixture;

private Q_SLOTS:
    void saysWhatIsMissing() {
        Fixture f;
        // Without limits there is nothing to search.
        QCOMPARE(f.message(), QString());
        f.enter("mostGainField", "5");
        QVERIFY(f.says("Open texts with") && !f.goals.reason().isEmpty());
        f.open();
        f.enter("mostGainField", {});
        QCOMPARE(f.message(), QString());
        f.enter("leastRetainedField", "101");
        QVERIFY(f.says("from 0 to 100"));
        f.goals.find();
        QVERIFY(!f.goals.isRunning());
        f.enter("leastRetainedField", "80");
        QCOMPARE(f.goals.reason(), QString());
        // What is not measured yet misses no limit, and no search starts beside a measurement.
        QStringList said;
        QObject::connect(&f.goals, &TextsSearch::changed, &f.panel,
                         [&f, &said] { said.append(f.message()); });
        f.model.measure();
        QVERIFY(f.message().endsWith("Finding ε can start when the measurement has ended."));
        f.goals.find();
        QVERIFY(!f.goals.isRunning());
        QTRY_VERIFY(f.goals.reason().isEmpty());
        QVERIFY(said.filter("undetermined").isEmpty());
        f.enter("leastRetainedField", {});
        QVERIFY(!f.goals.limit(FigureName::Kind::retained));
        f.goals.find();
        QVERIFY(!f.goals.isRunning());
    }

    /// Undo, sessions and reports know the limits: they stand in the settings.
    void blanksShowTheLimitsOfTheSettings() {
        Fixture f;
        f.enter("leastRetainedField", "80");
        f.enter("mostGainField", "5");
        QCOMPARE(f.state.settings().figureLimits,
                 (std::vector{*evaluation::parseFigureLimit("attack.gain<=5%"),
                              *evaluation::parseFigureLimit("classify.linear.retained>=80%")}));
        f.state.edit(&AnalysisSettings::figureLimits,
                     {*evaluation::parseFigureLimit("attack.gain<=0.1")});
        QCOMPARE(f.text("mostGainField"), "10");
        QCOMPARE(f.text("leastRetainedField"), QString());
    }

    /// What it finds would be set for a mechanism, texts or limits that were not searched.
    void aSearchEndsWithWhatItIsAbout() {
        using Change = std::function<void(Fixture&)>;
        const Change cancel = [](Fixture& f) { f.goals.runner().cancel(); };
        for (const auto& [change, isCancelled] :
             {std::pair(Change([](Fixture& f) { f.choose(mechanism::Tem()); }), false),
              std::pair(Change([](Fixture& f) { f.enter("mostGainField", "5"); }), false),
              std::pair(Change([](Fixture& f) { f.model.dropTexts(); }), false),
              std::pair(cancel, true)}) {
            std::atomic<bool> mayEnd = false;
            // Ends with a finding, whether or not it is asked to stop, but where the user asks.
            Fixture f([&mayEnd, fails = isCancelled](const auto& space, const auto& data,
                                                     const auto& options,
                                                     const JobContext& job) -> Found {
                while (!mayEnd) {
                    QThread::msleep(1);
                }
                return fails && job.stopRequested() ? Found(fail(ErrorCode::cancelled, "cancelled"))
                                                    : findsSeven(space, data, options, job);
            });
            f.open();
            f.enter("leastRetainedField", "80");
            f.goals.find();
            QVERIFY(f.goals.isRunning());
            change(f);
            const double epsilon = f.state.epsilon();
            mayEnd = true;
            QTRY_VERIFY(!f.goals.isRunning());
            test::letPass(20);
            QCOMPARE(f.state.epsilon(), epsilon);
            QVERIFY2(!f.message().contains('7'), qPrintable(f.message()));
        }
    }

    void setsTheLargestEpsilonWithinBothLimits() {
        Fixture f;
        f.open();
        f.enter("mostGainField", "40");
        f.enter("leastRetainedField", "10");
        f.search();
        // With these texts other draws miss a limit, which a release has to be told.
        QVERIFY(f.says("within these limits") && f.says("but not with others") &&
                f.says("; again with other random draws "));
        const double epsilon = f.state.epsilon();
        QVERIFY(epsilon > 1.0 && epsilon < 50.0);
        const auto findings = f.goals.findings();
        QCOMPARE(findings.size(), 2);
        QVERIFY(findings.front().missed() || findings.back().missed());
        QTRY_VERIFY(!f.model.isRunning() && f.model.isPresentMeasured());
        // The measurement has the draws of the search, which meet the limits, and changes nothing.
        for (std::size_t i = 0; i < findings.size(); ++i) {
            if (findings[i].missed()) {
                QCOMPARE(f.goals.findings()[i].check->figure.value,
                         findings[i].check->figure.value);
            }
        }
        QCOMPARE(f.model.stored().size(), 2);
        // The memo tells whose choice it is, on which texts and under which limits.
        const QRegularExpression origin(
            "^The program found ε by its search “Find ε” on texts: of \\d+ values tried "
            "on texts\\.csv, it is the largest value found within the limits\\. Seed 1\\.");
        QVERIFY2(origin.match(f.state.epsilonOrigin()).hasMatch(),
                 qPrintable(f.state.epsilonOrigin()));
        // The memo has the limits, unless they are others by then; what was found stays, and says
        // under which limits it was.
        f.enter("mostGainField", "50");
        QVERIFY(test::holds(
            f.state.epsilonOrigin(),
            " The limits were changed after that; they were: an attacker guesses at most "
            "40 of 100 words more than without the release; a linear classifier"));
        const QString earlier = "An earlier search, within other limits or settings, found ";
        QVERIFY(test::begins(f.message(), earlier + QString("ε = %1.").arg(shortest(epsilon))));
        QVERIFY2(f.message().count('\n') < 3, qPrintable(f.message()));
        f.enter("mostGainField", "40");
        f.chooseEpsilon(2.0);
        QCOMPARE(f.state.epsilonOrigin(), "ε was set by hand, not found by a search under limits.");
        QVERIFY(test::begins(f.message(), QString("ε = %1 is ").arg(shortest(epsilon))));
        // The limits are judged at the present one.
        QVERIFY(!f.goals.findings().front().check && !f.goals.findings().back().check);
        f.chooseEpsilon(epsilon);
        QVERIFY(f.goals.findings().front().missed() || f.goals.findings().back().missed());
    }

    /// Every limit is told of where a search came nearest. Reference: one within those it names.
    void whatCannotBeHadIsSaidWithWhatCanBe() {
        Fixture f;
        f.open();
        f.enter("mostGainField", "0");
        const QSignalSpy ended(&f.goals, &TextsSearch::ended);
        f.search();
        const QString said = f.message();
        QVERIFY(test::begins(said, "No ε meets these limits. ε = "));
        QVERIFY(f.says(" comes nearest: ✗ an attacker guesses no more words"));
        QCOMPARE(ended.count(), 1);
        QCOMPARE(ended.front().front().toString(), said);
        QVERIFY(f.model.result() == nullptr);
        QCOMPARE(f.state.epsilon(), 50.0);
        // Another mechanism and the way back.
        const AnalysisSettings before = f.state.settings();
        f.choose(mechanism::Tem());
        QVERIFY(test::begins(f.message(),
                             "An earlier search, within other limits or settings, "
                             "found no ε."));
        f.state.edit([&before](AnalysisSettings& settings) { settings = before; });
        const auto looser = QRegularExpression(
                                "it would meet: an attacker guesses at most (\\d+) "
                                "of 100 words more than without the release")
                                .match(said);
        QVERIFY2(looser.hasMatch(), qPrintable(said));
        f.enter("mostGainField", looser.captured(1));
        f.searchAndMeasure();
        QVERIFY(test::begins(f.message(), "ε = ") && f.says("✓"));
        // Nothing is said to suffice while another limit is missed by all that can be told.
        f.enter("mostGainField", "0");
        f.enter("leastRetainedField", "100");
        f.search();
        QVERIFY(f.says("; ✗ a linear classifier of the words keeps at least 100%"));
        QVERIFY(!f.message().contains("it would meet"));
        // Other texts were not searched.
        f.model.dropTexts();
        QVERIFY2(!f.message().contains("ε = "), qPrintable(f.message()));
    }

    /// The grid takes minutes; the setting that was found takes seconds.
    void onlyTheSettingFoundIsMeasured() {
        Fixture f(findsSeven);
        f.open();
        f.enter("leastRetainedField", "10");
        f.searchAndMeasure();
        QVERIFY(f.says("ε = 7 is the largest value found within these limits."));
        const evaluation::EvaluationOptions& made = f.model.result()->summary().options;
        QCOMPARE(made.grid.epsilons, std::vector<double>{7.0});
        QCOMPARE(f.model.result()->summary().cells.size(), 1);
        // All that is ticked.
        QCOMPARE(made.tasks, f.model.options().tasks);
        QCOMPARE(made.repeats, f.model.options().repeats);
        QVERIFY(test::begins(f.model.sentence(), "At ε 7, λ 0.5: "));
        QVERIFY(f.goals.findings().front().check.has_value());
        QVERIFY(f.model.kept().evaluation == f.model.result()->record);
        // It says nothing of other settings.
        f.chooseEpsilon(8.0);
        QCOMPARE(f.model.attackerSentence(), QString());
        QVERIFY(f.model.sentence().contains("outside the measured range"));
        f.chooseEpsilon(7.0);
        QVERIFY(f.model.isPresentMeasured());
    }

    /// Figures that the plots do not have hide no others, and none stands twice.
    void whatASearchTriedIsOnePoint() {
        Fixture f;
        f.measure();
        const TradeOffResult& grid = *f.model.result();
        const auto check = [](const char* limit) {
            return evaluation::checkFigure(*evaluation::parseFigureLimit(limit), {0.25, {}});
        };
        const std::vector<evaluation::TriedEpsilon> tried{
            {4.0,
             {check("attack.gain<=40%"), check("attack.best<=90%"), check("attack.upper<=90%"),
              check("classify.linear.accuracy>=10%"), check("classify.linear.macroF1>=10%")}}};
        const auto points = [&grid](const std::vector<evaluation::TriedEpsilon>& beside) {
            return riskContent(grid, 0, {}, beside).series.front().points.size();
        };
        QCOMPARE(points(tried), points({}) + 1);
    }

    void theSettingFoundJoinsWhatWasMeasured() {
        Fixture f(findsSeven);
        f.compareNoLambdas();
        f.measure();
        const auto before = f.model.result();
        f.enter("leastRetainedField", "10");
        f.searchAndMeasure();
        QVERIFY(f.model.staleness().isEmpty());
        QCOMPARE(f.model.stored(), std::vector{f.model.result()->record});
        QCOMPARE(f.model.result()->summary().cells.size(), before->summary().cells.size() + 1);
        QVERIFY(test::begins(f.model.sentence(), "At ε 7, λ 0.5: "));
        // The plots have it, and what the search looked at, which a click takes.
        const auto pointAt = [&f](const char* plot, double epsilon) -> const PlotPoint* {
            const auto& points = f.content(plot).series.front().points;
            const auto found = std::ranges::find(points, epsilon, &PlotPoint::x);
            return found == points.end() ? nullptr : &*found;
        };
        for (const double epsilon : {1.0, 7.0, 50.0}) {
            QVERIFY(pointAt("utilityPlot", epsilon) && pointAt("riskPlot", epsilon));
        }
        QCOMPARE(f.model.presentPoint(), pointAt("utilityPlot", 7.0)->id);
        QVERIFY(!pointAt("riskPlot", 3.0));
        const PlotPoint* tried = pointAt("utilityPlot", 3.0);
        const auto& references = f.content("utilityPlot").references;
        QCOMPARE(tried->y, 0.5 * (references[0].value + references[1].value));
        f.model.choose(*tried->id);
        QCOMPARE(f.state.epsilon(), 3.0);
        QCOMPARE(f.model.presentPoint(), tried->id);
    }
};

EPSILENS_UI_TEST(TextsSearchTest)
#include "texts_search_test.moc"
