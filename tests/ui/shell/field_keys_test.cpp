#include "ui/shell/field_keys.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>

#include "core/calibration/recommend.h"
#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

namespace {

/// Longer than what may be waited for before a run, where timers hurry.
constexpr int kLateMs = 60;

/// Takes every key for itself, as fields under X11 do with those that Emacs knows.
template <typename Field>
class Greedy final : public Field {
public:
    using Field::Field;

protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride) {
            event->accept();
            return true;
        }
        return Field::event(event);
    }
};

}  // namespace

class FieldKeysTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        test::show(test::toyBall(60, 4), *m_window);
        m_window->tabs().setCurrentIndex(4);
        click("limitsToggleButton");
        state().edit(&AnalysisSettings::draws, 20);
        state().edit(&AnalysisSettings::limits, calibration::defaultLimits());
        QTRY_VERIFY_WITH_TIMEOUT(state().epsilonScale().low, kPatienceMs);
        test::letPass(1);  // what follows from new data is set, and no step
        m_window->history().forget();
    }
    void cleanup() { clean(); }

    void aRunTakesTheGridBeingTyped() {
        QTest::keyClick(&type("epsilonGridLineEdit", QStringLiteral("1; 2; 3")), Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(curves().result() != nullptr, kPatienceMs);
        QCOMPARE(curves().result()->options().grid.epsilons, (std::vector<double>{1, 2, 3}));
        QVERIFY(curves().staleness().isEmpty());
    }

    // Qt Test finds the data of a test by this name.
    // NOLINTNEXTLINE(readability-identifier-naming)
    void commandsTakeWhatIsBeingTyped_data() {
        QTest::addColumn<QByteArray>("command");
        for (const char* command : {"runAction", "pinAction", "copyCommandAction"}) {
            QTest::newRow(command) << QByteArray(command);
        }
    }
    void commandsTakeWhatIsBeingTyped() {
        QFETCH(const QByteArray, command);
        const auto given = [&](const char* field, const char* text) {
            type(field, QLatin1String(text));
            trigger(command);
            m_window->jobs().cancelAll();
            return state().settings();
        };
        QCOMPARE(given("drawsField", "33").draws, 33);
        QCOMPARE(given("seedField", "77").seed, std::uint64_t{77});
        QCOMPARE(given("wordCountField", "30").words.count, 30);
        QCOMPARE(given("limitsLineEdit", "nw.p95<=41%").limits.front().value, 41.0);
        QCOMPARE(given("epsilonField", "2.5").epsilon, 2.5);
        if (command == "pinAction") {
            QCOMPARE(state().pin()->epsilon, 2.5);
        }
    }

    // Qt Test finds the data of a test by this name.
    // NOLINTNEXTLINE(readability-identifier-naming)
    void nothingStartsWhileAFieldDoesNotTakeWhatWasTyped_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("inOrder");
        QTest::newRow("epsilon grid") << QByteArray("epsilonGridLineEdit") << "1; x"
                                      << "1";
        QTest::newRow("parameters") << QByteArray("parameterGridLineEdit") << "5"
                                    << "1";
        QTest::newRow("epsilon") << QByteArray("epsilonField") << "-1"
                                 << "1";
        QTest::newRow("draws") << QByteArray("drawsField") << "3"
                               << "30";
        QTest::newRow("seed") << QByteArray("seedField") << "1e6"
                              << "1";
        QTest::newRow("limit") << QByteArray("limitsLineEdit") << "many"
                               << "nw.p95<=40%";
    }
    void nothingStartsWhileAFieldDoesNotTakeWhatWasTyped() {
        QFETCH(const QByteArray, name);
        QFETCH(const QString, text);
        QFETCH(const QString, inOrder);
        find<QDockWidget>("setupDock").show();
        test::letPass(1);  // until what it holds has its places
        const QSignalSpy runs(&curves().runner(), &JobRunnerBase::started);
        QLineEdit& field = type(name, text);
        QTest::keyClick(&field, Qt::Key_F5);
        QTest::keyClick(&field, Qt::Key_D, Qt::ControlModifier);
        QApplication::clipboard()->clear();
        QTest::keyClick(&field, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        // Left behind, the text still is not what would be run.
        curves().setFocus();
        trigger("pinAction");
        QVERIFY(field.hasFocus());
        QVERIFY(!field.visibleRegion().isEmpty());
        QCOMPARE(field.text(), text);
        test::letPass(kLateMs);  // what a run costs may have to be known first
        QCOMPARE(runs.count(), 0);
        QVERIFY(!state().pin());
        QVERIFY(QApplication::clipboard()->text().isEmpty());
        // Typed anew, it is in order.
        type(name, inOrder);
        trigger("pinAction");
        QVERIFY(state().pin().has_value());
    }

    void everyWayToARunLeadsToTheGridThatIsNotTaken() {
        const QSignalSpy runs(&curves().runner(), &JobRunnerBase::started);
        const QLineEdit& field = type("epsilonGridLineEdit", QStringLiteral("1; x"));
        QTest::mouseClick(&find<QPushButton>("runPushButton"), Qt::LeftButton);
        QVERIFY(field.hasFocus());
        m_window->tabs().setCurrentIndex(3);
        auto& elsewhere = find<QPushButton>("reportRunPushButton");
        QTRY_VERIFY_WITH_TIMEOUT(elsewhere.isVisible(), kPatienceMs);
        elsewhere.click();
        QCOMPARE(m_window->tabs().currentIndex(), 4);
        QVERIFY(field.hasFocus());
        test::letPass(kLateMs);
        QCOMPARE(runs.count(), 0);
    }

    /// Pressed by its letter, a button does not take the focus from the field.
    void aButtonPressedByItsLetterTakesTheLimitBeingTyped() {
        QLineEdit& field = type("limitsLineEdit", QStringLiteral("nw.p95<=42%"));
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("findEpsilonButton").isEnabled(), kPatienceMs);
        QTest::keyClick(&field, Qt::Key_F, Qt::AltModifier);
        QCOMPARE(state().limits().front().value, 42.0);
        QTRY_VERIFY_WITH_TIMEOUT(isIdle(), kPatienceMs);
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
        JobRunner<int> job(QStringLiteral("job"), [](const Result<int>&) {});
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
        QTest::keyClick(&type("lambdaField", QStringLiteral("5")), Qt::Key_Escape);
        auto& pane = find<QDockWidget>("setupDock");
        trigger("detailsAction");
        QVERIFY(pane.isVisible() && pane.isAncestorOf(m_window->focusWidget()));
        QTest::keyClick(&type("drawsField", QStringLiteral("7")), Qt::Key_Escape);
        QVERIFY(pane.isVisible());
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QVERIFY(!pane.isVisible());
        QTRY_COMPARE(m_window->focusWidget(), &find<QWidget>("detailsButton"));
        test::letPass(30);
        QVERIFY(job.isRunning());
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY(!job.isRunning());
    }

    // Qt Test finds the data of a test by this name.
    // NOLINTNEXTLINE(readability-identifier-naming)
    void undoAfterTypingIsThatOfTheSettings_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("text");
        QTest::newRow("epsilon") << QByteArray("epsilonField") << "2.5";
        QTest::newRow("epsilon grid") << QByteArray("epsilonGridLineEdit") << "1; 2; 3";
        QTest::newRow("parameters") << QByteArray("parameterGridLineEdit") << "0.5";
        QTest::newRow("draws") << QByteArray("drawsField") << "33";
        QTest::newRow("seed") << QByteArray("seedField") << "77";
        QTest::newRow("words") << QByteArray("wordCountField") << "30";
        QTest::newRow("limit") << QByteArray("limitsLineEdit") << "nw.p95<=41%";
    }
    void undoAfterTypingIsThatOfTheSettings() {
        QFETCH(const QByteArray, name);
        QFETCH(const QString, text);
        // Rows of limits are made anew.
        const auto field = [&]() -> QLineEdit& { return find<QLineEdit>(name); };
        const QString before = field().text();
        QTest::keyClick(&type(name, text), Qt::Key_Return);
        QCOMPARE(m_window->history().stack().count(), 1);
        QTest::keyClick(&field(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!m_window->history().stack().canUndo());
        QCOMPARE(field().text(), before);
        QTest::keyClick(&field(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!m_window->history().stack().canRedo());
        QVERIFY(field().text() != before);
    }

    void undoWhileTypingIsThatOfTheField() {
        state().edit(&AnalysisSettings::draws, 50);
        QLineEdit& field = type("epsilonField", QStringLiteral("2.5"));
        QTest::keyClick(&field, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(field.text() != QStringLiteral("2.5"));
        QCOMPARE(state().draws(), 50);
        // In a spin box, too, and then it is of the settings.
        QSpinBox box(m_window->centralWidget());
        box.setValue(10);
        box.show();
        box.setFocus();
        box.selectAll();
        QTest::keyClick(&box, Qt::Key_7);
        QTest::keyClick(&box, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(state().draws(), 50);
        QVERIFY(box.text() != QStringLiteral("7"));
        QTest::keyClick(&box, Qt::Key_Return);
        box.setValue(12);
        QTest::keyClick(&box, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(state().draws(), 20);
    }

    /// Spin boxes have the focus for the lines within them.
    void shortcutsOfTheWindowActInFields() {
        Greedy<QLineEdit> field(m_window->centralWidget());
        Greedy<QSpinBox> box(m_window->centralWidget());
        for (QWidget* widget : {static_cast<QWidget*>(&field), static_cast<QWidget*>(&box)}) {
            widget->show();
            widget->setFocus();
            for (const auto& [name, key] :
                 {std::pair{"exportReportAction", Qt::Key_E}, std::pair{"pinAction", Qt::Key_D},
                  std::pair{"saveSessionAction", Qt::Key_S}}) {
                auto& action = find<QAction>(name);
                action.disconnect();
                const QSignalSpy triggered(&action, &QAction::triggered);
                QTest::keyClick(widget, key, Qt::ControlModifier);
                QCOMPARE(triggered.count(), 1);
            }
        }
        // What is no shortcut of the window stays with the field.
        field.setText(QStringLiteral("word"));
        QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(field.selectedText(), QStringLiteral("word"));
    }
};

EPSILENS_UI_TEST(FieldKeysTest)
#include "field_keys_test.moc"
