#include <utility>
#include <vector>

#include "core/calibration/recommend.h"
#include "tests/ui/support/state_driver.h"
#include "ui/curves/curve_grid.h"
#include "ui/plot/xy_plot.h"
#include "ui/shell/main_window.h"
#include "ui/state/settings_history.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

constexpr int kLongerThanAStepMs = 100;  // 70 ms where timers hurry
const EpsilonScale kFoundScale{4.5, 1.0, 9.0};

/// Settings without a window, and the steps back over them.
struct History : test::Stated {
    SettingsHistory history{state};
    QUndoStack& stack = history.stack();

    void suggest(const EpsilonScale& scale) { state.edit(&AnalysisSettings::suggest, scale); }
};

/// Lets what follows from a change happen, and end.
void settle() {
    test::letPass(1);
}

}  // namespace

class SettingsHistoryTest : public QObject {
    Q_OBJECT

    using Settings = AnalysisSettings;

private Q_SLOTS:
    /// Every control of the design is one step with a name, whose undo puts all back.
    void everyControlIsAStepOfItsOwn() {
        using Kind = calibration::WordSelection::Kind;
        const std::vector<std::pair<const char*, void (*)(Settings&)>> controls{
            {"mechanism", [](Settings& s) { s.chooseMechanism(mechanism::Tem()); }},
            {"metric",
             [](Settings& s) { s.setParameters({.metric = metric::Metric::mahalanobis}); }},
            {"λ", [](Settings& s) { s.setParameters({.lambda = 0.9}); }},
            {"β", [](Settings& s) { s.setParameters({.beta = 0.25}); }},
            {"how γ is given", [](Settings& s) { s.mechanism.gammaGiven = true; }},
            {"γ", [](Settings& s) { s.setParameters({.gamma = 3.5}); }},
            {"ε", [](Settings& s) { s.chooseEpsilon(3.0); }},
            {"mechanism", [](Settings& s) { s.chooseMechanism(mechanism::Hyperbolic()); }},
            {"noise", [](Settings& s) { s.setParameters({.law = mechanism::RadialLaw::eq7}); }},
            {"draws", [](Settings& s) { s.draws = 50; }},
            {"words",
             [](Settings& s) {
                 s.words = {Kind::list, 0, {1, 2}};
             }},
            {"seed", [](Settings& s) { s.seed = 9; }},
            {"band", [](Settings& s) { s.band.low = 25; }},
            {"unknown words",
             [](Settings& s) { s.textPolicies.unknownWords = release::UnknownPolicy::keep; }},
            {"letter case",
             [](Settings& s) { s.textPolicies.letterCase = text::CasePolicy::lower; }},
            {"grid of ε", [](Settings& s) { s.grid.epsilons.push_back(5.0); }},
            {"grid of λ", [](Settings& s) { s.grid.lambdas = {0.5}; }},
            {"grid of β", [](Settings& s) { s.grid.betas = {0.5}; }},
            {"grid of γ", [](Settings& s) { s.grid.gammas.push_back(3.0); }},
            {"pinned settings", [](Settings& s) { s.pinPresent(); }},
            {"limits", [](Settings& s) { s.limits = calibration::defaultLimits(); }},
            {"limits on texts", [](Settings& s) { s.figureLimits.resize(1); }}};
        History f;
        f.suggest(kFoundScale);
        std::vector<Settings> states{f.state.settings()};
        for (const auto& [name, change] : controls) {
            f.state.edit(change);
            states.push_back(f.state.settings());
            QCOMPARE(f.stack.count(), static_cast<int>(states.size()) - 1);
            QCOMPARE(f.stack.undoText(), name);
        }
        for (std::size_t i = controls.size(); i-- > 0;) {
            QCOMPARE(f.stack.undoText(), QString::fromUtf8(controls[i].first));
            f.stack.undo();
            QVERIFY2(f.state.settings() == states[i], controls[i].first);
        }
        QVERIFY(!f.stack.canUndo());
        for (std::size_t i = 1; i < states.size(); ++i) {
            f.stack.redo();
            QVERIFY2(f.state.settings() == states[i], controls[i - 1].first);
        }
    }

    /// A list of words comes back with what the report says of it.
    void anUndoneListHasItsSourceAgain() {
        History f;
        const auto choose = [&](embedding::Row row, const char* file) {
            f.state.edit([&](Settings& settings) {
                settings.chooseWords({calibration::WordSelection::Kind::list, 0, {row}},
                                     calibration::SelectionDescription{.dataFile = file});
            });
        };
        const auto file = [&] { return f.state.settings().wordsFrom().value().dataFile; };
        choose(1, "first.tsv");
        choose(2, "second.tsv");
        f.stack.undo();
        QCOMPARE(f.state.words().rows, std::vector<embedding::Row>{1});
        QCOMPARE(file(), std::string("first.tsv"));
        f.stack.redo();
        QCOMPARE(file(), std::string("second.tsv"));
        f.stack.setIndex(0);
        QVERIFY(!f.state.settings().wordsFrom());
    }

    /// In another unit what was found out about epsilon since then means nothing.
    void anUndoneMechanismHasItsEpsilonAgain() {
        History f;
        f.chooseEpsilon(3.0);
        f.choose(mechanism::Tem());
        f.suggest({70.0, 40.0, 90.0});
        QCOMPARE(f.state.epsilon(), 70.0);
        f.stack.undo();
        QCOMPARE(f.state.epsilon(), 3.0);
        QVERIFY(f.state.epsilonScale() == EpsilonScale());
    }

    /// And what it found out after a step stays when the step is undone.
    void whatTheProgramSetsIsNoStep() {
        History f;
        f.state.edit(&Settings::seed, 9);
        f.state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(!f.stack.canUndo());
        settle();
        f.state.edit(&Settings::draws, 50);
        settle();
        f.suggest(kFoundScale);
        settle();
        QCOMPARE(f.stack.count(), 1);
        f.stack.undo();
        QCOMPARE(f.state.draws(), 100);
        QVERIFY(f.state.epsilon() == 4.5 && f.state.epsilonScale() == kFoundScale);
        f.chooseEpsilon(6.0);
        QCOMPARE(f.stack.count(), 1);
        f.stack.undo();
        QCOMPARE(f.state.epsilon(), 4.5);
        // It follows its default again.
        f.suggest({5.5, 1.0, 9.0});
        QCOMPARE(f.state.epsilon(), 5.5);
    }

    /// One that follows an estimate is no step.
    void gridsThatFollowAMechanismBelongToItsStep() {
        History f;
        f.open();
        CurveGrid curves(f.state);
        settle();
        f.history.forget();
        const std::vector<double> before = f.state.grid().epsilons;
        f.suggest({40.0, 20.0, 90.0});
        f.state.edit(&Settings::largestDistance, 3.0);
        const std::vector<double> usual = f.state.grid().epsilons;
        QVERIFY(usual != before);
        QCOMPARE(f.state.grid().gammas.back(), 3.0);
        QVERIFY(!f.stack.canUndo());
        (void)curves.setEpsilonText("1; 2");
        settle();
        f.choose(mechanism::Tem());
        settle();
        QVERIFY(f.state.grid().epsilons != (std::vector<double>{1, 2}));
        QCOMPARE(f.stack.count(), 2);
        f.stack.undo();
        QVERIFY(f.state.mechanism().as<mechanism::Mahalanobis>());
        QCOMPARE(f.state.grid().epsilons, (std::vector<double>{1, 2}));
        f.stack.undo();
        QCOMPARE(f.state.grid().epsilons, usual);
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
        History f;
        for (const double epsilon : {3.0, 3.1, 3.2}) {
            f.chooseEpsilon(epsilon);
        }
        QCOMPARE(f.stack.count(), 1);
        test::letPass(kLongerThanAStepMs);
        f.chooseEpsilon(4.0);
        QCOMPARE(f.stack.count(), 2);
        f.stack.undo();
        QCOMPARE(f.state.epsilon(), 3.2);
        // A change after an undo is a step of its own and ends what could be redone.
        f.chooseEpsilon(5.0);
        QVERIFY(!f.stack.canRedo());
        f.stack.undo();
        QCOMPARE(f.state.epsilon(), 3.2);
    }

    /// Only numbers run through many values; whoever wants another seed twice means both.
    void quickActsAreStepsOfTheirOwn() {
        History f;
        f.state.edit(&Settings::seed, 9);
        f.state.edit(&Settings::seed, 10);
        f.state.edit(&Settings::pinPresent);
        f.state.edit(&Settings::pin, std::nullopt);
        QCOMPARE(f.stack.count(), 4);
        f.stack.undo();
        QVERIFY(f.state.pin().has_value());
    }
};

EPSILENS_UI_TEST(SettingsHistoryTest)
#include "history_test.moc"
