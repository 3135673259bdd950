#include "ui/curves/curve_text.h"

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/plot/plot_style.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

RunCurves sampledRun() {
    const engine::SearchSpace space(test::toyEmbedding());
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis();
    options.grid.epsilons = {1.0, 4.0, 16.0};
    options.grid.lambdas = {0.0, 0.5};
    options.words.kind = calibration::WordSelection::Kind::all;
    options.draws = 50;
    return *calibration::runCurves(space, options).value();
}

}  // namespace

class CurveTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersAreBrief() {
        QCOMPARE(brief(83.0), QStringLiteral("83"));
        QCOMPARE(brief(10.0 / 3.0), QStringLiteral("3.3333"));
    }

    void readingsSayWhatIsKnown() {
        const RunCurves run = sampledRun();
        QVERIFY(originText(run, Statistic::nw).contains(QStringLiteral("sampled")));
        const auto readingAt = [&](double epsilon, double lambda) {
            return readingText(run, 1, epsilon, {}, mechanism::Mahalanobis{.lambda = lambda});
        };
        const QString between = readingAt(8.0, 0.5);
        QVERIFY2(between.startsWith(QStringLiteral("At ε 8, λ 0.5")) &&
                     between.contains(QStringLiteral("S<sub>w</sub> ≈")),
                 qPrintable(between));
        QVERIFY(readingAt(99.0, 0.5).contains(
            QStringLiteral("S<sub>w</sub> unknown outside the grid")));
        // The curve of another λ is not taken for that of the λ set.
        QCOMPARE(readingAt(8.0, 0.53),
                 QStringLiteral(
                     "There is no curve for λ 0.53, the value set; this is the nearest one. ") +
                     between);
    }
};

EPSILENS_UI_TEST(CurveTextTest)
#include "curve_text_test.moc"
