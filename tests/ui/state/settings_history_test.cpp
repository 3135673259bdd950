#include "ui/state/settings_history.h"

#include <utility>
#include <vector>

#include "core/calibration/recommend.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curve_grid.h"
#include "ui/plot/xy_plot.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

constexpr int kLongerThanAStepMs = 100;  // 70 ms where timers hurry

/// Lets what follows from a change happen, and end.
void settle() {
    test::letPass(1);
}

}  // namespace

class SettingsHistoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Every control of the design is one step with a name, whose undo puts all back.
    void everyControlIsAStepOfItsOwn() {
        AnalysisState state;
        SettingsHistory history(state);
        using Settings = AnalysisSettings;
        const std::vector<std::pair<const char*, void (*)(Settings&)>> controls{
            {"mechanism", [](Settings& s) { s.choose(mechanism::Tem()); }},
            {"metric",
             [](Settings& s) { s.setParameters({.metric = metric::Metric::mahalanobis}); }},
            {"λ", [](Settings& s) { s.setParameters({.lambda = 0.9}); }},
            {"β", [](Settings& s) { s.setParameters({.beta = 0.25}); }},
            {"how γ is given", [](Settings& s) { s.mechanism.gammaGiven = true; }},
            {"γ", [](Settings& s) { s.setParameters({.gamma = 3.5}); }},
            {"ε", [](Settings& s) { s.chooseEpsilon(3.0); }},
            {"mechanism", [](Settings& s) { s.choose(mechanism::Hyperbolic()); }},
            {"noise", [](Settings& s) { s.setParameters({.law = mechanism::RadialLaw::eq7}); }},
            {"draws", [](Settings& s) { s.draws = 50; }},
            {"words",
             [](Settings& s) {
                 s.words = {calibration::WordSelection::Kind::list, 0, {1, 2}};
             }},
            {"seed", [](Settings& s) { s.seed = 9; }},
            {"band",
             [](Settings& s) {
                 s.band = {25, 75};
             }},
            {"unknown words",
             [](Settings& s) { s.textPolicies.unknownWords = release::UnknownPolicy::keep; }},
            {"letter case",
             [](Settings& s) { s.textPolicies.letterCase = text::CasePolicy::lower; }},
            {"grid of ε",
             [](Settings& s) {
                 s.grid.epsilons = {1, 5};
             }},
            {"grid of λ", [](Settings& s) { s.grid.lambdas = {0.5}; }},
            {"grid of β", [](Settings& s) { s.grid.betas = {0.5}; }},
            {"grid of γ",
             [](Settings& s) {
                 s.grid.gammas = {2.0, 3.0};
             }},
            {"pinned settings", [](Settings& s) { s.pinPresent(); }},
            {"limits", [](Settings& s) { s.limits = calibration::defaultLimits(); }}};
        std::vector<Settings> states{state.settings()};
        for (const auto& [name, change] : controls) {
            state.edit(change);
            states.push_back(state.settings());
            QCOMPARE(history.stack().count(), static_cast<int>(states.size()) - 1);
            QCOMPARE(history.stack().undoText(), name);
        }
        for (std::size_t i = controls.size(); i-- > 0;) {
            QCOMPARE(history.stack().undoText(), QString::fromUtf8(controls[i].first));
            history.stack().undo();
            QVERIFY2(state.settings() == states[i], controls[i].first);
        }
        QVERIFY(!history.stack().canUndo());
        for (std::size_t i = 1; i < states.size(); ++i) {
            history.stack().redo();
            QVERIFY2(state.settings() == states[i], controls[i - 1].first);
        }
    }

    /// A list of words comes back with what the report says of it.
    void anUndoneListHasItsSourceAgain() {
        AnalysisState state;
        SettingsHistory history(state);
        const auto choose = [&state](embedding::Row row, const char* file) {
            state.edit([&](AnalysisSettings& settings) {
                settings.chooseWords({calibration::WordSelection::Kind::list, 0, {row}},
                                     calibration::SelectionDescription{.dataFile = file});
            });
            test::letPass(kLongerThanAStepMs);
        };
        const auto file = [&state] { return state.settings().wordsFrom().value().dataFile; };
        choose(1, "first.tsv");
        choose(2, "second.tsv");
        QCOMPARE(file(), std::string("second.tsv"));
        history.stack().undo();
        QCOMPARE(state.settings().words.rows, std::vector<embedding::Row>{1});
        QCOMPARE(file(), std::string("first.tsv"));
        history.stack().redo();
        QCOMPARE(file(), std::string("second.tsv"));
        history.stack().undo();
        history.stack().undo();
        QVERIFY(!state.settings().wordsFrom());
    }

    /// In another unit neither epsilon nor the range that was found for it means anything.
    void anUndoneMechanismHasItsEpsilonAndItsRangeAgain() {
        AnalysisState state;
        SettingsHistory history(state);
        const EpsilonScale found{4.5, 1.0, 9.0};
        state.edit(&AnalysisSettings::suggest, found);
        state.edit(&AnalysisSettings::chooseEpsilon, 3.0);
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        state.edit(&AnalysisSettings::suggest, {70.0, 40.0, 90.0});
        QCOMPARE(state.epsilon(), 70.0);
        history.stack().undo();
        QVERIFY(state.mechanism().as<mechanism::Mahalanobis>());
        QCOMPARE(state.epsilon(), 3.0);
        QVERIFY(state.epsilonScale() == found);
        history.stack().redo();
        QVERIFY(state.epsilonScale() != found);
    }

    /// What the program found out after a step stays when the step is undone.
    void aStepPutsBackOnlyWhatItChanged() {
        AnalysisState state;
        SettingsHistory history(state);
        state.edit(&AnalysisSettings::draws, 50);
        settle();
        state.edit(&AnalysisSettings::suggest, {4.5, 1.0, 9.0});
        settle();
        history.stack().undo();
        QCOMPARE(state.draws(), 100);
        QCOMPARE(state.epsilon(), 4.5);
        QVERIFY(state.epsilonScale().low.has_value());
    }

    void gridsThatFollowAMechanismBelongToItsStep() {
        AnalysisState state;
        test::open(state);
        SettingsHistory history(state);
        CurveGrid curves(state);
        settle();
        history.forget();
        (void)curves.setEpsilonText("1; 2");
        settle();
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        settle();
        QVERIFY(state.grid().epsilons != (std::vector<double>{1, 2}));
        QCOMPARE(history.stack().count(), 2);
        history.stack().undo();
        QVERIFY(state.mechanism().as<mechanism::Mahalanobis>());
        QCOMPARE(state.grid().epsilons, (std::vector<double>{1, 2}));
        QVERIFY(!curves.hasDefaultEpsilons());
        history.stack().undo();
        QVERIFY(curves.hasDefaultEpsilons());
    }

    /// However long the hand rests, on any slider of the window and on the lines of the plots.
    void aDragOfAnyControlOfTheWindowIsOneStep() {
        const auto window = std::make_unique<MainWindow>();
        window->state().setEmbedding(test::toyEmbedding(), nullptr);
        window->show();
        settle();
        QUndoStack& stack = window->history().stack();
        QVERIFY(!stack.canUndo());
        const auto drag = [&stack](auto& control, auto begin, auto move, auto end) {
            const int before = stack.count();
            begin();
            move(1);
            test::letPass(kLongerThanAStepMs);
            move(2);
            end();
            QVERIFY2(stack.count() - before == 1, qPrintable(control.objectName()));
        };
        const auto sliders = window->findChildren<ValueSlider*>();
        QCOMPARE(sliders.count(), 4);
        for (ValueSlider* slider : sliders) {
            const auto at = [slider](int step) {
                return QPoint(slider->width() * step / 4, slider->height() / 2);
            };
            drag(
                *slider, [&] { QTest::mousePress(slider, Qt::LeftButton, {}, at(3)); },
                [&](int step) { QTest::mouseMove(slider, at(step)); },
                [&] { QTest::mouseRelease(slider, Qt::LeftButton, {}, at(2)); });
        }
        for (const char* name : {"nwPlot", "swPlot", "utilityPlot", "riskPlot"}) {
            auto* plot = test::findControl<XyPlot>(*window, name);
            drag(
                *plot, [&] { Q_EMIT plot->dragStarted(); },
                [&](int step) { Q_EMIT plot->cursorMoved(window->state().epsilon() + step); },
                [&] { Q_EMIT plot->dragFinished(); });
        }
    }

    void quickKeysAreOneStepAndSlowOnesAreNot() {
        AnalysisState state;
        SettingsHistory history(state);
        for (const double epsilon : {3.0, 3.1, 3.2}) {
            state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
        }
        QCOMPARE(history.stack().count(), 1);
        test::letPass(kLongerThanAStepMs);
        state.edit(&AnalysisSettings::chooseEpsilon, 4.0);
        QCOMPARE(history.stack().count(), 2);
        history.stack().undo();
        QCOMPARE(state.epsilon(), 3.2);
        // A change after an undo is a step of its own and ends what could be redone.
        state.edit(&AnalysisSettings::chooseEpsilon, 5.0);
        QVERIFY(!history.stack().canRedo());
        history.stack().undo();
        QCOMPARE(state.epsilon(), 3.2);
    }

    /// Only numbers run through many values; whoever wants another seed twice means both.
    void quickActsAreStepsOfTheirOwn() {
        AnalysisState state;
        SettingsHistory history(state);
        state.edit(&AnalysisSettings::seed, 9);
        state.edit(&AnalysisSettings::seed, 10);
        state.edit(&AnalysisSettings::pinPresent);
        state.edit(&AnalysisSettings::pin, std::nullopt);
        QCOMPARE(history.stack().count(), 4);
        history.stack().undo();
        QVERIFY(state.pin().has_value());
    }

    void aGridThatFollowsAnEstimateIsNoStep() {
        AnalysisState state;
        test::open(state);
        CurveGrid curves(state);
        SettingsHistory history(state);
        const std::vector<double> before = state.grid().epsilons;
        state.edit(&AnalysisSettings::suggest, {40.0, 20.0, 90.0});
        QVERIFY(state.grid().epsilons != before);
        state.edit(&AnalysisSettings::largestDistance, 3.0);
        QCOMPARE(state.grid().gammas.back(), 3.0);
        QVERIFY(!history.stack().canUndo());
    }

    void whatTheProgramSetsIsNoStep() {
        AnalysisState state;
        SettingsHistory history(state);
        state.edit(&AnalysisSettings::draws, 50);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(!history.stack().canUndo());
        test::letPass(1);
        state.edit(&AnalysisSettings::suggest, {4.5, 1.0, 9.0});
        QCOMPARE(state.epsilon(), 4.5);
        QVERIFY(!history.stack().canUndo());
        test::letPass(1);
        state.edit(&AnalysisSettings::chooseEpsilon, 6.0);
        QCOMPARE(history.stack().count(), 1);
        history.stack().undo();
        QCOMPARE(state.epsilon(), 4.5);
        // It follows its default again.
        state.edit(&AnalysisSettings::suggest, {5.5, 1.0, 9.0});
        QCOMPARE(state.epsilon(), 5.5);
    }
};

EPSILENS_UI_TEST(SettingsHistoryTest)
#include "settings_history_test.moc"
