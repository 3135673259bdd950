#include "ui/shell/field_keys.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTabWidget>
#include <QToolButton>

#include "core/engine/search_space.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/common/limit_state.h"
#include "ui/curves/curves_panel.h"
#include "ui/shell/window_factory.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

namespace {

constexpr int kPatienceMs = 20'000;

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
        findControl<QTabWidget>(*m_window, "tabs")->setCurrentIndex(1);
        findControl<QToolButton>(*m_window, "limitsToggleButton")->click();
        state().setDraws(20);
        QTRY_VERIFY_WITH_TIMEOUT(state().epsilonScale().low, kPatienceMs);
        QTest::qWait(1);  // what follows from new data is set, and no step
        m_window->history().forget();
    }
    void cleanup() { m_window.reset(); }

    void aRunTakesTheGridBeingTyped() {
        auto* curves = findControl<CurvesPanel>(*m_window, "curvesPanel");
        QLineEdit& grid = type("epsilonGridLineEdit", "1; 2; 3");
        QTest::keyClick(&grid, Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(curves->result() != nullptr, kPatienceMs);
        QCOMPARE(curves->result()->options.epsilons, (std::vector<double>{1, 2, 3}));
        QVERIFY(curves->model().staleness().isEmpty());
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
        QCOMPARE(m_window->limits().limits().front().value, 41.0);
    }

    void aPinHasTheEpsilonBeingTyped() {
        type("epsilonField", "2.5");
        findControl<QAction>(*m_window, "pinAction")->trigger();
        QCOMPARE(state().pins().pin()->epsilon, 2.5);
    }

    /// Pressed by its letter, a button does not take the focus from the field.
    void aButtonPressedByItsLetterTakesTheLimitBeingTyped() {
        QLineEdit& field = type("limit1ValueField", "42%");
        auto* find = findControl<QPushButton>(*m_window, "findEpsilonButton");
        QTRY_VERIFY_WITH_TIMEOUT(find->isEnabled(), kPatienceMs);
        QTest::keyClick(&field, Qt::Key_F, Qt::AltModifier);
        QCOMPARE(m_window->limits().limits().front().value, 42.0);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->jobs().runningCount() == 0, kPatienceMs);
    }

private:
    AnalysisState& state() { return m_window->state(); }

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
