#include "ui/state/output_mark.h"

#include <array>
#include <cmath>

#include <QImage>
#include <QPainter>

#include "tests/ui/support/ui_test.h"

using namespace epsilens::ui;

class OutputMarkTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contrastIsThatOfWcag() {
        // WCAG 2.1: black on white is 21:1; #767676 is the lightest grey with 4.5:1 on white.
        QVERIFY(std::abs(contrast(Qt::black, Qt::white) - 21.0) < 1e-9);
        QVERIFY(std::abs(contrast(QColor(0x76, 0x76, 0x76), Qt::white) - 4.54) < 0.01);
    }

    void linesCanBeSeenInBothThemes() {
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            const Theme theme = themeFor(palette);
            for (const OutputMark mark :
                 {OutputMark::kept, OutputMark::near, OutputMark::far, OutputMark::unknown}) {
                QVERIFY(contrast(lineColour(mark, theme), theme.surface) >= 3.0);
                QVERIFY(contrast(lineColour(mark, theme), theme.window) >= 2.9);
            }
        }
    }

    void underlinesDifferInShape() {
        const Theme theme = themeFor(lightPalette());
        const std::array marks{OutputMark::kept, OutputMark::near, OutputMark::far,
                               OutputMark::unknown, OutputMark::pending};
        std::vector<QImage> shapes;
        for (const OutputMark mark : marks) {
            QImage image(40, 12, QImage::Format_Grayscale8);
            image.fill(Qt::white);
            QPainter painter(&image);
            drawUnderline(painter, mark, theme, 0.0, 40.0, 6.0);
            painter.end();
            // Whatever was inked becomes black: colours play no part.
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    image.setPixelColor(
                        x, y, image.pixelColor(x, y).value() < 255 ? Qt::black : Qt::white);
                }
            }
            for (const QImage& other : shapes) {
                QVERIFY(image != other);
            }
            shapes.push_back(image);
        }
    }

    void areasOfNearAndFarHavePatterns() {
        const Theme theme = themeFor(darkPalette());
        QVERIFY(areaBrush(OutputMark::kept, theme).style() == Qt::SolidPattern);
        QVERIFY(areaBrush(OutputMark::near, theme).style() == Qt::TexturePattern);
        QVERIFY(areaBrush(OutputMark::far, theme).textureImage() !=
                areaBrush(OutputMark::near, theme).textureImage());
    }
};

EPSILENS_UI_TEST(OutputMarkTest)
#include "output_mark_test.moc"
