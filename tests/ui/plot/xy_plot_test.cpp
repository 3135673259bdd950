#include "ui/plot/xy_plot.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <qcustomplot.h>
#include <QSignalSpy>

#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

/// Two settings that were measured, at epsilon 2 and 20.
PlotContent measured() {
    PlotContent content;
    content.x = {QStringLiteral("epsilon"), QStringLiteral("ε"), true};
    content.y.title = QStringLiteral("right class, texts of 100");
    PlotSeries& linear = content.series.emplace_back();
    linear.name = QStringLiteral("linear");
    linear.points = {{2.0, 60.0, {{58.0, 62.0}}, {}, {}, std::size_t{0}},
                     {20.0, 80.0, {}, {}, {}, std::size_t{1}}};
    content.references = {{QStringLiteral("no noise"), 82.0}};
    content.csvTitle = QStringLiteral("curve,epsilon,value,low,high");
    return content;
}

/// A line with a band, of which only the ends are of a grid.
PlotContent curve() {
    PlotContent content = measured();
    content.references.clear();
    PlotSeries& line = content.series.front();
    line.name = QStringLiteral("median");
    line.hasBand = true;
    line.style = Qt::DashLine;
    line.points = {
        {1.0, 10.0, {{5.0, 15.0}}}, {10.0, 30.0, {{20.0, 40.0}}}, {100.0, 90.0, {{80.0, 95.0}}}};
    line.points[1].isMarked = false;
    return content;
}

struct XyPlotFixture {
    explicit XyPlotFixture(const PlotContent& content = measured()) {
        plot.resize(500, 300);
        plot.setContent(content);
        plot.show();
        plot.plot().replot(QCustomPlot::rpImmediateRefresh);
    }
    [[nodiscard]] QPoint placeOf(double x) const {
        return {static_cast<int>(std::lround(plot.plot().xAxis->coordToPixel(x))),
                plot.plot().axisRect()->center().y()};
    }
    void click(double x, const QPoint& beside = {}) {
        QTest::mouseClick(&plot.plot(), Qt::LeftButton, {}, placeOf(x) + beside);
    }
    void drag(const QPoint& from, const QPoint& to) {
        QTest::mousePress(&plot.plot(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&plot.plot(), to);
        QTest::mouseRelease(&plot.plot(), Qt::LeftButton, {}, to);
    }
    [[nodiscard]] QStringList legend() const {
        QStringList names;
        for (int i = 0; i < plot.plot().legend->itemCount(); ++i) {
            // The last row of the legend may have empty places.
            if (auto* item = qobject_cast<QCPPlottableLegendItem*>(plot.plot().legend->item(i))) {
                names.append(item->plottable()->name());
            }
        }
        return names;
    }

    XyPlot plot{"plot", QStringLiteral("Accuracy")};
};

}  // namespace

class XyPlotTest : public QObject {
    Q_OBJECT

    using Fixture = XyPlotFixture;

private Q_SLOTS:
    void everythingMeasuredIsInSight() {
        const Fixture f;
        QVERIFY(f.plot.shownX().low < 2.0 && f.plot.shownX().high > 20.0);
        QVERIFY(f.plot.shownY().low < 58.0 && f.plot.shownY().high > 82.0);
    }

    /// Of 1, 2 and 5 times a power of ten none lies between 14 / 1.25 and 14 * 1.25. Qt draws a
    /// line that reaches far beyond the picture without its dashes.
    void aSinglePointHasNumbersBelowItAndDashedReferences() {
        PlotContent content = measured();
        content.series.front().points = {{14.0, 60.0}};
        content.references.push_back({QStringLiteral("random words"), 70.0});
        const Fixture f(content);
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
        PlotContent content = measured();
        content.references.push_back({QStringLiteral("random words"), 60.04});
        content.references.push_back({QStringLiteral("commonest class"), 59.96});
        const Fixture f(content);
        QCOMPARE(f.legend(), (QStringList{QStringLiteral("no noise"),
                                          QStringLiteral("random words, commonest class"),
                                          QStringLiteral("linear")}));
    }

    void lineBandAndMarkersAreThoseOfTheContent() {
        const Fixture f(curve());
        const auto& points = f.plot.content().series.front().points;
        QCustomPlot& canvas = f.plot.plot();
        QCOMPARE(canvas.xAxis->scaleType(), QCPAxis::stLogarithmic);
        int bands = 0;
        int marks = 0;
        for (int i = 0; i < canvas.graphCount(); ++i) {
            const QCPGraph* graph = canvas.graph(i);
            if (const QCPGraph* low = graph->channelFillGraph()) {
                ++bands;
                for (int at = 0; at < 3; ++at) {
                    const auto& range = *points[static_cast<std::size_t>(at)].range;
                    QCOMPARE(low->dataMainValue(at), range[0]);
                    QCOMPARE(graph->dataMainValue(at), range[1]);
                }
            }
            marks += graph->lineStyle() == QCPGraph::lsNone ? graph->dataCount() : 0;
        }
        QCOMPARE(bands, 1);
        QCOMPARE(marks, 2);
        const QCPCurve* line = nullptr;
        for (int i = 0; i < canvas.plottableCount(); ++i) {
            line = line != nullptr ? line : qobject_cast<QCPCurve*>(canvas.plottable(i));
        }
        QVERIFY(line != nullptr && line->pen().style() == Qt::DashLine);
        QCOMPARE(line->dataCount(), 3);
        QCOMPARE(line->dataMainValue(1), 30.0);
    }

    void aClickOnAPointChoosesIt() {
        Fixture f;
        f.plot.setCursor(5.0);
        QSignalSpy chosen(&f.plot, &XyPlot::pointChosen);
        f.click(20.0, {2, 5});
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen.takeFirst().front().toULongLong(), 1ULL);
        // Nothing was measured between the two.
        f.click(9.0);
        f.plot.setOutdated(true);
        f.click(20.0);
        QVERIFY(chosen.isEmpty());
    }

    void theCursorLineIsDragged() {
        Fixture f;
        f.plot.setCursor(4.0);
        connect(&f.plot, &XyPlot::cursorMoved, &f.plot, &XyPlot::setCursor);
        const QPoint from = f.plot.cursorPosition();
        const QPoint to = from + QPoint(40, 0);
        f.drag(from, to);
        const double moved = f.plot.cursor();
        QVERIFY(moved > 4.0);
        QVERIFY(std::abs(f.plot.cursorPosition().x() - to.x()) <= 1);
        // Away from the line dragging moves the view instead.
        f.drag(to - QPoint(60, 0), to - QPoint(90, 0));
        QCOMPARE(f.plot.cursor(), moved);
    }

    /// A hundredth of a decade per arrow key: 4 x 1.0233 = 4.093.
    void arrowKeysMoveTheCursor() {
        Fixture f;
        f.plot.setCursor(4.0);
        connect(&f.plot, &XyPlot::cursorMoved, &f.plot, &XyPlot::setCursor);
        QTest::keyClick(&f.plot, Qt::Key_Right);
        QCOMPARE(f.plot.cursor(), 4.093);
        QTest::keyClick(&f.plot, Qt::Key_PageDown);
        QVERIFY(f.plot.cursor() < 3.3);
    }

    /// The line and its label lie on a layer of their own, so that a dragged epsilon costs no more.
    void movingTheCursorDrawsNothingElse() {
        Fixture f;
        QCoreApplication::processEvents();
        QCustomPlot& canvas = f.plot.plot();
        const QImage before = canvas.grab().toImage();
        const QSignalSpy drawn(&canvas, &QCustomPlot::afterReplot);
        f.plot.setCursor(7.0);
        QCoreApplication::processEvents();
        QCOMPARE(drawn.count(), 0);
        QVERIFY(canvas.grab().toImage() != before);
    }

    void theDataThatCanBeCopiedAreThoseInView() {
        Fixture f;
        QCOMPARE(f.plot.visibleCsv(),
                 QStringLiteral("curve,epsilon,value,low,high\n\"linear\",2,60,58,62\n"
                                "\"linear\",20,80,,\n\"no noise\",,82,,\n"));
        f.plot.showRange({1.0, 10.0}, {0.0, 100.0});
        QVERIFY(!f.plot.visibleCsv().contains(QStringLiteral(",20,")));
        f.plot.showRange({1.0, 30.0}, {70.0, 100.0});
        QVERIFY(!f.plot.visibleCsv().contains(QStringLiteral(",2,")));
    }

    /// The middle of 10 and 30 lies at the geometric mean of 1 and 10.
    void itSaysWhatItShowsAtTheCursor() {
        Fixture f(curve());
        const QString ends = QStringLiteral(
            "right class, texts of 100. median: 10.0 (5.0 to 15.0) at ε 1, 90.0 (80.0 to 95.0) at "
            "ε 100.");
        f.plot.setCursor(std::sqrt(10.0));
        QTRY_COMPARE(f.plot.accessibleDescription(),
                     ends + QStringLiteral(" At ε 3.1623: median: 20.0 (12.5 to 27.5)."));
        f.plot.setCursor(200.0);
        QTRY_COMPARE(f.plot.accessibleDescription(), ends);
    }

    void whatIsOfOtherSettingsIsGreyWithoutACursor() {
        Fixture f;
        const auto isOfOthers = [&f] {
            const auto* line = f.plot.findChild<QCPItemStraightLine*>(QStringLiteral("cursorLine"));
            auto* key = qobject_cast<QCPPlottableLegendItem*>(f.plot.plot().legend->item(1));
            const std::set<bool> signs{
                !line->visible(), key->plottable()->pen().color() == f.plot.theme().pinned,
                f.plot.accessibleDescription().startsWith(QStringLiteral("Of earlier settings."))};
            return signs.size() == 1 ? std::optional(*signs.begin()) : std::nullopt;
        };
        QCOMPARE(isOfOthers(), std::optional(false));
        f.plot.setOutdated(true);
        QCOMPARE(isOfOthers(), std::optional(true));
    }

    void withoutSeriesThereAreNoAxes() {
        Fixture f;
        QVERIFY(f.plot.plot().xAxis->visible());
        f.plot.setContent({});
        QVERIFY(!f.plot.plot().xAxis->visible());
    }

    void tenCurvesHaveTenMarkers() {
        PlotContent content = measured();
        content.references.clear();
        content.series.resize(10, content.series.front());
        for (std::size_t i = 0; i < 10; ++i) {
            content.series[i].colour = [](const Theme&) { return QColor(Qt::black); };
        }
        const Fixture f(content);
        const QCPLegend& legend = *f.plot.plot().legend;
        std::set<std::pair<int, QRgb>> seen;
        for (int i = 0; i < legend.itemCount(); ++i) {
            if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legend.item(i))) {
                const QCPScatterStyle marker =
                    qobject_cast<QCPGraph*>(item->plottable())->scatterStyle();
                seen.insert({marker.shape(), marker.brush().color().rgb()});
            }
        }
        QCOMPARE(seen.size(), std::size_t{10});
    }

    void numbersAreBrief() {
        QCOMPARE(brief(83.0), QStringLiteral("83"));
        QCOMPARE(brief(10.0 / 3.0), QStringLiteral("3.3333"));
    }
};

EPSILENS_UI_TEST(XyPlotTest)
#include "xy_plot_test.moc"
