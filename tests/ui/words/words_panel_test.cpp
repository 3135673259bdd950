#include "ui/words/words_panel.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <qcustomplot.h>
#include <QAbstractItemModelTester>

#include "core/engine/search_space.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/heartbeat.h"
#include "tests/ui/support/state_driver.h"
#include "ui/plot/plot_widget.h"
#include "ui/state/current_measurement.h"
#include "ui/state/job_runner.h"
#include "ui/state/session_results.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/words/word_rows.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

calibration::MeasurementBasis madeUpBasis(int words,
                                          const calibration::MeasurementOptions& options) {
    calibration::MeasurementBasis basis;
    basis.options = options;
    basis.words.resize(static_cast<std::size_t>(words));
    std::iota(basis.words.begin(), basis.words.end(), 0);
    basis.weights.assign(basis.words.size(), 1.0);
    return basis;
}

class MadeUpMeasurement final : public calibration::Measurement {
public:
    MadeUpMeasurement(int words, const calibration::MeasurementOptions& options)
        : Measurement(madeUpBasis(words, options)) {
        const double factor = options.mechanism.lambda() > 0.0 ? 10.0 : 1.0;
        std::vector<double> halfKept(static_cast<std::size_t>(words));
        for (int word = 0; word < words; ++word) {
            halfKept[static_cast<std::size_t>(word)] = (1.0 + word) * factor;
        }
        setScale(std::move(halfKept), {});
    }

    [[nodiscard]] calibration::OutputShares sharesAt(double /*epsilon*/) const override {
        return {};
    }
    [[nodiscard]] calibration::MeasuredWord wordAt(std::size_t word,
                                                   double epsilon) const override {
        const auto w = static_cast<int>(word);
        const int shift =
            static_cast<int>(2.0 * epsilon + 20.0 * options().mechanism.lambda()) - 10;
        return {static_cast<double>((7 * w + shift) % 101), 1.0 + w % 9,
                static_cast<double>(w % 10)};
    }
    [[nodiscard]] std::vector<calibration::MeasuredOutput> outputsAt(
        std::size_t /*word*/, double /*epsilon*/, std::size_t /*most*/) const override {
        return {};
    }
    [[nodiscard]] std::vector<calibration::Cell> cellsAt(
        std::span<const double> epsilons) const override {
        std::vector<calibration::Cell> cells(epsilons.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            cells[i].epsilon = epsilons[i];
            cells[i].lambda = options().mechanism.lambda();
        }
        return cells;
    }
    [[nodiscard]] Result<calibration::EpsilonFound> findLargest(
        const std::vector<calibration::Limit>& /*limits*/,
        const std::optional<calibration::EpsilonSpan>& /*bounds*/,
        const JobContext& /*job*/) const override {
        return fail(ErrorCode::unsupported, "made up");
    }
};

/// A made-up measurement of the first `words` words of an embedding such as the toy one (paris,
/// london, word2, …; 40 in all), whatever is asked for; for word w at a whole epsilon and lambda
/// 0 or 1
///
///   N_w = (7 w + 2 epsilon + 20 lambda - 10) mod 101    S_w = 1 + w mod 9    near = w mod 10
///   median critical epsilon = 1 + w, for lambda 1 ten times that
calibration::MeasurementHandle madeUpMeasurement(int words,
                                                 const calibration::MeasurementOptions& options) {
    return std::make_shared<const MadeUpMeasurement>(words, options);
}

/// isFirstHeld  until it is asked to stop
ui::MeasureFunction madeUpMeasure(int words, bool isFirstHeld) {
    return [words, isHeld = std::make_shared<std::atomic<bool>>(isFirstHeld)](
               const engine::SearchSpace& /*space*/, const calibration::MeasurementOptions& options,
               const JobContext& job) -> Result<calibration::MeasurementHandle> {
        if (isHeld->exchange(false)) {
            return tl::unexpected(test::untilStopped(job).error());
        }
        return madeUpMeasurement(words, options);
    };
}

/// Such words at an epsilon; R = 100.
ui::WordRows madeUpRows(int words, embedding::EmbeddingHandle embedding, double epsilon = 5.0,
                        double lambda = 0.0, const ui::VocabularyDensityHandle& density = nullptr) {
    calibration::MeasurementOptions options;
    options.mechanism = mechanism::Mahalanobis{lambda};
    return ui::WordRows::at(madeUpMeasurement(words, options), epsilon, std::move(embedding),
                            density)
        .value();
}

/// Words w0, w1, … in mixed order, each once, with nothing but zeros as vectors.
embedding::EmbeddingHandle largeVocabulary(int words) {
    auto prepared = std::make_shared<embedding::PreparedEmbedding>();
    embedding::Embedding& large = prepared->embedding;
    large.vectors = RowMatrixF::Zero(words, 1);
    large.vocabulary.reserve(words, std::int64_t{8} * words);
    // A prime that divides no power of ten: every number comes once.
    constexpr std::int64_t kStep = 7919;
    for (int word = 0; word < words; ++word) {
        (void)large.vocabulary.add("w" + std::to_string(word * kStep % words));
    }
    return prepared;
}

/// A state with the toy embedding and its search space, at epsilon 5, lambda 0, seed 3.
void loadToyInto(ui::AnalysisState& state) {
    test::open(state);
    state.edit(&ui::AnalysisSettings::suggest, {9.0, 2.0, 20.0});
    state.edit(&ui::AnalysisSettings::chooseEpsilon, 5.0);
    state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.0});
    state.edit(&ui::AnalysisSettings::seed, 3);
}

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

struct WordsPanelFixture : test::StateDriver {
    explicit WordsPanelFixture(int words = 40, bool isFirstHeld = false)
        : measurement(state, jobs, madeUpMeasure(words, isFirstHeld)) {
        panel.resize(880, 600);
        panel.show();
    }
    void measure() {
        loadToyInto(state);
        measurement.measure();
        waitForRows(40);
    }
    QTableView* view() { return &find<QTableView>("wordsTableView"); }
    QLineEdit* filterField() { return &find<QLineEdit>("wordFilterLineEdit"); }
    QLabel* answer() { return &find<QLabel>("filterProblemLabel"); }
    [[nodiscard]] int rows() { return view()->model()->rowCount(); }
    void waitForRows(int count) { QTRY_COMPARE(rows(), count); }
    [[nodiscard]] QString shown(int row, WordColumn column) {
        return view()->model()->index(row, static_cast<int>(column)).data().toString();
    }
    [[nodiscard]] QString word(int row) { return shown(row, WordColumn::word); }
    [[nodiscard]] QString status() { return text("wordsStatusLabel"); }
    void filter(const char* text, int count) {
        filterField()->setText(QLatin1String(text));
        waitForRows(count);
    }
    void choose(WordPreset wanted) {
        auto* preset = &find<QComboBox>("wordsPresetComboBox");
        preset->setCurrentIndex(preset->findData(static_cast<int>(wanted)));
        Q_EMIT preset->activated(preset->currentIndex());
    }

    JobBoard jobs;
    SessionResults results{state};
    CurrentMeasurement measurement;
    std::unique_ptr<WordsPanel> made{newWordsPanel(state, results, measurement)};
    WordsPanel& panel = *made;

protected:
    [[nodiscard]] const QObject& root() const override { return panel; }
};

struct MeasuredWords : WordsPanelFixture {
    MeasuredWords() { measure(); }
};

}  // namespace

class WordsPanelTest : public QObject {
    Q_OBJECT

    using Fixture = WordsPanelFixture;

private Q_SLOTS:
    void showsTheEpsilonOfTheDial() {
        Fixture f;
        const QAbstractItemModelTester tester(
            f.view()->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        f.measure();
        QCOMPARE(f.shown(1, WordColumn::word), "london");
        QCOMPARE(f.shown(1, WordColumn::kept), "7%");
        QVERIFY(f.view()->isColumnHidden(static_cast<int>(WordColumn::nw)));
        QCOMPARE(f.shown(1, WordColumn::critical), "2.00");
        QCOMPARE(f.shown(1, WordColumn::distance), "–");
        const auto head = [&](int role) {
            return f.view()
                ->model()
                ->headerData(static_cast<int>(WordColumn::critical), Qt::Horizontal, role)
                .toString();
        };
        QCOMPARE(head(Qt::DisplayRole), "half-kept ε");
        QVERIFY(head(Qt::ToolTipRole).contains("half of the draws keep the word"));
        // One that no grid has: 7 + 14.75764 - 10, of which the whole part counts.
        f.chooseEpsilon(7.37882);
        QTRY_COMPARE(f.shown(1, WordColumn::nw), "11");
        QCOMPARE(f.shown(1, WordColumn::kept), "11%");
        QVERIFY(f.status().startsWith("40 of 40 words · ε 7.38, Mahalanobis λ 0.00 · "));
        QVERIFY(f.status().endsWith("R\u00a0=\u00a0100 draws, seed 3"));
        QCOMPARE(f.view()->accessibleDescription(), f.status());
    }

    void theHistogramStandsWhereTheTableLeavesRoom() {
        MeasuredWords f;
        auto* histogram = &f.find<PlotWidget>("keptHistogram");
        f.panel.resize(780, 600);
        QVERIFY(!histogram->isVisible());
        f.panel.resize(1200, 600);
        QTRY_VERIFY(histogram->isVisible());
        QVERIFY(!f.view()->horizontalScrollBar()->isVisible());
        // Its bars add up to the words that the filter for them leaves.
        const QStringList bars = histogram->visibleCsv().split(QLatin1Char('\n'));
        int shown = 0;
        for (int low = 0; low < 100; low += 10) {
            const QCustomPlot& plot = histogram->plot();
            const QPointF bar(plot.xAxis->coordToPixel(low + 5.0), plot.yAxis->coordToPixel(0.5));
            QTest::mouseClick(&histogram->plot(), Qt::LeftButton, {}, bar.toPoint());
            const int expected = bars[1 + low / 10].section(QLatin1Char(','), 1).toInt();
            f.waitForRows(expected);
            shown += expected;
        }
        QCOMPARE(shown, 40);
    }

    void whatIsCancelledCanBeAskedForAgain() {
        Fixture f(40, true);
        QVERIFY(f.says("wordsEmptyLabel", "Open an embedding"));
        loadToyInto(f.state);
        QVERIFY(f.text("wordsEmptyLabel").contains("40 words"));
        QTRY_VERIFY(f.measurement.isRunning());
        f.jobs.cancelAll();
        QVERIFY(f.says("wordsEmptyLabel", "Measure beside the dial (F5)"));
        f.measurement.measure();
        f.waitForRows(40);
        QVERIFY(f.view()->isVisible());
    }

    void headerAndKeysSort() {
        MeasuredWords f;
        auto* header = f.view()->horizontalHeader();
        const int column = static_cast<int>(WordColumn::word);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(column) + 20, header->height() / 2});
        QTRY_COMPARE(f.word(0), "london");
        QCOMPARE(f.word(1), "paris");
        f.view()->setCurrentIndex(f.view()->model()->index(0, column));
        QTest::keyClick(f.view(), Qt::Key_Down, Qt::AltModifier);
        QTRY_VERIFY(f.word(0) > f.word(1));
        QTest::keyClick(f.view(), Qt::Key_Up, Qt::AltModifier);
        QTRY_COMPARE(f.word(0), "london");
    }

    void theFilterSaysWhyNothingIsShownAndWhereTheWordIs() {
        MeasuredWords f;
        f.filter("nw>=90", 3);
        QVERIFY(!f.answer()->isVisible());
        f.filter("nw>=", 3);
        QVERIFY(f.answer()->isVisible());
        f.filter("qqq", 0);
        QTRY_COMPARE(f.answer()->text(), "None of the 40 words measured meets the filter.");
        QString wanted;
        QObject::connect(&f.panel, &WordsPanel::wordActivated,
                         [&wanted](const Word& word) { wanted = word.text(); });
        f.filter("london kept<0", 0);
        QTRY_VERIFY(f.answer()->text().contains("has “london”"));
        Q_EMIT f.answer()->linkActivated("show");
        QCOMPARE(wanted, "london");
        f.filter("", 40);
        QTRY_VERIFY(!f.answer()->isVisible());
        QCOMPARE(f.panel.firstControl(), f.filterField());
        QTest::keyClicks(f.filterField(), "word30");
        f.waitForRows(1);
        QCOMPARE(f.word(0), "word30");
    }

    void wordsOfOwnTextsAreShownOnceThereAreSome() {
        MeasuredWords f;
        auto* preset = &f.find<QComboBox>("wordsPresetComboBox");
        const int usual = preset->count();
        const MeasuredText texts{madeUpMeasurement(5, f.measurement.result()->options()), "own.csv",
                                 9};
        f.panel.setOwnTexts(texts, true);
        QCOMPARE(preset->count(), usual + 1);
        QCOMPARE(preset->currentIndex(), usual);
        f.waitForRows(5);
        // What is chosen then stays when they are measured again.
        f.choose(WordPreset::all);
        f.panel.setOwnTexts(texts, true);
        f.waitForRows(40);
        f.choose(WordPreset::ownTexts);
        f.waitForRows(5);
        QVERIFY(f.view()->isEnabled());
        f.panel.setOwnTexts({}, true);
        QVERIFY(!f.view()->isEnabled());
        QCOMPARE(f.rows(), 5);
        f.panel.setOwnTexts({}, false);
        QCOMPARE(preset->count(), usual);
        QCOMPARE(preset->currentIndex(), 0);
        f.waitForRows(40);
        QVERIFY(f.view()->isEnabled());
    }

    void aDoubleClickAsksForTheWordInLive() {
        MeasuredWords f;
        std::vector<Word> activated;
        connect(&f.panel, &WordsPanel::wordActivated, this,
                [&](const Word& word) { activated.push_back(word); });
        const QPoint place = f.view()->visualRect(f.view()->model()->index(4, 0)).center();
        QTest::mouseClick(f.view()->viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(f.view()->viewport(), Qt::LeftButton, {}, place);
        QTRY_COMPARE(activated.size(), 1);
        QVERIFY(activated.front() == Word(f.state.embedding(), 4));
    }

    void theWordSelectedElsewhereIsSelectedAndShown() {
        Fixture f;
        f.panel.resize(880, 300);
        f.measure();
        const auto isInSight = [&f] {
            return f.view()->viewport()->rect().contains(
                f.view()->visualRect(f.view()->currentIndex()).center());
        };
        f.state.selectWord(Word(f.state.embedding(), 35));
        QCOMPARE(f.word(f.view()->currentIndex().row()), "word35");
        QVERIFY(f.view()->selectionModel()->isRowSelected(f.view()->currentIndex().row()));
        QVERIFY(isInSight());
        // In other rows it stays selected, but does not pull the view along.
        f.view()->sortByColumn(static_cast<int>(WordColumn::nw), Qt::DescendingOrder);
        f.view()->verticalScrollBar()->setValue(0);
        f.chooseEpsilon(9.0);
        QTRY_VERIFY(f.view()->currentIndex().isValid());
        test::letPass(50);
        QCOMPARE(f.word(f.view()->currentIndex().row()), "word35");
        QCOMPARE(f.view()->verticalScrollBar()->value(), 0);
    }

    void sparsestWordsComputeTheProfile() {
        MeasuredWords f;
        f.choose(WordPreset::sparsest);
        QTRY_VERIFY(f.results.density() != nullptr);
        QTRY_VERIFY(f.shown(0, WordColumn::rank).toInt() > 0);
        QCOMPARE(f.rows(), 40);
        // With another embedding there are neither words nor distances.
        f.state.setEmbedding(test::toyEmbedding(20, 3), nullptr);
        QVERIFY(!f.results.density());
        QCOMPARE(f.rows(), 0);
        QVERIFY(!f.view()->isVisible());
    }

    void aFilterOnDistancesComputesThem() {
        MeasuredWords f;
        f.filter("rank<=3", 3);
        QVERIFY(f.results.density() != nullptr);
    }

    void copiesTheSelectionOrEverything() {
        MeasuredWords f;
        QApplication::clipboard()->clear();
        const auto copied = [] {
            return QApplication::clipboard()->text().count(QLatin1Char('\n'));
        };
        f.click("copyWordsPushButton");
        QTRY_COMPARE(copied(), 41);
        f.view()->selectRow(2);
        QTest::keyClick(f.view(), Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(copied(), 2);
        QVERIFY(QApplication::clipboard()->text().contains("word2,2,"));
    }

    void exportsAllRowsOrSaysWhyNot() {
        MeasuredWords f;
        const QTemporaryDir folder;
        const auto exportTo = [&](const QString& path) {
            dialogs::presetSaveFile(path);
            f.click("exportWordsPushButton");
        };
        const QString path = folder.filePath("words.csv");
        exportTo(path);
        QTRY_COMPARE(f.status(), QString("Words written to %1: 40").arg(path));
        QCOMPARE(test::contentOf(path).count('\n'), 41);
        exportTo(folder.filePath("nowhere/words.csv"));
        QTRY_VERIFY(f.find<NoticeLine>("noticeLine").text().startsWith("cannot write "));
    }

    /// While a million words are sorted, filtered and shown, a turn of the event loop is short
    /// beside the work of sorting them.
    void aMillionWordsDoNotHoldUpTheWindow() {
        constexpr int kWords = 1'000'000;
        Fixture f(kWords);
        const auto large = largeVocabulary(kWords);
        // What is measured is made up: the space need not be that of a million equal vectors.
        f.state.setEmbedding(large,
                             std::make_shared<const engine::SearchSpace>(test::toyEmbedding()));
        double longest = 0.0;
        double elsewhere = 0.0;
        const auto watch = [&](const auto& start, const auto& hasEnded) {
            const test::Heartbeat heart;
            start();
            QTRY_VERIFY(hasEnded());
            longest = std::max(longest, heart.longest());
            elsewhere = heart.elsewhere();
        };
        watch([&] { f.measurement.measure(); }, [&] { return f.rows() == kWords; });
        watch([&] { f.filterField()->setText("99 nw>=50"); }, [&] { return f.rows() < kWords; });
        f.filter("", kWords);
        watch(
            [&] { f.view()->sortByColumn(static_cast<int>(WordColumn::nw), Qt::DescendingOrder); },
            [&] { return f.shown(0, WordColumn::nw) == "100"; });
        qInfo("longest turn %.3f s, sorted elsewhere in %.3f s", longest, elsewhere);
        QVERIFY(longest < elsewhere / 4.0);
    }

    void wordsOfAnotherSettingAreGrey() {
        MeasuredWords f;
        const auto isCurrent = [&f] {
            return f.view()->isEnabled() && f.isEnabled("copyWordsPushButton");
        };
        QVERIFY(isCurrent());
        f.set({.lambda = 1.0});
        QVERIFY(!f.view()->isEnabled() && !f.isEnabled("copyWordsPushButton"));
        QCOMPARE(f.rows(), 40);
        QVERIFY(f.status().contains("previous settings"));
        QTRY_VERIFY(isCurrent());
        QTRY_COMPARE(f.shown(1, WordColumn::nw), "27");
        QCOMPARE(f.shown(1, WordColumn::critical), "20.0");
        QVERIFY(f.status().contains("λ 1.00"));
        QVERIFY(!f.status().contains("previous settings"));
    }
};

/// Expected values come from the formulas of the made-up measurement.
class WordRowsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesAreThoseOfTheCell() {
        const WordRows rows = madeUpRows(40, test::toyEmbedding(), 10.0, 1.0);
        QCOMPARE(rows.size(), 40);
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
        const WordRows rows = madeUpRows(20, test::toyEmbedding());
        for (const bool descending : {false, true}) {
            const Places order = arranged(rows, {WordPreset::all, {}, WordColumn::sw, descending});
            QCOMPARE(order.size(), 20);
            for (std::size_t i = 1; i < order.size(); ++i) {
                const double before = rows.value(order[i - 1], WordColumn::sw);
                const double after = rows.value(order[i], WordColumn::sw);
                QVERIFY(descending ? before >= after : before <= after);
                QVERIFY(before != after || order[i - 1] < order[i]);
            }
        }
    }

    void sortsByWordAsBytes() {
        const WordRows rows = madeUpRows(14, test::toyEmbedding());
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
        const WordRows rows = madeUpRows(3, embedding, 5.0, 0.0, density);
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
        const WordRows rows = madeUpRows(40, test::toyEmbedding());
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
        QVERIFY(filterOf("").parts().isEmpty() && filterOf("").conditions().empty());
        // No column has that name, so that it is part of a word.
        QCOMPARE(filterOf("a<b").parts(), QStringList{"a<b"});
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
        const auto missing = WordFilter::parse("nw>=");
        QVERIFY(toQString(missing.error().message).contains("nw>=5"));
        QVERIFY(!WordFilter::parse("nw>=many"));
        QVERIFY(!WordFilter::parse("far<0,5"));
    }

    void theWorstWordsAreKeptMostOften() {
        const WordRows rows = madeUpRows(400, test::toyEmbedding(400, 3));
        const Places order = arranged(rows, {WordPreset::worst, {}, WordColumn::nw, true});
        QCOMPARE(order.size(), 50);
        // Of words kept as often those with the fewest different outputs.
        const auto key = [&](std::uint32_t place) {
            return std::pair(-rows.value(place, WordColumn::nw), rows.value(place, WordColumn::sw));
        };
        const auto last = key(std::ranges::max(order, {}, key));
        QCOMPARE(rows.value(order.front(), WordColumn::nw), 100.0);
        for (std::uint32_t place = 0; place < 400; ++place) {
            QVERIFY(std::ranges::find(order, place) != order.end() || key(place) >= last);
        }
    }

    void theSparsestWordsLieFarthestFromTheirNearest() {
        const auto embedding = test::toyEmbedding(200, 3);
        const WordQuery sparsest{WordPreset::sparsest, {}, WordColumn::rank, false};
        const WordRows rows = madeUpRows(100, embedding, 5.0, 0.0, densityOf(embedding));
        const Places sparse = arranged(rows, sparsest);
        QCOMPARE(sparse.size(), 50);
        const double last = rows.value(sparse.back(), WordColumn::rank);
        for (std::uint32_t place = 0; place < 100; ++place) {
            const bool isIn = std::ranges::find(sparse, place) != sparse.end();
            QCOMPARE(rows.value(place, WordColumn::rank) <= last, isIn);
        }
        QVERIFY(rows.value(sparse.front(), WordColumn::distance) >=
                rows.value(sparse.back(), WordColumn::distance));
        // Distances of another embedding count as none.
        QVERIFY(
            arranged(madeUpRows(100, embedding, 5.0, 0.0, densityOf(test::toyEmbedding(200, 3))),
                     sparsest)
                .empty());
    }

    void writesFullPrecision() {
        const WordRows rows = madeUpRows(40, test::toyEmbedding(), 5.0, 1.0);
        // At epsilon 5 and lambda 1 N_w of word 1 is 27, its critical epsilon 20.
        QCOMPARE(wordsCsv(rows, {1, 0}).value(),
                 QByteArray("word,row,epsilon,lambda,gamma,nw,sw,kept,near,far,"
                            "criticalEpsilonMedian,nearestDistance,densityRank\n"
                            "london,1,5,1,,27,2,0.27,0.01,0.72,20,,\n"
                            "paris,0,5,1,,20,1,0.2,0,0.8,10,,\n"));
        // What a spreadsheet would run.
        auto formula = std::make_shared<embedding::PreparedEmbedding>();
        (void)formula->embedding.vocabulary.add("=1+1");
        QVERIFY(wordsCsv(madeUpRows(1, formula), {0}).value().contains("\n'=1+1,0,"));
    }

    void stopsWhenAsked() {
        const WordRows rows = madeUpRows(40, test::toyEmbedding());
        std::stop_source stop;
        stop.request_stop();
        const JobContext job{stop.get_token(), {}};
        QVERIFY(!arrangeWords(rows, {WordPreset::all, filterOf("a"), WordColumn::nw, false}, job));
        QVERIFY(!wordsCsv(rows, {0, 1}, job));
    }
};

EPSILENS_UI_TEST(WordsPanelTest)
EPSILENS_UI_TEST(WordRowsTest)
#include "words_panel_test.moc"
