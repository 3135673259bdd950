#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/toy_embedding.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

/// What the tabs say of results of other settings, while another run replaces them.
class RunNoticesTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        test::show(test::toyEmbedding(60, 4), *m_window);
    }
    void cleanup() { clean(); }

    /// The more important first, then what was done last in the tab in front.
    void oneNoticeIsShownAtATime() {
        auto& ofReport = *test::findControl<NoticeLine>(report(), "noticeLine");
        auto& staleness = find<NoticeLine>("reportStalenessLine");
        auto& ofWindow =
            *m_window->centralWidget()->findChild<NoticeLine*>({}, Qt::FindDirectChildrenOnly);
        const auto shown = [&] {
            QStringList texts;
            for (const NoticeLine* line : {&ofWindow, &ofReport, &staleness}) {
                if (!line->isHidden()) {
                    texts << line->text();
                }
            }
            return texts.join(QLatin1Char('|'));
        };
        const auto notice = [](const char* text, Severity severity = Severity::info) {
            return Notice{severity, QString::fromUtf8(text)};
        };
        m_window->tabs().setCurrentWidget(&report());
        m_window->present(notice("of the window"));
        QCOMPARE(shown(), QStringLiteral("of the window"));
        staleness.present(notice("old results"));
        QCOMPARE(shown(), QStringLiteral("old results"));
        ofReport.present(notice("written"));
        QCOMPARE(shown(), QStringLiteral("written"));
        m_window->present(notice("not opened", Severity::error));
        QCOMPARE(shown(), QStringLiteral("not opened"));
        ofWindow.clear();
        QCOMPARE(shown(), QStringLiteral("written"));
        ofReport.clear();
        QCOMPARE(shown(), QStringLiteral("old results"));
        m_window->present(notice("of the window"));
        QCOMPARE(shown(), QStringLiteral("old results"));
        // Those of another tab hide nothing.
        m_window->tabs().setCurrentWidget(&curves());
        QVERIFY(ofWindow.isVisible());
    }

    void changedSettingsAreToldOncePerChange() {
        // The grid follows the range of epsilon.
        QTRY_VERIFY_WITH_TIMEOUT(state().epsilonScale().low.has_value(), kPatienceMs);
        state().edit(&AnalysisSettings::draws, 20);
        const QSignalSpy results(&curves(), &CurvesPanel::resultChanged);
        const auto hasResult = [&](qsizetype count) {
            test::handleEventsUntil(
                [&] { return results.count() == count && !curves().isRunning(); }, kPatienceMs);
            return results.count() == count;
        };
        curves().run();
        QVERIFY(hasResult(1));
        for (const auto& [panel, name] : std::initializer_list<std::pair<Panel*, const char*>>{
                 {&curves(), "noticeLine"}, {&report(), "reportStalenessLine"}}) {
            m_window->tabs().setCurrentWidget(panel);
            auto* line = test::findControl<NoticeLine>(*panel, name);
            const QSignalSpy presented(line, &NoticeLine::presented);
            const auto before = results.count();
            state().edit(&AnalysisSettings::draws, state().draws() + 1);
            QTRY_VERIFY2_WITH_TIMEOUT(presented.count() == 1, name, kPatienceMs);
            QTest::mouseClick(line->findChild<QPushButton*>(), Qt::LeftButton);
            QVERIFY(hasResult(before + 1));
            QVERIFY(line->isHidden());
            QVERIFY2(presented.count() == 1, name);
        }
    }
};

EPSILENS_UI_TEST(RunNoticesTest)
#include "run_notices_test.moc"
