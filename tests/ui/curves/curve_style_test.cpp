#include "ui/curves/curve_style.h"

#include "tests/ui/support/contrast.h"
#include "tests/ui/support/ui_test.h"
#include "ui/common/theme.h"

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
                    const QColor colour = curveColour(statistic, theme.dark, index, 5);
                    QVERIFY2(contrast(colour, theme.surface) >= 3.0, qPrintable(colour.name()));
                }
            }
        }
    }
};

EPSILENS_UI_TEST(CurveStyleTest)
#include "curve_style_test.moc"
