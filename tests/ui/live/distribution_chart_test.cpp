#include "ui/live/distribution_chart.h"

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include "tests/ui/support/ui_test.h"
#include "ui/plot/view_export.h"
#include "ui/widgets/theme.h"

using namespace epsilens::ui;
using namespace epsilens::ui::live;
using epsilens::test::findControl;

class DistributionChartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_window.setPalette(darkPalette());
        m_window.resize(400, 300);
        m_chart = new DistributionChart(&m_window);
        m_chart->resize(400, 300);
        m_window.show();
    }
    void cleanup() { delete m_chart; }

    void itsDataAreWhatTheBarsShow() {
        QVERIFY(m_chart->exported().csv().isEmpty());
        m_chart->setBars(QStringLiteral("sea"),
                         {{QStringLiteral("sea"), 60, 60.0, OutputMark::kept, 1},
                          {QStringLiteral("a \"b\""), 30, 30.0, OutputMark::near, 1},
                          {QStringLiteral("7 others"), 10, 10.0, OutputMark::others, 7}});
        const QStringList lines = m_chart->exported().csv().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 5);
        QCOMPARE(lines[0], QStringLiteral("output,outputs,kind,percent"));
        QCOMPARE(lines[1], QStringLiteral("\"sea\",1,kept,60"));
        QCOMPARE(lines[2], QStringLiteral("\"a \"\"b\"\"\",1,near,30"));
        QCOMPARE(lines[3],
                 QStringLiteral("\"7 others\",7,%1,10").arg(markName(OutputMark::others)));
    }

    void picturesAreLightAndTheWindowStaysDark() {
        m_chart->setBars(QStringLiteral("sea"),
                         {{QStringLiteral("sea"), 100, 100.0, OutputMark::kept, 1}});
        const QTemporaryDir folder;
        const QString png = folder.filePath(QStringLiteral("bars.png"));
        QVERIFY(savePicture(m_chart->exported(), png));
        const QImage picture(png);
        QCOMPARE(picture.size(), QSize(800, 600));
        QCOMPARE(picture.pixelColor(790, 590), themeFor(lightPalette()).surface);
        QVERIFY(themeFor(m_chart->palette()).dark);
        for (const char* name : {"bars.svg", "bars.pdf"}) {
            const QString path = folder.filePath(QLatin1String(name));
            QVERIFY(savePicture(m_chart->exported(), path));
            QVERIFY(QFile(path).size() > 500);
        }
        QVERIFY(!savePicture(m_chart->exported(), QStringLiteral("/nowhere/bars.png")));
    }

    void theButtonBelowOpensItsMenu() {
        m_chart->setBars(QStringLiteral("sea"),
                         {{QStringLiteral("sea"), 100, 100.0, OutputMark::kept, 1}});
        auto* button = findControl<QToolButton>(*m_chart, "plotMenuButton");
        m_chart->show();
        m_chart->resize(380, 280);
        QCOMPARE(button->geometry().bottomRight(), m_chart->rect().bottomRight());
        QStringList entries;
        QTimer soon;
        soon.setSingleShot(true);
        connect(&soon, &QTimer::timeout, this, [&entries] {
            QWidget* menu = QApplication::activePopupWidget();
            QVERIFY(menu != nullptr);
            for (const QAction* action : menu->actions()) {
                entries.append(action->text());
            }
            menu->close();
        });
        soon.start(0);
        button->click();
        QVERIFY2(!entries.filter(QStringLiteral("CSV")).isEmpty(),
                 qPrintable(entries.join(QLatin1Char(','))));
    }

    void labelsKeepTheSizeOfTheText() {
        const auto fill = [this] {
            const auto room = static_cast<std::size_t>(m_chart->roomForBars());
            const double share = 100.0 / static_cast<double>(room);
            m_chart->setBars(QStringLiteral("sea"),
                             std::vector<DistributionBar>(
                                 room, {QStringLiteral("shore"), 1, share, OutputMark::near, 1}));
            return QFontInfo(m_chart->labelFont()).pixelSize();
        };
        const int usual = fill();
        QSignalSpy room(m_chart, &DistributionChart::roomChanged);
        QFont large = m_chart->font();
        large.setPointSizeF(large.pointSizeF() * 2.0);
        m_chart->setFont(large);
        QVERIFY(!room.isEmpty());  // so that the view asks for fewer bars
        const int size = fill();
        QVERIFY2(4 * size >= 7 * usual, qPrintable(QStringLiteral("%1, %2").arg(usual).arg(size)));
    }

private:
    QWidget m_window;
    DistributionChart* m_chart = nullptr;
};

EPSILENS_UI_TEST(DistributionChartTest)
#include "distribution_chart_test.moc"
