#include "ui/shell/pin_actions.h"

#include <QAction>
#include <QLabel>
#include <QSettings>
#include <QToolButton>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/report/report_panel.h"
#include "ui/shell/session_translator.h"
#include "ui/shell/window_factory.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

class PinActionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        m_window = createWindow();
        m_window->resize(960, 600);
        m_window->show();
    }
    void cleanupTestCase() { m_window.reset(); }

    void thereIsNothingToPinWithoutAnEmbedding() {
        QVERIFY(!m_window->actions().pin->isEnabled());
        QVERIFY(!m_window->actions().unpin->isEnabled());
        QVERIFY(!findControl<QToolButton>(*m_window, "unpinButton")->isVisible());
    }

    void pinsAndUnpinsAndUndoes() {
        AnalysisState& state = m_window->state();
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        // What follows from the data is no step, so it has to be there first.
        QTRY_VERIFY(state.epsilonScale().low.has_value());
        test::letPass(10);
        state.edit(&AnalysisSettings::chooseEpsilon, 12.0);
        QCOMPARE(m_window->actions().pin->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_D));
        m_window->actions().pin->trigger();
        auto* label = findControl<QLabel>(*m_window, "summaryPinLabel");
        auto* button = findControl<QToolButton>(*m_window, "unpinButton");
        QVERIFY(label->isVisible() && button->isVisible());
        QCOMPARE(label->text(), QStringLiteral("pinned: Mahalanobis λ 0.50, ε 12.0"));
        QVERIFY(findControl<QWidget>(*m_window, "settingBar")
                    ->accessibleName()
                    .contains(label->text()));
        QVERIFY(button->height() >= 24 && button->width() >= 24);
        button->click();
        QVERIFY(!label->isVisible() && !state.pin());
        QVERIFY(!m_window->actions().unpin->isEnabled());
        m_window->actions().undo->trigger();
        QVERIFY(label->isVisible() && m_window->actions().unpin->isEnabled());
        m_window->actions().undo->trigger();
        QVERIFY(!state.pin());
        m_window->actions().redo->trigger();
        QVERIFY(state.pin().has_value());
    }

    /// What sessions save, and what they put back.
    void sessionsKeepPins() {
        AnalysisState& state = m_window->state();
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        state.edit(&AnalysisSettings::setParameters, {.metric = metric::Metric::angular});
        state.edit([](AnalysisSettings& settings) { settings.mechanism.gammaGiven = true; });
        state.edit(&AnalysisSettings::setParameters, {.gamma = 0.75});
        state.edit(&AnalysisSettings::pinPresent);
        const mechanism::Setting pin = *state.pin();
        ReportDraft& draft = m_window->findChild<ReportPanel*>()->draft();
        const auto text = document::sessionJson(sessionOf(state, draft));
        document::Session session = document::readSession(text).value();
        state.edit(&AnalysisSettings::pin, std::nullopt);
        applySettings(session, state);
        QVERIFY(state.pin() == pin);
        // The toy vectors lie outside the ball: nothing hyperbolic can be compared on them.
        session.pins.front().mechanism = mechanism::Hyperbolic();
        applySettings(session, state);
        QVERIFY(!state.pin());
    }

    void limitsAreUndoneInTheReportToo() {
        AnalysisState& state = m_window->state();
        const ReportDraft& draft = m_window->findChild<ReportPanel*>()->draft();
        const std::vector before{*calibration::parseLimit("nw.p95<=50%")};
        state.edit(&AnalysisSettings::limits, before);
        test::letPass(1);
        const auto stricter = *calibration::parseLimit("sw.p5>=7");
        state.edit(&AnalysisSettings::limits, {stricter});
        QVERIFY(draft.settings().limits == std::vector{stricter});
        m_window->actions().undo->trigger();
        QVERIFY(draft.settings().limits == before);
    }

private:
    std::unique_ptr<MainWindow> m_window;
};

EPSILENS_UI_TEST(PinActionsTest)
#include "pin_actions_test.moc"
