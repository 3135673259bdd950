#include "ui/state/guarantee_model.h"

#include <cmath>
#include <limits>

#include <QSignalSpy>

#include "core/metric/poincare_distance.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;

class GuaranteeModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesTheRealConstantOfEachNoise() {
        AnalysisState state;
        GuaranteeModel model(state);
        QVERIFY(!model.guarantee());
        state.setEmbedding(test::toyBall(60, 5), nullptr);
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        state.edit(&AnalysisSettings::chooseEpsilon, 2.0);
        QCOMPARE(model.guarantee()->bound, 2.0);

        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        state.edit(&AnalysisSettings::chooseEpsilon, 20.0);
        QCOMPARE(model.guarantee()->bound, 20.0);
        QVERIFY(model.caution().isEmpty());

        state.edit(&AnalysisSettings::setParameters, {.law = mechanism::RadialLaw::eq7});
        state.edit(&AnalysisSettings::chooseEpsilon, 1.0);
        QCOMPARE(model.guarantee()->bound, 6.0);  // 1 + m, m = 5
        QVERIFY(model.caution().contains(QStringLiteral("m = 5 more")));
    }

    /// Against a search through all distances.
    void theOddsAreOfTheSelectedWordAndTheNearestOther() {
        AnalysisState state;
        GuaranteeModel model(state);
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        QCOMPARE(model.firstWord(), QStringLiteral("paris"));
        const Word word(embedding, 17);
        const RowMatrixF& vectors = embedding->vectors();
        Eigen::Index nearest = 0;
        double least = std::numeric_limits<double>::infinity();
        for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
            const double distance = (vectors.row(row) - vectors.row(17)).norm();
            if (row != 17 && distance < least) {
                least = distance;
                nearest = row;
            }
        }
        state.lookAt(word);
        QTRY_COMPARE(model.firstWord(), word.text());
        QCOMPARE(model.secondWord(), Word(embedding, static_cast<embedding::Row>(nearest)).text());
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QVERIFY(std::abs(*model.lossAt(2.0) - 2.0 * least) < 1e-4);
        // The next ones are farther away.
        QCOMPARE(model.nearPairs().size(), std::size_t{5});
        double before = 0.0;
        for (const PromisePair& pair : model.nearPairs()) {
            QVERIFY(pair[0] == word);
            const double distance = (vectors.row(pair[1].row()) - vectors.row(17)).norm();
            QVERIFY(distance >= before);
            before = distance;
        }
        // Words that are typed stay until another one is selected.
        model.setWords(model.firstWord(), QStringLiteral("london"));
        QCOMPARE(model.secondWord(), QStringLiteral("london"));
        QVERIFY(model.pairBefore() == model.nearPairs().front());
        // As far as another embedding knows them.
        const QString chosen = model.firstWord();
        state.setEmbedding(test::toyEmbedding(30, 3), nullptr);
        QCOMPARE(model.firstWord(), chosen);
        QVERIFY(model.nearPairs().empty() && !model.pairBefore());
        QCOMPARE(model.secondWord(), QStringLiteral("london"));
        state.setEmbedding(test::toyEmbedding(10, 3), nullptr);
        QCOMPARE(model.firstWord(), QStringLiteral("paris"));
    }

    /// Of many words the eight longest, in their order, against a search through all distances.
    void wordsOfTheTextAreToldWithTheirNearestOnes() {
        AnalysisState state;
        GuaranteeModel model(state);
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        QVERIFY(model.knows(QStringLiteral(" Word3 ")) && !model.knows(QStringLiteral("wrod")));
        state.lookAt(QStringLiteral(
            "word1 word12 word13, word14 paris word15 word16 london? Word12 word17 no-word"));
        QTRY_COMPARE(model.sentencePairs().size(), std::size_t{8});
        QCOMPARE(model.sentencePairs().front()[0].text(), QStringLiteral("word12"));
        const RowMatrixF& vectors = embedding->vectors();
        for (const PromisePair& pair : model.sentencePairs()) {
            const auto distanceTo = [&](Eigen::Index row) {
                return (vectors.row(row) - vectors.row(pair[0].row())).norm();
            };
            for (Eigen::Index row = 0; row < vectors.rows(); ++row) {
                QVERIFY(row == pair[0].row() ||
                        distanceTo(row) >= distanceTo(pair[1].row()) - 1e-6F);
            }
        }
        state.setEmbedding(test::toyEmbedding(10, 3), nullptr);
        QVERIFY(model.sentencePairs().empty());
    }

    /// Near is what the noise takes for near, in the embedding at hand.
    void pairsOfTheTextFollowNoiseAndEmbedding() {
        AnalysisState state;
        GuaranteeModel model(state);
        const auto open = [&](const embedding::EmbeddingHandle& embedding) {
            state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        };
        const auto nearestTo = [&state](embedding::Row from, bool isHyperbolic) {
            const RowMatrixD x = state.embedding()->vectors().cast<double>();
            embedding::Row nearest = from;
            double least = std::numeric_limits<double>::infinity();
            for (embedding::Row row = 0; row < state.embedding()->wordCount(); ++row) {
                // Rises with the hyperbolic distance, which is acosh(1 + 2 of it / (1 - |from|²)).
                const double distance = (x.row(row) - x.row(from)).squaredNorm() /
                                        (isHyperbolic ? 1.0 - x.row(row).squaredNorm() : 1.0);
                if (row != from && distance < least) {
                    least = distance;
                    nearest = row;
                }
            }
            return nearest;
        };
        open(test::toyBall(60, 5));
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        embedding::Row from = 0;
        while (from < 59 && nearestTo(from, true) == nearestTo(from, false)) {
            ++from;
        }
        QVERIFY(nearestTo(from, true) != nearestTo(from, false));
        const auto isTold = [&](bool isHyperbolic) {
            const auto pairs = model.sentencePairs();
            return pairs.size() == 1 && pairs[0][0] == Word(state.embedding(), from) &&
                   pairs[0][1] == Word(state.embedding(), nearestTo(from, isHyperbolic));
        };
        state.lookAt(Word(state.embedding(), from).text());
        QTRY_VERIFY(isTold(false));
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        QTRY_VERIFY(isTold(true));
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        open(test::toyEmbedding(60, 3));
        QTRY_VERIFY(isTold(false));
    }

    void twoWordsCanBeChosenAtOnce() {
        AnalysisState state;
        GuaranteeModel model(state);
        model.setWords(QStringLiteral("paris"), QStringLiteral("london"));  // nothing is open
        state.setEmbedding(test::toyEmbedding(), nullptr);
        model.setWords(QStringLiteral("word9"), QStringLiteral("paris"));
        QCOMPARE(model.firstWord(), QStringLiteral("word9"));
        QCOMPARE(model.secondWord(), QStringLiteral("paris"));
        QCOMPARE((*model.pairBefore())[1].text(), QStringLiteral("london"));
        model.setWords(QStringLiteral("word9"), QStringLiteral("no such word"));
        QCOMPARE(model.secondWord(), QStringLiteral("paris"));
    }

    /// TEM's loss is at most epsilon gamma: with gamma = 1 and epsilon = 3 the odds change by at
    /// most e^3 = 20.09 however far the words are apart.
    void theCapOfTemHoldsForDistantWords() {
        AnalysisState state;
        GuaranteeModel model(state);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.edit(&AnalysisSettings::choose, mechanism::Tem());
        state.edit(&AnalysisSettings::setParameters, {.gamma = 1.0});
        state.edit([](AnalysisSettings& settings) { settings.mechanism.gammaGiven = true; });
        state.edit(&AnalysisSettings::chooseEpsilon, 3.0);
        QCOMPARE(*model.guarantee()->cap, 3.0);
        QCOMPARE(*model.lossAt(3.0), 3.0);
        state.edit(&AnalysisSettings::setParameters, {.gamma = 0.0});
        QCOMPARE(*model.lossAt(3.0), 0.0);
    }

    void oddsAreThoseOfTheWordsChosen() {
        AnalysisState state;
        GuaranteeModel model(state);
        const QSignalSpy unknown(&model, &GuaranteeModel::unknownWord);
        const auto ball = test::toyBall(60, 5);
        state.setEmbedding(ball, nullptr);
        state.edit(&AnalysisSettings::choose, mechanism::Hyperbolic());
        QCOMPARE(model.firstWord(), QStringLiteral("paris"));
        QCOMPARE(model.secondWord(), QStringLiteral("london"));
        model.setWords(QStringLiteral("paris"), QStringLiteral("word9"));
        QCOMPARE(model.secondWord(), QStringLiteral("word9"));
        const double distance = metric::poincareDistance(ball->vectors().row(0).data(),
                                                         ball->vectors().row(9).data(), 5);
        QCOMPARE(model.distance(), distance);
        model.lookForSimilar(QStringLiteral("pariss"));
        QTRY_COMPARE(unknown.count(), 1);
        QCOMPARE(model.firstWord(), QStringLiteral("paris"));
        QVERIFY(unknown.front().at(1).toStringList().contains(QStringLiteral("paris")));
    }

    /// Lemma 3 encloses the loss between two Euclidean factors; Laplace needs none.
    void onlyMahalanobisHasAEuclideanReading() {
        AnalysisState state;
        GuaranteeModel model(state);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(!model.euclideanReading().isEmpty());
        state.edit(&AnalysisSettings::choose, mechanism::Laplace());
        QVERIFY(model.euclideanReading().isEmpty());
    }
};

EPSILENS_UI_TEST(GuaranteeModelTest)
#include "guarantee_model_test.moc"
