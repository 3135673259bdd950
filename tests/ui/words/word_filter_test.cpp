#include "ui/words/word_rows.h"

#include <limits>

#include "tests/ui/support/ui_test.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

WordFilter parsed(const char* text) {
    auto filter = WordFilter::parse(QString::fromUtf8(text));
    if (!filter) {
        QTest::qFail(filter.error().message.c_str(), __FILE__, __LINE__);
        return {};
    }
    return *filter;
}

}  // namespace

class WordFilterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainPartsAreSearchedInWordsWithoutLetterCase() {
        const WordFilter filter = parsed("  lon  DO ");
        QVERIFY(filter.conditions().empty());
        QVERIFY(filter.matchesText("london"));
        QVERIFY(filter.matchesText("Londonderry"));
        QVERIFY(!filter.matchesText("longing"));
        QVERIFY(parsed("ÉCOLE").matchesText("école"));
        QVERIFY(parsed("").matchesText("anything") && parsed("").isEmpty());
    }

    void conditionsReadNumbersAndPercentages() {
        const auto conditions = parsed("nw>=90 far<5% sw=3 NW<50% critical≤2.5").conditions();
        QCOMPARE(conditions.size(), std::size_t{5});
        QVERIFY(conditions[0].column == WordColumn::nw && conditions[0].value == 90.0);
        QVERIFY(conditions[0].holds(90.0, 100) && !conditions[0].holds(89.0, 100));
        // A share is written in percent, with the sign or without.
        QCOMPARE(conditions[1].value, 0.05);
        QVERIFY(conditions[1].holds(0.049, 100) && !conditions[1].holds(0.05, 100));
        QVERIFY(conditions[2].holds(3.0, 100) && !conditions[2].holds(4.0, 100));
        // 50 % of 200 draws are 100.
        QVERIFY(conditions[3].holds(99.0, 200) && !conditions[3].holds(100.0, 200));
        QVERIFY(conditions[4].holds(2.5, 100) && !conditions[4].holds(2.6, 100));
    }

    void unknownValuesMeetNoCondition() {
        const double unknown = std::numeric_limits<double>::quiet_NaN();
        for (const char* text :
             {"distance<1", "distance<=1", "distance=1", "distance>=1", "distance>1"}) {
            const WordFilter filter = parsed(text);
            QVERIFY(!filter.conditions().front().holds(unknown, 100));
        }
    }

    void aConditionWithoutANumberIsRefused() {
        const auto missing = WordFilter::parse(QStringLiteral("nw>="));
        QVERIFY(!missing);
        QVERIFY(toQString(missing.error().message).contains(QStringLiteral("nw>=5")));
        QVERIFY(!WordFilter::parse(QStringLiteral("nw>=many")));
        QVERIFY(!WordFilter::parse(QStringLiteral("far<0,5")));
        // No column has that name, so that it is part of a word.
        QCOMPARE(parsed("a<b").parts(), QStringList{QStringLiteral("a<b")});
    }
};

EPSILENS_UI_TEST(WordFilterTest)
#include "word_filter_test.moc"
