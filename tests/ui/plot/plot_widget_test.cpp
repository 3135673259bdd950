#include "ui/plot/plot_widget.h"

#include <qcustomplot.h>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QWheelEvent>

#include "tests/ui/support/ui_test.h"

using namespace epsilens::ui;

class PlotWidgetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_widget = std::make_unique<PlotWidget>();
        m_widget->resize(600, 400);
        m_widget->setHomeRange({0.0, 10.0}, {0.0, 5.0});
        m_widget->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_widget.get()));
        m_widget->plot().replot();
    }

    void wheelZoomsAndHomeReturns() {
        turnWheel();
        QVERIFY(m_widget->plot().xAxis->range().size() < 10.0);
        QVERIFY(m_widget->plot().yAxis->range().size() < 5.0);
        QTest::keyClick(m_widget.get(), Qt::Key_Home);
        QCOMPARE(m_widget->plot().xAxis->range().lower, 0.0);
        QCOMPARE(m_widget->plot().xAxis->range().upper, 10.0);
        QCOMPARE(m_widget->plot().yAxis->range().upper, 5.0);
    }

    void aPlotWithoutRoomPaintsNothing() {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("paint"), QRegularExpression::CaseInsensitiveOption));
        m_widget->plot().resize(0, 10);
        m_widget->plot().replot();
        m_widget->plot().resize(600, 400);
        m_widget->plot().replot();
        QCOMPARE(m_widget->plot().viewport().width(), 600);
    }

    void zoomedViewsKeepTheirRangeWhenDataChange() {
        turnWheel();
        const QCPRange zoomed = m_widget->plot().xAxis->range();
        m_widget->setHomeRange({0.0, 20.0}, {0.0, 5.0});
        QCOMPARE(m_widget->plot().xAxis->range(), zoomed);
        m_widget->goHome();
        QCOMPARE(m_widget->plot().xAxis->range().upper, 20.0);
    }

    void equalAspectHoldsAfterZoomAndResize() {
        m_widget->setEqualAspect(true);
        turnWheel();
        m_widget->plot().replot();
        QVERIFY(qAbs(pixelsPerUnitRatio() - 1.0) < 0.02);
        m_widget->resize(900, 400);
        QTRY_COMPARE(m_widget->plot().width(), 900);
        m_widget->plot().replot();
        QVERIFY(qAbs(pixelsPerUnitRatio() - 1.0) < 0.02);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void equalAspectCutsNothingOffAtHome_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("wide") << QSize(900, 300);
        QTest::newRow("tall") << QSize(300, 700);
    }
    void equalAspectCutsNothingOffAtHome() {
        QFETCH(const QSize, size);
        m_widget->setEqualAspect(true);
        m_widget->resize(size);
        QTRY_COMPARE(m_widget->plot().size(), size);
        m_widget->plot().replot();
        QVERIFY(qAbs(pixelsPerUnitRatio() - 1.0) < 0.02);
        const QCPRange x = m_widget->plot().xAxis->range();
        const QCPRange y = m_widget->plot().yAxis->range();
        QVERIFY(x.lower <= 1e-9 && x.upper >= 10.0 - 1e-9);
        QVERIFY(y.lower <= 1e-9 && y.upper >= 5.0 - 1e-9);
    }

    void followsThePaletteAndSavesLight() {
        m_widget->setPalette(darkPalette());
        QVERIFY(m_widget->theme().dark);
        const QTemporaryDir folder;
        const QString png = folder.filePath(QStringLiteral("plot.png"));
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
        QVERIFY(!m_widget->saveAs(QStringLiteral("/nowhere/plot.png")));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 3);
    }

    void describesItself() {
        m_widget->setAccessibleName(QStringLiteral("Curves"));
        m_widget->setShownDescription(QStringLiteral("N_w rises from 2 to 90"));
        QCOMPARE(m_widget->accessibleDescription(), QStringLiteral("N_w rises from 2 to 90"));
        QCOMPARE(m_widget->plot().accessibleName(), QStringLiteral("Curves"));
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

    std::unique_ptr<PlotWidget> m_widget;
};

EPSILENS_UI_TEST(PlotWidgetTest)
#include "plot_widget_test.moc"
