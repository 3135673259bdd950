#include <array>

#include "core/calibration/recommend.h"
#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

/// Longer than what may be waited for before a run, where timers hurry.
constexpr int kLateMs = 60;

/// Takes every key for itself, as fields under X11 do with those that Emacs knows.
class Greedy final : public QLineEdit {
public:
    using QLineEdit::QLineEdit;

protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride) {
            event->accept();
            return true;
        }
        return QLineEdit::event(event);
    }
};

struct Typed {
    const char* field;
    const char* taken;
    const char* refused;
};

/// What may be typed into the fields of the settings, and what may not.
constexpr std::array kFields{Typed{"epsilonGridLineEdit", "1; 2; 3", "1; x"},
                             Typed{"parameterGridLineEdit", "0.75", "5"},
                             Typed{"epsilonField", "2.5", "-1"},
                             Typed{"drawsField", "33", "3"},
                             Typed{"seedField", "77", "1e6"},
                             Typed{"wordCountField", "30", "1,5"}};

}  // namespace

/// Keys between the window and the fields in it.
class FieldKeysTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        show(test::toyBall(60, 4));
        tabs().setCurrentIndex(4);
        set(&AnalysisSettings::draws, 20);
        set(&AnalysisSettings::limits, calibration::defaultLimits());
        QTRY_VERIFY(state().epsilonScale().low);
        test::letPass(1);  // what follows from new data is set, and no step
        m_window->history().forget();
    }
    void cleanup() { clean(); }

    void commandsTakeWhatIsBeingTyped() {
        for (const char* command : {"runAction", "pinAction", "copyCommandAction"}) {
            const AnalysisSettings before = state().settings();
            for (const Typed& typed : kFields) {
                QTRY_VERIFY(find(typed.field).isEnabled());  // the grid is not during a run
                type(typed.field, typed.taken);
                click(command);
                m_window->jobs().cancelAll();
            }
            const AnalysisSettings& now = state().settings();
            QCOMPARE(now.grid.epsilons, (std::vector<double>{1, 2, 3}));
            QCOMPARE(now.grid.lambdas, std::vector<double>{0.75});
            QCOMPARE(now.epsilon, 2.5);
            QCOMPARE(now.draws, 33);
            QCOMPARE(now.seed, 77);
            QCOMPARE(now.words.count, 30);
            QVERIFY(command != QLatin1String("pinAction") || now.pin->epsilon == 2.5);
            set([&before](AnalysisSettings& settings) { settings = before; });
        }
    }

    // Qt Test finds the data of a test by this name.
    void nothingStartsWhileAFieldDoesNotTakeWhatWasTyped_data() {
        QTest::addColumn<int>("place");
        for (std::size_t place = 0; place < kFields.size(); ++place) {
            QTest::newRow(kFields.at(place).field) << static_cast<int>(place);
        }
    }
    void nothingStartsWhileAFieldDoesNotTakeWhatWasTyped() {
        QFETCH(const int, place);
        const Typed& typed = kFields.at(static_cast<std::size_t>(place));
        find("setupDock").show();
        test::letPass(1);  // until what it holds has its places
        const QSignalSpy runs(&curves().runner(), &JobRunnerBase::started);
        QWidget& field = type(typed.field, typed.refused);
        QTest::keyClick(&field, Qt::Key_F5);
        QTest::keyClick(&field, Qt::Key_D, Qt::ControlModifier);
        QApplication::clipboard()->clear();
        QTest::keyClick(&field, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        // Left behind, the text still is not what would be run.
        curves().setFocus();
        click("pinAction");
        QVERIFY(field.hasFocus() && !field.visibleRegion().isEmpty());
        QCOMPARE(text(typed.field), typed.refused);
        test::letPass(kLateMs);  // what a run costs may have to be known first
        QCOMPARE(runs.count(), 0);
        QVERIFY(!state().pin() && QApplication::clipboard()->text().isEmpty());
        // Typed anew, it is in order.
        type(typed.field, typed.taken);
        click("pinAction");
        QVERIFY(state().pin().has_value());
    }

    void everyWayToARunLeadsToTheGridThatIsNotTaken() {
        const QSignalSpy runs(&curves().runner(), &JobRunnerBase::started);
        const QWidget& field = type("epsilonGridLineEdit", "1; x");
        QTest::mouseClick(&find("runPushButton"), Qt::LeftButton);
        QVERIFY(field.hasFocus());
        tabs().setCurrentIndex(3);
        QTRY_VERIFY(isShown("reportRunPushButton"));
        click("reportRunPushButton");
        QCOMPARE(tabs().currentIndex(), 4);
        QVERIFY(field.hasFocus());
        test::letPass(kLateMs);
        QCOMPARE(runs.count(), 0);
    }

    void aButtonPressedByItsLetterTakesTheLimitBeingTyped() {
        tabs().setCurrentIndex(0);
        QWidget& field = type("keptLimitField", "42");
        QTRY_VERIFY(isEnabled("findEpsilonButton"));
        QTest::keyClick(&field, Qt::Key_F, Qt::AltModifier);
        QCOMPARE(state().limits().front().value, 42.0);
        QTRY_VERIFY(isIdle());
    }

    void returnPressesTheButtonInFocus() {
        QPushButton button(m_window->centralWidget());
        button.show();
        const QSignalSpy clicks(&button, &QPushButton::clicked);
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space}) {
            QTest::keyClick(&button, key);
        }
        QCOMPARE(clicks.count(), 3);
    }

    /// It ends the jobs of the window only where nothing nearer is to be closed or taken back.
    void escapeIsForWhatIsNearest() {
        JobRunner<int> job("job", [](const Result<int>&) {});
        m_window->jobs().watch(&job);
        job.start(test::untilStopped);
        QTRY_VERIFY(find<QAction>("cancelAction").isEnabled());
        auto& list = find<QComboBox>("mechanismComboBox");
        list.showPopup();
        QTRY_VERIFY(list.view()->isVisible());
        QTest::keyClick(list.view(), Qt::Key_Escape);
        QTRY_VERIFY(!list.view()->isVisible());
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(&type("lambdaField", "5"), Qt::Key_Escape);
        auto& pane = find("setupDock");
        click("detailsAction");
        QVERIFY(pane.isVisible() && pane.isAncestorOf(m_window->focusWidget()));
        QTest::keyClick(&type("drawsField", "7"), Qt::Key_Escape);
        QVERIFY(pane.isVisible());
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QVERIFY(!pane.isVisible());
        QTRY_COMPARE(focused(), "detailsButton");
        test::letPass(30);
        QVERIFY(job.isRunning());
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY(!job.isRunning());
    }

    void undoAfterTypingIsThatOfTheSettings() {
        for (const Typed& typed : kFields) {
            // Rows of limits are made anew.
            const auto field = [&]() -> QWidget& { return find(typed.field); };
            const QUndoStack& stack = m_window->history().stack();
            const int steps = stack.index();
            const QString before = text(typed.field);
            enter(typed.field, typed.taken);
            QCOMPARE(stack.index(), steps + 1);
            QTest::keyClick(&field(), Qt::Key_Z, Qt::ControlModifier);
            QCOMPARE(stack.index(), steps);
            QCOMPARE(text(typed.field), before);
            QTest::keyClick(&field(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
            QCOMPARE(stack.index(), steps + 1);
            QVERIFY(text(typed.field) != before);
            test::letPass(100);  // what follows is no part of this step
        }
    }

    void undoWhileTypingIsThatOfTheField() {
        set(&AnalysisSettings::draws, 50);
        QTest::keyClick(&type("epsilonField", "2.5"), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(text("epsilonField") != "2.5");
        QCOMPARE(state().draws(), 50);
    }

    void shortcutsOfTheWindowActInFields() {
        Greedy field(m_window->centralWidget());
        field.show();
        field.setFocus();
        for (const auto& [name, key] :
             {std::pair{"exportReportAction", Qt::Key_E}, std::pair{"pinAction", Qt::Key_D},
              std::pair{"saveSessionAction", Qt::Key_S}}) {
            auto& action = find<QAction>(name);
            action.disconnect();
            const QSignalSpy triggered(&action, &QAction::triggered);
            QTest::keyClick(&field, key, Qt::ControlModifier);
            QCOMPARE(triggered.count(), 1);
        }
        // What is no shortcut of the window stays with the field.
        field.setText("word");
        QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(field.selectedText(), "word");
    }
};

EPSILENS_UI_TEST(FieldKeysTest)
#include "fields_test.moc"
