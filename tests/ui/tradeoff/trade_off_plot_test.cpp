#include "ui/tradeoff/trade_off_plot.h"

#include <algorithm>
#include <cmath>

#include <qcustomplot.h>
#include <QSignalSpy>

#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

TradeOffPicture madeUpPicture() {
    return {{},
            QStringLiteral("right class, texts of 100"),
            {{QStringLiteral("linear"),
              {{0, 2.0, 60.0, std::array{58.0, 62.0}}, {1, 20.0, 80.0, std::nullopt}}}},
            {{QStringLiteral("no noise"), 82.0}}};
}

struct TradeOffPlotFixture {
    explicit TradeOffPlotFixture(const TradeOffPicture& picture = madeUpPicture()) {
        plot.resize(500, 300);
        plot.setPicture(picture);
        plot.show();
        plot.plot().replot(QCustomPlot::rpImmediateRefresh);
    }
    void click(double epsilon, const QPoint& beside = {}) {
        const QPoint place(static_cast<int>(std::lround(plot.plot().xAxis->coordToPixel(epsilon))),
                           plot.plot().axisRect()->center().y());
        QTest::mouseClick(&plot.plot(), Qt::LeftButton, {}, place + beside);
    }

    TradeOffPlot plot{"plot", QStringLiteral("Accuracy")};
};

}  // namespace

class TradeOffPlotTest : public QObject {
    Q_OBJECT

    using Fixture = TradeOffPlotFixture;

private Q_SLOTS:
    void everythingMeasuredIsInSight() {
        Fixture f;
        QVERIFY(f.plot.shownX().low < 2.0 && f.plot.shownX().high > 20.0);
        QVERIFY(f.plot.shownY().low < 58.0 && f.plot.shownY().high > 82.0);
    }

    /// Of 1, 2 and 5 times a power of ten none lies between 14 / 1.25 and 14 * 1.25. Qt draws a
    /// line that reaches far beyond the picture without its dashes.
    void aSingleSettingHasNumbersBelowItAndDashedReferences() {
        TradeOffPicture picture = madeUpPicture();
        picture.lines.front().points = {{0, 14.0, 60.0, std::nullopt}};
        picture.references.push_back({QStringLiteral("random words"), 70.0});
        Fixture f(picture);
        QCustomPlot& plot = f.plot.plot();
        const QVector<double> ticks = plot.xAxis->tickVector();
        QVERIFY(std::count_if(ticks.begin(), ticks.end(), [&plot](double tick) {
                    return plot.xAxis->range().contains(tick);
                }) >= 2);
        const QImage pixels = plot.toPixmap(plot.width(), plot.height()).toImage();
        const QRect area = plot.axisRect()->rect();
        for (const double value : {82.0, 70.0}) {
            const int row = qRound(plot.yAxis->coordToPixel(value));
            int darkest = 255;
            int lightest = 0;
            for (int x = area.left() + area.width() / 4; x < area.left() + area.width() / 3; ++x) {
                // The line may lie on either of two rows of pixels.
                const int shade = std::min({pixels.pixelColor(x, row - 1).lightness(),
                                            pixels.pixelColor(x, row).lightness(),
                                            pixels.pixelColor(x, row + 1).lightness()});
                darkest = std::min(darkest, shade);
                lightest = std::max(lightest, shade);
            }
            QVERIFY2(lightest - darkest > 40, qPrintable(QString::number(lightest - darkest)));
        }
    }

    /// Dots between the dashes of another line would look like a solid one.
    void referencesOfOneValueAreOneLine() {
        TradeOffPicture picture = madeUpPicture();
        picture.references.push_back({QStringLiteral("random words"), 60.04});
        picture.references.push_back({QStringLiteral("commonest class"), 59.96});
        Fixture f(picture);
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

    void aClickOnAPointChoosesIt() {
        Fixture f;
        f.plot.setEpsilon(5.0);
        QSignalSpy chosen(&f.plot, &TradeOffPlot::cellChosen);
        f.click(20.0, {2, 5});
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.takeFirst().front().toULongLong(), 1ULL);
        // Nothing was measured between the two.
        f.click(9.0);
        f.plot.mark(std::nullopt, true);
        f.click(20.0);
        QVERIFY(chosen.isEmpty());
    }
};

EPSILENS_UI_TEST(TradeOffPlotTest)
#include "trade_off_plot_test.moc"
