#include "ui/curves/curve_grid.h"

#include "tests/ui/support/state_driver.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

struct GridFixture : test::Stated {
    explicit GridFixture(const embedding::EmbeddingHandle& embedding = test::toyEmbedding()) {
        open(embedding);
    }
    void suggest(double suggested, double low, double high) {
        state.edit(&AnalysisSettings::suggest, {suggested, low, high});
    }
    [[nodiscard]] std::pair<double, double> ends() const {
        return {state.grid().epsilons.front(), state.grid().epsilons.back()};
    }

    CurveGrid grid{state};
};

}  // namespace

class CurveGridTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The default grid goes from low / 2 to 2 high. It follows neither the scale alone, for
    /// results of it would be out of date whenever lambda moves, nor where one was typed or set.
    void theDefaultFollowsTheFirstScaleOfAMechanism() {
        GridFixture f;
        f.suggest(20.0, 10.0, 40.0);
        QCOMPARE(f.state.grid().epsilons.size(), 5);
        QCOMPARE(f.ends(), (std::pair{5.0, 80.0}));
        f.set({.lambda = 0.9});
        f.suggest(21.0, 11.0, 43.0);
        QCOMPARE(f.ends(), (std::pair{5.0, 80.0}));
        f.choose(mechanism::Laplace());
        QCOMPARE(f.ends(), (std::pair{5.0, 80.0}));
        f.suggest(30.0, 20.0, 50.0);
        QCOMPARE(f.ends(), (std::pair{10.0, 100.0}));
        QCOMPARE(f.grid.setEpsilonText("1..40 x9"), QString());
        f.suggest(20.0, 10.0, 40.0);
        QCOMPARE(f.ends(), (std::pair{1.0, 40.0}));
        QCOMPARE(f.grid.setEpsilonText(QString()), QString());
        QCOMPARE(f.ends(), (std::pair{5.0, 80.0}));
        f.state.edit([](AnalysisSettings& settings) { settings.grid.epsilons = {3.0, 9.0}; });
        f.suggest(30.0, 20.0, 50.0);
        QCOMPARE(f.grid.epsilonText(), "3; 9");
        f.open(test::toyEmbedding(50, 3));
        QCOMPARE(f.state.grid().epsilons.size(), 5);
        f.suggest(8.0, 4.0, 16.0);
        QCOMPARE(f.state.grid().epsilons.front(), 2.0);
    }

    void listsAreReadOrRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isLambda");
        QTest::addColumn<QString>("read");
        QTest::addColumn<QString>("refusal");
        const auto row = [](const char* text, bool isLambda, const char* read,
                            const char* refusal) {
            QTest::addRow("%s", text) << text << isLambda << read << refusal;
        };
        row("10; 1; 5; 5", false, "1; 5; 10", "");
        // The middle of nine is the geometric mean of the ends, to six digits.
        row("1..40 x9", false,
            "1; 1.58583; 2.51487; 3.98816; 6.32456; 10.0297; 15.9054; 25.2233; 40", "");
        row("0..1x3", true, "0; 0.5; 1", "");
        row("one", false, "", "one");
        row("0; 1", false, "", "above 0");
        row("0,5", true, "", "write 0.5");
        row("1..40 x101", false, "", "100");
        row("0; 1.01", true, "", "1.01");
    }
    void listsAreReadOrRefused() {
        QFETCH(const QString, text);
        QFETCH(const bool, isLambda);
        QFETCH(const QString, read);
        QFETCH(const QString, refusal);
        GridFixture f;
        const auto shown = [&] { return isLambda ? f.grid.parameterText() : f.grid.epsilonText(); };
        const QString before = shown();
        const QString problem =
            isLambda ? f.grid.setParameterText(text) : f.grid.setEpsilonText(text);
        QVERIFY2(refusal.isEmpty() ? problem.isEmpty() : problem.contains(refusal),
                 qPrintable(problem));
        QCOMPARE(shown(), refusal.isEmpty() ? read : before);
    }

    /// Three words span two of three dimensions, so the covariance is singular.
    void lambdaOneIsLeftOutOfTheDefaultWhenTheCovarianceIsSingular() {
        GridFixture f(test::toyEmbedding(3, 3));
        QCOMPARE(f.grid.parameterText(), "0; 0.25; 0.5; 0.75");
        QVERIFY(f.grid.note().contains("singular"));
        const std::vector<double> before = f.state.grid().lambdas;
        QCOMPARE(f.grid.setParameterText("0.5"), QString());
        QCOMPARE(f.grid.note(), QString());
        f.state.edit([&](AnalysisSettings& settings) { settings.grid.lambdas = before; });  // undo
        QVERIFY(f.grid.note().contains("singular"));
        f.open(test::toyEmbedding());
        QCOMPARE(f.grid.parameterText(), "0; 0.25; 0.5; 0.75; 1");
        QCOMPARE(f.grid.note(), QString());
    }

    void eachMechanismHasItsOwnList() {
        GridFixture f(test::toyBall(120, 4));
        f.choose(mechanism::Tem());
        QCOMPARE(f.grid.parameterText(), "0.001");
        f.state.edit([](AnalysisSettings& settings) { settings.mechanism.gammaGiven = true; });
        f.state.edit(&AnalysisSettings::largestDistance, 2.0);
        QCOMPARE(f.grid.parameterText(), "0.5; 1; 1.5; 2");
        QVERIFY(!f.grid.setParameterText("-1").isEmpty());
        // m = 4: 3 + {1, 5, 10, 20, 40}
        f.choose(mechanism::Hyperbolic());
        QCOMPARE(f.grid.epsilonText(), "4; 8; 13; 23; 43");
        QVERIFY(f.grid.parameter() == calibration::CurveParameter::none);
    }
};

EPSILENS_UI_TEST(CurveGridTest)
#include "curve_grid_test.moc"
