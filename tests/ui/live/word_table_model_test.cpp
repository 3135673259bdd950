#include "ui/live/word_table_model.h"

#include <cmath>

#include <QAbstractItemModelTester>

#include "tests/ui/live/live_fixture.h"
#include "tests/ui/support/ui_test.h"
#include "ui/live/live_model.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using namespace epsilens::ui::live;

namespace {

ShownDistribution shares(int kept, int near, int far) {
    ShownDistribution distribution;
    distribution.kept = kept;
    distribution.near = near;
    distribution.far = far;
    distribution.draws = kept + near + far;
    return distribution;
}

}  // namespace

class WordTableModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void percentagesAddUpToAHundred() {
        QCOMPARE(percentages(shares(41, 12, 47)), (std::array<int, 3>{41, 12, 47}));
        // 33.3 each: the first takes what is left over.
        QCOMPARE(percentages(shares(1, 1, 1)), (std::array<int, 3>{34, 33, 33}));
        // 14.3, 28.6, 57.1: the largest remainder is that of 28.6.
        QCOMPARE(percentages(shares(1, 2, 4)), (std::array<int, 3>{14, 29, 57}));
        QCOMPARE(percentages(shares(0, 0, 7)), (std::array<int, 3>{0, 0, 100}));
    }

    void showsWhatTheModelHas() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel live(state);
        WordTableModel table(live);
        const QAbstractItemModelTester tester(
            &table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        state.lookAt(QStringLiteral("paris nope london Paris"));
        QTRY_VERIFY(!live.words().empty() && !live.isBehind());
        QCOMPARE(table.rowCount(), 3);
        const auto direct =
            test::DirectComputation(state, {"paris", "london"}).distribution(0, state.epsilon());
        const auto shown = [&table](int row, int column) {
            return table.index(row, column).data().toString();
        };
        QCOMPARE(shown(0, WordTableModel::word), QStringLiteral("paris ×2"));
        QCOMPARE(shown(0, WordTableModel::kept), QString::number(direct.kept));
        QCOMPARE(shown(0, WordTableModel::distinct), QString::number(direct.distinct()));
        // 100 draws: counts are percentages.
        QCOMPARE(shown(0, WordTableModel::shares),
                 QStringLiteral("%1/%2/%3%").arg(direct.kept).arg(direct.near).arg(direct.far));
        const auto& top = direct.outputs[0].outputClass == statistics::OutputClass::kept
                              ? direct.outputs[1]
                              : direct.outputs[0];
        QVERIFY(shown(0, WordTableModel::topOutputs)
                    .startsWith(QStringLiteral("%1 %2%").arg(
                        toQString(state.embedding()->vocabulary().word(top.row)),
                        QString::number(top.count))));
        QCOMPARE(table.index(0, WordTableModel::shares)
                     .data(WordTableModel::sharesRole)
                     .value<QList<double>>(),
                 (QList<double>{static_cast<double>(direct.kept), static_cast<double>(direct.near),
                                static_cast<double>(direct.far)}));
    }

    void unknownWordsAreMarked() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel live(state);
        const WordTableModel table(live);
        state.lookAt(QStringLiteral("nope"));
        QTRY_COMPARE(table.rowCount(), 1);
        const QModelIndex word = table.index(0, WordTableModel::word);
        QVERIFY(word.data(WordTableModel::unknownRole).toBool());
        QVERIFY(!word.data(WordTableModel::dimmedRole).toBool());
        QVERIFY(!word.flags().testFlag(Qt::ItemIsSelectable));
        QVERIFY(word.data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("not in the vocabulary")));
        QCOMPARE(table.index(0, WordTableModel::shares).data().toString(),
                 QStringLiteral("unknown"));
        QVERIFY(table.index(0, WordTableModel::kept).data().toString().isEmpty());
    }

    void valuesOfEarlierSettingsAreDimmed() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel live(state);
        live.setActive(false);
        const WordTableModel table(live);
        state.lookAt(QStringLiteral("paris"));
        QTRY_VERIFY(!live.words().empty());
        const auto dimmed = [&table] {
            return table.index(0, WordTableModel::kept).data(WordTableModel::dimmedRole).toBool();
        };
        QVERIFY(dimmed());
        QCOMPARE(table.index(0, WordTableModel::kept).data().toString(), QStringLiteral("…"));
        live.setActive(true);
        QTRY_VERIFY(!live.isBehind());
        QVERIFY(!dimmed());
        const QString before = table.index(0, WordTableModel::kept).data().toString();
        state.edit(&AnalysisSettings::seed, 5);
        QVERIFY(dimmed());
        QCOMPARE(table.index(0, WordTableModel::kept).data().toString(), before);
        QTRY_VERIFY(!dimmed());
    }

    /// Against the core at the pinned settings alone.
    void pinnedValuesStandBesideTheCurrentOnes() {
        AnalysisState state;
        test::loadToy(state);
        LiveModel live(state);
        const WordTableModel table(live);
        state.lookAt(QStringLiteral("paris london"));
        QTRY_VERIFY(!live.words().empty() && !live.isBehind());
        const auto at = [&table](int column) { return table.index(1, column).data().toString(); };
        const auto shares = [&table] {
            return table.index(1, WordTableModel::shares)
                .data(WordTableModel::pinnedSharesRole)
                .value<QList<double>>();
        };
        QVERIFY(shares().isEmpty());
        QVERIFY(at(WordTableModel::pinnedKept).isEmpty());
        const auto pinned =
            test::DirectComputation(state, {"paris", "london"}).distribution(1, state.epsilon());
        state.edit(&AnalysisSettings::pinPresent);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.0});
        state.edit(&AnalysisSettings::chooseEpsilon, 2.0 * test::kToyEpsilon);
        QTRY_VERIFY(!live.isBehind() && !shares().isEmpty());
        QCOMPARE(at(WordTableModel::pinnedKept), QString::number(pinned.kept));
        QCOMPARE(at(WordTableModel::pinnedDistinct), QString::number(pinned.distinct()));
        QCOMPARE(shares(),
                 (QList<double>{static_cast<double>(pinned.kept), static_cast<double>(pinned.near),
                                static_cast<double>(pinned.far)}));
        QVERIFY(at(WordTableModel::kept) != at(WordTableModel::pinnedKept));
        QVERIFY(table.index(1, WordTableModel::shares)
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("pinned")));
        // Another mechanism, whose outputs are known at the pinned epsilon alone.
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        state.edit(&AnalysisSettings::pinPresent);
        QTRY_VERIFY(!shares().isEmpty() && live.words()[1].pinned->exact);
        state.edit(&AnalysisSettings::pin, std::nullopt);
        QVERIFY(shares().isEmpty());
    }

    void aWordThatIsAlwaysKeptSaysSo() {
        AnalysisState state;
        test::loadToy(state);
        state.edit(&AnalysisSettings::chooseEpsilon, 1e6);
        LiveModel live(state);
        const WordTableModel table(live);
        state.lookAt(QStringLiteral("paris"));
        QTRY_VERIFY(!live.words().empty() && !live.isBehind());
        QCOMPARE(table.index(0, WordTableModel::topOutputs).data().toString(),
                 QStringLiteral("kept in all draws"));
        QCOMPARE(table.index(0, WordTableModel::distinct).data().toString(), QStringLiteral("1"));
    }

    /// Nothing that can happen is shown as 0.
    void rareOutputsOfAnExactMechanismAreSummedUp() {
        AnalysisState state;
        test::loadToy(state);
        state.edit(&AnalysisSettings::choose, mechanism::Exponential());
        state.edit(&AnalysisSettings::chooseEpsilon, 9.0);
        LiveModel live(state);
        const WordTableModel table(live);
        state.lookAt(QStringLiteral("paris"));
        QTRY_VERIFY(!live.words().empty() && !live.isBehind());
        const ShownDistribution& shown = live.words()[0].distribution;
        QVERIFY2(shown.exact && shown.kept < shown.draws && shown.kept > 0.9995 * shown.draws,
                 qPrintable(QString::number(shown.kept, 'g', 12)));
        QCOMPARE(table.index(0, WordTableModel::topOutputs).data().toString(),
                 QStringLiteral("others under 0.1% each"));
    }
};

EPSILENS_UI_TEST(WordTableModelTest)
#include "word_table_model_test.moc"
