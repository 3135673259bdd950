#include <algorithm>
#include <cmath>
#include <set>

#include <qcustomplot.h>

#include "tests/ui/support/ui_test.h"
#include "ui/plot/plot_widget.h"
#include "ui/plot/xy_plot.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

class PlotWithData final : public PlotWidget {
public:
    [[nodiscard]] QString visibleCsv() const override { return "x,y\n1,2\n"; }
};

}  // namespace

class PlotWidgetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_widget = std::make_unique<PlotWithData>();
        m_widget->resize(600, 400);
        m_widget->setHomeRange({0.0, 10.0}, {0.0, 5.0});
        m_widget->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
        m_widget->plot().replot();
    }

    void wheelZoomsAndHomeReturns() {
        const QCustomPlot& plot = m_widget->plot();
        turnWheel();
        const QCPRange zoomed = plot.xAxis->range();
        QVERIFY(zoomed.size() < 10.0 && plot.yAxis->range().size() < 5.0);
        // Zoomed views keep their range when data change.
        m_widget->setHomeRange({0.0, 20.0}, {0.0, 5.0});
        QCOMPARE(plot.xAxis->range(), zoomed);
        QTest::keyClick(m_widget.get(), Qt::Key_Home);
        QCOMPARE(plot.xAxis->range(), QCPRange(0.0, 20.0));
        QCOMPARE(plot.yAxis->range(), QCPRange(0.0, 5.0));
    }

    void axesWithoutALegendAreAsWideAsThePlot() {
        QVERIFY(m_widget->plot().axisRect()->width() > 500);
    }

    void aPlotWithoutRoomPaintsNothing() {
        QTest::failOnWarning(
            QRegularExpression("paint", QRegularExpression::CaseInsensitiveOption));
        m_widget->plot().resize(0, 10);
        m_widget->plot().replot();
        m_widget->plot().resize(600, 400);
        m_widget->plot().replot();
        QCOMPARE(m_widget->plot().viewport().width(), 600);
    }

    void equalAspectCutsNothingOffAtHomeAndHoldsAfterZoom() {
        m_widget->setEqualAspect(true);
        const auto isEqual = [this] {
            m_widget->plot().replot();
            return qAbs(pixelsPerUnitRatio() - 1.0) < 0.02;
        };
        for (const QSize size : {QSize(900, 300), QSize(300, 700)}) {
            m_widget->resize(size);
            QTRY_COMPARE(m_widget->plot().size(), size);
            QVERIFY(isEqual());
            const QCPRange x = m_widget->plot().xAxis->range();
            const QCPRange y = m_widget->plot().yAxis->range();
            QVERIFY(x.lower <= 1e-9 && x.upper >= 10.0 - 1e-9);
            QVERIFY(y.lower <= 1e-9 && y.upper >= 5.0 - 1e-9);
        }
        turnWheel();
        QVERIFY(isEqual());
        m_widget->resize(900, 400);
        QTRY_COMPARE(m_widget->plot().width(), 900);
        QVERIFY(isEqual());
    }

    void followsThePaletteAndSavesLight() {
        m_widget->setPalette(darkPalette());
        QVERIFY(m_widget->theme().dark);
        const QTemporaryDir folder;
        const QString png = folder.filePath("plot.png");
        QVERIFY(m_widget->saveAs(png));
        const QImage picture(png);
        QCOMPARE(picture.size(), QSize(1200, 800));  // two pixels per point
        QCOMPARE(picture.pixelColor(2, 2), QColor(Qt::white));
        QVERIFY(m_widget->theme().dark);
        for (const char* name : {"plot.svg", "plot.pdf"}) {
            const QString path = folder.filePath(QLatin1String(name));
            QVERIFY(m_widget->saveAs(path));
            QVERIFY(QFile(path).size() > 500);
        }
        QVERIFY(!m_widget->saveAs("/nowhere/plot.png"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 3);
    }

    void theMenuCopiesAndSavesTheData() {
        choose("Copy visible data (CSV)");
        QCOMPARE(QApplication::clipboard()->text(), "x,y\n1,2\n");
        const QTemporaryDir folder;
        const QString path = folder.filePath("data.csv");
        dialogs::presetSaveFile(path);
        choose("Save visible data (CSV)…");
        QCOMPARE(test::contentOf(path), QByteArray("x,y\n1,2\n"));
    }

    void describesItself() {
        m_widget->setAccessibleName("Curves");
        m_widget->setShownDescription("N_w rises from 2 to 90");
        QCOMPARE(m_widget->accessibleDescription(), "N_w rises from 2 to 90");
        QCOMPARE(m_widget->plot().accessibleName(), "Curves");
    }

    void allTextsFollowTheFont() {
        auto* label = new QCPItemText(&m_widget->plot());
        const auto sizes = [&] {
            const QCustomPlot& plot = m_widget->plot();
            return std::vector<double>{
                plot.xAxis->tickLabelFont().pointSizeF(), plot.yAxis->labelFont().pointSizeF(),
                plot.legend->font().pointSizeF(), label->font().pointSizeF()};
        };
        const std::vector<double> before = sizes();
        QFont font = m_widget->font();
        font.setPointSizeF(2.0 * font.pointSizeF());
        m_widget->setFont(font);
        for (std::size_t i = 0; i < before.size(); ++i) {
            QCOMPARE(sizes()[i], 2.0 * before[i]);
        }
    }

private:
    void choose(const QString& title) {
        QTimer soon;
        soon.setSingleShot(true);
        connect(&soon, &QTimer::timeout, this, [&title] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            for (QAction* action : menu->actions()) {
                if (action->text().remove('&') == title) {
                    menu->setActiveAction(action);
                }
            }
            QVERIFY2(menu->activeAction() != nullptr, qPrintable(title));
            QTest::keyClick(menu, Qt::Key_Return);
            menu->close();
        });
        soon.start(0);
        test::findControl<QToolButton>(*m_widget, "plotMenuButton")->click();
    }
    void turnWheel() {
        QCustomPlot& plot = m_widget->plot();
        const QPointF centre = plot.axisRect()->center();
        QWheelEvent event(centre, plot.mapToGlobal(centre), {}, QPoint(0, 120), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&plot, &event);
    }
    double pixelsPerUnitRatio() const {
        const QCustomPlot& plot = m_widget->plot();
        const double x = plot.axisRect()->width() / plot.xAxis->range().size();
        const double y = plot.axisRect()->height() / plot.yAxis->range().size();
        return x / y;
    }

    std::unique_ptr<PlotWithData> m_widget;
};

namespace {

/// Two settings that were measured, at epsilon 2 and 20.
PlotContent measured() {
    PlotContent content;
    content.x = {"epsilon", "ε", true};
    content.y.title = "right class, texts of 100";
    PlotSeries& linear = content.series.emplace_back();
    linear.name = "linear";
    linear.points = {{2.0, 60.0, {{58.0, 62.0}}, {}, {}, std::size_t{0}},
                     {20.0, 80.0, {}, {}, {}, std::size_t{1}}};
    content.references = {{"no noise", 82.0}};
    content.csvTitle = "curve,epsilon,value,low,high";
    return content;
}

/// A line with a band, of which only the ends are of a grid.
PlotContent curve() {
    PlotContent content = measured();
    content.references.clear();
    PlotSeries& line = content.series.front();
    line.name = "median";
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

    XyPlot plot{"plot", "Accuracy"};
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

    void anIntervalIsDrawnFromItsLowEndToItsHighEnd() {
        PlotContent content = measured();
        content.series.front().points.front().range = {{55.0, 62.0}};
        const Fixture f(content);
        const QCPErrorBars* bars = nullptr;
        for (int i = 0; i < f.plot.plot().plottableCount(); ++i) {
            bars = bars != nullptr ? bars : qobject_cast<QCPErrorBars*>(f.plot.plot().plottable(i));
        }
        QCOMPARE(bars->data()->first().errorMinus, 5.0);
        QCOMPARE(bars->data()->first().errorPlus, 2.0);
    }

    void labelsOfTheLowestAndTheHighestPointAreWhole() {
        PlotContent content = measured();
        content.references.clear();
        content.series.front().points = {{2.0, 60.0, {}, {}, "7.6"}, {20.0, 80.0, {}, {}, "22"}};
        const Fixture f(content);
        const QCustomPlot& plot = f.plot.plot();
        const auto area = QRectF(plot.axisRect()->rect());
        int labels = 0;
        for (int i = 0; i < plot.itemCount(); ++i) {
            const auto* label = qobject_cast<QCPItemText*>(plot.item(i));
            if (label != nullptr && (label->text() == "7.6" || label->text() == "22")) {
                ++labels;
                QVERIFY2(area.contains(QRectF(label->topLeft->pixelPosition(),
                                              label->bottomRight->pixelPosition())),
                         qPrintable(label->text()));
            }
        }
        QCOMPARE(labels, 2);
    }

    /// Of 1, 2 and 5 times a power of ten none lies between 14 / 1.25 and 14 * 1.25. Qt draws a
    /// line that reaches far beyond the picture without its dashes.
    void aSinglePointHasNumbersBelowItAndDashedReferences() {
        PlotContent content = measured();
        content.series.front().points = {{14.0, 60.0}};
        content.references.push_back({"random words", 70.0});
        const Fixture f(content);
        QCustomPlot& plot = f.plot.plot();
        const QVector<double> ticks = plot.xAxis->tickVector();
        QVERIFY(std::ranges::count_if(ticks, [&plot](double tick) {
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
        content.references.push_back({"random words", 60.04});
        content.references.push_back({"commonest class", 59.96});
        const Fixture f(content);
        QCOMPARE(f.legend(), (QStringList{"no noise", "random words, commonest class", "linear"}));
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

    /// A hundredth of a decade per arrow key: 4 x 1.0233 = 4.09 in three digits.
    void arrowKeysMoveTheCursor() {
        Fixture f;
        f.plot.setCursor(4.0);
        connect(&f.plot, &XyPlot::cursorMoved, &f.plot, &XyPlot::setCursor);
        QTest::keyClick(&f.plot, Qt::Key_Right);
        QCOMPARE(f.plot.cursor(), 4.09);
        QTest::keyClick(&f.plot, Qt::Key_PageDown);
        QVERIFY(f.plot.cursor() < 3.3);
    }

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
                 "curve,epsilon,value,low,high\n\"linear\",2,60,58,62\n"
                 "\"linear\",20,80,,\n\"no noise\",,82,,\n");
        f.plot.plot().xAxis->setRange(1.0, 10.0);
        QVERIFY(!f.plot.visibleCsv().contains(",20,"));
        f.plot.plot().xAxis->setRange(1.0, 30.0);
        f.plot.plot().yAxis->setRange(70.0, 100.0);
        QVERIFY(!f.plot.visibleCsv().contains(",2,"));
    }

    /// The middle of 10 and 30 lies at the geometric mean of 1 and 10.
    void itSaysWhatItShowsAtTheCursor() {
        Fixture f(curve());
        const QString ends = QString(
            "right class, texts of 100. median: 10.0 (5.0 to 15.0) at ε 1, 90.0 (80.0 to 95.0) at "
            "ε 100.");
        f.plot.setCursor(std::sqrt(10.0));
        QTRY_COMPARE(f.plot.accessibleDescription(),
                     ends + " At ε 3.1623: median: 20.0 (12.5 to 27.5).");
        f.plot.setCursor(200.0);
        QTRY_COMPARE(f.plot.accessibleDescription(), ends);
    }

    void whatIsOfOtherSettingsIsGreyWithoutACursor() {
        Fixture f;
        const auto isOfOthers = [&f] {
            const auto* line = f.plot.findChild<QCPItemStraightLine*>("cursorLine");
            auto* key = qobject_cast<QCPPlottableLegendItem*>(f.plot.plot().legend->item(1));
            const std::set<bool> signs{
                !line->visible(), key->plottable()->pen().color() == f.plot.theme().pinned,
                f.plot.accessibleDescription().startsWith("Of earlier settings.")};
            return signs.size() == 1 ? std::optional(*signs.begin()) : std::nullopt;
        };
        QCOMPARE(isOfOthers(), std::optional(false));
        f.plot.setOutdated(true);
        QCOMPARE(isOfOthers(), std::optional(true));
        QTimer::singleShot(0, &f.plot, [] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            const QString last = menu->actions().back()->text();
            menu->close();
            QVERIFY(last.contains("are not exported"));
        });
        test::findControl<QToolButton>(f.plot, "plotMenuButton")->click();
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
        QCOMPARE(brief(83.0), "83");
        QCOMPARE(brief(10.0 / 3.0), "3.3333");
    }
};

EPSILENS_UI_TEST(PlotWidgetTest)
EPSILENS_UI_TEST(XyPlotTest)
#include "plot_test.moc"
