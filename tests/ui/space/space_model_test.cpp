#include "ui/space/space_model.h"

#include <cmath>

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using epsilens::ui::AnalysisState;
using epsilens::ui::SpaceModel;

namespace {

struct Fixture {
    explicit Fixture(int words = 40, int dimensions = 3) { load(words, dimensions); }
    void load(int words, int dimensions) {
        const auto embedding = test::toyEmbedding(words, dimensions);
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
    }
    void wait() { QTRY_VERIFY(model.cloud() && model.scene()); }
    void chooseTem(const mechanism::Parameters& parameters = {}) {
        state.edit(&ui::AnalysisSettings::choose, mechanism::Tem());
        set(parameters);
        QTRY_VERIFY(model.scene() && !model.noise().offsets.empty());
    }
    void set(const mechanism::Parameters& parameters) {
        state.edit(&ui::AnalysisSettings::setParameters, parameters);
    }

    AnalysisState state;
    SpaceModel model{state};
};

}  // namespace

class SpaceModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatIsMissing() {
        Fixture f(30, 1);
        QVERIFY(f.model.obstacle().contains(QStringLiteral("one dimension")));
    }

    /// With 4 words in 5 dimensions the covariance is singular: there is no distance of lambda 1.
    void neighboursThatCannotBeFoundAreTold() {
        Fixture f(4, 5);
        f.wait();
        f.chooseTem({.lambda = 0.5, .metric = metric::Metric::mahalanobis});
        QVERIFY(!f.model.problem());
        f.set({.lambda = 1.0});
        QTRY_VERIFY(f.model.problem() != nullptr);
        QVERIFY2(f.model.problem()->message.find("singular") != std::string::npos,
                 f.model.problem()->message.c_str());
        QVERIFY(f.model.scene() == nullptr);
        f.set({.lambda = 0.5});
        QTRY_VERIFY(!f.model.problem() && f.model.scene());
    }

    /// Carvalho et al. 2021, Theorem 3: beta above (V - 1) / V has no radius.
    void wordsThatCannotBeDrawnAreTold() {
        Fixture f;
        f.wait();
        f.chooseTem();
        f.set({.beta = 0.99});
        QTRY_VERIFY(f.model.problem() != nullptr);
        QVERIFY(f.model.noise().offsets.empty());
        QVERIFY(f.model.scene());
        f.set({.beta = 0.01});
        QTRY_VERIFY(!f.model.problem() && !f.model.noise().offsets.empty());
    }

    /// The outputs of TEM are words: none of those of one word is shown around the next.
    void outputsOfOneWordAreNotThoseOfTheNext() {
        Fixture f;
        f.wait();
        f.chooseTem();
        const auto word = f.model.shownWord();
        const auto next = *word == ui::Word(f.state.embedding(), 0) ? 1 : 0;
        f.state.lookAt(ui::Word(f.state.embedding(), next));
        QVERIFY(f.model.shownWord() && *f.model.shownWord() != *word);
        QVERIFY(f.model.noise().offsets.empty());
        QTRY_VERIFY(!f.model.noise().offsets.empty());
    }

    /// Coordinates are those of the rows centred and turned into the principal axes, here formed
    /// one by one; shares are quotients of eigenvalues.
    void pointsLieAtTheirPrincipalComponents() {
        Fixture f;
        f.wait();
        const auto& data = *f.state.embedding();
        for (const ui::PlaneWord& word : f.model.cloud()->words) {
            const VectorD centred =
                data.vectors().row(word.word.row()).cast<double>().transpose() - data.basis.mean;
            QVERIFY(std::abs(word.point.x - centred.dot(data.basis.axes.col(0))) < 1e-4);
            QVERIFY(std::abs(word.point.y - centred.dot(data.basis.axes.col(1))) < 1e-4);
        }
        const double share = data.basis.spectrum[0] / data.basis.spectrum.sum();
        QVERIFY(std::abs(f.model.cloud()->axes.shares[0] - share) < 1e-9);
    }

    void epsilonScalesWithoutComputingAnew() {
        Fixture f;
        f.wait();
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 4.0);
        const auto cloud = f.model.cloud();
        const auto* scene = f.model.scene();
        const auto before = f.model.noise().offsets;
        const auto wide = f.model.noise().contours;
        QSignalSpy scaled(&f.model, &SpaceModel::noiseChanged);
        QSignalSpy recomputed(&f.model, &SpaceModel::wordsChanged);
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 8.0);
        QCOMPARE(scaled.count(), 1);
        QCOMPARE(recomputed.count(), 0);
        QVERIFY(f.model.cloud() == cloud && f.model.scene() == scene);
        QCOMPARE(before.size(), std::size_t{200});
        const auto after = f.model.noise().offsets;
        for (std::size_t i = 0; i < after.size(); ++i) {
            QVERIFY(std::abs(after[i].x - before[i].x / 2.0) < 1e-12);
        }
        QVERIFY(std::abs(f.model.noise().contours[1].contour.semiAxisY -
                         wide[1].contour.semiAxisY / 2.0) < 1e-12);
    }

    void anotherEmbeddingForgetsTheOldPicture() {
        Fixture f;
        f.wait();
        f.load(60, 4);
        QVERIFY(!f.model.cloud() && f.model.scene() == nullptr);
        f.wait();
        QVERIFY(f.model.description().contains(QStringLiteral("60 of 60 points")));
    }
};

EPSILENS_UI_TEST(SpaceModelTest)
#include "space_model_test.moc"
