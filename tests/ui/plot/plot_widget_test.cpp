#include "ui/plot/plot_widget.h"

#include <qcustomplot.h>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QImage>
#include <QMenu>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>

#include "tests/ui/support/ui_test.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

class PlotWithData final : public PlotWidget {
public:
    [[nodiscard]] QString visibleCsv() const override { return QStringLiteral("x,y\n1,2\n"); }
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
            QRegularExpression(QStringLiteral("paint"), QRegularExpression::CaseInsensitiveOption));
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

    void theMenuCopiesAndSavesTheData() {
        choose(QStringLiteral("Copy visible data (CSV)"));
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("x,y\n1,2\n"));
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("data.csv"));
        dialogs::presetSaveFile(path);
        choose(QStringLiteral("Save visible data (CSV)…"));
        QCOMPARE(test::contentOf(path), QByteArray("x,y\n1,2\n"));
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
    /// An entry of the menu of the button, by the keyboard.
    void choose(const QString& title) {
        QTimer soon;
        soon.setSingleShot(true);
        connect(&soon, &QTimer::timeout, this, [&title] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            for (QAction* action : menu->actions()) {
                if (action->text().remove(QLatin1Char('&')) == title) {
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

EPSILENS_UI_TEST(PlotWidgetTest)
#include "plot_widget_test.moc"
