#include "ui/widgets/value_slider.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QWheelEvent>

#include "tests/ui/support/ui_test.h"

using epsilens::ui::ValueScale;
using epsilens::ui::ValueSlider;

namespace {

void turnWheel(ValueSlider& slider, int angle) {
    const QPointF centre = QRectF(slider.rect()).center();
    QWheelEvent event(centre, slider.mapToGlobal(centre), {}, QPoint(0, angle), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&slider, &event);
}

}  // namespace

class ValueSliderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_slider = std::make_unique<ValueSlider>();
        m_slider->setScale({ValueScale::Kind::logarithmic, 0.01, 10'000.0, 0.0, 4});
        m_slider->setValue(10.0);
        m_slider->resize(300, 28);
        m_slider->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_slider.get()));
    }

    void keysMultiply() {
        const QSignalSpy moved(m_slider.get(), &ValueSlider::valueChanged);
        QTest::keyClick(m_slider.get(), Qt::Key_Right);
        QCOMPARE(m_slider->value(), 10.23);  // × 1.023, four digits
        QTest::keyClick(m_slider.get(), Qt::Key_Left);
        QCOMPARE(m_slider->value(), 10.0);
        QTest::keyClick(m_slider.get(), Qt::Key_PageUp);
        QCOMPARE(m_slider->value(), 12.59);  // × 1.26
        QTest::keyClick(m_slider.get(), Qt::Key_PageDown);
        QCOMPARE(m_slider->value(), 10.0);
        QTest::keyClick(m_slider.get(), Qt::Key_End);
        QCOMPARE(m_slider->value(), 10'000.0);
        QTest::keyClick(m_slider.get(), Qt::Key_Home);
        QCOMPARE(m_slider->value(), 0.01);
        QCOMPARE(moved.count(), 6);
    }

    void manyStepsUpAndDownReturnExactly() {
        for (int i = 0; i < 50; ++i) {
            QTest::keyClick(m_slider.get(), Qt::Key_Up);
        }
        for (int i = 0; i < 50; ++i) {
            QTest::keyClick(m_slider.get(), Qt::Key_Down);
        }
        QCOMPARE(m_slider->value(), 10.0);
    }

    void mouseSetsTheValueUnderIt() {
        QTest::mouseClick(m_slider.get(), Qt::LeftButton, {}, QPoint(150, 14));
        QCOMPARE(m_slider->value(), 10.0);  // the middle of the groove is the middle of the scale
        QTest::mouseClick(m_slider.get(), Qt::LeftButton, {}, QPoint(299, 14));
        QCOMPARE(m_slider->value(), 10'000.0);
    }

    void wheelNeedsTheFocus() {
        m_slider->clearFocus();
        turnWheel(*m_slider, 120);
        QCOMPARE(m_slider->value(), 10.0);
        m_slider->setFocus();
        QTRY_VERIFY(m_slider->hasFocus());
        turnWheel(*m_slider, 120);
        QCOMPARE(m_slider->value(), 10.23);
    }

    void settingAValueSaysNothingAndKeepsItExact() {
        const QSignalSpy moved(m_slider.get(), &ValueSlider::valueChanged);
        m_slider->setValue(123'456.789);  // typed, beyond the slider
        QCOMPARE(m_slider->value(), 123'456.789);
        QCOMPARE(moved.count(), 0);
    }

    void speaksItsValue() {
        m_slider->setSpokenValue(
            [](double value) { return QStringLiteral("%1 per unit").arg(value); });
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(m_slider.get());
        QVERIFY(accessible != nullptr);
        QCOMPARE(accessible->role(), QAccessible::Slider);
        QAccessibleValueInterface* value = accessible->valueInterface();
        QVERIFY(value != nullptr);
        QCOMPARE(value->currentValue().toDouble(), 10.0);
        QCOMPARE(value->maximumValue().toDouble(), 10'000.0);
        QCOMPARE(accessible->text(QAccessible::Value), QStringLiteral("10 per unit"));
        value->setCurrentValue(25.0);
        QCOMPARE(m_slider->value(), 25.0);
    }

private:
    std::unique_ptr<ValueSlider> m_slider;
};

EPSILENS_UI_TEST(ValueSliderTest)
#include "value_slider_test.moc"
