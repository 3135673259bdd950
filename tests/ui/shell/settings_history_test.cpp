#include "ui/shell/settings_history.h"

#include <functional>

#include <QWidget>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_model.h"
#include "ui/state/limit_state.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

constexpr int kLongerThanAStepMs = 100;  // 70 ms where timers hurry

SettingsSnapshot snapshotOf(const AnalysisState& state, const LimitState& limits) {
    return {state.settings(), state.pins().pin(), limits.limits()};
}

/// Lets what follows from a change happen, and end.
void settle() {
    QTest::qWait(1);
}

}  // namespace

class SettingsHistoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySettingGoesBackAndForth() {
        AnalysisState state;
        SettingsHistory history(state);
        state.setEpsilon(3.0);
        state.setLambda(0.9);
        state.chooseMechanism(mechanism::Laplace());
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

    /// Every control of the design is one step, whose undo leaves no part different.
    void everyControlIsAStepOfItsOwn() {
        AnalysisState state;
        LimitState limits;
        SettingsHistory history(state);
        history.followLimits(limits);
        const std::vector<std::function<void()>> controls{
            [&] { state.chooseMechanism(mechanism::Tem()); },
            [&] { state.setMetric(metric::Metric::mahalanobis); },
            [&] { state.setLambda(0.9); },
            [&] { state.setBeta(0.25); },
            [&] { state.setGammaGiven(true); },
            [&] { state.setGamma(3.5); },
            [&] { state.setEpsilon(3.0); },
            [&] { state.chooseMechanism(mechanism::Hyperbolic()); },
            [&] { state.setLaw(mechanism::RadialLaw::eq7); },
            [&] { state.setPlacement(mechanism::Placement::additive); },
            [&] { state.setDraws(50); },
            [&] {
                state.setWords({calibration::WordSelection::Kind::list, 0, {1, 2}});
            },
            [&] { state.setSeed(9); },
            [&] {
                state.setBand({25, 75});
            },
            [&] {
                state.setTextPolicies(
                    {release::UnknownPolicy::keep, state.textPolicies().letterCase});
            },
            [&] {
                state.setTextPolicies({state.textPolicies().unknownWords, text::CasePolicy::lower});
            },
            [&] { state.setComparesWords(true); },
            [&] {
                state.setGridEpsilons({1, 5});
            },
            [&] { state.setGridLambdas({0.5}); },
            [&] { state.setGridBetas({0.5}); },
            [&] {
                state.setGridGammas({2.0, 3.0});
            },
            [&] { state.pinCurrent(); },
            [&] { limits.setLimits({}); }};
        std::vector<SettingsSnapshot> states{snapshotOf(state, limits)};
        SettingsParts touched;
        for (const auto& control : controls) {
            control();
            states.push_back(snapshotOf(state, limits));
            touched |= differingParts(states[states.size() - 2], states.back());
            QCOMPARE(history.stack().count(), static_cast<int>(states.size()) - 1);
            QVERIFY(!history.stack().undoText().isEmpty());
            settle();
        }
        QVERIFY2(touched.all(), touched.to_string().c_str());
        for (std::size_t i = controls.size(); i-- > 0;) {
            history.stack().undo();
            settle();
            const auto left = differingParts(snapshotOf(state, limits), states[i]);
            QVERIFY2(left.none(), qPrintable(QStringLiteral("%1: %2").arg(i).arg(partsName(left))));
        }
        QVERIFY(!history.stack().canUndo());
        for (std::size_t i = 1; i < states.size(); ++i) {
            history.stack().redo();
            settle();
            const auto left = differingParts(snapshotOf(state, limits), states[i]);
            QVERIFY2(left.none(), qPrintable(QStringLiteral("%1: %2").arg(i).arg(partsName(left))));
        }
    }

    /// What the program found out after a step stays when the step is undone.
    void aStepPutsBackOnlyWhatItChanged() {
        AnalysisState state;
        SettingsHistory history(state);
        state.setDraws(50);
        settle();
        state.setEpsilonRange(4.5, 1.0, 9.0);
        settle();
        history.stack().undo();
        QCOMPARE(state.draws(), 100);
        QCOMPARE(state.epsilon(), 4.5);
        QVERIFY(state.epsilonScale().low.has_value());
    }

    /// An epsilon that followed its default does so again.
    void undoneEpsilonFollowsItsDefaultAgain() {
        AnalysisState state;
        SettingsHistory history(state);
        state.setEpsilon(3.0);
        history.stack().undo();
        state.setEpsilonRange(4.5, 1.0, 9.0);
        QCOMPARE(state.epsilon(), 4.5);
    }

    void gridsThatFollowAMechanismBelongToItsStep() {
        AnalysisState state;
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        SettingsHistory history(state);
        CurvesModel curves(state);
        settle();
        history.forget();
        (void)curves.grid().setEpsilonText(QStringLiteral("1; 2"));
        settle();
        state.chooseMechanism(mechanism::Tem());
        settle();
        QVERIFY(state.gridEpsilons() != (std::vector<double>{1, 2}));
        QCOMPARE(history.stack().count(), 2);
        history.stack().undo();
        QVERIFY(state.mechanism().as<mechanism::Mahalanobis>());
        QCOMPARE(state.gridEpsilons(), (std::vector<double>{1, 2}));
        QVERIFY(!curves.grid().hasDefaultEpsilons());
        history.stack().undo();
        QVERIFY(curves.grid().hasDefaultEpsilons());
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
