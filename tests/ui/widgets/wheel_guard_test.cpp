#include "ui/widgets/wheel_guard.h"

#include <QComboBox>
#include <QWheelEvent>

#include "tests/ui/support/ui_test.h"

class WheelGuardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unfocusedControlsIgnoreTheWheel() {
        QComboBox box;
        box.addItems({QStringLiteral("one"), QStringLiteral("two")});
        epsilens::ui::guardWheel(&box);
        box.show();
        QVERIFY(QTest::qWaitForWindowExposed(&box));
        box.clearFocus();
        QVERIFY(!turn(box));
        QCOMPARE(box.currentIndex(), 0);
        box.setFocus();
        QTRY_VERIFY(box.hasFocus());
        turn(box);
        QCOMPARE(box.currentIndex(), 1);
    }

private:
    static bool turn(QWidget& widget) {
        const QPointF centre = QRectF(widget.rect()).center();
        QWheelEvent event(centre, widget.mapToGlobal(centre), {}, QPoint(0, -120), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&widget, &event);
        return event.isAccepted();
    }
};

EPSILENS_UI_TEST(WheelGuardTest)
#include "wheel_guard_test.moc"
