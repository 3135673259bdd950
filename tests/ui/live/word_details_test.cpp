#include "ui/live/word_details.h"

#include <limits>

#include <QLabel>
#include <QPushButton>

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
    void inALowWindowOutputsAndMarginsTakeTurns() {
        Shown shown;
        LivePanel& panel = shown.panel;
        panel.resize(936, 340);
        shown.state.lookAt(QStringLiteral("paris london"));
        QTRY_VERIFY(shown.isSettled());
        auto* other = findControl<QPushButton>(panel, "otherPagePushButton");
        auto* outputs = findControl<QLabel>(panel, "detailOutputsLabel");
        auto* margins = findControl<QWidget>(panel, "marginList");
        QTRY_VERIFY(outputs->isVisible() && !margins->isVisible());
        other->click();
        QVERIFY(margins->isVisible() && !outputs->isVisible());
        // It is the window's height that counts, not that of the word's place in it.
        panel.resize(936, 690);
        QCoreApplication::processEvents();
        QVERIFY(other->isVisible());
        panel.resize(936, 710);
        QTRY_VERIFY(margins->isVisible() && outputs->isVisible() && !other->isVisible());
    }

    void aWordThatIsAlwaysKeptHasNoOtherOutput() {
        Shown shown;
        shown.state.edit(&AnalysisSettings::chooseEpsilon, 1e6);
        shown.state.lookAt(QStringLiteral("paris"));
        QTRY_VERIFY(shown.isSettled());
        QCOMPARE(shown.label("detailOutputsLabel"), QStringLiteral("No other word in 100 draws."));
    }

    void theDensityRankIsOfferedAndThenShown() {
        Shown shown;
        shown.type("paris");
        QTRY_VERIFY(shown.isSettled());
        auto* button = findControl<QPushButton>(shown.panel, "liveDensityButton");
        QVERIFY(button->isVisible());
        QVERIFY(!shown.label("detailFactsLabel").contains(QStringLiteral("Density rank")));
        button->click();
        QTRY_VERIFY(shown.results.density() != nullptr);
        const auto& vectors = shown.state.embedding()->vectors();
        const auto nearest = [&vectors](Eigen::Index row) {
            double least = std::numeric_limits<double>::infinity();
            for (Eigen::Index other = 0; other < vectors.rows(); ++other) {
                if (other != row) {
                    least = std::min<double>(least, (vectors.row(row) - vectors.row(other)).norm());
                }
            }
            return least;
        };
        const auto row = *shown.state.embedding()->vocabulary().find("paris");
        int rank = 1;
        for (Eigen::Index other = 0; other < vectors.rows(); ++other) {
            rank += nearest(other) > nearest(row) ? 1 : 0;
        }
        QVERIFY2(
            shown.label("detailFactsLabel")
                .contains(QStringLiteral("Density rank %1 of %2").arg(rank).arg(vectors.rows())),
            qPrintable(shown.label("detailFactsLabel")));
        QVERIFY(!button->isVisible());
    }

    /// Half distances and spreads of the noise towards the nearest words, by their definition.
    void marginsAreThoseOfTheNearestWords() {
        Shown shown;
        shown.type("paris");
        QTRY_VERIFY(shown.isSettled());
        const auto* margins = findControl<QWidget>(shown.panel, "marginList");
        QVERIFY(margins->isVisible());
        QVERIFY(findControl<QLabel>(shown.panel, "marginTitleLabel")
                    ->toolTip()
                    .contains(QStringLiteral("half way to a neighbour")));
        const auto& embedding = *shown.state.embedding();
        const std::vector<embedding::Row> words{embedding.vocabulary().find("paris").value()};
        const auto nearest =
            engine::nearestNeighbours(*shown.state.searchSpace(), words, 1).value().front();
        const QString word = toQString(embedding.vocabulary().word(nearest.rows[0]));
        const QString half = significant(nearest.distances[0] / 2.0, 2);
        QVERIFY2(margins->accessibleDescription().startsWith(
                     QStringLiteral("%1: half the distance %2").arg(word, half)),
                 qPrintable(margins->accessibleDescription()));
        // A mechanism without noise has no spread; then the nearest words are named.
        shown.state.edit(&AnalysisSettings::choose, mechanism::Tem{});
        QTRY_VERIFY(shown.isSettled());
        QVERIFY(!margins->isVisible());
        QVERIFY(shown.label("nearestWordsLabel").contains(word));
    }
};

EPSILENS_UI_TEST(WordDetailsTest)
#include "word_details_test.moc"
