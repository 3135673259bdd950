#include "ui/state/time_left.h"

#include <algorithm>
#include <cmath>

#include "tests/ui/support/ui_test.h"

using namespace epsilens::ui;

class TimeLeftTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEvenJobIsForetold() {
        Pace pace;
        pace.goOn(1.0, 0.01);
        QVERIFY(!pace.secondsLeft(1.0));
        pace.goOn(5.0, 0.05);
        QVERIFY(std::abs(*pace.secondsLeft(5.0) - 95.0) < 1e-9);
        // It goes on between two reports.
        QVERIFY(std::abs(*pace.secondsLeft(7.0) - 93.0) < 1e-9);
    }

    /// Ten parts, of which each takes another time: 2 and 18 seconds in turn, 100 in all.
    void partsOfOtherCostDoNotLetItJump() {
        Pace pace;
        double elapsed = 0.0;
        double before = 0.0;
        double mostRise = 0.0;
        double farthest = 0.0;
        for (int part = 0; part < 10; ++part) {
            const double takes = part % 2 == 0 ? 2.0 : 18.0;
            for (int tenth = 1; tenth <= 10; ++tenth) {
                elapsed += takes / 10.0;
                pace.goOn(elapsed, (part + tenth / 10.0) / 10.0);
                const auto left = pace.secondsLeft(elapsed);
                if (part >= 2 && left) {
                    mostRise = std::max(mostRise, *left - before);
                    farthest = std::max(farthest, std::abs(*left - (100.0 - elapsed)));
                }
                before = left.value_or(0.0);
            }
        }
        // By the share alone it rises by 13 s within a part.
        QVERIFY2(mostRise < 2.0, qPrintable(QString::number(mostRise)));
        QVERIFY2(farthest < 35.0, qPrintable(QString::number(farthest)));
    }

    void aJobThatOverrunsIsNotOver() {
        Pace pace;
        pace.goOn(50.0, 0.5);
        QVERIFY(*pace.secondsLeft(120.0) >= 60.0);
    }
};

EPSILENS_UI_TEST(TimeLeftTest)
#include "time_left_test.moc"
