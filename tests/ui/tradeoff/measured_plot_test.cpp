#include "ui/tradeoff/measured_plot.h"

#include <algorithm>
#include <cmath>

#include <qcustomplot.h>
#include <QSignalSpy>

#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

MeasuredCurves madeUpCurves() {
    return {QStringLiteral("right class, texts of 100"),
            {{QStringLiteral("linear"),
              {{2.0, 60.0, std::array{58.0, 62.0}}, {20.0, 80.0, std::nullopt}}}},
            {{QStringLiteral("no noise"), 82.0}}};
}

struct MeasuredPlotFixture {
    MeasuredPlotFixture() {
        plot.resize(500, 300);
        plot.setCurves(madeUpCurves());
        plot.show();
        plot.plot().replot(QCustomPlot::rpImmediateRefresh);
    }
    [[nodiscard]] QPoint placeOf(double epsilon) {
        return {static_cast<int>(std::lround(plot.plot().xAxis->coordToPixel(epsilon))),
                plot.plot().axisRect()->center().y()};
    }

    MeasuredPlot plot{QStringLiteral("Accuracy")};
};

}  // namespace

class MeasuredPlotTest : public QObject {
    Q_OBJECT

    using Fixture = MeasuredPlotFixture;

private Q_SLOTS:
    void everythingMeasuredIsInSight() {
        Fixture f;
        QVERIFY(f.plot.shownX().low < 2.0 && f.plot.shownX().high > 20.0);
        QVERIFY(f.plot.shownY().low < 58.0 && f.plot.shownY().high > 82.0);
    }

    /// Of 1, 2 and 5 times a power of ten none lies between 14 / 1.25 and 14 * 1.25.
    void aSingleSettingHasNumbersBelowIt() {
        Fixture f;
        MeasuredCurves curves = madeUpCurves();
        curves.lines.front().points = {{14.0, 60.0, std::nullopt}};
        f.plot.setCurves(curves);
        f.plot.plot().replot(QCustomPlot::rpImmediateRefresh);
        const QCPAxis& axis = *f.plot.plot().xAxis;
        const QVector<double> ticks = axis.tickVector();
        QVERIFY(std::count_if(ticks.begin(), ticks.end(),
                              [&axis](double tick) { return axis.range().contains(tick); }) >= 2);
    }

    /// Dots between the dashes of another line would look like a solid one.
    void referencesOfOneValueAreOneLine() {
        Fixture f;
        MeasuredCurves curves = madeUpCurves();
        curves.references = {{QStringLiteral("no noise"), 82.0},
                             {QStringLiteral("random words"), 60.04},
                             {QStringLiteral("commonest class"), 59.96}};
        f.plot.setCurves(curves);
        QStringList names;
        for (int i = 0; i < f.plot.plot().legend->itemCount(); ++i) {
            // The last row of the legend may have empty places.
            if (auto* item = qobject_cast<QCPPlottableLegendItem*>(f.plot.plot().legend->item(i))) {
                names.append(item->plottable()->name());
            }
        }
        QCOMPARE(names, (QStringList{QStringLiteral("no noise"),
                                     QStringLiteral("random words, commonest class"),
                                     QStringLiteral("linear")}));
    }

    /// Qt draws a line that reaches far beyond the picture without its dashes.
    void referencesStayDashedWhereOneSettingIsMeasured() {
        Fixture f;
        MeasuredCurves curves;
        curves.lines = {{QStringLiteral("linear"), {{14.0, 60.0, std::nullopt}}}};
        curves.references = {{QStringLiteral("no noise"), 82.0},
                             {QStringLiteral("random words"), 70.0}};
        f.plot.setCurves(curves);
        QCustomPlot& plot = f.plot.plot();
        plot.replot(QCustomPlot::rpImmediateRefresh);
        const QImage picture = plot.toPixmap(plot.width(), plot.height()).toImage();
        const QRect area = plot.axisRect()->rect();
        for (const double value : {82.0, 70.0}) {
            const int row = qRound(plot.yAxis->coordToPixel(value));
            int darkest = 255;
            int lightest = 0;
            for (int x = area.left() + area.width() / 4; x < area.left() + area.width() / 3; ++x) {
                // The line may lie on either of two rows of pixels.
                const int shade = std::min({picture.pixelColor(x, row - 1).lightness(),
                                            picture.pixelColor(x, row).lightness(),
                                            picture.pixelColor(x, row + 1).lightness()});
                darkest = std::min(darkest, shade);
                lightest = std::max(lightest, shade);
            }
            QVERIFY2(lightest - darkest > 40, qPrintable(QString::number(lightest - darkest)));
        }
    }

    void aClickOnAPointChoosesIt() {
        Fixture f;
        f.plot.setEpsilon(5.0);
        QSignalSpy moved(&f.plot, &MeasuredPlot::pointChosen);
        QTest::mouseClick(&f.plot.plot(), Qt::LeftButton, {}, f.placeOf(20.0) + QPoint(2, 5));
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved.takeFirst().front().toDouble(), 20.0);
        // Nothing was measured between the two.
        QTest::mouseClick(&f.plot.plot(), Qt::LeftButton, {}, f.placeOf(9.0));
        QVERIFY(moved.isEmpty());
        f.plot.setOutdated(true);
        QTest::mouseClick(&f.plot.plot(), Qt::LeftButton, {}, f.placeOf(20.0));
        QVERIFY(moved.isEmpty());
    }

    void copiesWhatItShows() {
        Fixture f;
        QCOMPARE(f.plot.visibleCsv(), QStringLiteral("curve,epsilon,of100,low95,high95\n"
                                                     "\"linear\",2,60,58,62\n"
                                                     "\"linear\",20,80,,\n"
                                                     "\"no noise\",,82,,\n"));
    }

    void saysWhatItShows() {
        Fixture f;
        QCOMPARE(f.plot.accessibleDescription(),
                 QStringLiteral("right class, texts of 100. linear: 60.0 (58.0 to 62.0) at ε 2, "
                                "80.0 at ε 20; no noise: 82.0."));
    }
};

EPSILENS_UI_TEST(MeasuredPlotTest)
#include "measured_plot_test.moc"
