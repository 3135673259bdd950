#include "ui/state/word.h"

#include <stdexcept>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using ui::Word;

class WordTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsSpeltAsInItsOwnEmbedding() {
        const auto embedding = test::toyEmbedding();
        QCOMPARE(Word(embedding, 1).text(), QStringLiteral("london"));
        QCOMPARE(Word(embedding, 39).text(), QStringLiteral("word39"));
    }

    void rowsOfAnotherEmbeddingAreRefused() {
        const auto embedding = test::toyEmbedding();
        QVERIFY_THROWS_EXCEPTION(std::logic_error, Word(embedding, 40));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, Word(embedding, -1));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, Word(nullptr, 0));
    }

    void equalWordsAreOfOneEmbedding() {
        const auto embedding = test::toyEmbedding();
        QVERIFY(Word(embedding, 2) == Word(embedding, 2));
        QVERIFY(Word(embedding, 2) != Word(embedding, 3));
        QVERIFY(Word(embedding, 2) != Word(test::toyEmbedding(), 2));
    }

    void wordsAreFoundAsSpeltOrInLowerCase() {
        const auto embedding = test::toyEmbedding();
        QVERIFY(ui::findWord(embedding, QStringLiteral("paris")) == Word(embedding, 0));
        QVERIFY(ui::findWord(embedding, QStringLiteral("Paris")) == Word(embedding, 0));
        QVERIFY(!ui::findWord(embedding, QStringLiteral("parris")).has_value());
        QCOMPARE(ui::nearestSpellings(*embedding, QStringLiteral("parris"), 1),
                 QStringList{QStringLiteral("paris")});
    }
};

EPSILENS_UI_TEST(WordTest)
#include "word_test.moc"
