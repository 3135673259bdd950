#include "ui/mechanisms/mechanisms_page.h"

#include "tests/ui/support/state_driver.h"
#include "ui/plot/xy_plot.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_runner.h"
#include "ui/state/settings_history.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

struct MechanismsPageFixture : test::StateDriver {
    MechanismsPageFixture() {
        page.resize(900, 600);
        page.show();
    }
    void load(const embedding::EmbeddingHandle& embedding) {
        open(embedding);
        guarantee.setWords("paris", "london");
    }
    void waitForRows(int rows) {
        QTRY_COMPARE(table()->rowCount(), rows);
        QTRY_VERIFY(table()->isVisible());
    }
    QTableWidget* table() { return &find<QTableWidget>("mechanismTable"); }
    [[nodiscard]] QString cell(int row, int column) { return table()->item(row, column)->text(); }
    int rowOf(const QString& part) {
        for (int row = 0; row < table()->rowCount(); ++row) {
            if (cell(row, 0).contains(part)) {
                return row;
            }
        }
        return -1;
    }
    [[nodiscard]] QString answer() { return text("mechanismAnswerLabel"); }

    JobBoard jobs;
    SettingsHistory history{state};
    GuaranteeModel guarantee{state};
    std::unique_ptr<MechanismsPage> made{newMechanismsPage(state, guarantee, jobs)};
    MechanismsPage& page = *made;

protected:
    [[nodiscard]] const QObject& root() const override { return page; }
};

/// On the toy embedding.
struct Measured : MechanismsPageFixture {
    Measured() {
        load(test::toyEmbedding());
        waitForRows(6);
    }
};

}  // namespace

class MechanismsPageTest : public QObject {
    Q_OBJECT

    using Fixture = MechanismsPageFixture;

private Q_SLOTS:
    void aRowTakesMechanismAndEpsilonInOneStepOfUndo() {
        Measured f;
        QVERIFY(f.answer().contains("paris against london") && f.answer().contains("the present "));
        for (int column = 0; column < f.table()->columnCount(); ++column) {
            QVERIFY(!f.table()->horizontalHeaderItem(column)->toolTip().isEmpty());
        }
        const int row = f.rowOf("Mahalanobis λ 1.00");
        QVERIFY(row >= 0);
        const mechanism::Setting before = f.state.setting();
        const QString epsilon = f.cell(row, 1);
        QSignalSpy taken(&f.page, &MechanismsPage::mechanismTaken);
        Q_EMIT f.table()->cellClicked(row, 0);
        QCOMPARE(taken.count(), 1);
        QVERIFY(f.state.mechanism() == mechanism::Mechanism(mechanism::Mahalanobis{1.0}));
        QCOMPARE(QString::number(f.state.epsilon(), 'g', 3).toDouble(), epsilon.toDouble());
        // The row that was taken is the present one, and keeps as many words as before.
        QTRY_VERIFY(f.cell(f.rowOf("Mahalanobis λ 1.00"), 0).contains(QChar(0x25CF)));
        f.history.stack().undo();
        QVERIFY(f.state.setting() == before);
    }

    void theRowOfThePresentSettingHasItsEpsilon() {
        Fixture f;
        f.load(test::toyEmbedding());
        f.chooseEpsilon(3.21);
        f.waitForRows(6);
        QTRY_COMPARE(f.cell(f.rowOf(QString(QChar(0x25CF))), 1), "3.21");
        Q_EMIT f.table()->cellClicked(f.rowOf(QString(QChar(0x25CF))), 0);
        QCOMPARE(f.state.epsilon(), 3.21);
        // Of another mechanism with the same law, a little below at most.
        f.take(mechanism::Mahalanobis{0.0});
        f.chooseEpsilon(3.2149);
        QTRY_COMPARE(f.cell(f.rowOf("Laplace"), 1), "3.21");
    }

    void aMechanismThatCannotRunIsListedWithItsReason() {
        Measured f;
        const int row = f.rowOf("hyperbolic");
        QVERIFY(row >= 0);
        QVERIFY(f.cell(row, 1).contains("norm ≥ 1"));
        const mechanism::Setting before = f.state.setting();
        Q_EMIT f.table()->cellClicked(row, 0);
        QVERIFY(f.state.setting() == before);
    }

    void aSettingOfItsOwnIsComparedToo() {
        Measured f;
        f.take(mechanism::Mahalanobis{0.3});
        f.waitForRows(7);
        QVERIFY(f.rowOf("λ 0.30") >= 0);
        f.take(mechanism::Mahalanobis{1.0});
        f.waitForRows(6);
    }

    void nothingIsShownOverAnotherEmbedding() {
        Measured f;
        const QString before = f.answer();
        f.load(test::toyBall(40, 3));
        QVERIFY(!f.table()->isVisible());
        f.waitForRows(7);
        QVERIFY(f.rowOf("TEM Poincaré") >= 0);
        QVERIFY(f.answer() != before);
    }

    void nothingIsMeasuredWhileThePageIsHidden() {
        Fixture f;
        f.page.hide();
        f.load(test::toyEmbedding());
        test::letPass(200);
        QCOMPARE(f.jobs.runningCount(), 0);
        QCOMPARE(f.table()->rowCount(), 0);
        f.page.show();
        f.waitForRows(6);
    }

    void ownTextsWeightTheComparison() {
        Measured f;
        const QString epsilon = f.cell(f.rowOf("Laplace"), 1);
        f.page.setTexts(WeightedWords{{0, 1}, {1.0, 5.0}}, "sms.tsv");
        QTRY_VERIFY(f.table()->isVisible() && f.cell(f.rowOf("Laplace"), 1) != epsilon);
    }

    void whatPartsEqualRowsIsSaid() {
        Measured f;
        // [C21] Theorem 3, whatever ε: (0.999 · 39 / 0.001)² = 1.52e9, rounded up.
        QVERIFY(f.says("mechanismsMeasuredLabel", "caps the odds of any two words at ×10¹⁰."));
    }

    void thePlotTellsTheOddsOfEachMechanism() {
        Measured f;
        f.chooseEpsilon(3.0);
        auto* plot = f.page.findChild<XyPlot*>();
        QTRY_VERIFY(plot->accessibleDescription().contains("TEM Euclidean"));
        QVERIFY(plot->visibleCsv().startsWith("mechanism,kept,odds,,\n\""));
    }
};

EPSILENS_UI_TEST(MechanismsPageTest)
#include "mechanisms_page_test.moc"
