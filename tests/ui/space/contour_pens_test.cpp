#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Eigenvalues>

#include "tests/ui/space/space_fixture.h"
#include "ui/widgets/theme.h"

using namespace epsilens;
using test::SpaceFixture;

namespace {

bool isSpherical(const QCPCurve& curve) {
    return curve.name().contains(QStringLiteral("spherical"));
}

/// What is drawn of the noise.
std::vector<QCPCurve*> visibleCurves(SpaceFixture& f) {
    std::vector<QCPCurve*> curves;
    for (int i = 0; i < f.canvas().plottableCount(); ++i) {
        auto* curve = qobject_cast<QCPCurve*>(f.canvas().plottable(i));
        if (curve != nullptr && curve->visible() && !curve->data()->isEmpty()) {
            curves.push_back(curve);
        }
    }
    return curves;
}

/// Width to height of what is drawn.
double axisRatio(const QCPCurve& curve) {
    bool found = false;
    const double width = curve.getKeyRange(found).size();
    return width / curve.getValueRange(found).size();
}

/// sqrt(lambda xi_1 + 1 - lambda) / sqrt(lambda xi_2 + 1 - lambda), from the vectors.
double expectedRatio(const RowMatrixF& vectors, double lambda) {
    const RowMatrixD rows = vectors.cast<double>();
    const RowMatrixD centred = rows.rowwise() - rows.colwise().mean();
    Eigen::MatrixXd sigma = centred.transpose() * centred;
    sigma *= static_cast<double>(sigma.rows()) / sigma.trace();
    const Eigen::VectorXd rising =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(sigma).eigenvalues();
    const auto last = rising.size() - 1;
    return std::sqrt((lambda * rising[last] + 1.0 - lambda) /
                     (lambda * rising[last - 1] + 1.0 - lambda));
}

/// An ellipse along the axes, by its extreme points.
struct Ellipse {
    explicit Ellipse(const QCPCurve& curve) {
        bool found = false;
        x = curve.getKeyRange(found);
        y = curve.getValueRange(found);
    }
    [[nodiscard]] qint64 countInside(const QCPGraph& points) const {
        return std::count_if(points.data()->begin(), points.data()->end(), [this](const auto& one) {
            return std::hypot((one.key - x.center()) / x.size(),
                              (one.value - y.center()) / y.size()) <= 0.5;
        });
    }

    QCPRange x, y;
};

}  // namespace

class ContourPensTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theStatedSharesAreThoseOfTheDrawing() {
        SpaceFixture f(test::toyEmbedding(60, 4));
        f.set({.lambda = 1.0});
        QTRY_COMPARE(visibleCurves(f).size(), std::size_t{4});
        const QCPGraph* draws = f.graph("200 draws");
        const QCPGraph* word = f.graph("selected word");
        QVERIFY(draws != nullptr && word != nullptr);
        QCOMPARE(draws->dataCount(), 200);
        QString expected = QStringLiteral("Of 200 draws ");
        for (const int share : {50, 95}) {
            for (const QCPCurve* curve : visibleCurves(f)) {
                if (isSpherical(*curve) || !curve->name().contains(QString::number(share))) {
                    continue;
                }
                const Ellipse ellipse(*curve);
                QCOMPARE(ellipse.x.center(), word->dataMainKey(0));
                QCOMPARE(ellipse.y.center(), word->dataMainValue(0));
                const qint64 inside = ellipse.countInside(*draws);
                const double percentInside = 0.5 * static_cast<double>(inside);
                // Four standard deviations of the share of 200 draws.
                QVERIFY(std::abs(percentInside - share) <
                        4.0 * std::sqrt(share * (100.0 - share) / 200.0));
                expected += QStringLiteral("%1 (%2%) in the %3% contour, ")
                                .arg(inside)
                                .arg(std::lround(percentInside))
                                .arg(share);
            }
        }
        expected.chop(2);
        expected += QLatin1Char('.');
        QCOMPARE(f.label("drawsShareLabel"), expected);
    }

    void sphericalNoiseIsDashedAgainstEllipticalSolid() {
        const auto embedding = test::toyEmbedding(60, 4);
        SpaceFixture f(embedding);
        QTRY_COMPARE(visibleCurves(f).size(), std::size_t{4});
        const double elongated = expectedRatio(embedding->vectors(), 0.5);
        QVERIFY(elongated > 1.1);
        for (const auto theme : {ui::ThemeChoice::dark, ui::ThemeChoice::light}) {
            ui::applyTheme(theme);
            const auto curves = visibleCurves(f);
            QCOMPARE(std::count_if(curves.begin(), curves.end(),
                                   [](const QCPCurve* curve) { return isSpherical(*curve); }),
                     std::ptrdiff_t{2});
            for (const QCPCurve* curve : curves) {
                QCOMPARE(curve->pen().style(), isSpherical(*curve) ? Qt::DashLine : Qt::SolidLine);
                // Shape too, not the pen alone; the outlines have points on both axes.
                QVERIFY(std::abs(axisRatio(*curve) - (isSpherical(*curve) ? 1.0 : elongated)) <
                        1e-6);
            }
        }
        // Without an ellipse a single pair is drawn, and is round.
        f.set({.lambda = 0.0});
        QTRY_COMPARE(visibleCurves(f).size(), std::size_t{2});
        for (const QCPCurve* curve : visibleCurves(f)) {
            QVERIFY(std::abs(axisRatio(*curve) - 1.0) < 1e-6);
        }
    }
};

EPSILENS_UI_TEST(ContourPensTest)
#include "contour_pens_test.moc"
