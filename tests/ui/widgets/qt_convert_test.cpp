#include "ui/widgets/qt_convert.h"

#include <limits>

#include "tests/ui/support/ui_test.h"

using namespace epsilens::ui;

class QtConvertTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textSurvivesBothWays() {
        const std::string words = "naïve 漢字 ε";
        QCOMPARE(toStd(toQString(words)), words);
    }

    void numbersUseThePoint() {
        QCOMPARE(significant(0.05, 2), QStringLiteral("0.050"));
        QCOMPARE(shortest(0.5), QStringLiteral("0.5"));
        QCOMPARE(counted(400'000), QStringLiteral("400,000"));
    }

    void durationsHaveTwoUnitsAtMost() {
        QCOMPARE(duration(0.04), QStringLiteral("under 0.1 s"));
        QCOMPARE(duration(0.84), QStringLiteral("0.8 s"));
        QCOMPARE(duration(9.96), QStringLiteral("10 s"));
        QCOMPARE(duration(59.6), QStringLiteral("1 min 0 s"));
        QCOMPARE(duration(200.0), QStringLiteral("3 min 20 s"));
        QCOMPARE(duration(7'260.0), QStringLiteral("2 h 1 min"));
        QCOMPARE(duration(std::numeric_limits<double>::quiet_NaN()), QStringLiteral("unknown"));
    }
};

EPSILENS_UI_TEST(QtConvertTest)
#include "qt_convert_test.moc"
