#include "ui/words/words_model.h"

#include <memory>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "tests/ui/words/words_fixture.h"
#include "ui/state/job_board.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

namespace {

struct WordsModelFixture {
    explicit WordsModelFixture(int words = 40) {
        test::loadToyInto(state);
        measurement = std::make_unique<QuickMeasurement>(state, jobs, test::madeUpMeasure(words));
        model = std::make_unique<WordsModel>(state, results, *measurement);
        measurement->measure();
        QTRY_VERIFY_WITH_TIMEOUT(model->isCurrent(), kPatienceMs);
        settle();
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!model->isArranging(), kPatienceMs); }
    [[nodiscard]] QString shown(int row, WordColumn column) {
        return model->table().index(row, static_cast<int>(column)).data().toString();
    }

    AnalysisState state;
    JobBoard jobs;
    SessionResults results{state};
    std::unique_ptr<QuickMeasurement> measurement;
    std::unique_ptr<WordsModel> model;
};

}  // namespace

class WordsModelTest : public QObject {
    Q_OBJECT

    using Fixture = WordsModelFixture;

private Q_SLOTS:
    void showsTheEpsilonOfTheDial() {
        Fixture f;
        const QAbstractItemModelTester tester(
            &f.model->table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(f.model->table().rowCount(), 40);
        QCOMPARE(f.shown(1, WordColumn::word), QStringLiteral("london"));
        QCOMPARE(f.shown(1, WordColumn::nw), QStringLiteral("7"));
        QCOMPARE(f.shown(1, WordColumn::critical), QStringLiteral("2.00"));
        const auto head = [&](int role) {
            return f.model->table()
                .headerData(static_cast<int>(WordColumn::critical), Qt::Horizontal, role)
                .toString();
        };
        QCOMPARE(head(Qt::DisplayRole), QStringLiteral("half-kept ε"));
        QVERIFY(head(Qt::ToolTipRole).contains(QStringLiteral("half of the draws keep the word")));
        QCOMPARE(f.shown(1, WordColumn::distance), QStringLiteral("–"));
        // One that no grid has.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 7.37882);
        f.settle();
        QVERIFY(f.model->isCurrent());
        QVERIFY(
            f.model->statusText().startsWith(QStringLiteral("40 of 40 words · ε 7.37882, λ 0")));
        // 7 + 14.75764 - 10, of which the whole part counts.
        QCOMPARE(f.shown(1, WordColumn::nw), QStringLiteral("11"));
        QCOMPARE(f.shown(1, WordColumn::kept), QStringLiteral("11%"));
    }

    void wordsOfAnotherSettingStayUntilItIsMeasured() {
        Fixture f;
        f.state.edit(&AnalysisSettings::setParameters, {.lambda = 1.0});
        QVERIFY(!f.model->isCurrent());
        QCOMPARE(f.model->table().rowCount(), 40);
        QTRY_VERIFY_WITH_TIMEOUT(f.model->isCurrent(), kPatienceMs);
        f.settle();
        QVERIFY(f.model->statusText().contains(QStringLiteral("λ 1")));
        QCOMPARE(f.shown(1, WordColumn::nw), QStringLiteral("27"));
        QCOMPARE(f.shown(1, WordColumn::critical), QStringLiteral("20.0"));
    }

    void sortingAndFilteringGoOnInTheBackground() {
        Fixture f;
        f.model->table().sort(static_cast<int>(WordColumn::nw), Qt::DescendingOrder);
        QVERIFY(f.model->isArranging());
        f.settle();
        QVERIFY(f.shown(0, WordColumn::nw).toInt() >= f.shown(1, WordColumn::nw).toInt());
        QCOMPARE(f.model->setFilterText(QStringLiteral("lond")), QString());
        f.settle();
        QCOMPARE(f.model->table().rowCount(), 1);
        QVERIFY(f.model->setFilterText(QStringLiteral("nw>")).contains(QStringLiteral("number")));
        QCOMPARE(f.model->table().rowCount(), 1);
    }

    void densityPresetsWaitForTheProfile() {
        Fixture f;
        f.model->setPreset(WordPreset::sparsest);
        QVERIFY(f.model->needsDensity());
        f.settle();
        QCOMPARE(f.model->table().rowCount(), 0);
        QSignalSpy changed(&f.results, &SessionResults::densityChanged);
        f.results.computeDensity();
        QTRY_COMPARE_WITH_TIMEOUT(changed.count(), 1, kPatienceMs);
        f.settle();
        QVERIFY(!f.model->needsDensity());
        QCOMPARE(f.model->table().rowCount(), 40);
        QVERIFY(f.shown(0, WordColumn::rank).toInt() > 0);
    }

    void anotherEmbeddingForgetsWordsAndProfile() {
        Fixture f;
        f.results.computeDensity();
        QTRY_VERIFY_WITH_TIMEOUT(f.results.density() != nullptr, kPatienceMs);
        f.state.setEmbedding(test::toyEmbedding(20, 3), nullptr);
        QVERIFY(!f.model->hasWords());
        QVERIFY(!f.results.density());
        QCOMPARE(f.model->table().rowCount(), 0);
    }

    void findsAndExports() {
        Fixture f;
        QSignalSpy found(f.model.get(), &WordsModel::found);
        QSignalSpy missing(f.model.get(), &WordsModel::notFound);
        f.model->find(QStringLiteral("word7"), 0, false, true);
        QTRY_COMPARE(found.count(), 1);
        QCOMPARE(found.front().front().toInt(), 7);
        f.model->find(QStringLiteral("berlin"), 0, false, true);
        QTRY_COMPARE(missing.count(), 1);
        QCOMPARE(missing.takeFirst().at(1).toStringList(), QStringList());
        f.model->find(QStringLiteral("pariss"), 0, false, true);
        QTRY_COMPARE(missing.count(), 1);
        QCOMPARE(missing.takeFirst().at(1).toStringList().value(0), QStringLiteral("paris"));
        f.model->setFilterText(QStringLiteral("word"));
        f.settle();
        f.model->find(QStringLiteral("paris"), 0, false, true);
        QTRY_COMPARE(missing.count(), 1);
        QCOMPARE(missing.takeFirst().at(1).toStringList(), QStringList{QStringLiteral("paris")});
        f.model->setFilterText({});
        f.settle();

        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("words.csv"));
        QSignalSpy exported(f.model.get(), &WordsModel::exported);
        f.model->exportCsv(path);
        QTRY_COMPARE(exported.count(), 1);
        QCOMPARE(test::contentOf(path).count('\n'), 41);
        QSignalSpy failed(f.model.get(), &WordsModel::failed);
        f.model->exportCsv(folder.filePath(QStringLiteral("nowhere/words.csv")));
        QTRY_COMPARE(failed.count(), 1);
    }
};

EPSILENS_UI_TEST(WordsModelTest)
#include "words_model_test.moc"
