#include <QAction>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/report/report_panel.h"
#include "ui/shell/window_factory.h"
#include "ui/widgets/notice_line.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

/// What the tabs say of results of other settings, while another run replaces them.
class RunNoticesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The more important first, then what was done last in the tab in front.
    void oneNoticeIsShownAtATime() {
        QSettings().clear();
        const auto window = createWindow();
        window->resize(1200, 800);
        window->show();
        const auto embedding = test::toyEmbedding(60, 4);
        window->state().setEmbedding(embedding,
                                     std::make_shared<const engine::SearchSpace>(embedding));
        auto* report = findControl<ReportPanel>(*window, "reportPanel");
        auto* curves = findControl<CurvesPanel>(*window, "curvesPanel");
        auto* tabs = findControl<QTabWidget>(*window, "tabs");
        auto* ofReport = report->findChild<NoticeLine*>(QStringLiteral("noticeLine"));
        auto* staleness = report->findChild<NoticeLine*>(QStringLiteral("reportStalenessLine"));
        auto* ofWindow =
            window->centralWidget()->findChild<NoticeLine*>(QString(), Qt::FindDirectChildrenOnly);
        const auto shown = [&] {
            QStringList texts;
            for (const NoticeLine* line : {ofWindow, ofReport, staleness}) {
                if (!line->isHidden()) {
                    texts << line->text();
                }
            }
            return texts.join(QLatin1Char('|'));
        };
        tabs->setCurrentWidget(report);
        window->present({Severity::info, QStringLiteral("of the window"), {}, true});
        QCOMPARE(shown(), QStringLiteral("of the window"));
        staleness->present({Severity::info, QStringLiteral("old results"), {}, true});
        QCOMPARE(shown(), QStringLiteral("old results"));
        ofReport->present({Severity::info, QStringLiteral("written"), {}, true});
        QCOMPARE(shown(), QStringLiteral("written"));
        window->present({Severity::error, QStringLiteral("not opened"), {}, true});
        QCOMPARE(shown(), QStringLiteral("not opened"));
        ofWindow->clear();
        QCOMPARE(shown(), QStringLiteral("written"));
        ofReport->clear();
        QCOMPARE(shown(), QStringLiteral("old results"));
        window->present({Severity::info, QStringLiteral("of the window"), {}, true});
        QCOMPARE(shown(), QStringLiteral("old results"));
        // Those of another tab hide nothing.
        tabs->setCurrentWidget(curves);
        QVERIFY(ofWindow->isVisible());
    }

    void changedSettingsAreToldOncePerChange() {
        QSettings().clear();
        const auto window = createWindow();
        window->resize(1200, 800);
        window->show();
        AnalysisState& state = window->state();
        const auto embedding = test::toyEmbedding(60, 4);
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        // The grid follows the range of epsilon.
        QTRY_VERIFY_WITH_TIMEOUT(state.epsilonScale().low.has_value(), kPatienceMs);
        state.edit(&AnalysisSettings::draws, 20);
        auto* curves = findControl<CurvesPanel>(*window, "curvesPanel");
        const QSignalSpy results(curves, &CurvesPanel::resultChanged);
        curves->run();
        QTRY_COMPARE_WITH_TIMEOUT(results.count(), 1, kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!curves->runner()->isRunning(), kPatienceMs);
        for (const char* name : {"curvesPanel", "reportPanel"}) {
            auto* panel = findControl<Panel>(*window, name);
            findControl<QTabWidget>(*window, "tabs")->setCurrentWidget(panel);
            auto* line =
                panel->findChild<NoticeLine*>(panel->objectName() == QStringLiteral("reportPanel")
                                                  ? QStringLiteral("reportStalenessLine")
                                                  : QStringLiteral("noticeLine"));
            QVERIFY(line != nullptr);
            const QSignalSpy presented(line, &NoticeLine::presented);
            const auto before = results.count();
            state.edit(&AnalysisSettings::draws, state.draws() + 1);
            QTRY_VERIFY2_WITH_TIMEOUT(presented.count() == 1, name, kPatienceMs);
            QTest::mouseClick(line->findChild<QPushButton*>(), Qt::LeftButton);
            QTRY_COMPARE_WITH_TIMEOUT(results.count(), before + 1, kPatienceMs);
            QTRY_VERIFY_WITH_TIMEOUT(!curves->runner()->isRunning(), kPatienceMs);
            QVERIFY(line->isHidden());
            QVERIFY2(presented.count() == 1, name);
        }
    }
};

EPSILENS_UI_TEST(RunNoticesTest)
#include "run_notices_test.moc"
