#include "ui/curves/limit_lines.h"

#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

calibration::Limit limit(const char* text) {
    return calibration::parseLimit(text).value();
}

/// N_w with a 95th percentile of 43.5 and a mean of 30, S_w with a 5th percentile of 12.
Reading exampleReading() {
    CurvePoint nw;
    nw.over.mean = 30.0;
    nw.over.p95 = 43.5;
    CurvePoint sw;
    sw.over.p5 = 12.0;
    Reading reading;
    reading.nw = nw;
    reading.sw = sw;
    return reading;
}

}  // namespace

class LimitLinesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachLimitLiesInThePlotOfItsStatistic() {
        const std::vector limits{limit("nw.p95<=50%"), limit("sw.p5>=20"), limit("kept.mean<=0.25"),
                                 limit("near.mean>=10%"), limit("minEntropy.mean>=2")};
        const auto nw = limitLines(limits, Statistic::nw, 200, nullptr);
        QCOMPARE(nw.size(), std::size_t{2});
        QCOMPARE(nw[0].value, 100.0);  // half of 200 draws
        QCOMPARE(nw[1].value, 50.0);   // a quarter of them
        const auto sw = limitLines(limits, Statistic::sw, 200, nullptr);
        QCOMPARE(sw.size(), std::size_t{1});
        QCOMPARE(sw[0].value, 20.0);
        QCOMPARE(sw[0].label(), QStringLiteral("different outputs P5 ≥ 20"));
        QVERIFY(!sw[0].met);
    }

    void saysWhetherItIsMetByMoreThanColour() {
        const Reading reading = exampleReading();
        const std::vector limits{limit("nw.p95<=50%"), limit("kept.mean<=0.25"),
                                 limit("sw.p5>=20")};
        const auto nw = limitLines(limits, Statistic::nw, 100, &reading);
        QCOMPARE(nw[0].label(), QStringLiteral("kept draws P95 ≤ 50%: 43.5 ✓"));
        QCOMPARE(nw[1].label(), QStringLiteral("kept share mean ≤ 0.25: 30.0 ✗"));
        const auto sw = limitLines(limits, Statistic::sw, 100, &reading);
        QCOMPARE(sw[0].label(), QStringLiteral("different outputs P5 ≥ 20: 12.0 ✗"));
        QCOMPARE(limitsDescription(nw),
                 QStringLiteral(" Limits: kept draws P95 ≤ 50%, met; kept share mean ≤ 0.25, not "
                                "met."));
        QVERIFY(limitsDescription({}).isEmpty());
        const auto ofOne =
            limitLines(limits, Statistic::sw, 100, &reading, QStringLiteral("λ 0.5"));
        QCOMPARE(ofOne[0].label(), QStringLiteral("different outputs P5 ≥ 20: 12.0 for λ 0.5 ✗"));
    }

    /// Outside the grid S_w is unknown while N_w may be exact.
    void aValueThatIsUnknownJudgesNothing() {
        Reading reading = exampleReading();
        reading.sw.reset();
        QVERIFY(!limitLines({limit("sw.p5>=20")}, Statistic::sw, 100, &reading).front().met);
        QVERIFY(limitLines({limit("nw.p95<=50%")}, Statistic::nw, 100, &reading).front().met);
        QVERIFY(!meetsLimits({limit("nw.p95<=50%"), limit("sw.p5>=20")}, 100, reading));
        QCOMPARE(meetsLimits({limit("nw.p95<=50%")}, 100, reading), std::optional(true));
    }

    void allLimitsThatCurvesTellCountTogether() {
        const Reading reading = exampleReading();
        QVERIFY(!meetsLimits({limit("minEntropy.mean>=2")}, 100, reading));
        QCOMPARE(meetsLimits({limit("nw.p95<=50%"), limit("minEntropy.mean>=2")}, 100, reading),
                 std::optional(true));
        QCOMPARE(meetsLimits({limit("nw.p95<=50%"), limit("sw.p5>=20")}, 100, reading),
                 std::optional(false));
    }
};

EPSILENS_UI_TEST(LimitLinesTest)
#include "limit_lines_test.moc"
