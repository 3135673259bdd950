#include <algorithm>
#include <cmath>
#include <vector>

#include <qcustomplot.h>
#include <Eigen/Eigenvalues>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/common/theme.h"
#include "ui/space/space_panel.h"
#include "ui/space/space_plot.h"

using namespace epsilens;
using test::findControl;
using test::kPatienceMs;

namespace {

bool isSpherical(const QCPCurve& curve) {
    return curve.name().contains(QStringLiteral("spherical"));
}

/// What is drawn of the noise; nothing of it is pinned in these tests.
std::vector<QCPCurve*> visibleCurves(const ui::SpacePanel& panel) {
    auto* canvas = panel.findChild<QCustomPlot*>();
    std::vector<QCPCurve*> curves;
    for (int i = 0; i < canvas->plottableCount(); ++i) {
        auto* curve = qobject_cast<QCPCurve*>(canvas->plottable(i));
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

}  // namespace

class ContourPensTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sphericalNoiseIsDashedAgainstEllipticalSolid() {
        ui::AnalysisState state;
        ui::SpacePanel panel(state);
        const auto embedding = test::toyEmbedding(60, 4);
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        state.setEpsilon(6.0);
        state.setSelectedWord(0);
        panel.resize(880, 640);
        panel.show();
        QTRY_VERIFY_WITH_TIMEOUT(findControl<ui::SpacePlot>(panel, "spacePlot")->isVisible(),
                                 kPatienceMs);
        state.setLambda(0.5);
        QTRY_COMPARE_WITH_TIMEOUT(visibleCurves(panel).size(), std::size_t{4}, kPatienceMs);
        const double elongated = expectedRatio(embedding->vectors(), 0.5);
        QVERIFY(elongated > 1.1);
        for (const auto theme : {ui::ThemeChoice::dark, ui::ThemeChoice::light}) {
            ui::applyTheme(theme);
            const auto curves = visibleCurves(panel);
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
        state.setLambda(0.0);
        QTRY_COMPARE_WITH_TIMEOUT(visibleCurves(panel).size(), std::size_t{2}, kPatienceMs);
        for (const QCPCurve* curve : visibleCurves(panel)) {
            QVERIFY(std::abs(axisRatio(*curve) - 1.0) < 1e-6);
        }
    }
};

EPSILENS_UI_TEST(ContourPensTest)
#include "contour_pens_test.moc"
