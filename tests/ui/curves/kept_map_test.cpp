#include "ui/curves/kept_map.h"

#include <algorithm>
#include <cmath>

#include <qcustomplot.h>
#include <QToolTip>

#include "tests/ui/curves/curves_fixture.h"

using namespace epsilens;
using test::findControl;

class KeptMapTest : public QObject {
    Q_OBJECT

    using Fixture = test::CurvesFixture;

    static QPoint pixelOf(ui::KeptMap& map, double epsilon, int row) {
        return {static_cast<int>(std::lround(map.plot().xAxis->coordToPixel(epsilon))),
                static_cast<int>(std::lround(map.plot().yAxis->coordToPixel(row)))};
    }

    /// Darkness of a place between its marks: 0 where no draw keeps a word.
    static int darkness(ui::KeptMap& map, double epsilon, int row) {
        const QImage picture =
            map.plot().toPixmap(map.plot().width(), map.plot().height()).toImage();
        return 255 - qGray(picture.pixel(pixelOf(map, epsilon, row) + QPoint(0, 3)));
    }

private Q_SLOTS:
    void rowsAreTheCurvesOfTheRun() {
        Fixture f;
        f.run();
        auto* map = findControl<ui::KeptMap>(f.panel, "keptMap");
        QVERIFY(map->isUseful() && map->isVisible());
        const auto& grid = f.panel.result()->nw.front().markers;
        const double low = grid.front().epsilon * 1.1;
        const double high = grid.back().epsilon / 1.1;
        for (int row = 0; row < 5; ++row) {
            QVERIFY2(darkness(*map, low, row) < darkness(*map, high, row),
                     qPrintable(QStringLiteral("row %1: %2, %3")
                                    .arg(row)
                                    .arg(darkness(*map, low, row))
                                    .arg(darkness(*map, high, row))));
        }
        const QStringList lines = map->visibleCsv().split(QLatin1Char('\n'));
        QCOMPARE(lines.front(), QStringLiteral("lambda,epsilon,kept"));
        const auto& shown = f.panel.result()->nw.back().line;
        QVERIFY(shown.size() > 2);
        const QString& last = lines.at(lines.size() - 2);
        QVERIFY(last.startsWith(QStringLiteral("1,")));
        const QStringList fields = last.split(QLatin1Char(','));
        const auto point =
            std::find_if(shown.begin(), shown.end(), [&fields](const ui::CurvePoint& at) {
                return ui::shortest(at.epsilon) == fields.at(1);
            });
        QVERIFY(point != shown.end());
        QCOMPARE(fields.at(2), ui::shortest(point->over.mean / 20.0));
    }

    void aClickChoosesEpsilonAndRow() {
        Fixture f;
        f.run();
        auto* map = findControl<ui::KeptMap>(f.panel, "keptMap");
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 2.0);
        QTest::mouseClick(&map->plot(), Qt::LeftButton, {}, pixelOf(*map, 6.0, 3));
        QCOMPARE(f.state.mechanism().lambda(), 0.75);
        QVERIFY2(std::abs(f.state.epsilon() - 6.0) < 0.2,
                 qPrintable(QString::number(f.state.epsilon())));
        QTest::keyClick(map, Qt::Key_Down);
        QCOMPARE(f.state.mechanism().lambda(), 0.5);
    }

    void limitsAreHatchedAndSaid() {
        Fixture f;
        f.run();
        auto* map = findControl<ui::KeptMap>(f.panel, "keptMap");
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 7.5);
        QVERIFY(!map->accessibleDescription().contains(QStringLiteral("outside")));
        f.state.edit(&ui::AnalysisSettings::limits,
                     std::vector{calibration::parseLimit("nw.mean<=10%").value()});
        QVERIFY2(map->accessibleDescription().contains(QStringLiteral("outside the limits")),
                 qPrintable(map->accessibleDescription()));
        QTest::mouseMove(&map->plot(), pixelOf(*map, 7.5, 0));
        QVERIFY2(QToolTip::text().contains(QStringLiteral("outside the limits")),
                 qPrintable(QToolTip::text()));
        // Of changed settings nothing is judged.
        f.state.edit(&ui::AnalysisSettings::seed, std::uint64_t{5});
        QVERIFY2(!map->accessibleDescription().contains(QStringLiteral("outside")),
                 qPrintable(map->accessibleDescription()));
        QVERIFY(map->accessibleDescription().startsWith(QStringLiteral("Of earlier settings")));
        const auto* curves = f.plot("nwPlot");
        QVERIFY(curves->accessibleDescription().startsWith(QStringLiteral("Of earlier settings")));
        QVERIFY(!curves->accessibleDescription().contains(QStringLiteral("Limits")));
        // A notice has moved the map down.
        QCoreApplication::processEvents();
        QTest::mouseMove(&map->plot(), pixelOf(*map, 6.0, 0));
        QVERIFY2(QToolTip::text().contains(QStringLiteral("of 100 draws")) &&
                     !QToolTip::text().contains(QStringLiteral("outside")),
                 qPrintable(QToolTip::text()));
        QTest::mouseClick(&map->plot(), Qt::LeftButton, {}, pixelOf(*map, 3.0, 0));
        QCOMPARE(f.state.epsilon(), 7.5);
    }

    void oneRowIsNoMap() {
        Fixture f;
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Mechanism(mechanism::Laplace{}));
        f.run();
        QVERIFY(!findControl<ui::KeptMap>(f.panel, "keptMap")->isVisible());
    }
};

EPSILENS_UI_TEST(KeptMapTest)
#include "kept_map_test.moc"
