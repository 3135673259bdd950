#include "ui/widgets/value_scale.h"

#include <cmath>

#include "tests/ui/support/ui_test.h"

using epsilens::ui::ValueScale;

namespace {

// The epsilon slider of a file whose default is 10: six decades around it, four digits.
constexpr ValueScale kEpsilon{ValueScale::Kind::logarithmic, 0.01, 10'000.0, 0.0, 4};
constexpr ValueScale kLambda{ValueScale::Kind::linear, 0.0, 1.0, 0.01, 0};
constexpr ValueScale kDraws{ValueScale::Kind::logarithmic, 10.0, 10'000.0, 0.0, 0};

}  // namespace

class ValueScaleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void positionsAreLogarithmic() {
        QCOMPARE(kEpsilon.position(0.01), 0.0);
        QCOMPARE(kEpsilon.position(10.0),
                 0.5);  // the middle of six decades is three above the low end
        QCOMPARE(kEpsilon.position(10'000.0), 1.0);
        QCOMPARE(kEpsilon.position(1e-9), 0.0);
        QCOMPARE(kEpsilon.position(1e9), 1.0);
        QCOMPARE(kEpsilon.at(0.5), 10.0);
    }

    void logarithmicStepsAreHundredthsOfADecade() {
        // 10^0.01 = 1.0232930 and 10^0.1 = 1.2589254 (tables of powers of ten).
        QVERIFY(qAbs(kEpsilon.stepped(10.0, 1) - 10.232930) < 1e-6);
        QVERIFY(qAbs(kEpsilon.stepped(10.0, 10) - 12.589254) < 1e-6);
        QVERIFY(qAbs(kEpsilon.stepped(kEpsilon.stepped(10.0, 7), -7) - 10.0) < 1e-12);
        QCOMPARE(kEpsilon.stepped(10'000.0, 1), 10'000.0);
        QCOMPARE(kEpsilon.stepped(0.01, -1), 0.01);
    }

    /// Riemannian noise in 100 dimensions exists above 99 only: a step moves what exceeds it.
    void stepsAboveABoundAreOfWhatExceedsIt() {
        constexpr ValueScale scale{ValueScale::Kind::logarithmic, 99.1, 199.0, 0.0, 4, 99.0};
        QVERIFY(qAbs(scale.stepped(109.0, 1) - (99.0 + 10.232930)) < 1e-6);
        QVERIFY(qAbs(scale.stepped(109.0, -10) - (99.0 + 10.0 / 1.2589254)) < 1e-6);
        QCOMPARE(scale.stepped(99.2, -1000), 99.1);
        // Positions go by its logarithm, of 0.1 to 100.
        QVERIFY(qAbs(scale.position(99.0 + std::sqrt(10.0)) - 0.5) < 1e-12);
        QVERIFY(qAbs(scale.at(0.5) - (99.0 + std::sqrt(10.0))) < 1e-9);
        QCOMPARE(scale.position(99.0), 0.0);
        QCOMPARE(scale.rounded(99.123456), 99.1235);
    }

    void wholeNumbersAlwaysMove() {
        // 10 × 1.023 rounds to 10 again, so the step has to be one.
        QCOMPARE(kDraws.rounded(kDraws.stepped(10.0, 1)), 11.0);
        QCOMPARE(kDraws.rounded(kDraws.stepped(11.0, -1)), 10.0);
        QCOMPARE(kDraws.rounded(kDraws.stepped(1000.0, 1)), 1023.0);
    }

    void stepsStartFromATypedValueBeyondTheEnds() {
        QVERIFY(qAbs(kEpsilon.stepped(1e6, -1) - 1e6 / 1.0232930) < 1.0);
        QCOMPARE(kEpsilon.stepped(1e6, 1), 1e6);
        QVERIFY(qAbs(kEpsilon.stepped(1e-6, 1) - 1.0232930e-6) < 1e-12);
        QCOMPARE(kEpsilon.stepped(1e-6, -1), 1e-6);
    }

    void linearStepsStayOnTheGrid() {
        double value = 0.0;
        for (int step = 0; step < 29; ++step) {
            value = kLambda.stepped(value, 1);
        }
        QVERIFY(value == 0.29);  // the double that "0.29" reads as, not 29 additions of 0.01
        QVERIFY(kLambda.stepped(0.95, 10) == 1.0);
    }

    void roundsToSignificantDigits() {
        QVERIFY(kEpsilon.rounded(10.23293) == 10.23);
        QVERIFY(kEpsilon.rounded(0.0123456) == 0.01235);
        QVERIFY(kEpsilon.rounded(98765.4) == 98770.0);
    }
};

EPSILENS_UI_TEST(ValueScaleTest)
#include "value_scale_test.moc"
