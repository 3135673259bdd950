#include "ui/widgets/number_field.h"

#include <QSignalSpy>

#include "tests/ui/support/ui_test.h"
#include "ui/widgets/whole_number_box.h"

using namespace epsilens::ui;

namespace {

/// Types over what is there and leaves with Return.
void typeInto(QWidget& field, const QString& text) {
    QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
}

}  // namespace

class NumberFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void wholeNumbersAreHintedAtAsSuch_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problem");
        const QString range = QStringLiteral("draws must be a whole number from 10 to 10000");
        // As the window itself writes large numbers.
        QTest::newRow("thousands") << "1,000" << range + QStringLiteral("; write 1000");
        QTest::newRow("decimal comma") << "12,5" << range;
        QTest::newRow("fraction") << "12.5" << range;
        QTest::newRow("too large") << "10001" << range;
        QTest::newRow("word") << "ten" << range;
        QTest::newRow("in order") << "1000" << QString();
    }
    void wholeNumbersAreHintedAtAsSuch() {
        QFETCH(const QString, text);
        QFETCH(const QString, problem);
        NumberField field({10.0, 10'000.0, false, true, QStringLiteral("draws")});
        field.setValue(100.0);
        typeInto(field, text);
        QCOMPARE(field.problem(), problem);
        QCOMPARE(field.value(), problem.isEmpty() ? 1000.0 : 100.0);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void aSpinBoxReadsNoOtherNumberThanTheOneTyped_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("value");
        QTest::newRow("whole") << "1500" << 1500;
        QTest::newRow("decimal comma") << "1,5" << 10;
        QTest::newRow("fraction") << "1.5" << 10;
        QTest::newRow("thousands") << "1,500" << 10;
        QTest::newRow("too large") << "20001" << 10;
        QTest::newRow("word") << "ten" << 10;
        QTest::newRow("nothing") << " " << 10;
    }
    void aSpinBoxReadsNoOtherNumberThanTheOneTyped() {
        QFETCH(const QString, text);
        QFETCH(const int, value);
        WholeNumberBox box;
        box.setAccessibleName(QStringLiteral("Number of draws"));
        box.setRange(0, 20'000);
        box.setValue(10);
        const QSignalSpy refused(&box, &WholeNumberBox::refused);
        typeInto(box, text);
        QCOMPARE(box.value(), value);
        QCOMPARE(box.text(), QString::number(value));
        QCOMPARE(refused.count(), value == 10 ? 1 : 0);
        if (text == QStringLiteral("1,500")) {
            QCOMPARE(refused.first().first().toString(),
                     QStringLiteral("Number of draws: \"1,500\" is not a whole number from 0 to "
                                    "20000; write 1500"));
        }
    }
};

EPSILENS_UI_TEST(NumberFieldTest)
#include "number_field_test.moc"
