#include "ui/shell/summary_strip.h"

#include <QLabel>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

class SummaryStripTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void followsTheSettings() {
        AnalysisState state;
        SummaryStrip strip(state);
        const auto text = [&strip](const char* name) {
            return findControl<QLabel>(strip, name)->text();
        };
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.25});
        state.edit(&AnalysisSettings::chooseEpsilon, 12.0);
        QCOMPARE(text("summaryEmbeddingLabel"), QStringLiteral("toy.txt 40 × 3"));
        QCOMPARE(text("summaryMechanismLabel"), QStringLiteral("Mahalanobis λ 0.25"));
        QCOMPARE(text("summaryEpsilonLabel"), QStringLiteral("ε 12.0"));
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QCOMPARE(text("summaryMechanismLabel"), QStringLiteral("Laplace"));
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        QVERIFY(text("summaryMechanismLabel").startsWith(QStringLiteral("TEM Euclidean")));
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        QVERIFY(text("summaryMechanismLabel").contains(QStringLiteral("riemannian")));
    }

    void tellsWhichLimitsAreMet() {
        AnalysisState state;
        SummaryStrip strip(state);
        strip.show();
        auto* limits = findControl<QLabel>(strip, "summaryLimitsLabel");
        QVERIFY(!limits->isVisible());
        strip.showLimits(1, 2);
        QVERIFY(limits->isVisible());
        QCOMPARE(limits->text(), QStringLiteral("limits 1/2 ✗"));
        QVERIFY(strip.accessibleName().contains(QStringLiteral("limits met: 1 of 2")));
        strip.showLimits(2, 2);
        QCOMPARE(limits->text(), QStringLiteral("limits 2/2 ✓"));
        strip.showLimits(std::nullopt, 2);
        QCOMPARE(limits->text(), QStringLiteral("limits –/2"));
    }

    void aLongNameGivesWayToTheRest() {
        AnalysisState state;
        SummaryStrip strip(state);
        auto embedding = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding());
        embedding->embedding.name = std::string(300, 'x') + ".txt";
        state.setEmbedding(embedding, nullptr);
        strip.resize(700, 40);
        strip.show();
        QVERIFY(strip.minimumSizeHint().width() <= 700);
        const auto* seed = findControl<QLabel>(strip, "summarySeedLabel");
        QVERIFY(seed->geometry().right() <= strip.width());
    }
};

EPSILENS_UI_TEST(SummaryStripTest)
#include "summary_strip_test.moc"
