#include <algorithm>

#include <QFile>
#include <QLabel>
#include <QTabWidget>
#include <QTableView>

#include "core/document/report_document.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/support/ui_test.h"
#include "ui/setup/setup_panel.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/limits_model.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

/// Whatever epsilon is chosen, all of the window speaks of that one and of the same words.
class ChosenEpsilonTest : public QObject, private test::SessionWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        load();
    }
    void cleanup() { clean(); }

    void wordsReportAndStripAgreeAtAnyEpsilon() {
        AnalysisState& state = m_window->state();
        state.edit(&AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=50%")});
        run();
        const auto& measurement = m_window->measurement();
        QTRY_VERIFY_WITH_TIMEOUT(measurement.isCurrent(), kPatienceMs);
        QCOMPARE(measurement.result()->options().words, state.words());
        auto* search = m_window->findChild<LimitsModel*>();
        QTRY_VERIFY_WITH_TIMEOUT(search->spans() != nullptr, kPatienceMs);
        search->findEpsilon();
        const double found = state.epsilon();
        const auto& grid = report()->draft().run()->summary->grid.epsilons;
        QVERIFY(std::find(grid.begin(), grid.end(), found) == grid.end());
        QVERIFY(areAllAbout(found, true));
        // It is the largest one, so that a little more is too much.
        state.edit(&AnalysisSettings::chooseEpsilon, found * 1.002);
        QVERIFY(areAllAbout(found * 1.002, false));
    }

    void anotherMechanismSaysThatItGoesBackToTheDefault() {
        AnalysisState& state = m_window->state();
        const auto* status = findControl<QLabel>(*m_window, "statusLabel");
        state.edit(&AnalysisSettings::choose, mechanism::Mechanism(mechanism::Tem()));
        QVERIFY(!status->text().contains(QStringLiteral("default again")));
        state.edit(&AnalysisSettings::chooseEpsilon, 3.0);
        state.edit(&AnalysisSettings::choose, mechanism::Mechanism(mechanism::Laplace()));
        QTRY_VERIFY_WITH_TIMEOUT(status->text().contains(QStringLiteral("default again")),
                                 kPatienceMs);
        m_window->history().stack().undo();
        QCOMPARE(state.epsilon(), 3.0);
    }

    /// Until others are chosen, they are the first of the vocabulary, which gives no text away.
    void theTwoWordsOfTheBeginningAreNotLeftOut() {
        QVERIFY(report()->draft().pair().has_value());
        QVERIFY(!report()->draft().hidesPair());
        m_window->findChild<SetupPanel*>()->guarantee().setWords(QStringLiteral("w7"),
                                                                 QStringLiteral("w9"));
        QVERIFY(report()->draft().hidesPair());
    }

    void resultsOfOtherSettingsAreNotExported() {
        run();
        exportTo("current.html");
        QVERIFY(QFile::exists(path("current.html")));
        auto* action = findControl<QAction>(*m_window, "exportReportAction");
        m_window->state().edit(&AnalysisSettings::choose, mechanism::Mechanism(mechanism::Tem()));
        QVERIFY(report()->draft().isOutdated());
        QVERIFY(!findControl<QWidget>(*m_window, "reportExportPushButton")->isEnabled());
        QVERIFY(!findControl<QWidget>(*m_window, "reportPreview")->isEnabled());
        action->trigger();
        report()->draft().exportTo(path("outdated.html"));
        QTest::qWait(50);
        QVERIFY(!QFile::exists(path("outdated.html")));
    }

private:
    /// Strip, Words and an exported report name this epsilon and hold it to the limit alike.
    bool areAllAbout(double epsilon, bool isMet) {
        auto* strip = findControl<QLabel>(*m_window, "summaryLimitsLabel");
        auto* status = findControl<QLabel>(*m_window, "wordsStatusLabel");
        const QString shown = QStringLiteral("ε %1,").arg(shortest(epsilon));
        const QString verdict =
            isMet ? QStringLiteral("limits 1/1 ✓") : QStringLiteral("limits 0/1 ✗");
        test::handleEventsUntil(
            [&] { return status->text().contains(shown) && strip->text() == verdict; },
            kPatienceMs);
        exportTo("report.json");
        const auto read = document::readReport(test::contentOf(path("report.json")).toStdString());
        const auto findings = read ? document::findingsOf(*read) : Result<calibration::Findings>();
        if (!read || !findings || !findings->cell || findings->limits.empty()) {
            return false;
        }
        qInfo("%s; %s; report: epsilon %.10g", qPrintable(status->text()),
              qPrintable(strip->text()), read->run.summary->cells[*findings->cell].epsilon);
        return status->text().contains(shown) && strip->text() == verdict &&
               read->run.summary->cells[*findings->cell].epsilon == epsilon &&
               findings->limits.front().met() == isMet;
    }
};

EPSILENS_UI_TEST(ChosenEpsilonTest)
#include "chosen_epsilon_test.moc"
