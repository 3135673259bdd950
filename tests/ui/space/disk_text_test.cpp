#include <Eigen/SVD>

#include "tests/ui/space/space_fixture.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;

Q_DECLARE_METATYPE(epsilens::mechanism::Mechanism)

namespace {

bool saysProjection(const QString& text) {
    return text.contains(QStringLiteral("projec"), Qt::CaseInsensitive);
}

/// Shares of the mean squared norm along the two directions that hold most of it, in percent.
QStringList largestShares(const RowMatrixF& vectors) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> turned(vectors.cast<double>());
    const Eigen::VectorXd squares = turned.singularValues().array().square();
    const auto percent = [&squares](Eigen::Index k) {
        return ui::significant(100.0 * squares[k] / squares.sum(), 2) + QLatin1Char('%');
    };
    return {percent(0), percent(1)};
}

/// A panel on vectors of the ball with a mechanism set.
struct BallPanel : test::SpaceFixture {
    BallPanel(const mechanism::Mechanism& mechanism, int dimensions)
        : SpaceFixture(test::toyBall(40, dimensions), dimensions + 10.0, mechanism) {}
    QStringList axisTitles() { return {canvas().xAxis->label(), canvas().yAxis->label()}; }
};

}  // namespace

/// What Space says of the picture: that it is a projection wherever, and only where, dimensions
/// are lost.
class DiskTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void aProjectionIsStatedExactlyAboveTwoDimensions_data() {
        using mechanism::RadialLaw;
        QTest::addColumn<mechanism::Mechanism>("mechanism");
        QTest::addColumn<int>("dimensions");
        const auto rows = [](const char* name, const mechanism::Mechanism& mechanism) {
            for (const int dimensions : {2, 3, 10}) {
                QTest::addRow("%s, %d dimensions", name, dimensions) << mechanism << dimensions;
            }
        };
        rows("geodesic", mechanism::Hyperbolic{RadialLaw::riemannian});
        rows("Eq. 7", mechanism::Hyperbolic{RadialLaw::eq7});
        rows("TEM", mechanism::Tem{metric::Metric::poincare});
    }

    void aProjectionIsStatedExactlyAboveTwoDimensions() {
        QFETCH(mechanism::Mechanism, mechanism);
        QFETCH(int, dimensions);
        BallPanel shown(mechanism, dimensions);
        const bool isProjected = dimensions > 2;
        for (const QString& text :
             {shown.label("planeLabel"), shown.label("drawsShareLabel"),
              shown.plot().accessibleName(), shown.plot().accessibleDescription()}) {
            QVERIFY2(saysProjection(text) == isProjected, qPrintable(text));
        }
        QCOMPARE(shown.label("planeLabel").contains(QStringLiteral("the Poincaré disk itself")),
                 !isProjected);
        QVERIFY2(!shown.plot().accessibleName().contains(QStringLiteral("principal")),
                 qPrintable(shown.plot().accessibleName()));
        // What a program reads aloud is the canvas.
        QCOMPARE(shown.canvas().accessibleName(), shown.plot().accessibleName());
        if (!isProjected) {
            QCOMPARE(shown.axisTitles(), (QStringList{QStringLiteral("coordinate 1 of the disk"),
                                                      QStringLiteral("coordinate 2 of the disk")}));
            return;
        }
        const QStringList shares = largestShares(shown.state.embedding()->vectors());
        const QString title = QStringLiteral("direction %1 (%2 of the mean squared norm)");
        QCOMPARE(shown.axisTitles(),
                 (QStringList{title.arg(1).arg(shares[0]), title.arg(2).arg(shares[1])}));
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void principalAxesLoseNothingOfTwoDimensions_data() {
        QTest::addColumn<int>("dimensions");
        QTest::newRow("2 dimensions") << 2;
        QTest::newRow("3 dimensions") << 3;
    }

    /// The radius of a TEM is a line around the very words within it, or the shadow of that line.
    void principalAxesLoseNothingOfTwoDimensions() {
        QFETCH(int, dimensions);
        BallPanel shown(mechanism::Tem(), dimensions);
        QCOMPARE(saysProjection(shown.label("drawsShareLabel")), dimensions > 2);
        QVERIFY(shown.label("drawsShareLabel").contains(QStringLiteral("within γ")));
        QVERIFY(shown.plot().accessibleName().contains(QStringLiteral("principal axes")));
    }

    void theNameFollowsTheMechanism() {
        BallPanel shown(mechanism::Hyperbolic(), 3);
        shown.state.edit(&ui::AnalysisSettings::choose, mechanism::Laplace());
        QTRY_VERIFY(shown.plot().accessibleName().contains(QStringLiteral("principal axes")));
        QVERIFY(shown.axisTitles().first().startsWith(QStringLiteral("PC 1, units of distance (")));
    }
};

EPSILENS_UI_TEST(DiskTextTest)
#include "disk_text_test.moc"
