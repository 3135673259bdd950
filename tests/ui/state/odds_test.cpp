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
    void roundsTheFactorUp() {
        // exp(5.1) = 164.02, exp(2.3) = 9.974, exp(10) = 22026.5 (tables of the exponential).
        QVERIFY(oddsSentence(5.1, 5.1, "paris", "london").contains(QStringLiteral("×165<")));
        QVERIFY(oddsSentence(2.3, 1.0, "a", "b").contains(QStringLiteral("×9.98<")));
        QVERIFY(oddsSentence(10.0, 1.0, "a", "b").contains(QStringLiteral("×22,100<")));
        QVERIFY(oddsSentence(0.0, 0.0, "a", "b").contains(QStringLiteral("×1.00<")));
    }

    void namesWordsAndDistance() {
        const QString text = oddsSentence(5.1, 5.1, "paris", "<london>");
        QVERIFY(text.contains(QStringLiteral("<i>paris</i>")));
        QVERIFY(text.contains(QStringLiteral("<i>&lt;london&gt;</i>")));
        QVERIFY(text.contains(QStringLiteral("(distance 5.1)")));
    }

    void saysWhenTheBoundIsOfNoUse() {
        // ln 10^6 = 13.8155
        QVERIFY(!oddsSentence(13.81, 13.81, "a", "b").contains(QStringLiteral("no useful bound")));
        QVERIFY(oddsSentence(13.82, 13.82, "a", "b").contains(QStringLiteral("no useful bound")));
        // 87.4 / ln 10 = 37.96, rounded up.
        QVERIFY(oddsSentence(87.4, 1.0, "a", "b").contains(QStringLiteral("bound</b> (10³⁸)")));
        QVERIFY(oddsSentence(std::numeric_limits<double>::infinity(), 1.0, "a", "b")
                    .contains(QStringLiteral("bound</b> (∞)")));
        QVERIFY(oddsSentence(1e12, 1e6, "a", "b").contains(QStringLiteral("no useful bound")));
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
