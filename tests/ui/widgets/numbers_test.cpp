#include <cmath>
#include <limits>

#include "tests/ui/support/ui_test.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

// The epsilon slider of a file whose default is 10: six decades around it, four digits.
constexpr ValueScale kEpsilon{ValueScale::Kind::logarithmic, 0.01, 10'000.0, 0.0, 4};
constexpr ValueScale kLambda{ValueScale::Kind::linear, 0.0, 1.0, 0.01, 0};
constexpr ValueScale kDraws{ValueScale::Kind::logarithmic, 10.0, 10'000.0, 0.0, 0};

bool isNear(double value, double expected, double tolerance) {
    return std::abs(value - expected) < tolerance;
}

void turnWheel(QWidget& widget, int angle) {
    const QPointF centre = QRectF(widget.rect()).center();
    QWheelEvent event(centre, widget.mapToGlobal(centre), {}, QPoint(0, angle), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

}  // namespace

class NumbersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_slider = std::make_unique<ValueSlider>();
        m_slider->setScale(kEpsilon);
        m_slider->setValue(10.0);
        m_slider->resize(300, 28);
        m_slider->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_slider.get()));
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void textIsTakenOrRefusedWithItsReason_data() {
        QTest::addColumn<bool>("isWhole");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problem");
        const QString range = "draws must be a whole number from 10 to 10000";
        // As the window itself writes large numbers.
        QTest::newRow("thousands") << true << "1,000" << range + "; write 1000";
        for (const char* text : {"12,5", "12.5", "10001", "ten", "-1", "0"}) {
            QTest::newRow(text) << true << text << range;
        }
        QTest::newRow("whole") << true << "1000" << QString();
        for (const char* text : {"0", "-1", "inf", "1e400"}) {
            QTest::newRow(text) << false << text << "ε";
        }
        QTest::newRow("not a number") << false << "nan"
                                      << "ε";
        QTest::newRow("words") << false << "ten"
                               << "not a number";
        QTest::newRow("nothing") << false << " "
                                 << "not a number";
        QTest::newRow("comma") << false << "0,5"
                               << "write 0.5";
        QTest::newRow("any") << false << "250000.5" << QString();
    }
    void textIsTakenOrRefusedWithItsReason() {
        QFETCH(const bool, isWhole);
        QFETCH(const QString, text);
        QFETCH(const QString, problem);
        constexpr double kMost = std::numeric_limits<double>::max();
        NumberField field(isWhole ? NumberField::Limits{10.0, 10'000.0, false, true, "draws"}
                                  : NumberField::Limits{0.0, kMost, true, false, "ε"});
        field.setValue(100.0);
        const QSignalSpy edited(&field, &NumberField::valueEdited);
        field.selectAll();
        QTest::keyClicks(&field, text);
        QTest::keyClick(&field, Qt::Key_Return);
        QVERIFY(test::holds(field.problem(), problem));
        QCOMPARE(field.problem().isEmpty(), problem.isEmpty());
        QCOMPARE(field.value(), problem.isEmpty() ? text.toDouble() : 100.0);
        QCOMPARE(edited.count(), problem.isEmpty() ? 1 : 0);
        // What is refused stays in sight until Escape.
        QCOMPARE(field.text(), text);
        QTest::keyClick(&field, Qt::Key_Escape);
        QCOMPARE(field.text(), problem.isEmpty() ? text : "100");
        QVERIFY(field.problem().isEmpty());
    }

    void positionsAreLogarithmic() {
        QCOMPARE(kEpsilon.position(0.01), 0.0);
        QCOMPARE(kEpsilon.position(10.0), 0.5);  // three of six decades above the low end
        QCOMPARE(kEpsilon.position(10'000.0), 1.0);
        QCOMPARE(kEpsilon.position(1e-9), 0.0);
        QCOMPARE(kEpsilon.position(1e9), 1.0);
        QCOMPARE(kEpsilon.at(0.5), 10.0);
    }

    void logarithmicStepsAreHundredthsOfADecade() {
        // 10^0.01 = 1.0232930 and 10^0.1 = 1.2589254 (tables of powers of ten).
        QVERIFY(isNear(kEpsilon.stepped(10.0, 1), 10.232930, 1e-6));
        QVERIFY(isNear(kEpsilon.stepped(10.0, 10), 12.589254, 1e-6));
        QVERIFY(isNear(kEpsilon.stepped(kEpsilon.stepped(10.0, 7), -7), 10.0, 1e-12));
        QCOMPARE(kEpsilon.stepped(10'000.0, 1), 10'000.0);
        QCOMPARE(kEpsilon.stepped(0.01, -1), 0.01);
        // From a typed value beyond the ends, and no farther out.
        QVERIFY(isNear(kEpsilon.stepped(1e6, -1), 1e6 / 1.0232930, 1.0));
        QCOMPARE(kEpsilon.stepped(1e6, 1), 1e6);
        QVERIFY(isNear(kEpsilon.stepped(1e-6, 1), 1.0232930e-6, 1e-12));
        QCOMPARE(kEpsilon.stepped(1e-6, -1), 1e-6);
    }

    /// Riemannian noise in 100 dimensions exists above 99 only: a step moves what exceeds it.
    void stepsAboveABoundAreOfWhatExceedsIt() {
        constexpr ValueScale scale{ValueScale::Kind::logarithmic, 99.1, 199.0, 0.0, 4, 99.0};
        QVERIFY(isNear(scale.stepped(109.0, 1), 99.0 + 10.232930, 1e-6));
        QVERIFY(isNear(scale.stepped(109.0, -10), 99.0 + 10.0 / 1.2589254, 1e-6));
        QCOMPARE(scale.stepped(99.2, -1000), 99.1);
        // Positions go by its logarithm, of 0.1 to 100.
        QVERIFY(isNear(scale.position(99.0 + std::sqrt(10.0)), 0.5, 1e-12));
        QVERIFY(isNear(scale.at(0.5), 99.0 + std::sqrt(10.0), 1e-9));
        QCOMPARE(scale.position(99.0), 0.0);
        QCOMPARE(scale.rounded(99.123456), 99.1235);
    }

    void roundedStepsMoveAndStayOnTheGrid() {
        // 10 × 1.023 rounds to 10 again, so the step has to be one.
        QCOMPARE(kDraws.rounded(kDraws.stepped(10.0, 1)), 11.0);
        QCOMPARE(kDraws.rounded(kDraws.stepped(11.0, -1)), 10.0);
        QCOMPARE(kDraws.rounded(kDraws.stepped(1000.0, 1)), 1023.0);
        double value = 0.0;
        for (int step = 0; step < 29; ++step) {
            value = kLambda.stepped(value, 1);
        }
        QVERIFY(value == 0.29);  // the double that "0.29" reads as, not 29 additions of 0.01
        QVERIFY(kLambda.stepped(0.95, 10) == 1.0);
        QVERIFY(kEpsilon.rounded(10.23293) == 10.23);
        QVERIFY(kEpsilon.rounded(0.0123456) == 0.01235);
        QVERIFY(kEpsilon.rounded(98765.4) == 98770.0);
    }

    void keysMultiply() {
        const QSignalSpy moved(m_slider.get(), &ValueSlider::valueChanged);
        for (const auto& [key, value] : {std::pair{Qt::Key_Right, 10.23},
                                         {Qt::Key_Left, 10.0},
                                         {Qt::Key_PageUp, 12.59},
                                         {Qt::Key_PageDown, 10.0},
                                         {Qt::Key_End, 10'000.0},
                                         {Qt::Key_Home, 0.01}}) {
            QTest::keyClick(m_slider.get(), key);
            QCOMPARE(m_slider->value(), value);
        }
        QCOMPARE(moved.count(), 6);
        m_slider->setValue(10.0);
        for (const Qt::Key key : {Qt::Key_Up, Qt::Key_Down}) {
            for (int i = 0; i < 50; ++i) {
                QTest::keyClick(m_slider.get(), key);
            }
        }
        QCOMPARE(m_slider->value(), 10.0);
    }

    void mouseAndWheelSetTheValue() {
        m_slider->setValue(5.0);
        QTest::mouseClick(m_slider.get(), Qt::LeftButton, {}, QPoint(150, 14));
        QCOMPARE(m_slider->value(), 10.0);  // the middle of the groove is the middle of the scale
        m_slider->clearFocus();
        turnWheel(*m_slider, 120);
        QCOMPARE(m_slider->value(), 10.0);
        m_slider->setFocus();
        QTRY_VERIFY(m_slider->hasFocus());
        turnWheel(*m_slider, 120);
        QCOMPARE(m_slider->value(), 10.23);
        QTest::mouseClick(m_slider.get(), Qt::LeftButton, {}, QPoint(299, 14));
        QCOMPARE(m_slider->value(), 10'000.0);
    }

    void settingAValueSaysNothingAndKeepsItExact() {
        const QSignalSpy moved(m_slider.get(), &ValueSlider::valueChanged);
        m_slider->setValue(123'456.789);  // typed, beyond the slider
        QCOMPARE(m_slider->value(), 123'456.789);
        QCOMPARE(moved.count(), 0);
    }

    void speaksItsValue() {
        m_slider->setSpokenValue([](double value) { return QString("%1 per unit").arg(value); });
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(m_slider.get());
        QVERIFY(accessible != nullptr && accessible->role() == QAccessible::Slider);
        QAccessibleValueInterface* value = accessible->valueInterface();
        QVERIFY(value != nullptr);
        QCOMPARE(value->currentValue().toDouble(), 10.0);
        QCOMPARE(value->maximumValue().toDouble(), 10'000.0);
        QCOMPARE(accessible->text(QAccessible::Value), "10 per unit");
        value->setCurrentValue(25.0);
        QCOMPARE(m_slider->value(), 25.0);
    }

    void textSurvivesBothWaysAndNumbersUseThePoint() {
        const std::string words = "naïve 漢字 ε";
        QCOMPARE(toStd(toQString(words)), words);
        QCOMPARE(significant(0.05, 2), "0.050");
        QCOMPARE(shortest(0.5), "0.5");
        QCOMPARE(counted(400'000), "400,000");
    }

    void durationsHaveTwoUnitsAtMost() {
        for (const auto& [seconds, text] :
             {std::pair{0.04, "under 0.1 s"},
              {0.84, "0.8 s"},
              {9.96, "10 s"},
              {59.6, "1 min 0 s"},
              {200.0, "3 min 20 s"},
              {7'260.0, "2 h 1 min"},
              {std::numeric_limits<double>::quiet_NaN(), "unknown"}}) {
            QCOMPARE(duration(seconds), text);
        }
    }

private:
    std::unique_ptr<ValueSlider> m_slider;
};

EPSILENS_UI_TEST(NumbersTest)
#include "numbers_test.moc"
