#include "ui/live/word_details.h"

#include <QLabel>
#include <QPushButton>

#include "tests/ui/live/live_fixture.h"
#include "tests/ui/support/ui_test.h"
#include "ui/live/live_panel.h"
#include "ui/state/session_results.h"

using namespace epsilens;
using namespace epsilens::ui;
using namespace epsilens::ui::live;
using test::findControl;

class WordDetailsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void inALowWindowOutputsAndMarginsTakeTurns() {
        AnalysisState state;
        SessionResults results(state);
        LivePanel panel(state, results);
        test::loadToy(state);
        panel.resize(936, 340);
        panel.show();
        state.lookAt(QStringLiteral("paris london"));
        QTRY_VERIFY(test::isSettled(panel.model()));
        auto* other = findControl<QPushButton>(panel, "otherPagePushButton");
        auto* outputs = findControl<QLabel>(panel, "detailOutputsLabel");
        auto* margins = findControl<QWidget>(panel, "marginList");
        QTRY_VERIFY(outputs->isVisible() && !margins->isVisible());
        other->click();
        QVERIFY(margins->isVisible() && !outputs->isVisible());
        panel.resize(936, 900);
        QTRY_VERIFY(margins->isVisible() && outputs->isVisible() && !other->isVisible());
    }

    void aWordThatIsAlwaysKeptHasNoOtherOutput() {
        AnalysisState state;
        SessionResults results(state);
        LivePanel panel(state, results);
        test::loadToy(state);
        state.edit(&AnalysisSettings::chooseEpsilon, 1e6);
        panel.resize(936, 900);
        panel.show();
        state.lookAt(QStringLiteral("paris"));
        QTRY_VERIFY(test::isSettled(panel.model()));
        QCOMPARE(findControl<QLabel>(panel, "detailOutputsLabel")->text(),
                 QStringLiteral("No other word in 100 draws."));
    }
};

EPSILENS_UI_TEST(WordDetailsTest)
#include "word_details_test.moc"
