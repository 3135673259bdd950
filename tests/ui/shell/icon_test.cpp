#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include "tests/ui/support/ui_test.h"

class IconTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void thePicturesAreMadeFromTheDrawing_data() {
        QTest::addColumn<int>("size");
        QTest::newRow("48") << 48;
        QTest::newRow("128") << 128;
    }

    void thePicturesAreMadeFromTheDrawing() {
        QFETCH(int, size);
        const QString folder = QStringLiteral(EPSILENS_ICONS);
        const QImage picture = QImage(QStringLiteral("%1/epsilens-%2.png").arg(folder).arg(size))
                                   .convertToFormat(QImage::Format_ARGB32);
        QCOMPARE(picture.size(), QSize(size, size));
        QImage drawn(size, size, QImage::Format_ARGB32);
        drawn.fill(Qt::transparent);
        QPainter painter(&drawn);
        QSvgRenderer(folder + QStringLiteral("/epsilens.svg")).render(&painter);
        painter.end();
        // Edges may be smoothed a little differently by another version of Qt.
        qint64 difference = 0;
        for (int y = 0; y < size; ++y) {
            for (int x = 0; x < size; ++x) {
                const QRgb a = picture.pixel(x, y);
                const QRgb b = drawn.pixel(x, y);
                difference += std::abs(qAlpha(a) - qAlpha(b)) + std::abs(qRed(a) - qRed(b)) +
                              std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b));
            }
        }
        QVERIFY(difference <= 4LL * size * size);
    }
};

EPSILENS_UI_TEST(IconTest)
#include "icon_test.moc"
