#include "ui/dial/dial_text.h"

#include "tests/ui/support/ui_test.h"

using namespace epsilens::ui;

class MeasuredTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void largeOddsArePowersOfTenRoundedUp() {
        QCOMPARE(factorText(2.0), QStringLiteral("×2.00"));
        QCOMPARE(factorText(1e6), QStringLiteral("×1,000,000"));
        QCOMPARE(factorText(1.1e6), QStringLiteral("×10⁷"));
        QCOMPARE(factorText(9e37), QStringLiteral("×10³⁸"));
    }

    /// e^5.1 = 164.02; e^87.4 = 9.03 × 10^37, beyond what is worth naming.
    void promisesAreSaidInWords() {
        const QString one = QStringLiteral("a<b");
        const QString other = QStringLiteral("heart");
        QVERIFY(
            promiseText(5.1, 2.04, one, other).contains(QStringLiteral("by at most <b>×165</b>")));
        QVERIFY(promiseText(5.1, 2.04, one, other).contains(QStringLiteral("a&lt;b")));
        // exp(2.3) = 9.974 and exp(10) = 22026.5 (tables of the exponential) are rounded up.
        QVERIFY(promiseText(2.3, 2.04, one, other).contains(QStringLiteral("×9.98<")));
        QVERIFY(promiseText(10.0, 2.04, one, other).contains(QStringLiteral("×22,100<")));
        const QString none = promiseText(87.4, 6.5, one, other);
        QVERIFY(none.contains(QStringLiteral("no useful bound")));
        QVERIFY(none.contains(QStringLiteral("(distance 6.5)")));
        QVERIFY(
            promiseText(5.1, 2.04, one, other).contains(QStringLiteral("</i> (distance 2.0) by")));
        QVERIFY(none.contains(QStringLiteral("up to 10³⁸")));
        QVERIFY(none.contains(QStringLiteral("<a href")));
        // In the words of the memo.
        const QString to = QStringLiteral("Promised to anyone a text is about, per word: ");
        QVERIFY(none.startsWith(to) && promiseText(5.1, 2.04, one, other).startsWith(to));
        QVERIFY(promiseText(5.1, 2.04, one, other)
                    .endsWith(QStringLiteral(", whatever readers know besides.")));
        QCOMPARE(shortPromiseTo(5.1), to + QStringLiteral("odds change by at most ×165."));
        QCOMPARE(shortPromise(87.4), QStringLiteral("no useful bound: up to 10³⁸"));
    }
};

EPSILENS_UI_TEST(MeasuredTextTest)
#include "dial_text_test.moc"
