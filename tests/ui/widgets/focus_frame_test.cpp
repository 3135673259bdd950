#include "ui/widgets/focus_frame.h"

#include <QLineEdit>
#include <QVBoxLayout>

#include "tests/ui/support/ui_test.h"
#include "ui/plot/plot_widget.h"
#include "ui/widgets/theme.h"

using namespace epsilens::ui;

class FocusFrameTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPlotShowsTheFocusAndLetsItGo() {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* field = new QLineEdit(&window);
        auto* plot = new PlotWidget(&window);
        layout->addWidget(field);
        layout->addWidget(plot);
        window.resize(400, 300);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        field->setFocus();
        QTRY_VERIFY(field->hasFocus());
        QVERIFY(!isFramed(*plot));
        plot->setFocus();
        QTRY_VERIFY(isFramed(*plot));
        window.resize(500, 350);
        QTRY_VERIFY(isFramed(*plot));
        field->setFocus();
        QTRY_VERIFY(!isFramed(*plot));
    }

    void theMouseReachesWhatIsFramed() {
        QLineEdit field;
        showFocusAround(&field);
        field.resize(200, 40);
        field.show();
        field.setFocus();
        QTRY_VERIFY(field.hasFocus());
        QCOMPARE(field.childAt(field.rect().center()), nullptr);
    }

private:
    /// The corners have the theme's colour of the focus.
    static bool isFramed(PlotWidget& plot) {
        const QImage image = plot.grab().toImage();
        const QRgb focus = themeOf(&plot).focus.rgb();
        return image.pixel(0, 0) == focus && image.pixel(image.width() - 1, 0) == focus &&
               image.pixel(image.width() - 1, image.height() - 1) == focus;
    }
};

EPSILENS_UI_TEST(FocusFrameTest)
#include "focus_frame_test.moc"
