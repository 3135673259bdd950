#include "ui/state/odds.h"

#include <limits>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;

class OddsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void powersOfTenAreRoundedUp() {
        // 87.4 / ln 10 = 37.96
        QCOMPARE(powerOfTen(87.4), QStringLiteral("10³⁸"));
        QCOMPARE(powerOfTen(std::numeric_limits<double>::infinity()), QStringLiteral("∞"));
    }

    void theFirstPairThatIsThereIsTaken() {
        embedding::Vocabulary vocabulary;
        for (const char* word : {"bus", "monday", "nurse", "paris", "doctor", "car"}) {
            (void)vocabulary.add(word);
        }
        QVERIFY(exampleWords(vocabulary) == WordPair(4, 2));
    }

    void findsNoPairInASingleWord() {
        embedding::Vocabulary vocabulary;
        QVERIFY(!exampleWords(vocabulary).has_value());
        (void)vocabulary.add("only");
        QVERIFY(!exampleWords(vocabulary).has_value());
        (void)vocabulary.add("two");
        QVERIFY(exampleWords(vocabulary) == WordPair(0, 1));
    }
};

EPSILENS_UI_TEST(OddsTest)
#include "odds_test.moc"
