#include "ui/curves/grid_text.h"

#include "tests/ui/support/ui_test.h"
#include "ui/plot/plot_style.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;

class GridTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsListsSortedAndOnce() {
        const std::vector<double> expected{1, 5, 10};
        QCOMPARE(ui::parseEpsilonGrid(QStringLiteral("10; 1; 5; 5")).value(), expected);
        QCOMPARE(ui::parseEpsilonGrid(QStringLiteral("1,5,10")).value(), expected);
        QCOMPARE(ui::parseLambdaGrid(QStringLiteral(" 1 ; 0 ")).value(),
                 (std::vector<double>{0, 1}));
    }

    void readsRangesWithTheSpacingOfTheirKind() {
        const auto epsilons = ui::parseEpsilonGrid(QStringLiteral("1..40 x9")).value();
        QCOMPARE(epsilons.size(), std::size_t{9});
        QCOMPARE(epsilons.front(), 1.0);
        QCOMPARE(epsilons.back(), 40.0);
        // Logarithmic: the middle of nine is the geometric mean of the ends, to six digits.
        QCOMPARE(epsilons[4], 6.32456);
        QCOMPARE(ui::parseLambdaGrid(QStringLiteral("0..1x5")).value(),
                 (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void refusesWhatNoGridCanHave_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("lambda");
        QTest::addColumn<QString>("named");
        QTest::newRow("words") << "one" << false << "one";
        QTest::newRow("zero") << "0; 1" << false << "above 0";
        QTest::newRow("negative") << "-3" << false << "-3";
        QTest::newRow("infinite") << "inf" << false << "inf";
        QTest::newRow("not a number") << "nan" << false << "nan";
        QTest::newRow("range without count") << "1..40" << false << "1..40x9";
        QTest::newRow("decimal comma") << "0,5" << false << "write 0.5";
        QTest::newRow("decimal comma of a lambda") << "0,5" << true << "write 0.5";
        QTest::newRow("decimal comma in a range") << "0,5..40 x9" << false << "write 0.5";
        QTest::newRow("too many") << "1..40 x101" << false << "100";
        QTest::newRow("lambda above one") << "0; 1.01" << true << "1.01";
        QTest::newRow("lambda nan") << "nan" << true << "nan";
    }
    void refusesWhatNoGridCanHave() {
        QFETCH(QString, text);
        QFETCH(bool, lambda);
        QFETCH(QString, named);
        const auto values = lambda ? ui::parseLambdaGrid(text) : ui::parseEpsilonGrid(text);
        QVERIFY(!values);
        QVERIFY2(ui::toQString(values.error().message).contains(named),
                 values.error().message.c_str());
    }

    void writesWhatItReads() {
        const std::vector<double> values{0.05, 1, 12.5, 130};
        QCOMPARE(ui::gridText(values), QStringLiteral("0.05; 1; 12.5; 130"));
        QCOMPARE(ui::parseEpsilonGrid(ui::gridText(values)).value(), values);
        QCOMPARE(ui::brief(83.0), QStringLiteral("83"));
        QCOMPARE(ui::brief(10.0 / 3.0), QStringLiteral("3.3333"));
    }
};

EPSILENS_UI_TEST(GridTextTest)
#include "grid_text_test.moc"
