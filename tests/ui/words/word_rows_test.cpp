#include "ui/words/word_rows.h"

#include <cmath>
#include <limits>
#include <stop_token>

#include "core/engine/search_space.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "tests/ui/words/words_fixture.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

using Places = std::vector<std::uint32_t>;

WordFilter filterOf(const char* text) {
    return WordFilter::parse(QString::fromUtf8(text)).value();
}

Places arranged(const WordRows& rows, const WordQuery& query) {
    return arrangeWords(rows, query).value();
}

}  // namespace

/// Expected values come from the formulas in words_fixture.h.
class WordRowsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesAreThoseOfTheCell() {
        const WordRows rows = test::madeUpRows(40, test::toyEmbedding(), 10.0, 1.0);
        QCOMPARE(rows.size(), std::size_t{40});
        QCOMPARE(rows.word(1), std::string_view("london"));
        QCOMPARE(rows.value(2, WordColumn::nw), 44.0);
        QCOMPARE(rows.value(2, WordColumn::sw), 3.0);
        QCOMPARE(rows.value(2, WordColumn::kept), 0.44);
        QCOMPARE(rows.value(2, WordColumn::critical), 30.0);
        QCOMPARE(rows.value(2, WordColumn::near), 0.02);
        QCOMPARE(rows.value(2, WordColumn::far), 0.54);
        QVERIFY(std::isnan(rows.value(2, WordColumn::distance)));
    }

    void sortsByNumbersWithTiesInOrder() {
        const WordRows rows = test::madeUpRows(20, test::toyEmbedding());
        for (const bool descending : {false, true}) {
            const Places order = arranged(rows, {WordPreset::all, {}, WordColumn::sw, descending});
            QCOMPARE(order.size(), std::size_t{20});
            for (std::size_t i = 1; i < order.size(); ++i) {
                const double before = rows.value(order[i - 1], WordColumn::sw);
                const double after = rows.value(order[i], WordColumn::sw);
                QVERIFY(descending ? before >= after : before <= after);
                QVERIFY(before != after || order[i - 1] < order[i]);
            }
        }
    }

    void sortsByWordAsBytes() {
        const WordRows rows = test::madeUpRows(14, test::toyEmbedding());
        const Places order = arranged(rows, {WordPreset::all, {}, WordColumn::word, false});
        for (std::size_t i = 1; i < order.size(); ++i) {
            QVERIFY(rows.word(order[i - 1]) < rows.word(order[i]));
        }
        // "word10" before "word2": the first differing byte decides.
        QCOMPARE(rows.word(order[2]), std::string_view("word10"));
        const Places back = arranged(rows, {WordPreset::all, {}, WordColumn::word, true});
        QVERIFY(std::equal(order.rbegin(), order.rend(), back.begin()));
    }

    void unknownValuesComeLast() {
        // Words beyond a profile of three have no distance.
        const auto embedding = test::toyEmbedding();
        auto density = std::make_shared<VocabularyDensity>();
        density->embedding = embedding;
        density->profile.distances = {1.0, std::numeric_limits<double>::quiet_NaN(), 2.0};
        density->profile.ranks = {2, 1, 3};
        const WordRows rows = test::madeUpRows(3, embedding, 5.0, 0.0, density);
        for (const bool descending : {false, true}) {
            const Places order =
                arranged(rows, {WordPreset::all, {}, WordColumn::distance, descending});
            QCOMPARE(order.back(), 1U);
        }
    }

    void filtersByTextAndNumbers() {
        const WordRows rows = test::madeUpRows(40, test::toyEmbedding());
        // N_w = 7 w mod 101 is at least 90 for w = 13, 14 and 28; word13 begins "word1".
        QCOMPARE(arranged(rows, {WordPreset::all, filterOf("nw>=90"), WordColumn::row, false}),
                 (Places{13, 14, 28}));
        QCOMPARE(
            arranged(rows, {WordPreset::all, filterOf("word1 nw>=90%"), WordColumn::row, true}),
            (Places{14, 13}));
        QVERIFY(arranged(rows, {WordPreset::all, filterOf("distance>0"), WordColumn::row, false})
                    .empty());
    }

    void theWorstWordsAreKeptMostOften() {
        const WordRows rows = test::madeUpRows(400, test::toyEmbedding(400, 3));
        const Places order = arranged(rows, {WordPreset::worst, {}, WordColumn::nw, true});
        QCOMPARE(order.size(), std::size_t{50});
        // 400 words take each N_w of 0 to 100 three or four times: those of 88 and more are in.
        QCOMPARE(rows.value(order.front(), WordColumn::nw), 100.0);
        QVERIFY(rows.value(order.back(), WordColumn::nw) >= 85.0);
        for (std::uint32_t place = 0; place < 400; ++place) {
            const bool isIn = std::find(order.begin(), order.end(), place) != order.end();
            QVERIFY(isIn ||
                    rows.value(place, WordColumn::nw) <= rows.value(order.back(), WordColumn::nw));
        }
    }

    void theSparsestWordsLieFarthestFromTheirNearest() {
        const auto embedding = test::toyEmbedding(200, 3);
        VocabularyDensity density{embedding, {}, {}};
        density.profile = calibration::densityProfile(engine::SearchSpace(embedding)).value();
        const WordRows rows = test::madeUpRows(100, embedding, 5.0, 0.0,
                                               std::make_shared<const VocabularyDensity>(density));
        const Places sparse = arranged(rows, {WordPreset::sparsest, {}, WordColumn::rank, false});
        QCOMPARE(sparse.size(), std::size_t{50});
        const double last = rows.value(sparse.back(), WordColumn::rank);
        for (std::uint32_t place = 0; place < 100; ++place) {
            const bool isIn = std::find(sparse.begin(), sparse.end(), place) != sparse.end();
            QCOMPARE(rows.value(place, WordColumn::rank) <= last, isIn);
        }
        QVERIFY(rows.value(sparse.front(), WordColumn::distance) >=
                rows.value(sparse.back(), WordColumn::distance));
    }

    void distancesOfAnotherEmbeddingCountAsNone() {
        VocabularyDensity density{test::toyEmbedding(200, 3), {}, {}};
        density.profile =
            calibration::densityProfile(engine::SearchSpace(density.embedding)).value();
        const WordRows rows = test::madeUpRows(100, test::toyEmbedding(200, 3), 5.0, 0.0,
                                               std::make_shared<const VocabularyDensity>(density));
        QVERIFY(arranged(rows, {WordPreset::sparsest, {}, WordColumn::rank, false}).empty());
    }

    void writesFullPrecision() {
        const WordRows rows = test::madeUpRows(40, test::toyEmbedding(), 5.0, 1.0);
        const QByteArray csv = wordsCsv(rows, {1, 0}).value();
        const auto lines = csv.split('\n');
        QCOMPARE(lines.size(), 4);
        QCOMPARE(lines[0], QByteArray("word,row,epsilon,lambda,gamma,nw,sw,kept,near,far,"
                                      "criticalEpsilonMedian,nearestDistance,densityRank"));
        // Cell 2 is epsilon 5, lambda 1: N_w of word 1 is 27, its critical epsilon 20.
        QCOMPARE(lines[1], QByteArray("london,1,5,1,,27,2,0.27,0.01,0.72,20,,"));
        QVERIFY(lines[2].startsWith("paris,0,5,1,,20,1,0.2,0,0.8,10,,"));
    }

    void stopsWhenAsked() {
        const WordRows rows = test::madeUpRows(40, test::toyEmbedding());
        std::stop_source stop;
        stop.request_stop();
        const JobContext job{stop.get_token(), {}};
        QVERIFY(!arrangeWords(rows, {WordPreset::all, filterOf("a"), WordColumn::nw, false}, job));
        QVERIFY(!wordsCsv(rows, {0, 1}, job));
    }
};

EPSILENS_UI_TEST(WordRowsTest)
#include "word_rows_test.moc"
