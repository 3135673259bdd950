#include "ui/widgets/parameter_control.h"

#include <limits>

#include <QLabel>
#include <QSignalSpy>

#include "tests/ui/support/ui_test.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens::ui;
using epsilens::test::findControl;

class ParameterControlTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        ParameterSpec spec;
        spec.id = QStringLiteral("epsilon");
        spec.label = QStringLiteral("ε");
        spec.accessibleName = QStringLiteral("Epsilon");
        spec.tooltip = QStringLiteral("Privacy parameter");
        spec.unit = QStringLiteral("per unit of distance");
        spec.scale = {ValueScale::Kind::logarithmic, 0.01, 10'000.0, 0.0, 4};
        spec.typed = {0.0, std::numeric_limits<double>::max(), true, false, QStringLiteral("ε")};
        m_control = std::make_unique<ParameterControl>(spec);
        m_control->setValue(10.0);
        m_control->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_control.get()));
        m_field = findControl<NumberField>(*m_control, "epsilonField");
        m_slider = findControl<ValueSlider>(*m_control, "epsilonSlider");
        m_hint = findControl<QLabel>(*m_control, "epsilonHintLabel");
    }

    void typedValuesMayLeaveTheSlider() {
        const QSignalSpy changed(m_control.get(), &ParameterControl::valueChanged);
        type("250000.5");
        QCOMPARE(m_control->value(), 250'000.5);
        QCOMPARE(m_slider->value(), 250'000.5);
        QCOMPARE(changed.count(), 1);
        QVERIFY(m_hint->isHidden());
    }

    void commaIsAnsweredWithAPoint() {
        const QSignalSpy changed(m_control.get(), &ParameterControl::valueChanged);
        type("0,5");
        QVERIFY(m_hint->isVisible());
        QVERIFY2(m_hint->text().contains(QStringLiteral("write 0.5")), qPrintable(m_hint->text()));
        QCOMPARE(m_field->accessibleDescription(), m_field->problem());
        QCOMPARE(m_control->value(), 10.0);
        QCOMPARE(changed.count(), 0);
        QTest::keyClick(m_field, Qt::Key_Escape);
        QCOMPARE(m_field->text(), QStringLiteral("10"));
        QVERIFY(m_hint->isHidden());
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void refusesWhatIsOutOfRange_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"0", "-1", "nan", "inf", "1e400", "ten", ""}) {
            QTest::newRow(text) << QString::fromLatin1(text);
        }
    }
    void refusesWhatIsOutOfRange() {
        QFETCH(const QString, text);
        type(text);
        QVERIFY(m_hint->isVisible());
        QCOMPARE(m_control->value(), 10.0);
    }

    void sliderAndFieldFollowEachOther() {
        QTest::keyClick(m_slider, Qt::Key_Right);
        QCOMPARE(m_field->text(), QStringLiteral("10.23"));
        QTest::keyClick(m_field, Qt::Key_PageUp);
        QCOMPARE(m_control->value(), 12.88);  // 10^1.11 = 12.8825
    }

    void unavailableGivesTheReason() {
        m_control->setUnavailable(QStringLiteral("the mechanism has no ε"));
        QVERIFY(!m_slider->isEnabled());
        QVERIFY(!m_field->isEnabled());
        QVERIFY(m_field->toolTip().contains(QStringLiteral("the mechanism has no ε")));
        m_control->setUnavailable({});
        QVERIFY(m_slider->isEnabled());
        QCOMPARE(m_field->toolTip(), QStringLiteral("Privacy parameter"));
    }

private:
    void type(const QString& text) {
        m_field->setFocus();
        m_field->selectAll();
        QTest::keyClick(m_field, Qt::Key_Delete);
        QTest::keyClicks(m_field, text);
        QTest::keyClick(m_field, Qt::Key_Return);
    }
    void type(const char* text) { type(QString::fromLatin1(text)); }

    std::unique_ptr<ParameterControl> m_control;
    NumberField* m_field = nullptr;
    ValueSlider* m_slider = nullptr;
    QLabel* m_hint = nullptr;
};

EPSILENS_UI_TEST(ParameterControlTest)
#include "parameter_control_test.moc"
