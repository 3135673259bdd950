#include "ui/space/space_panel.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <qcustomplot.h>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "core/base/random_stream.h"
#include "tests/ui/support/state_driver.h"
#include "ui/space/space_plot.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

using namespace epsilens;
using test::findControl;

Q_DECLARE_METATYPE(epsilens::mechanism::Mechanism)

namespace {

using Point = std::pair<double, double>;

/// A panel over some vectors, shown, around their first word.
struct SpaceFixture : test::StateDriver {
    explicit SpaceFixture(const embedding::EmbeddingHandle& embedding = test::toyEmbedding(60, 4),
                          const mechanism::Mechanism& mechanism = mechanism::Mahalanobis(),
                          double epsilon = 6.0) {
        open(embedding);
        take(mechanism);
        chooseEpsilon(epsilon);
        state.selectWord(ui::Word(embedding, 0));
        panel->resize(880, 640);
        panel->show();
        QTRY_VERIFY(isSettled());
        test::letPass(50);
    }
    bool isSettled() { return list()->model()->rowCount() > 0 && !points("draw").empty(); }
    ui::SpacePlot& plot() { return find<ui::SpacePlot>("spacePlot"); }
    QCustomPlot& canvas() { return plot().plot(); }
    QString word() { return text("spaceWordLineEdit"); }
    QTableView* list() { return &find<QTableView>("spaceNeighbourTableView"); }
    QString listed(int row, int column) {
        return list()->model()->index(row, column).data().toString();
    }
    ui::NoticeLine* notice() { return &find<ui::NoticeLine>("noticeLine"); }
    QStringList axisTitles() { return {canvas().xAxis->label(), canvas().yAxis->label()}; }
    double pixelsPerUnit() { return plot().positionOf({1, 0}).x() - plot().positionOf({0, 0}).x(); }
    /// What the plot shows of a kind, by the data that can be copied.
    std::vector<Point> points(const char* kind) {
        std::vector<Point> found;
        for (const QString& row : plot().visibleCsv().split(QLatin1Char('\n'))) {
            const QStringList fields = row.split(QLatin1Char(','));
            if (fields.front() == QLatin1String(kind)) {
                found.emplace_back(fields[fields.size() - 2].toDouble(), fields.back().toDouble());
            }
        }
        return found;
    }
    /// By how its name begins.
    QCPGraph* graph(const char* name) {
        for (int i = 0; i < canvas().graphCount(); ++i) {
            if (canvas().graph(i)->name().startsWith(QLatin1String(name))) {
                return canvas().graph(i);
            }
        }
        return nullptr;
    }
    std::vector<QCPCurve*> curves() {
        std::vector<QCPCurve*> shown;
        for (int i = 0; i < canvas().plottableCount(); ++i) {
            auto* curve = qobject_cast<QCPCurve*>(canvas().plottable(i));
            if (curve != nullptr && curve->visible() && !curve->data()->isEmpty()) {
                shown.push_back(curve);
            }
        }
        return shown;
    }

    std::unique_ptr<ui::Panel> panel{ui::newSpacePanel(state)};

protected:
    [[nodiscard]] const QObject& root() const override { return *panel; }
};

bool isSpherical(const QCPCurve& curve) {
    return curve.name().contains("spherical");
}

/// An ellipse along the axes, by its extreme points.
struct Ellipse {
    explicit Ellipse(const QCPCurve& curve) {
        bool found = false;
        x = curve.getKeyRange(found);
        y = curve.getValueRange(found);
    }
    [[nodiscard]] double ratio() const { return x.size() / y.size(); }
    [[nodiscard]] qint64 countInside(const QCPGraph& points) const {
        return std::count_if(points.data()->begin(), points.data()->end(), [this](const auto& one) {
            return std::hypot((one.key - x.center()) / x.size(),
                              (one.value - y.center()) / y.size()) <= 0.5;
        });
    }

    QCPRange x, y;
};

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

/// Shares of the mean squared norm along the two directions that hold most of it.
QStringList largestShares(const RowMatrixF& vectors) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> turned(vectors.cast<double>());
    const Eigen::VectorXd squares = turned.singularValues().array().square();
    const auto percent = [&squares](Eigen::Index k) {
        return ui::significant(100.0 * squares[k] / squares.sum(), 2) + QLatin1Char('%');
    };
    return {percent(0), percent(1)};
}

/// The rows centred and turned into the principal axes.
RowMatrixD principalCoordinates(const embedding::PreparedEmbedding& data) {
    return (data.vectors().cast<double>().rowwise() - data.basis.mean.transpose()) *
           data.basis.axes.leftCols(2);
}

bool saysProjection(const QString& text) {
    return text.contains("projec", Qt::CaseInsensitive);
}

}  // namespace

class SpacePanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatIsMissing() {
        ui::AnalysisState state;
        const std::unique_ptr<ui::Panel> panel(ui::newSpacePanel(state));
        panel->show();
        const auto* empty = findControl<QLabel>(*panel, "spaceEmptyLabel");
        QVERIFY(empty->isVisible() && empty->text().contains("Open an embedding"));
        QVERIFY(!findControl<ui::SpacePlot>(*panel, "spacePlot")->isVisible());
        const auto line = test::toyEmbedding(30, 1);
        test::open(state, line);
        QVERIFY(empty->isVisible() && empty->text().contains("one dimension"));
    }

    /// Coordinates are those of the principal axes, shares are quotients of eigenvalues.
    void pointsLieAtTheirPrincipalComponents() {
        SpaceFixture f;
        const auto& data = *f.state.embedding();
        const RowMatrixD plane = principalCoordinates(data);
        const auto points = f.points("point");
        QCOMPARE(points.size(), 60);
        for (Eigen::Index row = 0; row < plane.rows(); ++row) {
            QVERIFY(std::ranges::any_of(points, [&](const Point& point) {
                return std::hypot(point.first - plane(row, 0), point.second - plane(row, 1)) < 1e-4;
            }));
        }
        const auto percent = [&data](Eigen::Index axis, Eigen::Index count) {
            return ui::significant(
                100.0 * data.basis.spectrum.segment(axis, count).sum() / data.basis.spectrum.sum(),
                2);
        };
        QCOMPARE(f.axisTitles()[1],
                 QString("PC 2, units of distance (%1% of the variance)").arg(percent(1, 1)));
        QVERIFY(f.text("planeLabel")
                    .startsWith(QString("60 of 60 points drawn · the plane holds %1% of the "
                                        "variance")
                                    .arg(percent(0, 2))));
        QVERIFY(f.plot().accessibleDescription().contains("paris"));
        // With another embedding nothing of this stays.
        f.open(test::toyEmbedding(50, 3));
        QVERIFY(!f.plot().isVisible() && f.points("point").empty());
        QTRY_VERIFY(f.text("planeLabel").startsWith("50 of 50 points drawn"));
    }

    void typedWordsAreSelectedAndUnknownOnesGetSuggestions() {
        SpaceFixture f;
        f.enter("spaceWordLineEdit", "word7");
        QVERIFY(f.state.selectedWord() == ui::Word(f.state.embedding(), 7));
        QTRY_VERIFY(f.plot().accessibleDescription().contains("word7"));
        f.enter("spaceWordLineEdit", "londno");
        QTRY_VERIFY(f.notice()->isVisible());
        QVERIFY(f.notice()->text().contains("londno"));
        QPushButton* suggestion = nullptr;
        for (auto* button : f.notice()->findChildren<QPushButton*>()) {
            suggestion = button->text() == "london" ? button : suggestion;
        }
        QVERIFY(suggestion != nullptr);
        QTest::mouseClick(suggestion, Qt::LeftButton);
        QVERIFY(f.state.selectedWord() == ui::Word(f.state.embedding(), 1));
    }

    /// With 4 words in 5 dimensions the covariance is singular: there is no distance of lambda 1.
    void neighboursThatCannotBeFoundAreTold() {
        SpaceFixture f(test::toyEmbedding(4, 5));
        f.choose(mechanism::Tem());
        f.set({.lambda = 0.5, .metric = metric::Metric::mahalanobis});
        QTRY_VERIFY(f.isSettled());
        QVERIFY(!f.notice()->isVisible());
        f.set({.lambda = 1.0});
        QTRY_VERIFY(f.notice()->isVisible());
        QVERIFY(test::holds(f.notice()->text(), "singular"));
        QCOMPARE(f.list()->model()->rowCount(), 0);
        f.set({.lambda = 0.5});
        QTRY_VERIFY(!f.notice()->isVisible() && f.isSettled());
    }

    /// Carvalho et al. 2021, Theorem 3: beta above (V - 1) / V has no radius.
    void wordsThatCannotBeDrawnAreTold() {
        SpaceFixture f;
        f.choose(mechanism::Tem());
        f.set({.beta = 0.99});
        QTRY_VERIFY(f.notice()->isVisible());
        QVERIFY(f.points("draw").empty() && f.list()->model()->rowCount() > 0);
        f.set({.beta = 0.01});
        QTRY_VERIFY(!f.notice()->isVisible() && f.isSettled());
    }

    /// The outputs of TEM are words: those of one word around the next would lie beside them.
    void outputsOfOneWordAreNotThoseOfTheNext() {
        SpaceFixture f(test::toyEmbedding(), mechanism::Tem());
        const RowMatrixD plane = principalCoordinates(*f.state.embedding());
        const auto areWords = [&] {
            const auto draws = f.points("draw");
            return std::ranges::all_of(draws, [&plane](const Point& draw) {
                return ((plane.col(0).array() - draw.first).square() +
                        (plane.col(1).array() - draw.second).square())
                           .minCoeff() < 1e-8;
            });
        };
        QVERIFY(areWords());
        for (embedding::Row next = 1; next < 6; ++next) {
            f.state.selectWord(ui::Word(f.state.embedding(), next));
            QTRY_VERIFY(!areWords() ||
                        (f.word() == f.state.selectedWord()->text() && f.isSettled()));
            QVERIFY(areWords());
        }
    }

    void epsilonScalesWhatIsDrawn() {
        SpaceFixture f;
        f.chooseEpsilon(4.0);
        const QCPGraph* draws = f.graph("200 draws");
        QCOMPARE(draws->dataCount(), 200);
        for (const Point& copied : f.points("draw")) {
            QVERIFY(std::ranges::any_of(*draws->data(), [&](const QCPGraphData& draw) {
                return std::hypot(copied.first - draw.key, copied.second - draw.value) < 1e-4;
            }));
        }
        const double word = f.graph("selected word")->dataMainKey(0);
        const auto offsets = [&] {
            std::vector<double> all;
            for (const auto& draw : *draws->data()) {
                all.push_back(draw.key - word);
            }
            return all;
        };
        const auto before = offsets();
        const double wide = Ellipse(*f.curves().back()).y.size();
        f.chooseEpsilon(8.0);
        const auto after = offsets();
        for (std::size_t i = 0; i < after.size(); ++i) {
            QVERIFY(std::abs(after[i] - before[i] / 2.0) < 1e-12);
        }
        QVERIFY(std::abs(Ellipse(*f.curves().back()).y.size() - wide / 2.0) < 1e-12);
    }

    void theStatedSharesAreThoseOfTheDrawing() {
        SpaceFixture f;
        f.set({.lambda = 1.0});
        QTRY_COMPARE(f.curves().size(), 4);
        const QCPGraph* draws = f.graph("200 draws");
        const QCPGraph* word = f.graph("selected word");
        QString expected = "Of 200 draws ";
        for (const int share : {50, 95}) {
            for (const QCPCurve* curve : f.curves()) {
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
                expected += QString("%1 (%2%) in the %3% contour, ")
                                .arg(inside)
                                .arg(std::lround(percentInside))
                                .arg(share);
            }
        }
        expected.chop(2);
        QCOMPARE(f.text("drawsShareLabel"), expected + QLatin1Char('.'));
    }

    void sphericalNoiseIsDashedAgainstEllipticalSolid() {
        SpaceFixture f;
        QTRY_COMPARE(f.curves().size(), 4);
        const double elongated = expectedRatio(f.state.embedding()->vectors(), 0.5);
        QVERIFY(elongated > 1.1);
        for (const auto theme : {ui::ThemeChoice::dark, ui::ThemeChoice::light}) {
            ui::applyTheme(theme);
            int spherical = 0;
            for (const QCPCurve* curve : f.curves()) {
                spherical += isSpherical(*curve) ? 1 : 0;
                QCOMPARE(curve->pen().style(), isSpherical(*curve) ? Qt::DashLine : Qt::SolidLine);
                // Shape too, not the pen alone; the outlines have points on both axes.
                QVERIFY(std::abs(Ellipse(*curve).ratio() -
                                 (isSpherical(*curve) ? 1.0 : elongated)) < 1e-6);
            }
            QCOMPARE(spherical, 2);
        }
        QVERIFY(!f.points("contour").empty() && !f.points("spherical contour").empty());
        // Without an ellipse a single pair is drawn, and is round.
        f.set({.lambda = 0.0});
        QTRY_COMPARE(f.curves().size(), 2);
        for (const QCPCurve* curve : f.curves()) {
            QVERIFY(std::abs(Ellipse(*curve).ratio() - 1.0) < 1e-6);
        }
    }

    void aProjectionIsStatedWhereDimensionsAreLost_data() {
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
    }
    void aProjectionIsStatedWhereDimensionsAreLost() {
        QFETCH(mechanism::Mechanism, mechanism);
        QFETCH(int, dimensions);
        SpaceFixture f(test::toyBall(40, dimensions), mechanism, dimensions + 10.0);
        const bool isProjected = dimensions > 2;
        QCOMPARE(saysProjection(f.text("drawsShareLabel")), isProjected);
        QCOMPARE(saysProjection(f.plot().accessibleDescription()), isProjected);
        // What a program reads aloud is the canvas.
        const QString name = f.plot().accessibleName();
        QCOMPARE(f.canvas().accessibleName(), name);
        QCOMPARE(saysProjection(name), isProjected);
        QCOMPARE(saysProjection(f.text("planeLabel")), isProjected);
        QCOMPARE(f.text("planeLabel").contains("the Poincaré disk itself"), !isProjected);
        const QStringList shares = largestShares(f.state.embedding()->vectors());
        const QString title = isProjected ? "direction %1 (%2 of the mean squared norm)"
                                          : "coordinate %1 of the disk";
        for (const int axis : {0, 1}) {
            const QString numbered = title.arg(axis + 1);
            QCOMPARE(f.axisTitles()[axis], isProjected ? numbered.arg(shares[axis]) : numbered);
        }
        f.choose(mechanism::Laplace());
        QTRY_VERIFY(f.plot().accessibleName().contains("principal axes"));
    }

    void labelsThatFindNoRoomAreCounted() {
        SpaceFixture f;
        f.panel->resize(420, 300);
        QTRY_VERIFY(f.plot().labelsLeftOut() > 0);
        QTRY_VERIFY(f.text("planeLabel")
                        .contains(QString("no room for %1 labels").arg(f.plot().labelsLeftOut())));
    }

    void unitsAreEquallyLongOnBothAxes() {
        SpaceFixture f;
        for (const QSize size : {QSize(880, 640), QSize(500, 700)}) {
            f.panel->resize(size);
            test::letPass(100);
            const auto up = [&f] {
                return f.plot().positionOf({0, 0}).y() - f.plot().positionOf({0, 1}).y();
            };
            QTRY_VERIFY(std::abs(f.pixelsPerUnit() - up()) < 0.5);
        }
    }

    /// Axes that followed every step would hide what the step changes; at rest the contours are in
    /// view.
    void theAxesStayWhileEpsilonMovesThenFollow() {
        SpaceFixture f;
        // The axes have followed the first noise.
        double before = 0.0;
        QTRY_VERIFY([&] {
            before = f.pixelsPerUnit();
            test::letPass(500);
            return f.pixelsPerUnit() == before;
        }());
        const QString data = f.plot().visibleCsv();
        for (const double epsilon : {3.0, 1.0, 0.05}) {
            f.chooseEpsilon(epsilon);
            QCoreApplication::processEvents();
            QCOMPARE(f.pixelsPerUnit(), before);
        }
        QVERIFY2(f.plot().visibleCsv() != data, "The noise itself follows at once.");
        // At epsilon 0.05 and m = 4 half of the noise lies beyond 2.3 / 0.05 units.
        QTRY_VERIFY(f.pixelsPerUnit() * 2.0 * 46.0 < f.plot().width());
    }

    void aClickOnAPointSelectsItsWord() {
        SpaceFixture f;
        const RowMatrixD plane = principalCoordinates(*f.state.embedding());
        const QPoint place = f.plot().positionOf({plane(9, 0), plane(9, 1)}).toPoint();
        const auto nearest = f.plot().wordAt(place);
        QVERIFY(nearest.has_value());
        QTest::mouseClick(&f.canvas(), Qt::LeftButton, {}, place);
        QVERIFY(f.state.selectedWord() == nearest);
        QVERIFY(plane.row(nearest->row()).isApprox(plane.row(9), 0.05));
        QVERIFY(!f.plot().wordAt({-500, -500}).has_value());
    }

    void neighboursAreListedWithTheirDistances() {
        SpaceFixture f;
        QCOMPARE(f.list()->model()->rowCount(), 59);
        // Distances of all words from paris, by hand.
        const RowMatrixD all = f.state.embedding()->vectors().cast<double>();
        std::vector<double> distances;
        for (Eigen::Index row = 1; row < all.rows(); ++row) {
            distances.push_back((all.row(row) - all.row(0)).norm());
        }
        std::ranges::sort(distances);
        for (const int row : {0, 1, 30, 58}) {
            QCOMPARE(f.listed(row, 1),
                     ui::significant(distances[static_cast<std::size_t>(row)], 3));
        }
        const auto title = [&f] {
            return f.list()->model()->headerData(1, Qt::Horizontal).toString();
        };
        QCOMPARE(title(), "Euclidean distance");
        QVERIFY(f.list()->accessibleDescription().contains("paris"));
        f.choose(mechanism::Tem());
        f.set({.metric = metric::Metric::angular});
        QTRY_COMPARE(title(), "angular distance");
        // No angle exceeds pi.
        QTRY_VERIFY(f.listed(58, 1).toDouble() <= 3.15);
    }

    void aNeighbourIsChosenByClickOrReturn() {
        SpaceFixture f;
        const QString third = f.listed(2, 0);
        const QRect cell = f.list()->visualRect(f.list()->model()->index(2, 1));
        QTest::mouseClick(f.list()->viewport(), Qt::LeftButton, {}, cell.center());
        QTRY_COMPARE(f.word(), third);
        QTRY_VERIFY(f.listed(0, 0) != third);
        const QString second = f.listed(1, 0);
        f.list()->setCurrentIndex(f.list()->model()->index(0, 0));
        QTest::keyClick(f.list(), Qt::Key_Down);
        QTest::keyClick(f.list(), Qt::Key_Return);
        QTRY_COMPARE(f.word(), second);
    }
};

class LabelLayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLabelStandsRightOfItsPointUnlessThatIsTheEdge() {
        const auto placed =
            ui::placeLabels({{{100, 100}, {40, 12}}, {{290, 200}, {40, 12}}}, {0, 0, 300, 300}, {});
        QVERIFY(placed[0]->left() > 100.0 && placed[0]->left() < 112.0);
        QCOMPARE(placed[0]->center().y(), 100.0);
        QVERIFY(placed[1]->right() < 290.0);
    }

    void noTwoOverlapAndAllStayInside() {
        SeededStream random(StreamKey{3, StreamPurpose::spaceView, 0, 0});
        const QRectF bounds(0, 0, 500, 400);
        const QRectF legend(350, 0, 150, 90);
        std::vector<ui::LabelRequest> requests(60);
        for (ui::LabelRequest& request : requests) {
            request = {{200 + 60 * random.normal(), 200 + 60 * random.normal()},
                       {30.0 + 30.0 * random.uniform(), 13}};
        }
        const auto placed = ui::placeLabels(requests, bounds, {legend});
        int shown = 0;
        for (std::size_t i = 0; i < placed.size(); ++i) {
            if (!placed[i]) {
                continue;
            }
            ++shown;
            QVERIFY(bounds.contains(*placed[i]));
            QVERIFY(!legend.intersects(*placed[i]));
            for (std::size_t j = 0; j < placed.size(); ++j) {
                QVERIFY(!placed[i]->contains(requests[j].anchor));
                QVERIFY(j == i || !placed[j] || !placed[i]->intersects(*placed[j]));
            }
        }
        QVERIFY2(shown >= 30, qPrintable(QString::number(shown)));
    }

    void whatFindsNoPlaceGetsNone() {
        const std::vector<ui::LabelRequest> requests(200, {{50, 50}, {40, 12}});
        const auto placed = ui::placeLabels(requests, {0, 0, 100, 100}, {});
        QVERIFY(placed.front().has_value());
        QVERIFY(!placed.back().has_value());
        QVERIFY(!ui::placeLabels({{{-5, 50}, {10, 10}}}, {0, 0, 100, 100}, {})[0].has_value());
    }
};

EPSILENS_UI_TEST(SpacePanelTest)
EPSILENS_UI_TEST(LabelLayoutTest)
#include "space_panel_test.moc"
