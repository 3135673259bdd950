#include "ui/words/words_panel.h"

#include <vector>

#include <qcustomplot.h>
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include "tests/ui/support/heartbeat.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "tests/ui/words/words_fixture.h"
#include "ui/plot/plot_widget.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

namespace {

struct WordsPanelFixture {
    WordsPanelFixture() {
        panel.resize(880, 600);
        panel.show();
    }
    void measure() {
        test::loadToyInto(state);
        measurement.measure();
        waitForRows(40);
    }
    QTableView* view() { return findControl<QTableView>(panel, "wordsTableView"); }
    QLineEdit* filterField() { return findControl<QLineEdit>(panel, "wordFilterLineEdit"); }
    QPushButton* button(const char* name) { return findControl<QPushButton>(panel, name); }
    QLabel* answer() { return findControl<QLabel>(panel, "filterProblemLabel"); }
    [[nodiscard]] int rows() { return view()->model()->rowCount(); }
    void waitForRows(int count) { QTRY_COMPARE(rows(), count); }
    [[nodiscard]] QString shown(int row, WordColumn column) {
        return view()->model()->index(row, static_cast<int>(column)).data().toString();
    }
    [[nodiscard]] QString word(int row) { return shown(row, WordColumn::word); }
    [[nodiscard]] QString status() {
        return findControl<QLabel>(panel, "wordsStatusLabel")->text();
    }
    void filter(const char* text, int count) {
        filterField()->setText(QLatin1String(text));
        waitForRows(count);
    }
    void choose(WordPreset wanted) {
        auto* preset = findControl<QComboBox>(panel, "wordsPresetComboBox");
        preset->setCurrentIndex(preset->findData(static_cast<int>(wanted)));
        Q_EMIT preset->activated(preset->currentIndex());
    }

    AnalysisState state;
    JobBoard jobs;
    SessionResults results{state};
    QuickMeasurement measurement{state, jobs, test::madeUpMeasure(40)};
    WordsPanel panel{state, results, measurement};
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
        QCOMPARE(f.shown(1, WordColumn::word), QStringLiteral("london"));
        QCOMPARE(f.shown(1, WordColumn::nw), QStringLiteral("7"));
        QCOMPARE(f.shown(1, WordColumn::critical), QStringLiteral("2.00"));
        QCOMPARE(f.shown(1, WordColumn::distance), QStringLiteral("–"));
        const auto head = [&](int role) {
            return f.view()
                ->model()
                ->headerData(static_cast<int>(WordColumn::critical), Qt::Horizontal, role)
                .toString();
        };
        QCOMPARE(head(Qt::DisplayRole), QStringLiteral("half-kept ε"));
        QVERIFY(head(Qt::ToolTipRole).contains(QStringLiteral("half of the draws keep the word")));
        // One that no grid has: 7 + 14.75764 - 10, of which the whole part counts.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 7.37882);
        QTRY_COMPARE(f.shown(1, WordColumn::nw), QStringLiteral("11"));
        QCOMPARE(f.shown(1, WordColumn::kept), QStringLiteral("11%"));
        QVERIFY(f.status().startsWith(
            QStringLiteral("40 of 40 words · ε 7.37882, Mahalanobis λ 0.00 · ")));
        QVERIFY(f.status().endsWith(QStringLiteral("R\u00a0=\u00a0100 draws, seed 3")));
        QCOMPARE(f.view()->accessibleDescription(), f.status());
    }

    void theHistogramStandsWhereTheTableLeavesRoom() {
        Fixture f;
        f.measure();
        auto* histogram = findControl<PlotWidget>(f.panel, "keptHistogram");
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

    void whatIsCancelledCanBeAskedForHere() {
        Fixture f;
        auto* button = f.button("wordsMeasurePushButton");
        auto* text = findControl<QLabel>(f.panel, "wordsEmptyLabel");
        QVERIFY(text->text().contains(QStringLiteral("Open an embedding")));
        QVERIFY(!button->isVisible());
        test::loadToyInto(f.state);
        QVERIFY(text->text().contains(QStringLiteral("40 words")));
        f.measurement.measure();
        f.jobs.cancelAll();
        QTRY_VERIFY(!f.measurement.isRunning());
        if (!f.measurement.isCurrent()) {  // it may have been done before it was told to stop
            QVERIFY(button->isVisible());
            QVERIFY(button->text().contains(QStringLiteral("40 words")));
            QTest::mouseClick(button, Qt::LeftButton);
        }
        f.waitForRows(40);
        QVERIFY(!button->isVisible() && f.view()->isVisible());
    }

    void headerAndKeysSort() {
        Fixture f;
        f.measure();
        auto* header = f.view()->horizontalHeader();
        const int column = static_cast<int>(WordColumn::word);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(column) + 20, header->height() / 2});
        QTRY_COMPARE(f.word(0), QStringLiteral("london"));
        QCOMPARE(f.word(1), QStringLiteral("paris"));
        f.view()->setCurrentIndex(f.view()->model()->index(0, column));
        QTest::keyClick(f.view(), Qt::Key_Down, Qt::AltModifier);
        QTRY_VERIFY(f.word(0) > f.word(1));
        QTest::keyClick(f.view(), Qt::Key_Up, Qt::AltModifier);
        QTRY_COMPARE(f.word(0), QStringLiteral("london"));
    }

    void theFilterSaysWhyNothingIsShownAndWhereTheWordIs() {
        Fixture f;
        f.measure();
        f.filter("nw>=90", 3);
        QVERIFY(!f.answer()->isVisible());
        f.filter("nw>=", 3);
        QVERIFY(f.answer()->isVisible());
        f.filter("qqq", 0);
        QTRY_COMPARE(f.answer()->text(),
                     QStringLiteral("None of the 40 words measured meets the filter."));
        QString wanted;
        QObject::connect(&f.panel, &WordsPanel::wordActivated,
                         [&wanted](const Word& word) { wanted = word.text(); });
        f.filter("london kept<0", 0);
        QTRY_VERIFY(f.answer()->text().contains(QStringLiteral("has “london”")));
        Q_EMIT f.answer()->linkActivated(QStringLiteral("show"));
        QCOMPARE(wanted, QStringLiteral("london"));
        f.filter("", 40);
        QTRY_VERIFY(!f.answer()->isVisible());
        QCOMPARE(f.panel.firstControl(), f.filterField());
        QTest::keyClicks(f.filterField(), QStringLiteral("word30"));
        f.waitForRows(1);
        QCOMPARE(f.word(0), QStringLiteral("word30"));
    }

    void wordsOfOwnTextsAreShownOnceThereAreSome() {
        Fixture f;
        f.measure();
        auto* preset = findControl<QComboBox>(f.panel, "wordsPresetComboBox");
        const int usual = preset->count();
        const MeasuredText texts{test::madeUpMeasurement(5, f.measurement.result()->options()),
                                 QStringLiteral("own.csv"), 9};
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
        Fixture f;
        f.measure();
        std::vector<Word> activated;
        connect(&f.panel, &WordsPanel::wordActivated, this,
                [&](const Word& word) { activated.push_back(word); });
        const QPoint place = f.view()->visualRect(f.view()->model()->index(4, 0)).center();
        QTest::mouseClick(f.view()->viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(f.view()->viewport(), Qt::LeftButton, {}, place);
        QTRY_COMPARE(activated.size(), std::size_t{1});
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
        f.state.lookAt(Word(f.state.embedding(), 35));
        QCOMPARE(f.word(f.view()->currentIndex().row()), QStringLiteral("word35"));
        QVERIFY(f.view()->selectionModel()->isRowSelected(f.view()->currentIndex().row()));
        QVERIFY(isInSight());
        // In other rows it stays selected, but does not pull the view along.
        f.view()->sortByColumn(static_cast<int>(WordColumn::nw), Qt::DescendingOrder);
        f.view()->verticalScrollBar()->setValue(0);
        f.state.edit(&AnalysisSettings::chooseEpsilon, 9.0);
        QTRY_VERIFY(f.view()->currentIndex().isValid());
        test::letPass(50);
        QCOMPARE(f.word(f.view()->currentIndex().row()), QStringLiteral("word35"));
        QCOMPARE(f.view()->verticalScrollBar()->value(), 0);
    }

    void sparsestWordsComputeTheProfile() {
        Fixture f;
        f.measure();
        const auto* compute = f.button("computeDensityPushButton");
        QVERIFY(compute->isVisible());
        f.choose(WordPreset::sparsest);
        QTRY_VERIFY(f.results.density() != nullptr);
        QTRY_VERIFY(f.shown(0, WordColumn::rank).toInt() > 0);
        QCOMPARE(f.rows(), 40);
        QVERIFY(!compute->isVisible());
        // With another embedding there are neither words nor distances.
        f.state.setEmbedding(test::toyEmbedding(20, 3), nullptr);
        QVERIFY(!f.results.density());
        QCOMPARE(f.rows(), 0);
        QVERIFY(!f.view()->isVisible());
    }

    void copiesTheSelectionOrEverything() {
        Fixture f;
        f.measure();
        QApplication::clipboard()->clear();
        const auto copied = [] {
            return QApplication::clipboard()->text().count(QLatin1Char('\n'));
        };
        QTest::mouseClick(f.button("copyWordsPushButton"), Qt::LeftButton);
        QTRY_COMPARE(copied(), 41);
        f.view()->selectRow(2);
        QTest::keyClick(f.view(), Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(copied(), 2);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("word2,2,")));
    }

    void exportsAllRowsOrSaysWhyNot() {
        Fixture f;
        f.measure();
        const QTemporaryDir folder;
        auto* button = f.button("exportWordsPushButton");
        const auto exportTo = [&](const QString& path) {
            dialogs::presetSaveFile(path);
            QTest::mouseClick(button, Qt::LeftButton);
        };
        const QString path = folder.filePath(QStringLiteral("words.csv"));
        exportTo(path);
        QTRY_COMPARE(f.status(), QStringLiteral("Words written to %1: 40").arg(path));
        QCOMPARE(test::contentOf(path).count('\n'), 41);
        exportTo(folder.filePath(QStringLiteral("nowhere/words.csv")));
        const auto* notice = findControl<NoticeLine>(f.panel, "noticeLine");
        QTRY_VERIFY(notice->text().startsWith(QStringLiteral("words.csv could not be written: ")));
    }

    /// While a million words are sorted, filtered and shown, a turn of the event loop is short
    /// beside the work of sorting them.
    void aMillionWordsDoNotHoldUpTheWindow() {
        constexpr int kWords = 1'000'000;
        AnalysisState state;
        const auto large = test::largeVocabulary(kWords);
        // What is measured is made up: the space need not be that of a million equal vectors.
        state.setEmbedding(large,
                           std::make_shared<const engine::SearchSpace>(test::toyEmbedding()));
        JobBoard jobs;
        SessionResults results(state);
        QuickMeasurement measurement(state, jobs, test::madeUpMeasure(kWords));
        WordsPanel panel(state, results, measurement);
        panel.resize(880, 600);
        panel.show();
        auto* view = findControl<QTableView>(panel, "wordsTableView");
        double longest = 0.0;
        double elsewhere = 0.0;
        const auto watch = [&](const auto& start, const auto& hasEnded) {
            const test::Heartbeat heart;
            start();
            QTRY_VERIFY(hasEnded());
            longest = std::max(longest, heart.longest());
            elsewhere = heart.elsewhere();
        };
        watch([&] { measurement.measure(); }, [&] { return view->model()->rowCount() == kWords; });
        watch(
            [&] {
                findControl<QLineEdit>(panel, "wordFilterLineEdit")
                    ->setText(QStringLiteral("99 nw>=50"));
            },
            [&] { return view->model()->rowCount() < kWords; });
        findControl<QLineEdit>(panel, "wordFilterLineEdit")->clear();
        QTRY_COMPARE(view->model()->rowCount(), kWords);
        watch(
            [&] { view->sortByColumn(static_cast<int>(WordColumn::nw), Qt::DescendingOrder); },
            [&] { return view->model()->index(0, 2).data().toString() == QStringLiteral("100"); });
        qInfo("longest turn %.3f s, sorted elsewhere in %.3f s", longest, elsewhere);
        QVERIFY(longest < elsewhere / 4.0);
    }

    /// What is shown of another setting is grey and stays here.
    void wordsOfAnotherSettingAreGrey() {
        Fixture f;
        f.measure();
        auto* copy = f.button("copyWordsPushButton");
        QVERIFY(f.view()->isEnabled() && copy->isEnabled());
        f.state.edit(&AnalysisSettings::setParameters, {.lambda = 1.0});
        QVERIFY(!f.view()->isEnabled() && !copy->isEnabled());
        QCOMPARE(f.rows(), 40);
        QVERIFY(f.status().contains(QStringLiteral("previous settings")));
        QTRY_VERIFY(f.view()->isEnabled() && copy->isEnabled());
        QTRY_COMPARE(f.shown(1, WordColumn::nw), QStringLiteral("27"));
        QCOMPARE(f.shown(1, WordColumn::critical), QStringLiteral("20.0"));
        QVERIFY(f.status().contains(QStringLiteral("λ 1.00")));
        QVERIFY(!f.status().contains(QStringLiteral("previous settings")));
    }
};

EPSILENS_UI_TEST(WordsPanelTest)
#include "words_panel_test.moc"
