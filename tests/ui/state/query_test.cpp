#include "ui/state/query.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include <QSignalSpy>

#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using epsilens::ui::Query;

namespace {

/// Squares of a number that is set; a value of 10 or more is made until it is let go.
struct Squares {
    std::optional<int> number = 3;
    std::atomic<int> made = 0;
    std::atomic<bool> isHeld = true;
    bool isQuick = false;
    bool isWorthFinishing = false;
    Query<int, int> query{
        {.title = QStringLiteral("Squaring"),
         .key = [this] { return number; },
         .make = [this](const int& key, const JobContext& job) -> Result<int> {
             ++made;
             while (key >= 10 && isHeld && !job.stopRequested()) {
                 std::this_thread::sleep_for(std::chrono::milliseconds(1));
             }
             if (key < 0) {
                 return fail(ErrorCode::invalidArgument, "negative");
             }
             return key * key;
         },
         .isQuick = [this](const int&) { return isQuick; },
         .isWorthFinishing = [this](const int&, const int&) { return isWorthFinishing; }}};

    void set(std::optional<int> next) {
        number = next;
        query.update();
    }
    [[nodiscard]] bool shows(int value) const {
        return query.current() != nullptr && *query.current() == value;
    }
};

}  // namespace

class QueryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void makesTheValueOfItsKeyOnce() {
        Squares squares;
        const QSignalSpy changed(&squares.query, &ui::QueryBase::changed);
        QVERIFY(squares.query.current() == nullptr && squares.query.last() == nullptr);
        squares.query.update();
        squares.query.update();
        QTRY_VERIFY(squares.shows(9));
        squares.query.update();
        QVERIFY(!squares.query.job().isRunning());
        QCOMPARE(squares.made.load(), 1);
        QCOMPARE(changed.count(), 1);
    }

    void aValueNeverPassesForThatOfAnotherKey() {
        Squares squares;
        squares.query.update();
        QTRY_VERIFY(squares.shows(9));
        // Even before the query is told.
        squares.number = 10;
        QVERIFY(squares.query.current() == nullptr);
        squares.query.update();
        QVERIFY(squares.query.current() == nullptr);
        QCOMPARE(*squares.query.last(), 9);
        // The first value is still there, and what is not wanted any more is stopped.
        squares.set(3);
        QVERIFY(squares.shows(9));
        QTRY_VERIFY(!squares.query.job().isRunning());
        QVERIFY(squares.shows(9));
    }

    void theNewestKeyWins() {
        Squares squares;
        squares.set(10);
        squares.set(11);
        squares.set(4);
        QTRY_VERIFY(squares.shows(16));
        QVERIFY(!squares.query.job().isRunning());
        // Back to a key whose job is being stopped: it is made after all.
        squares.set(10);
        squares.set(4);
        squares.set(10);
        squares.isHeld = false;
        QTRY_VERIFY(squares.shows(100));
    }

    void aJobThatIsWorthItGoesOnBeforeTheNewestOne() {
        Squares squares;
        squares.isWorthFinishing = true;
        const QSignalSpy changed(&squares.query, &ui::QueryBase::changed);
        for (const int number : {10, 11, 12}) {
            squares.set(number);
        }
        squares.isHeld = false;
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(*squares.query.last(), 100);
        QTRY_VERIFY(squares.shows(144));
        QCOMPARE(squares.made.load(), 2);
        // Nothing is worth more than the value that is wanted and there.
        squares.isHeld = true;
        squares.set(13);
        squares.set(12);
        QTRY_VERIFY(!squares.query.job().isRunning());
        QVERIFY(squares.shows(144));
    }

    void withoutAKeyNothingIsMadeOrKept() {
        Squares squares;
        squares.query.update();
        QTRY_VERIFY(squares.shows(9));
        squares.set(std::nullopt);
        QVERIFY(squares.query.last() == nullptr && !squares.query.job().isRunning());
        squares.set(10);
        squares.set(std::nullopt);
        QTRY_VERIFY(!squares.query.job().isRunning());
        QVERIFY(squares.query.last() == nullptr);
    }

    void whatFailedIsNotTriedAgain() {
        Squares squares;
        const QSignalSpy changed(&squares.query, &ui::QueryBase::changed);
        squares.set(-1);
        QTRY_COMPARE(changed.count(), 1);
        QVERIFY(squares.query.current() == nullptr);
        QCOMPARE(squares.query.error()->message, std::string("negative"));
        squares.query.update();
        QVERIFY(!squares.query.job().isRunning());
        squares.set(3);
        QTRY_VERIFY(squares.shows(9));
        QVERIFY(squares.query.error() == nullptr);
        squares.set(-1);
        QVERIFY(squares.query.job().isRunning());
        QTRY_COMPARE(changed.count(), 3);
    }

    void aQuickValueIsThereAtOnce() {
        Squares squares;
        squares.isQuick = true;
        const QSignalSpy changed(&squares.query, &ui::QueryBase::changed);
        squares.set(5);
        QVERIFY(squares.shows(25));
        QCOMPARE(changed.count(), 0);
    }

    void whileUnwantedNothingIsMade() {
        Squares squares;
        squares.query.update();
        QTRY_VERIFY(squares.shows(9));
        squares.query.setWanted(false);
        QVERIFY(squares.shows(9));
        squares.set(4);
        QVERIFY(squares.query.last() == nullptr && !squares.query.job().isRunning());
        squares.query.setWanted(true);
        QTRY_VERIFY(squares.shows(16));
        QCOMPARE(squares.made.load(), 2);
    }

    void waitsUntilTheKeyRests() {
        int number = 1;
        std::atomic<int> made = 0;
        Query<int, int> query({.title = QStringLiteral("Counting"),
                               .key = [&]() -> std::optional<int> { return number; },
                               .make = [&](const int& key, const JobContext&) -> Result<int> {
                                   ++made;
                                   return key;
                               },
                               .restMs = 20});
        for (; number < 50; ++number) {
            query.update();
        }
        query.update();
        QTRY_VERIFY(query.current() != nullptr);
        QCOMPARE(*query.current(), 50);
        QCOMPARE(made.load(), 1);
    }
};

EPSILENS_UI_TEST(QueryTest)
#include "query_test.moc"
