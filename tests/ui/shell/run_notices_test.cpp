#include <QAction>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
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
    void changedSettingsAreToldOncePerChange() {
        QSettings().clear();
        const auto window = createWindow();
        window->resize(1200, 800);
        window->show();
        AnalysisState& state = window->state();
        const auto embedding = test::toyEmbedding(60, 4);
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
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
