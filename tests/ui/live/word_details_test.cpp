#include "ui/live/word_details.h"

#include <QLabel>

#include "tests/ui/live/shown_panel.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using namespace epsilens::ui::live;
using test::findControl;

using Shown = test::ShownPanel;

class WordDetailsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWordThatIsAlwaysKeptHasNoOtherOutput() {
        Shown shown;
        shown.state.edit(&AnalysisSettings::chooseEpsilon, 1e6);
        shown.state.lookAt(QStringLiteral("paris"));
        QTRY_VERIFY(shown.isSettled());
        QCOMPARE(shown.label("detailOutputsLabel"), QStringLiteral("No other word in 100 draws."));
    }

    void theNearestWordsAreNamedWithTheirDistances() {
        Shown shown;
        shown.type("paris");
        QTRY_VERIFY(shown.isSettled());
        const RowMatrixD vectors = shown.state.embedding()->vectors().cast<double>();
        const auto paris = *shown.state.embedding()->vocabulary().find("paris");
        embedding::Row nearest = paris == 0 ? 1 : 0;
        const auto distance = [&](embedding::Row row) {
            return (vectors.row(row) - vectors.row(paris)).norm();
        };
        for (embedding::Row row = 0; row < static_cast<embedding::Row>(vectors.rows()); ++row) {
            nearest = row != paris && distance(row) < distance(nearest) ? row : nearest;
        }
        const QString expected =
            QStringLiteral("Nearest: %1 at %2")
                .arg(toQString(shown.state.embedding()->vocabulary().word(nearest)),
                     significant(distance(nearest), 3));
        QVERIFY2(shown.label("nearestWordsLabel").startsWith(expected),
                 qPrintable(shown.label("nearestWordsLabel")));
    }
};

EPSILENS_UI_TEST(WordDetailsTest)
#include "word_details_test.moc"
