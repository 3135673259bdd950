#include "ui/state/odds.h"

#include <limits>

#include "core/embedding/load.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/qt_convert.h"

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

    /// In its spelling, which is that of small letters.
    void everydayPairsAreWordsOfTheSample() {
        const auto sample = embedding::loadEmbedding({"sample"});
        QVERIFY(sample.has_value());
        for (const auto& [first, second] : everydayPairs()) {
            QVERIFY(first != second);
            for (const std::string_view word : {first, second}) {
                const QString small = toQString(word).toLower();
                QVERIFY2(sample->vocabulary.find(toStd(small)).has_value(), qPrintable(small));
            }
        }
    }

    void theFirstPairThatIsThereIsTaken() {
        embedding::Vocabulary vocabulary;
        for (const char* word : {"garden", "house", "dog", "paris", "cat"}) {
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
