#include "ui/words/words_panel.h"

#include <vector>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "tests/ui/words/words_fixture.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

namespace {

struct WordsPanelFixture {
    WordsPanelFixture() {
        test::loadToyInto(state);
        panel.resize(880, 600);
        panel.show();
    }
    void run() {
        results.setRun(test::madeUpRun(40));
        QTRY_COMPARE_WITH_TIMEOUT(view()->model()->rowCount(), 40, kPatienceMs);
    }
    QTableView* view() { return findControl<QTableView>(panel, "wordsTableView"); }
    [[nodiscard]] QString word(int row) { return view()->model()->index(row, 0).data().toString(); }

    AnalysisState state;
    SessionResults results{state};
    WordsPanel panel{state, results};
};

}  // namespace

class WordsPanelTest : public QObject {
    Q_OBJECT

    using Fixture = WordsPanelFixture;

private Q_SLOTS:
    void withoutARunItOffersOneWithItsCost() {
        Fixture f;
        auto* run = findControl<QPushButton>(f.panel, "wordsRunPushButton");
        QVERIFY(!run->isVisible());
        f.panel.setRunState(QStringLiteral("40 words × 20 draws"), false);
        QVERIFY(run->isVisible());
        QVERIFY(run->text().contains(QStringLiteral("40 words × 20 draws")));
        QSignalSpy requested(&f.panel, &WordsPanel::runRequested);
        QTest::mouseClick(run, Qt::LeftButton);
        QCOMPARE(requested.count(), 1);
        f.run();
        QVERIFY(!run->isVisible() && f.view()->isVisible());
    }

    void whatKeepsFromRunningIsSaid() {
        Fixture f;
        f.panel.setRunState({}, false, QStringLiteral("the list of words is empty"));
        QVERIFY(!findControl<QPushButton>(f.panel, "wordsRunPushButton")->isVisible());
        auto* text = findControl<QLabel>(f.panel, "wordsEmptyLabel");
        QCOMPARE(text->text(), QStringLiteral("the list of words is empty"));
        f.panel.setRunState(QStringLiteral("40 words"), false);
        QVERIFY(text->text().startsWith(QStringLiteral("A run shows")));
    }

    void aHeaderSorts() {
        Fixture f;
        f.run();
        auto* header = f.view()->horizontalHeader();
        const int column = static_cast<int>(WordColumn::word);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          {header->sectionViewportPosition(column) + 20, header->height() / 2});
        QTRY_COMPARE(f.word(0), QStringLiteral("london"));
        QCOMPARE(f.word(1), QStringLiteral("paris"));
    }

    void keysSortByTheCurrentColumn() {
        Fixture f;
        f.run();
        const int column = static_cast<int>(WordColumn::word);
        f.view()->setCurrentIndex(f.view()->model()->index(0, column));
        QTest::keyClick(f.view(), Qt::Key_Up, Qt::AltModifier);
        QTRY_COMPARE(f.word(0), QStringLiteral("london"));
        f.view()->setCurrentIndex(f.view()->model()->index(0, column));
        QTest::keyClick(f.view(), Qt::Key_Down, Qt::AltModifier);
        QTRY_VERIFY(f.word(0) > f.word(1));
    }

    void theFilterSaysWhatItCannotRead() {
        Fixture f;
        f.run();
        auto* filter = findControl<QLineEdit>(f.panel, "wordFilterLineEdit");
        auto* problem = findControl<QLabel>(f.panel, "filterProblemLabel");
        filter->setText(QStringLiteral("nw>=90"));
        QTRY_COMPARE(f.view()->model()->rowCount(), 3);
        QVERIFY(!problem->isVisible());
        filter->setText(QStringLiteral("nw>="));
        QVERIFY(problem->isVisible());
        QCOMPARE(f.view()->model()->rowCount(), 3);
    }

    void findGoesToTheWordAndOn() {
        Fixture f;
        f.run();
        f.panel.execute(PanelCommand::findWord);
        auto* find = findControl<QLineEdit>(f.panel, "findWordLineEdit");
        QTRY_VERIFY(find->hasFocus());
        QTest::keyClicks(find, QStringLiteral("word3"));
        QTRY_COMPARE(f.view()->currentIndex().row(), 3);
        QTest::keyClick(find, Qt::Key_Return);
        QTRY_COMPARE(f.view()->currentIndex().row(), 30);
        QTest::keyClick(find, Qt::Key_Return, Qt::ShiftModifier);
        QTRY_COMPARE(f.view()->currentIndex().row(), 3);
        find->setText(QStringLiteral("berlin"));
        QTest::keyClick(find, Qt::Key_Return);
        QTRY_VERIFY(findControl<QLabel>(f.panel, "wordsStatusLabel")
                        ->text()
                        .contains(QStringLiteral("berlin")));
    }

    void aDoubleClickAsksForTheWordInLive() {
        Fixture f;
        f.run();
        std::vector<Word> activated;
        connect(&f.panel, &WordsPanel::wordActivated, this,
                [&](const Word& word) { activated.push_back(word); });
        const QPoint place = f.view()->visualRect(f.view()->model()->index(4, 0)).center();
        QTest::mouseClick(f.view()->viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(f.view()->viewport(), Qt::LeftButton, {}, place);
        QTRY_COMPARE(activated.size(), std::size_t{1});
        QVERIFY(activated.front() == Word(f.state.embedding(), 4));
    }

    void sparsestWordsOfferToComputeTheProfile() {
        Fixture f;
        f.run();
        auto* preset = findControl<QComboBox>(f.panel, "wordsPresetComboBox");
        auto* notice = findControl<NoticeLine>(f.panel, "noticeLine");
        preset->setCurrentIndex(1);
        Q_EMIT preset->activated(1);
        QTest::qWait(1);  // buttons of the notice before are gone
        QVERIFY(notice->text().contains(QStringLiteral("sparsest")));
        auto* compute = notice->findChild<QPushButton*>();
        QVERIFY(compute != nullptr && compute->text().startsWith(QStringLiteral("Compute")));
        QTest::mouseClick(compute, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(f.results.density() != nullptr, kPatienceMs);
        QTRY_COMPARE(f.view()->model()->rowCount(), 40);
        QVERIFY(!notice->text().contains(QStringLiteral("sparsest")));
        QVERIFY(!findControl<QPushButton>(f.panel, "computeDensityPushButton")->isVisible());
    }

    void copiesTheSelectionOrEverything() {
        Fixture f;
        f.run();
        QApplication::clipboard()->clear();
        const auto copied = [] {
            return QApplication::clipboard()->text().count(QLatin1Char('\n'));
        };
        QTest::mouseClick(findControl<QPushButton>(f.panel, "copyWordsPushButton"), Qt::LeftButton);
        QTRY_COMPARE(copied(), 41);
        f.view()->selectRow(2);
        QTest::keyClick(f.view(), Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(copied(), 2);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("word2,2,")));
    }

    void theRunIsDescribed() {
        Fixture f;
        f.run();
        QVERIFY(f.view()->accessibleDescription().startsWith(QStringLiteral("40 of 40 words")));
        QVERIFY(findControl<QLabel>(f.panel, "wordsStatusLabel")
                    ->text()
                    .contains(QStringLiteral("R\u00a0=\u00a0100 draws, seed 3")));
    }

    /// While a million words are sorted, filtered and shown, no turn of the event loop is longer
    /// than what a hand notices.
    void aMillionWordsDoNotHoldUpTheWindow() {
        constexpr int kWords = 1'000'000;
        constexpr double kLongestTurnMs = 50.0;
        AnalysisState state;
        state.setEmbedding(test::largeVocabulary(kWords), nullptr);
        SessionResults results(state);
        WordsPanel panel(state, results);
        panel.resize(880, 600);
        panel.show();
        auto* view = findControl<QTableView>(panel, "wordsTableView");
        const auto run = test::madeUpRun(kWords);
        const auto longestTurn = [&](const char* what, const auto& done) {
            double longest = 0.0;
            QElapsedTimer all;
            all.start();
            while (!done() && all.elapsed() < kPatienceMs) {
                const double before = test::threadMilliseconds();
                QApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
                longest = std::max(longest, test::threadMilliseconds() - before);
            }
            qInfo("%s: longest turn %.1f ms, all %lld ms", what, longest,
                  static_cast<long long>(all.elapsed()));
            return longest;
        };
        results.setRun(run);
        QVERIFY(longestTurn("show", [&] { return view->model()->rowCount() == kWords; }) <=
                kLongestTurnMs);
        view->sortByColumn(static_cast<int>(WordColumn::nw), Qt::DescendingOrder);
        QVERIFY(longestTurn("sort", [&] {
                    return view->model()->index(0, 2).data().toString() == QStringLiteral("100");
                }) <= kLongestTurnMs);
        findControl<QLineEdit>(panel, "findWordLineEdit")->setText(QStringLiteral("w999999"));
        QTest::keyClick(findControl<QLineEdit>(panel, "findWordLineEdit"), Qt::Key_Return);
        QVERIFY(longestTurn("find", [&] {
                    return view->currentIndex().data().toString() == QStringLiteral("w999999");
                }) <= kLongestTurnMs);
        findControl<QLineEdit>(panel, "wordFilterLineEdit")->setText(QStringLiteral("99 nw>=50"));
        QVERIFY(longestTurn("filter", [&] { return view->model()->rowCount() < kWords; }) <=
                kLongestTurnMs);
    }

    void changedSettingsOfferAnotherRun() {
        Fixture f;
        f.run();
        auto* notice = findControl<NoticeLine>(f.panel, "noticeLine");
        // The made-up run was asked for by no settings at all.
        QVERIFY(notice->isVisible());
        QSignalSpy requested(&f.panel, &WordsPanel::runRequested);
        QTest::mouseClick(notice->findChild<QPushButton*>(), Qt::LeftButton);
        QCOMPARE(requested.count(), 1);
        // Nothing runs yet, and perhaps nothing can.
        QVERIFY(notice->isVisible());
        // While it runs there is no other one to offer; stopped, there is.
        f.panel.setRunState({}, true);
        QVERIFY(!notice->isVisible());
        f.panel.setRunState(QStringLiteral("40 words"), false);
        QVERIFY(notice->isVisible());
    }

    /// Logged and spoken once, closed for good, until they fit the run again.
    void changedSettingsAreToldOnce() {
        Fixture f;
        auto* notice = findControl<NoticeLine>(f.panel, "noticeLine");
        QSignalSpy presented(notice, &NoticeLine::presented);
        f.run();
        f.panel.setRunState(QStringLiteral("40 words"), false);
        f.state.edit(&AnalysisSettings::draws, 50);
        f.panel.setRunState(QStringLiteral("40 words × 50 draws"), false);
        QCOMPARE(presented.count(), 1);
        QTest::mouseClick(findControl<QToolButton>(*notice, "noticeCloseButton"), Qt::LeftButton);
        f.state.edit(&AnalysisSettings::draws, 60);
        f.panel.setRunState(QStringLiteral("40 words × 60 draws"), false);
        QVERIFY(notice->isHidden());
        QCOMPARE(presented.count(), 1);
    }
};

EPSILENS_UI_TEST(WordsPanelTest)
#include "words_panel_test.moc"
