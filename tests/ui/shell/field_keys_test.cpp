#include "ui/shell/field_keys.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QToolButton>

#include "core/calibration/recommend.h"
#include "core/engine/search_space.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/shell/window_factory.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

namespace {

/// Longer than what may be waited for before a run, where timers hurry.
constexpr int kLateMs = 60;

/// Takes every key for itself, as fields under X11 do with those that Emacs knows.
class GreedyField final : public QLineEdit {
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

class GreedySpinBox final : public QSpinBox {
public:
    using QSpinBox::QSpinBox;

protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride) {
            event->accept();
            return true;
        }
        return QSpinBox::event(event);
    }
};

}  // namespace

class FieldKeysTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_window = createWindow();
        m_window->resize(1200, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        const auto embedding = test::toyBall(60, 4);
        state().setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        Q_EMIT m_window->findChild<EmbeddingLoader*>()->opened(EmbeddingLoader::sampleName());
        findControl<QTabWidget>(*m_window, "tabs")->setCurrentIndex(4);
        findControl<QToolButton>(*m_window, "limitsToggleButton")->click();
        state().edit(&AnalysisSettings::draws, 20);
        state().edit(&AnalysisSettings::limits, calibration::defaultLimits());
        QTRY_VERIFY_WITH_TIMEOUT(state().epsilonScale().low, kPatienceMs);
        test::letPass(1);  // what follows from new data is set, and no step
        m_window->history().forget();
    }
    void cleanup() { m_window.reset(); }

    void aRunTakesTheGridBeingTyped() {
        QLineEdit& grid = type("epsilonGridLineEdit", "1; 2; 3");
        QTest::keyClick(&grid, Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(curves().result() != nullptr, kPatienceMs);
        QCOMPARE(curves().result()->options().grid.epsilons, (std::vector<double>{1, 2, 3}));
        QVERIFY(curves().model().staleness().isEmpty());
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
        auto* action = findControl<QAction>(*m_window, command.constData());
        type("drawsField", "33");
        action->trigger();
        QCOMPARE(state().draws(), 33);
        m_window->jobs().cancelAll();
        type("seedField", "77");
        action->trigger();
        QCOMPARE(state().seed(), std::uint64_t{77});
        m_window->jobs().cancelAll();
        type("wordCountField", "30");
        action->trigger();
        QCOMPARE(state().words().count, 30);
        m_window->jobs().cancelAll();
        type("limit1ValueField", "41%");
        action->trigger();
        QCOMPARE(m_window->state().limits().front().value, 41.0);
    }

    // Qt Test finds the data of a test by this name.
    // NOLINTNEXTLINE(readability-identifier-naming)
    void nothingStartsWhileAFieldDoesNotTakeWhatWasTyped_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("epsilon grid") << QByteArray("epsilonGridLineEdit") << QByteArray("1; x");
        QTest::newRow("parameters") << QByteArray("parameterGridLineEdit") << QByteArray("5");
        QTest::newRow("epsilon") << QByteArray("epsilonField") << QByteArray("-1");
        QTest::newRow("draws") << QByteArray("drawsField") << QByteArray("3");
        QTest::newRow("seed") << QByteArray("seedField") << QByteArray("1e6");
        QTest::newRow("limit") << QByteArray("limit1ValueField") << QByteArray("many");
    }

    void nothingStartsWhileAFieldDoesNotTakeWhatWasTyped() {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, text);
        findControl<QDockWidget>(*m_window, "setupDock")->show();
        const QSignalSpy runs(curves().runner(), &JobRunnerBase::started);
        QLineEdit& field = type(name, text);
        QTest::keyClick(&field, Qt::Key_F5);
        QTest::keyClick(&field, Qt::Key_D, Qt::ControlModifier);
        QApplication::clipboard()->clear();
        QTest::keyClick(&field, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        // Left behind, the text still is not what would be run.
        curves().setFocus();
        findControl<QAction>(*m_window, "pinAction")->trigger();
        QVERIFY(field.hasFocus());
        QVERIFY(!field.visibleRegion().isEmpty());
        QCOMPARE(field.text(), QLatin1String(text));
        test::letPass(kLateMs);  // what a run costs may have to be known first
        QCOMPARE(runs.count(), 0);
        QVERIFY(!state().pin());
        QVERIFY(QApplication::clipboard()->text().isEmpty());
        // Typed anew, it is in order.
        type(name, name == "limit1ValueField" ? "40%" : name == "drawsField" ? "30" : "1");
        findControl<QAction>(*m_window, "pinAction")->trigger();
        QVERIFY(state().pin().has_value());
    }

    void everyWayToARunLeadsToTheGridThatIsNotTaken() {
        const QSignalSpy runs(curves().runner(), &JobRunnerBase::started);
        auto* tabs = findControl<QTabWidget>(*m_window, "tabs");
        QLineEdit& field = type("epsilonGridLineEdit", "1; x");
        QTest::mouseClick(findControl<QPushButton>(curves(), "runPushButton"), Qt::LeftButton);
        QVERIFY(field.hasFocus());
        tabs->setCurrentIndex(3);
        auto* elsewhere = findControl<QPushButton>(*m_window, "reportRunPushButton");
        QTRY_VERIFY_WITH_TIMEOUT(elsewhere->isVisible(), kPatienceMs);
        elsewhere->click();
        QCOMPARE(tabs->currentIndex(), 4);
        QVERIFY(field.hasFocus());
        test::letPass(kLateMs);
        QCOMPARE(runs.count(), 0);
    }

    void aPinHasTheEpsilonBeingTyped() {
        type("epsilonField", "2.5");
        findControl<QAction>(*m_window, "pinAction")->trigger();
        QCOMPARE(state().pin()->epsilon, 2.5);
    }

    /// Pressed by its letter, a button does not take the focus from the field.
    void aButtonPressedByItsLetterTakesTheLimitBeingTyped() {
        QLineEdit& field = type("limit1ValueField", "42%");
        auto* find = findControl<QPushButton>(*m_window, "findEpsilonButton");
        QTRY_VERIFY_WITH_TIMEOUT(find->isEnabled(), kPatienceMs);
        QTest::keyClick(&field, Qt::Key_F, Qt::AltModifier);
        QCOMPARE(m_window->state().limits().front().value, 42.0);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->jobs().runningCount() == 0, kPatienceMs);
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

    void escapeInThePaneOfTheDetailsOnlyClosesIt() {
        JobRunner<int> job(QStringLiteral("job"), [](const Result<int>&) {});
        m_window->jobs().watch(&job);
        job.start(test::untilStopped);
        auto* pane = findControl<QDockWidget>(*m_window, "setupDock");
        findControl<QAction>(*m_window, "detailsAction")->trigger();
        QVERIFY(pane->isVisible() && pane->isAncestorOf(m_window->focusWidget()));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QVERIFY(!pane->isVisible());
        QVERIFY(job.isRunning());
        QTRY_COMPARE(m_window->focusWidget(), findControl<QWidget>(*m_window, "detailsButton"));
        QTest::keyClick(m_window->focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY(!job.isRunning());
    }

    // Qt Test finds the data of a test by this name.
    // NOLINTNEXTLINE(readability-identifier-naming)
    void undoAfterTypingIsThatOfTheSettings_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("epsilon") << QByteArray("epsilonField") << QByteArray("2.5");
        QTest::newRow("epsilon grid") << QByteArray("epsilonGridLineEdit") << QByteArray("1; 2; 3");
        QTest::newRow("parameters") << QByteArray("parameterGridLineEdit") << QByteArray("0.5");
        QTest::newRow("draws") << QByteArray("drawsField") << QByteArray("33");
        QTest::newRow("seed") << QByteArray("seedField") << QByteArray("77");
        QTest::newRow("words") << QByteArray("wordCountField") << QByteArray("30");
        QTest::newRow("limit") << QByteArray("limit1ValueField") << QByteArray("41%");
    }

    void undoAfterTypingIsThatOfTheSettings() {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, text);
        const QString before = findControl<QLineEdit>(*m_window, name)->text();
        QLineEdit& field = type(name, text);
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(m_window->history().stack().count(), 1);
        QTest::keyClick(&field, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!m_window->history().stack().canUndo());
        // Rows of limits are made anew.
        QCOMPARE(findControl<QLineEdit>(*m_window, name)->text(), before);
        auto* after = findControl<QLineEdit>(*m_window, name);
        QTest::keyClick(after, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!m_window->history().stack().canRedo());
        QVERIFY(findControl<QLineEdit>(*m_window, name)->text() != before);
    }

    void undoWhileTypingIsThatOfTheField() {
        state().edit(&AnalysisSettings::draws, 50);
        const int steps = m_window->history().stack().index();
        QLineEdit& field = type("epsilonField", "2.5");
        QTest::keyClick(&field, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(field.text() != QStringLiteral("2.5"));
        QCOMPARE(m_window->history().stack().index(), steps);
        QCOMPARE(state().draws(), 50);
    }

    void shortcutsOfTheWindowActInFields() {
        GreedyField field(m_window->centralWidget());
        field.show();
        field.setFocus();
        for (const auto& [name, key] :
             {std::pair{"exportReportAction", Qt::Key_E}, std::pair{"pinAction", Qt::Key_D},
              std::pair{"saveSessionAction", Qt::Key_S}}) {
            auto* action = findControl<QAction>(*m_window, name);
            action->disconnect();
            QSignalSpy triggered(action, &QAction::triggered);
            QTest::keyClick(&field, key, Qt::ControlModifier);
            QCOMPARE(triggered.count(), 1);
        }
        // What is no shortcut of the window stays with the field.
        field.setText(QStringLiteral("word"));
        QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(field.selectedText(), QStringLiteral("word"));
    }

    void numbersOfSpaceAreTakenBeforeAPin() {
        for (const auto& [name, typed] :
             {std::pair{"pointsSpinBox", 700}, std::pair{"labelsSpinBox", 7},
              std::pair{"spaceDrawsSpinBox", 70}}) {
            QSpinBox& box = typeNumber(name, typed);
            QVERIFY(box.hasFocus());
            findControl<QAction>(*m_window, "pinAction")->trigger();
            QCOMPARE(box.value(), typed);
        }
    }

    /// Spin boxes have the focus for the lines within them, which take such keys under X11.
    void shortcutsOfTheWindowActInSpinBoxes() {
        GreedySpinBox box(m_window->centralWidget());
        box.show();
        box.setFocus();
        auto* action = findControl<QAction>(*m_window, "exportReportAction");
        action->disconnect();
        action->setEnabled(true);
        const QSignalSpy triggered(action, &QAction::triggered);
        QTest::keyClick(&box, Qt::Key_E, Qt::ControlModifier);
        QCOMPARE(triggered.count(), 1);
    }

    void undoInASpinBoxIsOfItsTypingAndThenOfTheSettings() {
        state().edit(&AnalysisSettings::draws, 50);
        QSpinBox& box = typeNumber("labelsSpinBox", 7);
        QTest::keyClick(&box, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(state().draws(), 50);
        QVERIFY(box.text() != QStringLiteral("7"));
        QTest::keyClick(&box, Qt::Key_Return);
        box.setValue(12);
        QTest::keyClick(&box, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(state().draws(), 20);
    }

private:
    AnalysisState& state() { return m_window->state(); }
    CurvesPanel& curves() { return *findControl<CurvesPanel>(*m_window, "curvesPanel"); }

    QSpinBox& typeNumber(const char* name, int number) {
        findControl<QTabWidget>(*m_window, "tabs")->setCurrentIndex(5);
        auto* box = findControl<QSpinBox>(*m_window, name);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QString::number(number));
        return *box;
    }

    QLineEdit& type(const char* name, const char* text) {
        auto* field = findControl<QLineEdit>(*m_window, name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QLatin1String(text));
        return *field;
    }

    std::unique_ptr<MainWindow> m_window;
};

EPSILENS_UI_TEST(FieldKeysTest)
#include "field_keys_test.moc"
