#include "ui/live/word_columns.h"

#include "tests/ui/support/ui_test.h"

using epsilens::ui::live::WordColumns;

class WordColumnsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsWrapTogetherWhereThereIsNoRoom() {
        WordColumns columns;
        columns.layOut({{30.0}, {40.0}, {30.0}, {50.0}}, 100.0, 200.0, 10.0, 20.0, false);
        QCOMPARE(columns.blocks(), 2);
        QCOMPARE(columns.area(0), QRectF(100.0, 0.0, 30.0, 20.0));
        QCOMPARE(columns.area(1), QRectF(140.0, 0.0, 40.0, 20.0));
        // 190 + 30 lies beyond 200.
        QCOMPARE(columns.area(2), QRectF(100.0, 20.0, 30.0, 20.0));
        QCOMPARE(columns.area(3), QRectF(140.0, 20.0, 50.0, 20.0));
    }

    void linesOfTheTextBeginBlocks() {
        WordColumns columns;
        columns.layOut({{30.0, true}, {30.0}, {30.0, true}}, 0.0, 500.0, 10.0, 20.0, false);
        QCOMPARE(columns.blocks(), 2);
        QCOMPARE(columns.area(2).topLeft(), QPointF(0.0, 20.0));
    }

    void aWordWiderThanABlockIsCutToIt() {
        WordColumns columns;
        columns.layOut({{30.0}, {900.0}, {30.0}}, 0.0, 100.0, 10.0, 20.0, false);
        QCOMPARE(columns.area(1), QRectF(0.0, 20.0, 100.0, 20.0));
        QCOMPARE(columns.area(2), QRectF(0.0, 40.0, 30.0, 20.0));
    }

    void fromRightToLeftTheFirstWordStandsAtTheRight() {
        WordColumns columns;
        columns.layOut({{30.0}, {40.0}}, 100.0, 200.0, 10.0, 20.0, true);
        QCOMPARE(columns.area(0), QRectF(170.0, 0.0, 30.0, 20.0));
        QCOMPARE(columns.area(1), QRectF(120.0, 0.0, 40.0, 20.0));
    }
};

EPSILENS_UI_TEST(WordColumnsTest)
#include "word_columns_test.moc"
