#include <algorithm>

#include <QAction>
#include <QLabel>
#include <QToolButton>

#include "core/document/report_document.h"
#include "tests/ui/shell/whole_window.h"
#include "ui/state/limits_model.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

/// Whatever epsilon is chosen, or pinned, all of the window speaks of that one and of the same
/// words.
class ChosenEpsilonTest : public QObject, private test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        QVERIFY(!find<QAction>("pinAction").isEnabled() && !unpin().isEnabled());
        load();
    }
    void cleanup() { clean(); }

    void wordsReportAndStripAgreeAtAnyEpsilon() {
        state().edit(&AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=50%")});
        run();
        const auto& measurement = m_window->measurement();
        QTRY_VERIFY_WITH_TIMEOUT(measurement.isCurrent(), kPatienceMs);
        QCOMPARE(measurement.result()->options().words, state().words());
        auto* search = m_window->findChild<LimitsModel*>();
        QTRY_VERIFY_WITH_TIMEOUT(search->spans() != nullptr, kPatienceMs);
        search->findEpsilon();
        const double found = state().epsilon();
        const auto& grid = report().draft().run()->summary->grid.epsilons;
        QVERIFY(std::find(grid.begin(), grid.end(), found) == grid.end());
        QVERIFY(areAllAbout(found, true));
        // It is the largest one, so that a little more is too much.
        state().edit(&AnalysisSettings::chooseEpsilon, found * 1.002);
        QVERIFY(areAllAbout(found * 1.002, false));
    }

    void anotherMechanismSaysThatItGoesBackToTheDefault() {
        const auto& status = find<QLabel>("statusLabel");
        state().edit(&AnalysisSettings::choose, mechanism::Tem());
        QVERIFY(!status.text().contains(QStringLiteral("default again")));
        state().edit(&AnalysisSettings::chooseEpsilon, 3.0);
        state().edit(&AnalysisSettings::choose, mechanism::Laplace());
        QTRY_VERIFY_WITH_TIMEOUT(status.text().contains(QStringLiteral("default again")),
                                 kPatienceMs);
        trigger("undoAction");
        QCOMPARE(state().epsilon(), 3.0);
    }

    void pinsAndUnpinsAndUndoes() {
        // What follows from the data is no step, so it has to be there first.
        QTRY_VERIFY(state().epsilonScale().low.has_value());
        test::letPass(10);
        state().edit(&AnalysisSettings::chooseEpsilon, 12.0);
        QCOMPARE(find<QAction>("pinAction").shortcut(), QKeySequence(Qt::CTRL | Qt::Key_D));
        trigger("pinAction");
        const auto& label = find<QLabel>("summaryPinLabel");
        auto& button = find<QToolButton>("unpinButton");
        QVERIFY(label.isVisible() && button.isVisible());
        QCOMPARE(label.text(), QStringLiteral("pinned: Mahalanobis λ 0.50, ε 12.0"));
        QVERIFY(find<QWidget>("settingBar").accessibleName().contains(label.text()));
        button.click();
        QVERIFY(!label.isVisible() && !state().pin());
        QVERIFY(!unpin().isEnabled());
        trigger("undoAction");
        QVERIFY(label.isVisible() && unpin().isEnabled());
        trigger("undoAction");
        QVERIFY(!state().pin());
        trigger("redoAction");
        QVERIFY(state().pin().has_value());
    }

private:
    [[nodiscard]] QAction& unpin() const { return find<QAction>("unpinAction"); }

    /// Strip, Words and an exported report name this epsilon and hold it to the limit alike.
    bool areAllAbout(double epsilon, bool isMet) {
        const QString shown = QStringLiteral("ε %1,").arg(shortest(epsilon));
        const QString verdict =
            isMet ? QStringLiteral("limits 1/1 ✓") : QStringLiteral("limits 0/1 ✗");
        const auto isShown = [&] {
            return text("wordsStatusLabel").contains(shown) &&
                   text("summaryLimitsLabel") == verdict;
        };
        test::handleEventsUntil(isShown, kPatienceMs);
        exportTo("report.json");
        const auto read = document::readReport(test::contentOf(path("report.json")).toStdString());
        const auto findings = read ? document::findingsOf(*read) : Result<calibration::Findings>();
        if (!read || !findings || !findings->cell || findings->limits.empty()) {
            return false;
        }
        const double reported = read->run.summary->cells[*findings->cell].epsilon;
        qInfo("%s; %s; report: epsilon %.10g", qPrintable(text("wordsStatusLabel")),
              qPrintable(text("summaryLimitsLabel")), reported);
        return isShown() && reported == epsilon && findings->limits.front().met() == isMet;
    }
};

EPSILENS_UI_TEST(ChosenEpsilonTest)
#include "chosen_epsilon_test.moc"
