#include "ui/state/mechanism_view.h"

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"

using namespace epsilens;
using namespace epsilens::ui;

class MechanismViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void choicesDifferOnlyByWhatTheirKindHas() {
        AnalysisSettings settings;
        const auto differsWith = [&settings](const mechanism::Parameters& parameters) {
            const mechanism::Mechanism before = settings.chosen();
            settings.setParameters(parameters);
            return settings.chosen() != before;
        };
        // Mahalanobis has none of these.
        QVERIFY(!differsWith({.beta = 0.01}));
        QVERIFY(!differsWith({.law = mechanism::RadialLaw::eq7}));
        QVERIFY(!differsWith({.metric = metric::Metric::angular}));
        QVERIFY(differsWith({.lambda = 0.25}));
        settings.choose(mechanism::Tem());
        QCOMPARE(*settings.chosen().parameters().beta, 0.01);
        QCOMPARE(settings.chosen().lambda(), 0.0);
        QVERIFY(!differsWith({.lambda = 0.75}));  // angular distances have no lambda
        QVERIFY(!differsWith({.gamma = 3.0}));    // gamma follows from beta
        QVERIFY(differsWith({.beta = 0.1}));
        settings.mechanism.gammaGiven = true;
        QCOMPARE(*settings.chosen().parameters().gamma, 3.0);
    }

    /// What the others have is there when they are chosen again; λ is shared.
    void parametersAreRememberedFromOneMechanismToTheOther() {
        AnalysisState state;
        state.edit([&](AnalysisSettings& settings) {
            settings.mechanism.take(mechanism::Tem{metric::Metric::mahalanobis, 0.25, 3.0});
        });
        QCOMPARE(state.lambda(), 0.25);
        QVERIFY(state.settings().mechanism.gammaGiven);
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        state.edit(&AnalysisSettings::setParameters, {.law = mechanism::RadialLaw::eq7});
        state.edit(&AnalysisSettings::choose, mechanism::Mahalanobis());
        QCOMPARE(state.mechanism().lambda(), 0.25);
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        QVERIFY(state.mechanism() == mechanism::Tem({metric::Metric::mahalanobis, 0.25, 3.0}));
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        QVERIFY(state.mechanism() == mechanism::Hyperbolic{mechanism::RadialLaw::eq7});
        state.edit([&](AnalysisSettings& settings) {
            settings.mechanism.take(mechanism::Mahalanobis{0.75});
        });
        QCOMPARE(state.lambda(), 0.75);
    }

    void titlesNameTheParametersThatCount() {
        QCOMPARE(shortTitle(mechanism::Laplace()), QStringLiteral("Laplace"));
        QCOMPARE(shortTitle(mechanism::Mahalanobis{0.5}), QStringLiteral("Mahalanobis λ 0.50"));
        mechanism::Tem tem;
        QCOMPARE(shortTitle(tem), QStringLiteral("TEM Euclidean β 0.001"));
        tem.distance = metric::Metric::mahalanobis;
        tem.gamma = 1.5;
        QCOMPARE(shortTitle(tem), QStringLiteral("TEM Mahalanobis λ 0.50 γ 1.50"));
        QCOMPARE(shortTitle(mechanism::Hyperbolic{mechanism::RadialLaw::eq7}),
                 QStringLiteral("hyperbolic eq7"));
        QCOMPARE(shortTitle(mechanism::Hyperbolic()), QStringLiteral("hyperbolic riemannian"));
    }

    void refusalsCountTheRows() {
        auto embedding = test::toyEmbedding(40, 3)->embedding;
        embedding.vectors.row(3).setZero();
        embedding.vectors.row(4).setZero();
        embedding.vectors.topRows(3) *= 1e-3F;
        embedding.vectors.bottomRows(35) *= 1e3F;
        embedding.vectors.row(39) << 1.0F, 0.0F, 0.0F;  // on the edge of the ball
        const auto prepared = embedding::prepareEmbedding(std::move(embedding)).value();
        QCOMPARE(metricRefusal(prepared, metric::Metric::angular),
                 QStringLiteral("2 rows are zero and have no direction"));
        QCOMPARE(metricRefusal(prepared, metric::Metric::poincare),
                 QStringLiteral("35 rows have norm ≥ 1"));
        QVERIFY(metricRefusal(prepared, metric::Metric::euclidean).isEmpty());
    }
};

EPSILENS_UI_TEST(MechanismViewTest)
#include "mechanism_view_test.moc"
