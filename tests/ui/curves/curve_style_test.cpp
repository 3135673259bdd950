#include "ui/curves/curve_style.h"

#include <set>

#include <qcustomplot.h>

#include "tests/ui/support/contrast.h"
#include "tests/ui/support/ui_test.h"
#include "ui/plot/plot_style.h"
#include "ui/widgets/theme.h"

using namespace epsilens::ui;
using epsilens::test::contrast;

class CurveStyleTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Lines at least 3 : 1 (WCAG 2.1, 1.4.11).
    void everyCurveStandsOutFromThePlot() {
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            const Theme theme = themeFor(palette);
            for (const auto statistic : {Statistic::nw, Statistic::sw}) {
                for (int index = 0; index < 5; ++index) {
                    const QColor colour = curveColour(statistic, theme, index, 5);
                    QVERIFY2(contrast(colour, theme.surface) >= 3.0, qPrintable(colour.name()));
                }
            }
        }
    }

    void tenCurvesHaveTenMarkers() {
        std::set<std::pair<int, QRgb>> seen;
        for (int index = 0; index < 10; ++index) {
            const QCPScatterStyle marker = curveMarker(index, Qt::black, Qt::white);
            seen.insert({marker.shape(), marker.brush().color().rgb()});
        }
        QCOMPARE(seen.size(), std::size_t{10});
    }

    // Okabe and Ito's hues, the lighter ones for lines on dark.
    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void aSingleCurveHasTheHueOfItsStatistic_data() {
        QTest::addColumn<QPalette>("palette");
        QTest::addColumn<QString>("nw");
        QTest::addColumn<QString>("sw");
        QTest::newRow("light") << lightPalette() << "#0072b2"
                               << "#d55e00";
        QTest::newRow("dark") << darkPalette() << "#56b4e9"
                              << "#e69f00";
    }
    void aSingleCurveHasTheHueOfItsStatistic() {
        QFETCH(const QPalette, palette);
        QFETCH(const QString, nw);
        QFETCH(const QString, sw);
        const Theme theme = themeFor(palette);
        QCOMPARE(curveColour(Statistic::nw, theme, 0, 1).name(), nw);
        QCOMPARE(curveColour(Statistic::sw, theme, 0, 1).name(), sw);
    }
};

EPSILENS_UI_TEST(CurveStyleTest)
#include "curve_style_test.moc"
