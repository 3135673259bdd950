#include "ui/space/pinned_noise.h"

#include <cmath>

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/space/space_model.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

namespace {

void load(AnalysisState& state, const embedding::EmbeddingHandle& embedding) {
    state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
}

void waitForScene(const SpaceModel& model) {
    QTRY_VERIFY_WITH_TIMEOUT(model.cloud() && model.scene(), kPatienceMs);
}

bool isSame(const std::vector<Contour>& a, const std::vector<Contour>& b) {
    if (a.size() != b.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].share != b[i].share || a[i].semiAxisX != b[i].semiAxisX ||
            a[i].semiAxisY != b[i].semiAxisY) {
            return false;
        }
    }
    return true;
}

}  // namespace

class PinnedNoiseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// What was current when it was pinned is what is pinned afterwards.
    void ellipticalNoiseStaysWhereItWasPinned() {
        AnalysisState state;
        const SpaceModel model(state);
        load(state, test::toyEmbedding(40, 3));
        waitForScene(model);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.75});
        state.edit(&AnalysisSettings::chooseEpsilon, 4.0);
        QVERIFY(model.pinned().contours().empty() && model.pinned().text().isEmpty());
        const auto contours = model.contours();
        const auto draws = model.drawOffsets();
        state.edit(&AnalysisSettings::pinPresent);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.0});
        state.edit(&AnalysisSettings::chooseEpsilon, 8.0);
        QVERIFY(isSame(model.pinned().contours(), contours));
        QVERIFY(!isSame(model.contours(), contours));
        const auto pinned = model.pinned().offsets();
        QCOMPARE(pinned.size(), draws.size());
        QCOMPARE(pinned.front().x, draws.front().x);
        QCOMPARE(pinnedContourName(contours[0]), QStringLiteral("pinned, 50%"));
        state.edit(&AnalysisSettings::pin, std::nullopt);
        QVERIFY(model.pinned().contours().empty() && model.pinned().offsets().empty());
    }

    void wordsOfAPinnedTemAreDrawnInTheBackground() {
        AnalysisState state;
        SpaceModel model(state);
        load(state, test::toyEmbedding(40, 3));
        waitForScene(model);
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        QTRY_VERIFY_WITH_TIMEOUT(!model.drawOffsets().empty(), kPatienceMs);
        const auto current = model.drawOffsets();
        const auto radius = model.contours();
        QCOMPARE(radius.size(), std::size_t{1});
        state.edit(&AnalysisSettings::pinPresent);
        QTRY_VERIFY_WITH_TIMEOUT(!model.pinned().offsets().empty(), kPatienceMs);
        QVERIFY(isSame(model.pinned().contours(), radius));
        QCOMPARE(model.pinned().offsets().size(), current.size());
        for (std::size_t i = 0; i < current.size(); ++i) {
            QCOMPARE(model.pinned().offsets()[i].x, current[i].x);
        }
        model.setDraws(50);
        QTRY_COMPARE_WITH_TIMEOUT(model.pinned().offsets().size(), std::size_t{50}, kPatienceMs);
    }

    /// Carvalho et al. 2021, Theorem 3: beta above (V - 1) / V has no radius.
    void pinnedSettingsThatCannotBeDrawnAreTold() {
        AnalysisState state;
        const SpaceModel model(state);
        load(state, test::toyEmbedding(40, 3));
        waitForScene(model);
        QSignalSpy changes(&model, &SpaceModel::problemChanged);
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        state.edit(&AnalysisSettings::setParameters, {.beta = 0.99});
        state.edit(&AnalysisSettings::pinPresent);
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QTRY_VERIFY_WITH_TIMEOUT(model.pinned().problem() && model.problem(), kPatienceMs);
        QVERIFY2(QString::fromStdString(model.problem()->message)
                     .startsWith(QStringLiteral("The pinned settings are not drawn: ")),
                 model.problem()->message.c_str());
        QVERIFY(model.pinned().offsets().empty());
        // Another pin is looked at anew.
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        state.edit(&AnalysisSettings::setParameters, {.beta = 0.01});
        state.edit(&AnalysisSettings::pinPresent);
        QTRY_VERIFY_WITH_TIMEOUT(!model.problem() && !model.pinned().offsets().empty(),
                                 kPatienceMs);
        QVERIFY(changes.count() >= 2);
        state.edit(&AnalysisSettings::setParameters, {.beta = 0.99});
        state.edit(&AnalysisSettings::pinPresent);
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QTRY_VERIFY_WITH_TIMEOUT(model.problem().has_value(), kPatienceMs);
        state.edit(&AnalysisSettings::pin, std::nullopt);
        QVERIFY(!model.problem());
    }

    void hyperbolicNoiseOfAnotherLawIsDrawnInTheSameDisk() {
        AnalysisState state;
        const SpaceModel model(state);
        load(state, test::toyBall(40, 3));
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        QTRY_VERIFY_WITH_TIMEOUT(model.scene() && model.cloud() && model.cloud()->ball,
                                 kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!model.contours().empty(), kPatienceMs);
        const auto contours = model.contours();
        state.edit(&AnalysisSettings::pinPresent);
        state.edit(&AnalysisSettings::setParameters, {.law = mechanism::RadialLaw::eq7});
        QTRY_VERIFY_WITH_TIMEOUT(model.pinned().contours().size() == 2, kPatienceMs);
        QVERIFY(isSame(model.pinned().contours(), contours));
        // Other mechanisms are shown in principal axes, where the ball has no place.
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QTRY_VERIFY_WITH_TIMEOUT(!model.isDisk(), kPatienceMs);
        QVERIFY(model.pinned().contours().empty());
        QVERIFY2(model.pinned().text().contains(QStringLiteral("another picture")),
                 qPrintable(model.pinned().text()));
    }
};

EPSILENS_UI_TEST(PinnedNoiseTest)
#include "pinned_noise_test.moc"
