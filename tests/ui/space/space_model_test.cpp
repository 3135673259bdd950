#include "ui/space/space_model.h"

#include <algorithm>
#include <cmath>

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using epsilens::ui::AnalysisState;
using epsilens::ui::SpaceModel;
using test::kPatienceMs;

namespace {

void load(AnalysisState& state, int words, int dimensions) {
    const auto embedding = test::toyEmbedding(words, dimensions);
    state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
}

void waitFor(const SpaceModel& model) {
    QTRY_VERIFY_WITH_TIMEOUT(model.cloud() && model.scene(), kPatienceMs);
}

}  // namespace

class SpaceModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatIsMissing() {
        AnalysisState state;
        const SpaceModel model(state);
        QVERIFY(model.obstacle().contains(QStringLiteral("Open an embedding")));
        load(state, 30, 1);
        QVERIFY(model.obstacle().contains(QStringLiteral("one dimension")));
    }

    /// With 4 words in 5 dimensions the covariance is singular: there is no distance of lambda 1.
    void neighboursThatCannotBeFoundAreTold() {
        AnalysisState state;
        SpaceModel model(state);
        load(state, 4, 5);
        waitFor(model);
        state.edit(&ui::AnalysisSettings::choose, mechanism::Tem());
        state.edit(&ui::AnalysisSettings::setParameters, {.metric = metric::Metric::mahalanobis});
        state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.5});
        QTRY_VERIFY_WITH_TIMEOUT(model.scene() && !model.drawOffsets().empty(), kPatienceMs);
        QVERIFY(!model.problem());
        QSignalSpy changes(&model, &SpaceModel::problemChanged);
        state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 1.0});
        QTRY_VERIFY_WITH_TIMEOUT(model.problem().has_value(), kPatienceMs);
        QVERIFY2(model.problem()->message.find("singular") != std::string::npos,
                 model.problem()->message.c_str());
        QCOMPARE(changes.count(), 1);
        QVERIFY(!model.scene());
        state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.5});
        QTRY_VERIFY_WITH_TIMEOUT(!model.problem() && model.scene(), kPatienceMs);
    }

    /// Carvalho et al. 2021, Theorem 3: beta above (V - 1) / V has no radius.
    void wordsThatCannotBeDrawnAreTold() {
        AnalysisState state;
        SpaceModel model(state);
        load(state, 40, 3);
        waitFor(model);
        state.edit(&ui::AnalysisSettings::choose, mechanism::Tem());
        QTRY_VERIFY_WITH_TIMEOUT(!model.drawOffsets().empty(), kPatienceMs);
        QSignalSpy changes(&model, &SpaceModel::problemChanged);
        state.edit(&ui::AnalysisSettings::setParameters, {.beta = 0.99});
        QTRY_VERIFY_WITH_TIMEOUT(model.problem().has_value(), kPatienceMs);
        QCOMPARE(changes.count(), 1);
        QVERIFY(model.drawOffsets().empty());
        QVERIFY(model.scene());
        state.edit(&ui::AnalysisSettings::setParameters, {.beta = 0.01});
        QTRY_VERIFY_WITH_TIMEOUT(!model.problem() && !model.drawOffsets().empty(), kPatienceMs);
        QCOMPARE(changes.count(), 2);
    }

    /// The outputs of TEM are words: none of those of one word is shown around the next.
    void outputsOfOneWordAreNotThoseOfTheNext() {
        AnalysisState state;
        SpaceModel model(state);
        load(state, 40, 3);
        waitFor(model);
        state.edit(&ui::AnalysisSettings::choose, mechanism::Tem());
        QTRY_VERIFY_WITH_TIMEOUT(!model.drawOffsets().empty(), kPatienceMs);
        const auto word = model.shownWord();
        const auto next = *word == ui::Word(state.embedding(), 0) ? 1 : 0;
        state.lookAt(ui::Word(state.embedding(), next));
        QVERIFY(model.shownWord() && *model.shownWord() != *word);
        QVERIFY(model.drawOffsets().empty());
        QTRY_VERIFY_WITH_TIMEOUT(!model.drawOffsets().empty(), kPatienceMs);
    }

    void drawsThePointsAskedForAndSaysHowMany() {
        AnalysisState state;
        SpaceModel model(state);
        load(state, 3'000, 5);
        waitFor(model);
        QCOMPARE(model.cloud()->words.size(), std::size_t{2'000});
        QVERIFY2(model.planeText().startsWith(QStringLiteral("2,000 of 3,000 points drawn")),
                 qPrintable(model.planeText()));
        const auto before = model.cloud();
        model.setPoints(500);
        QTRY_VERIFY_WITH_TIMEOUT(model.cloud() != before, kPatienceMs);
        QCOMPARE(model.cloud()->words.size(), std::size_t{500});
    }

    /// Coordinates are those of the rows centred and turned into the principal axes, here formed
    /// one by one; shares are quotients of eigenvalues.
    void pointsLieAtTheirPrincipalComponents() {
        AnalysisState state;
        const SpaceModel model(state);
        load(state, 40, 3);
        waitFor(model);
        const auto& data = *state.embedding();
        for (const ui::PlaneWord& word : model.cloud()->words) {
            const VectorD centred =
                data.vectors().row(word.word.row()).cast<double>().transpose() - data.basis.mean;
            QVERIFY(std::abs(word.point.x - centred.dot(data.basis.axes.col(0))) < 1e-4);
            QVERIFY(std::abs(word.point.y - centred.dot(data.basis.axes.col(1))) < 1e-4);
        }
        const double share = data.basis.spectrum[0] / data.basis.spectrum.sum();
        QVERIFY(std::abs(model.cloud()->axes.shares[0] - share) < 1e-9);
        QVERIFY2(model.axisTitle(0).startsWith(QStringLiteral("PC 1, units of distance (")) &&
                     model.axisTitle(0).endsWith(QStringLiteral("% of the variance)")),
                 qPrintable(model.axisTitle(0)));
    }

    /// Against a sort of all distances.
    void neighboursAreTheNearestWords() {
        AnalysisState state;
        const SpaceModel model(state);
        load(state, 40, 3);
        state.lookAt(ui::Word(state.embedding(), 7));
        QTRY_VERIFY_WITH_TIMEOUT(model.scene() && model.scene()->word.word.row() == 7, kPatienceMs);
        const auto& vectors = state.embedding()->vectors();
        std::vector<std::pair<double, embedding::Row>> all;
        for (embedding::Row row = 0; row < 40; ++row) {
            if (row != 7) {
                const VectorD difference =
                    (vectors.row(row) - vectors.row(7)).cast<double>().transpose();
                all.emplace_back(difference.norm(), row);
            }
        }
        std::sort(all.begin(), all.end());
        const auto labelled = model.labelled();
        QCOMPARE(labelled.size(), std::size_t{10});
        for (std::size_t i = 0; i < labelled.size(); ++i) {
            QCOMPARE(labelled[i].word.row(), all[i].second);
            QVERIFY(std::abs(labelled[i].distance - all[i].first) < 1e-5);
        }
    }

    void epsilonScalesWithoutComputingAnew() {
        AnalysisState state;
        SpaceModel model(state);
        load(state, 40, 3);
        waitFor(model);
        state.edit(&ui::AnalysisSettings::chooseEpsilon, 4.0);
        const auto cloud = model.cloud();
        const auto scene = model.scene();
        const auto before = model.drawOffsets();
        const auto wide = model.contours();
        QSignalSpy scaled(&model, &SpaceModel::noiseChanged);
        QSignalSpy recomputed(&model, &SpaceModel::cloudChanged);
        state.edit(&ui::AnalysisSettings::chooseEpsilon, 8.0);
        QCOMPARE(scaled.count(), 1);
        QCOMPARE(recomputed.count(), 0);
        QVERIFY(model.cloud() == cloud && model.scene() == scene);
        QCOMPARE(before.size(), std::size_t{200});
        const auto after = model.drawOffsets();
        for (std::size_t i = 0; i < after.size(); ++i) {
            QVERIFY(std::abs(after[i].x - before[i].x / 2.0) < 1e-12);
        }
        QVERIFY(std::abs(model.contours()[1].semiAxisY - wide[1].semiAxisY / 2.0) < 1e-12);
    }

    void laplaceNoiseIsSpherical() {
        AnalysisState state;
        const SpaceModel model(state);
        load(state, 40, 3);
        waitFor(model);
        QVERIFY(model.contours()[0].semiAxisX != model.sphericalContours()[0].semiAxisX);
        state.edit(&ui::AnalysisSettings::choose, mechanism::Laplace());
        QCOMPARE(model.contours()[0].semiAxisX, model.sphericalContours()[0].semiAxisX);
    }

    void spellingsAreFoundCompletedOrCorrected() {
        AnalysisState state;
        SpaceModel model(state);
        load(state, 40, 3);
        model.selectSpelling(QStringLiteral(" London "));
        QCOMPARE(state.selectedWord(), std::optional(ui::Word(state.embedding(), 1)));
        QCOMPARE(model.completions(QStringLiteral("par"), 5), QStringList{QStringLiteral("paris")});
        QCOMPARE(model.completions(QStringLiteral("word"), 5).size(), 5);
        QVERIFY(model.completions({}, 5).isEmpty());

        QSignalSpy unknown(&model, &SpaceModel::unknownWord);
        model.selectSpelling(QStringLiteral("pariss"));
        QTRY_COMPARE_WITH_TIMEOUT(unknown.count(), 1, kPatienceMs);
        QCOMPARE(unknown[0][0].toString(), QStringLiteral("pariss"));
        QVERIFY(unknown[0][1].toStringList().contains(QStringLiteral("paris")));
        QCOMPARE(state.selectedWord(), std::optional(ui::Word(state.embedding(), 1)));
    }

    void countsAreLimited() {
        AnalysisState state;
        SpaceModel model(state);
        model.setPoints(1'000'000);
        model.setDraws(-1);
        model.setLabels(500);
        QCOMPARE(model.points(), 20'000);
        QCOMPARE(model.draws(), 0);
        QCOMPARE(model.labels(), 100);
    }

    void anotherEmbeddingForgetsTheOldPicture() {
        AnalysisState state;
        const SpaceModel model(state);
        load(state, 40, 3);
        waitFor(model);
        load(state, 60, 4);
        QVERIFY(!model.cloud() && !model.scene());
        waitFor(model);
        QCOMPARE(model.cloud()->vocabulary, std::int64_t{60});
        QVERIFY(model.description().contains(QStringLiteral("60 words")));
    }
};

EPSILENS_UI_TEST(SpaceModelTest)
#include "space_model_test.moc"
