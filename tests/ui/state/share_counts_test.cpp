#include "ui/state/share_counts.h"

#include <cmath>

#include "tests/ui/support/ui_test.h"

using namespace epsilens::ui;

class ShareCountsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsAddUpToAHundred() {
        for (int kept = 0; kept <= 1000; kept += 7) {
            for (int near = 0; near <= 1000 - kept; near += 13) {
                const double far = (1000 - kept - near) / 1000.0;
                const ShareCounts counts = countsOf(kept / 1000.0, near / 1000.0, far);
                QCOMPARE(counts.kept + counts.near + counts.far, 100);
                QVERIFY(std::abs(counts.kept - kept / 10.0) < 1.0);
                QVERIFY(std::abs(counts.near - near / 10.0) < 1.0);
                QVERIFY(std::abs(counts.far - 100.0 * far) < 1.0);
            }
        }
        QCOMPARE(countsOf(1.0, 0.0, 0.0).kept, 100);
    }
};

EPSILENS_UI_TEST(ShareCountsTest)
#include "share_counts_test.moc"
