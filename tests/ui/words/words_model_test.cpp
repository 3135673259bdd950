#include "ui/words/words_model.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "tests/ui/words/words_fixture.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

namespace {

struct WordsModelFixture {
    explicit WordsModelFixture(int words = 40) {
        test::loadToyInto(state);
        results.setRun(test::madeUpRun(words));
        settle();
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!model.isArranging(), kPatienceMs); }
    [[nodiscard]] QString shown(int row, WordColumn column) {
        return model.table().index(row, static_cast<int>(column)).data().toString();
    }

    AnalysisState state;
    SessionResults results{state};
    WordsModel model{state, results};
};

}  // namespace

class WordsModelTest : public QObject {
    Q_OBJECT

    using Fixture = WordsModelFixture;

private Q_SLOTS:
    void startsAtTheCellNearestToTheSettings() {
        AnalysisState state;
        test::loadToyInto(state);
        state.edit(&AnalysisSettings::chooseEpsilon, 8.0);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.9});
        SessionResults results(state);
        WordsModel model(state, results);
        QVERIFY(!model.hasRun());
        results.setRun(test::madeUpRun(40));
        QVERIFY(model.hasRun());
        QCOMPARE(model.epsilonChoices(), (QStringList{QStringLiteral("5"), QStringLiteral("10")}));
        QCOMPARE(model.variantChoices(),
                 (QStringList{QStringLiteral("λ 0"), QStringLiteral("λ 1")}));
        QCOMPARE(model.epsilonIndex(), 1);
        QCOMPARE(model.variantIndex(), 1);
    }

    void showsTheCellAskedFor() {
        Fixture f;
        const QAbstractItemModelTester tester(
            &f.model.table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        f.model.setCell(1, 0);
        f.settle();
        QCOMPARE(f.model.table().rowCount(), 40);
        QCOMPARE(f.shown(1, WordColumn::word), QStringLiteral("london"));
        QCOMPARE(f.shown(1, WordColumn::nw), QStringLiteral("27"));
        QCOMPARE(f.shown(1, WordColumn::kept), QStringLiteral("27.0 %"));
        QCOMPARE(f.shown(1, WordColumn::critical), QStringLiteral("20.00"));
        QCOMPARE(f.shown(1, WordColumn::distance), QStringLiteral("–"));
        QVERIFY(f.model.statusText().startsWith(QStringLiteral("40 of 40 words · ε 5, λ 1")));
    }

    void sortingAndFilteringGoOnInTheBackground() {
        Fixture f;
        f.model.table().sort(static_cast<int>(WordColumn::nw), Qt::DescendingOrder);
        QVERIFY(f.model.isArranging());
        f.settle();
        QVERIFY(f.shown(0, WordColumn::nw).toInt() >= f.shown(1, WordColumn::nw).toInt());
        QCOMPARE(f.model.setFilterText(QStringLiteral("lond")), QString());
        f.settle();
        QCOMPARE(f.model.table().rowCount(), 1);
        QVERIFY(f.model.setFilterText(QStringLiteral("nw>")).contains(QStringLiteral("number")));
        QCOMPARE(f.model.table().rowCount(), 1);
    }

    void densityPresetsWaitForTheProfile() {
        Fixture f;
        f.model.setPreset(WordPreset::sparsest);
        QVERIFY(f.model.needsDensity());
        f.settle();
        QCOMPARE(f.model.table().rowCount(), 0);
        QSignalSpy changed(&f.results, &SessionResults::densityChanged);
        f.results.computeDensity();
        QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, kPatienceMs);
        f.settle();
        QVERIFY(!f.model.needsDensity());
        QCOMPARE(f.model.table().rowCount(), 40);
        QVERIFY(f.shown(0, WordColumn::rank).toInt() > 0);
    }

    void anotherEmbeddingForgetsRunAndProfile() {
        Fixture f;
        f.results.computeDensity();
        QTRY_VERIFY_WITH_TIMEOUT(f.results.density() != nullptr, kPatienceMs);
        f.state.setEmbedding(test::toyEmbedding(20, 3), nullptr);
        QVERIFY(!f.model.hasRun());
        QVERIFY(!f.results.density());
        QCOMPARE(f.model.table().rowCount(), 0);
    }

    void aRunIsOutdatedWhileTheSettingsDiffer() {
        Fixture f;
        auto run = *test::madeUpRun(40);
        run.request.options = f.state.calibrationOptions();
        run.request.options.criticalEpsilons = true;  // keeps more, but is the same run
        f.results.setRun(std::make_shared<const calibration::Run>(run));
        QVERIFY(!f.results.isRunOutdated());
        const int draws = f.state.draws();
        f.state.edit(&AnalysisSettings::draws, draws + 1);
        QVERIFY(f.results.isRunOutdated());
        f.state.edit(&AnalysisSettings::draws, draws);
        QVERIFY(!f.results.isRunOutdated());
    }

    void findsAndExports() {
        Fixture f;
        QSignalSpy found(&f.model, &WordsModel::found);
        QSignalSpy missing(&f.model, &WordsModel::notFound);
        f.model.find(QStringLiteral("word7"), 0, false, true);
        QTRY_COMPARE(found.count(), 1);
        QCOMPARE(found.front().front().toInt(), 7);
        f.model.find(QStringLiteral("berlin"), 0, false, true);
        QTRY_COMPARE(missing.count(), 1);
        QCOMPARE(missing.takeFirst().at(1).toStringList(), QStringList());
        f.model.find(QStringLiteral("pariss"), 0, false, true);
        QTRY_COMPARE(missing.count(), 1);
        QCOMPARE(missing.takeFirst().at(1).toStringList().value(0), QStringLiteral("paris"));
        f.model.setFilterText(QStringLiteral("word"));
        f.settle();
        f.model.find(QStringLiteral("paris"), 0, false, true);
        QTRY_COMPARE(missing.count(), 1);
        QCOMPARE(missing.takeFirst().at(1).toStringList(), QStringList{QStringLiteral("paris")});
        f.model.setFilterText({});
        f.settle();

        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("words.csv"));
        QSignalSpy exported(&f.model, &WordsModel::exported);
        f.model.exportCsv(path);
        QTRY_COMPARE(exported.count(), 1);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll().count('\n'), 41);
        QSignalSpy failed(&f.model, &WordsModel::failed);
        f.model.exportCsv(folder.filePath(QStringLiteral("nowhere/words.csv")));
        QTRY_COMPARE(failed.count(), 1);
    }

    /// With a million words no call on this thread may take longer than a frame of the slowest
    /// usual screen; sorting itself may take a while elsewhere.
    void aMillionWordsDoNotHoldUpTheWindow() {
        constexpr int kWords = 1'000'000;
        constexpr double kSlowestCallMs = 33.0;
        AnalysisState state;
        const auto large = test::largeVocabulary(kWords);
        state.setEmbedding(large, nullptr);
        SessionResults results(state);
        WordsModel model(state, results);
        const auto run = test::madeUpRun(kWords);
        double slowest = 0.0;
        const auto timed = [&slowest](const char* what, const auto& call) {
            const double before = test::threadMilliseconds();
            call();
            const double took = test::threadMilliseconds() - before;
            slowest = std::max(slowest, took);
            qInfo("%s: %.1f ms on the GUI thread", what, took);
        };
        const auto settled = [&model](const char* what) {
            QElapsedTimer clock;
            clock.start();
            QTRY_VERIFY_WITH_TIMEOUT(!model.isArranging(), kPatienceMs);
            qInfo("%s: %lld ms in the background", what, static_cast<long long>(clock.elapsed()));
        };
        timed("new run", [&] { results.setRun(run); });
        settled("new run");
        QCOMPARE(model.table().rowCount(), kWords);
        timed("sort by N_w", [&] { model.setSorting(WordColumn::nw, true); });
        settled("sort by N_w");
        timed("sort by word", [&] { model.setSorting(WordColumn::word, false); });
        settled("sort by word");
        QCOMPARE(model.table().index(0, 0).data().toString(), QStringLiteral("w0"));
        timed("filter", [&] { (void)model.setFilterText(QStringLiteral("99 nw>=50")); });
        settled("filter");
        QVERIFY(model.table().rowCount() > 0 && model.table().rowCount() < kWords);
        QVERIFY2(slowest <= kSlowestCallMs, qPrintable(QString::number(slowest)));
    }
};

EPSILENS_UI_TEST(WordsModelTest)
#include "words_model_test.moc"
