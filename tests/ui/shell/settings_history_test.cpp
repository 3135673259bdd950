#include "ui/shell/settings_history.h"

#include <QWidget>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/common/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

constexpr int kLongerThanAStepMs = 800;

}  // namespace

class SettingsHistoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySettingGoesBackAndForth() {
        AnalysisState state;
        SettingsHistory history(state);
        state.setEpsilon(3.0);
        state.setLambda(0.9);
        state.setMechanism(mechanism::Kind::laplace);
        state.setDraws(50);
        state.setSeed(9);
        state.setBand({25, 75});
        calibration::WordSelection all;
        all.kind = calibration::WordSelection::Kind::all;
        state.setWords(all);
        QCOMPARE(history.stack().count(), 7);
        while (history.stack().canUndo()) {
            history.stack().undo();
        }
        const AnalysisState fresh;
        QCOMPARE(state.epsilon(), fresh.epsilon());
        QCOMPARE(state.lambda(), fresh.lambda());
        QVERIFY(state.mechanism() == fresh.mechanism() && state.words() == fresh.words());
        QCOMPARE(state.draws(), fresh.draws());
        QCOMPARE(state.seed(), fresh.seed());
        QVERIFY(state.band() == fresh.band());
        while (history.stack().canRedo()) {
            history.stack().redo();
        }
        QCOMPARE(state.epsilon(), 3.0);
        QCOMPARE(state.draws(), 50);
        QVERIFY(state.words() == all);
    }

    void aDragIsOneStep() {
        AnalysisState state;
        SettingsHistory history(state);
        ValueSlider slider;
        slider.setScale({ValueScale::Kind::linear, 0.0, 1.0, 0.01, 2});
        slider.resize(400, 40);
        slider.show();
        QObject::connect(&slider, &ValueSlider::valueChanged, &state, &AnalysisState::setLambda);
        const double before = state.lambda();
        for (int drag = 1; drag <= 2; ++drag) {
            QTest::mousePress(&slider, Qt::LeftButton, {}, {40 * drag, 20});
            for (int x = 50; x <= 300; x += 50) {
                QTest::mouseMove(&slider, {x + 5 * drag, 20});
                // A hand that rests does not end the drag.
                QTest::qWait(x == 150 ? kLongerThanAStepMs : 1);
            }
            QTest::mouseRelease(&slider, Qt::LeftButton, {}, {300 + 5 * drag, 20});
            QCOMPARE(history.stack().count(), drag);
        }
        history.stack().undo();
        history.stack().undo();
        QCOMPARE(state.lambda(), before);
    }

    void quickKeysAreOneStepAndSlowOnesAreNot() {
        AnalysisState state;
        SettingsHistory history(state);
        for (const double epsilon : {3.0, 3.1, 3.2}) {
            state.setEpsilon(epsilon);
        }
        QCOMPARE(history.stack().count(), 1);
        QTest::qWait(kLongerThanAStepMs);
        state.setEpsilon(4.0);
        QCOMPARE(history.stack().count(), 2);
        history.stack().undo();
        QCOMPARE(state.epsilon(), 3.2);
        // A change after an undo is a step of its own and ends what could be redone.
        state.setEpsilon(5.0);
        QVERIFY(!history.stack().canRedo());
        history.stack().undo();
        QCOMPARE(state.epsilon(), 3.2);
    }

    void whatTheProgramSetsIsNoStep() {
        AnalysisState state;
        SettingsHistory history(state);
        state.setDraws(50);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(!history.stack().canUndo());
        QTest::qWait(1);
        state.setEpsilonRange(4.5, 1.0, 9.0);
        QCOMPARE(state.epsilon(), 4.5);
        QVERIFY(!history.stack().canUndo());
        QTest::qWait(1);
        state.setEpsilon(6.0);
        QCOMPARE(history.stack().count(), 1);
        history.stack().undo();
        QCOMPARE(state.epsilon(), 4.5);
    }
};

EPSILENS_UI_TEST(SettingsHistoryTest)
#include "settings_history_test.moc"
