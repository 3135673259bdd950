#include "ui/words/word_rows.h"

#include <cmath>
#include <limits>
#include <stop_token>

#include "core/engine/search_space.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "tests/ui/words/words_fixture.h"
#include "ui/widgets/qt_convert.h"

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

VocabularyDensityHandle densityOf(const embedding::EmbeddingHandle& embedding) {
    VocabularyDensity density{embedding, {}, {}};
    density.profile = calibration::densityProfile(engine::SearchSpace(embedding)).value();
    return std::make_shared<const VocabularyDensity>(density);
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
        for (const auto& [column, value] : {std::pair{WordColumn::nw, 44.0},
                                            {WordColumn::sw, 3.0},
                                            {WordColumn::kept, 0.44},
                                            {WordColumn::critical, 30.0},
                                            {WordColumn::near, 0.02},
                                            {WordColumn::far, 0.54}}) {
            QCOMPARE(rows.value(2, column), value);
        }
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

    void unknownValuesComeLastAndMeetNoCondition() {
        const auto embedding = test::toyEmbedding();
        const double unknown = std::numeric_limits<double>::quiet_NaN();
        auto density = std::make_shared<VocabularyDensity>();
        density->embedding = embedding;
        density->profile.distances = {1.0, unknown, 2.0};
        density->profile.ranks = {2, 1, 3};
        const WordRows rows = test::madeUpRows(3, embedding, 5.0, 0.0, density);
        for (const bool descending : {false, true}) {
            const Places order =
                arranged(rows, {WordPreset::all, {}, WordColumn::distance, descending});
            QCOMPARE(order.back(), 1U);
        }
        for (const char* text :
             {"distance<1", "distance<=1", "distance=1", "distance>=1", "distance>1"}) {
            QVERIFY(!filterOf(text).conditions().front().holds(unknown, 100));
        }
    }

    void filtersByTextAndNumbers() {
        const WordRows rows = test::madeUpRows(40, test::toyEmbedding());
        const auto shown = [&rows](const char* filter, bool descending) {
            return arranged(rows, {WordPreset::all, filterOf(filter), WordColumn::row, descending});
        };
        // N_w = 7 w mod 101 is at least 90 for w = 13, 14 and 28; word13 begins "word1".
        QCOMPARE(shown("nw>=90", false), (Places{13, 14, 28}));
        QCOMPARE(shown(" WORD1  nw>=90%", true), (Places{14, 13}));
        QVERIFY(shown("distance>0", false).empty());
        // Letter case does not matter beyond ASCII either; parts need not be at the beginning.
        QVERIFY(filterOf("ÉCOLE").matchesText("l'école") &&
                !filterOf("lon do").matchesText("lone"));
        QVERIFY(filterOf("").isEmpty());
        // No column has that name, so that it is part of a word.
        QCOMPARE(filterOf("a<b").parts(), QStringList{QStringLiteral("a<b")});
    }

    /// Of two values the first meets the condition, the second misses it, with so many draws.
    void conditionsReadNumbersAndPercentages() {
        struct Case {
            const char* text;
            double met;
            double missed;
            int draws;
        };
        for (const Case& one :
             {Case{"nw>=90", 90.0, 89.0, 100}, Case{"NW<50%", 99.0, 100.0, 200},
              Case{"far<5%", 0.049, 0.05, 100}, Case{"far>5", 0.051, 0.05, 100},
              Case{"sw=3", 3.0, 4.0, 100}, Case{"sw=3", 3.0, 2.0, 100}, Case{"sw>3", 4.0, 3.0, 100},
              Case{"sw<3", 2.0, 3.0, 100}, Case{"critical≤2.5", 2.5, 2.6, 100},
              Case{"critical≥2.5", 2.5, 2.4, 100}}) {
            const auto condition = filterOf(one.text).conditions().front();
            QVERIFY2(condition.holds(one.met, one.draws), one.text);
            QVERIFY2(!condition.holds(one.missed, one.draws), one.text);
        }
        const auto missing = WordFilter::parse(QStringLiteral("nw>="));
        QVERIFY(toQString(missing.error().message).contains(QStringLiteral("nw>=5")));
        QVERIFY(!WordFilter::parse(QStringLiteral("nw>=many")));
        QVERIFY(!WordFilter::parse(QStringLiteral("far<0,5")));
    }

    void theWorstWordsAreKeptMostOften() {
        const WordRows rows = test::madeUpRows(400, test::toyEmbedding(400, 3));
        const Places order = arranged(rows, {WordPreset::worst, {}, WordColumn::nw, true});
        QCOMPARE(order.size(), std::size_t{50});
        // 400 words take each N_w of 0 to 100 three or four times: those of 88 and more are in.
        const double least = rows.value(order.back(), WordColumn::nw);
        QCOMPARE(rows.value(order.front(), WordColumn::nw), 100.0);
        QVERIFY(least >= 85.0);
        for (std::uint32_t place = 0; place < 400; ++place) {
            QVERIFY(std::find(order.begin(), order.end(), place) != order.end() ||
                    rows.value(place, WordColumn::nw) <= least);
        }
    }

    void theSparsestWordsLieFarthestFromTheirNearest() {
        const auto embedding = test::toyEmbedding(200, 3);
        const WordQuery sparsest{WordPreset::sparsest, {}, WordColumn::rank, false};
        const WordRows rows = test::madeUpRows(100, embedding, 5.0, 0.0, densityOf(embedding));
        const Places sparse = arranged(rows, sparsest);
        QCOMPARE(sparse.size(), std::size_t{50});
        const double last = rows.value(sparse.back(), WordColumn::rank);
        for (std::uint32_t place = 0; place < 100; ++place) {
            const bool isIn = std::find(sparse.begin(), sparse.end(), place) != sparse.end();
            QCOMPARE(rows.value(place, WordColumn::rank) <= last, isIn);
        }
        QVERIFY(rows.value(sparse.front(), WordColumn::distance) >=
                rows.value(sparse.back(), WordColumn::distance));
        // Distances of another embedding count as none.
        QVERIFY(arranged(test::madeUpRows(100, embedding, 5.0, 0.0,
                                          densityOf(test::toyEmbedding(200, 3))),
                         sparsest)
                    .empty());
    }

    void writesFullPrecision() {
        const WordRows rows = test::madeUpRows(40, test::toyEmbedding(), 5.0, 1.0);
        // At epsilon 5 and lambda 1 N_w of word 1 is 27, its critical epsilon 20.
        QCOMPARE(wordsCsv(rows, {1, 0}).value(),
                 QByteArray("word,row,epsilon,lambda,gamma,nw,sw,kept,near,far,"
                            "criticalEpsilonMedian,nearestDistance,densityRank\n"
                            "london,1,5,1,,27,2,0.27,0.01,0.72,20,,\n"
                            "paris,0,5,1,,20,1,0.2,0,0.8,10,,\n"));
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
