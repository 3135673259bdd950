#include "core/plane/plane_noise.h"

#include <cmath>

#include "core/mechanism/noise_contour.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using epsilens::plane::PlaneNoise;

namespace {

std::shared_ptr<const embedding::PcaBasis> basisOf(int dimensions) {
    const auto embedding = test::toyEmbedding(dimensions + 50, dimensions);
    return {embedding, &embedding->basis};
}

}  // namespace

class PlaneNoiseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statedSharesOfTheDrawsLieWithin_data() {
        QTest::addColumn<int>("dimensions");
        for (const int dimensions : {2, 3, 10, 300}) {
            QTest::addRow("m = %d", dimensions) << dimensions;
        }
    }
    /// The draws are those of the core at its own lambda, the contours those the window shows. The
    /// count within is binomial; |z| <= 5 fails a true share with probability 5.7e-7 per check,
    /// 1.4e-5 over the 24 checks.
    void statedSharesOfTheDrawsLieWithin() {
        QFETCH(int, dimensions);
        constexpr std::int64_t kDraws = 20'000;
        constexpr double kEpsilon = 7.0;
        const auto basis = basisOf(dimensions);
        const auto noise = PlaneNoise::create(basis, 1, 1).value();
        for (const double lambda : {0.0, 0.5, 1.0}) {
            const auto mechanism = mechanism::EllipticalNoise::create(basis, lambda).value();
            const RowMatrixD draws = mechanism::planeDraws(mechanism, 11, kDraws, 0, 1);
            std::vector<ui::PlanePoint> offsets;
            for (Eigen::Index i = 0; i < draws.rows(); ++i) {
                offsets.push_back({draws(i, 0) / kEpsilon, draws(i, 1) / kEpsilon});
            }
            for (const ui::Contour& contour : noise.contours(kEpsilon, lambda)) {
                const double share =
                    static_cast<double>(ui::countInside(offsets, contour)) / kDraws;
                const double z = (share - contour.share) /
                                 std::sqrt(contour.share * (1.0 - contour.share) / kDraws);
                QVERIFY2(std::abs(z) <= 5.0, qPrintable(QStringLiteral("λ %1, share %2 for %3")
                                                            .arg(lambda)
                                                            .arg(share)
                                                            .arg(contour.share)));
            }
        }
    }

    /// Scaling spherical draws must give what the core draws at that lambda.
    void drawsAreThoseOfTheMechanism() {
        const auto basis = basisOf(10);
        const auto noise = PlaneNoise::create(basis, 5, 100).value();
        for (const double lambda : {0.0, 0.3, 1.0}) {
            const auto mechanism = mechanism::EllipticalNoise::create(basis, lambda).value();
            const RowMatrixD expected = mechanism::planeDraws(mechanism, 5, 100, 0, 1) / 2.5;
            const auto draws = noise.draws(2.5, lambda, 100);
            QCOMPARE(draws.size(), std::size_t{100});
            for (Eigen::Index i = 0; i < 100; ++i) {
                QVERIFY(std::abs(draws[static_cast<std::size_t>(i)].x - expected(i, 0)) < 1e-9);
                QVERIFY(std::abs(draws[static_cast<std::size_t>(i)].y - expected(i, 1)) < 1e-9);
            }
        }
    }

    void contoursAreThoseOfTheCore() {
        const auto basis = basisOf(10);
        const auto noise = PlaneNoise::create(basis, 1, 1).value();
        const auto mechanism = mechanism::EllipticalNoise::create(basis, 0.5).value();
        const auto contours = noise.contours(3.0, 0.5);
        for (std::size_t i = 0; i < 2; ++i) {
            const auto expected =
                mechanism::noiseContour(mechanism, 3.0, PlaneNoise::kShares[i], 0, 1).value();
            QVERIFY(std::abs(contours[i].semiAxisX - expected.semiAxisX) < 1e-12);
            QVERIFY(std::abs(contours[i].semiAxisY - expected.semiAxisY) < 1e-12);
        }
        // The first axis has the larger variance; without lambda all directions are alike.
        QVERIFY(contours[0].semiAxisX > contours[0].semiAxisY);
        QCOMPARE(noise.contours(3.0, 0.0)[1].semiAxisX, noise.contours(3.0, 0.0)[1].semiAxisY);
    }

    /// ρ of math for m = 10: 3.686 and 8.457 at ε = 1 (design notes, section 3a).
    void sphericalRadiiHaveTheirKnownValues() {
        const auto contours = PlaneNoise::create(basisOf(10), 1, 1).value().contours(1.0, 0.0);
        QVERIFY(std::abs(contours[0].semiAxisX - 3.686) < 5e-4);
        QVERIFY(std::abs(contours[1].semiAxisX - 8.457) < 5e-4);
    }

    void outlinesAreClosedAndLieOnTheEllipse() {
        const ui::Contour contour{0.5, 3.0, 2.0};
        const auto points = ui::outline(contour, {1.0, -1.0}, 128);
        QCOMPARE(points.size(), std::size_t{129});
        QCOMPARE(points.front().x, points.back().x);
        QCOMPARE(points.front().y, points.back().y);
        for (const ui::PlanePoint& point : points) {
            const double x = (point.x - 1.0) / 3.0;
            const double y = (point.y + 1.0) / 2.0;
            QVERIFY(std::abs(x * x + y * y - 1.0) < 1e-12);
        }
        QVERIFY(contour.contains({2.9, 0.0}) && !contour.contains({0.0, 2.1}));
    }
};

EPSILENS_UI_TEST(PlaneNoiseTest)
#include "plane_noise_test.moc"
