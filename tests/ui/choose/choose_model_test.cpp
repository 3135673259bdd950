#include "ui/choose/choose_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "core/attack/prior.h"
#include "core/engine/draw_sweep.h"
#include "core/engine/noise_series.h"
#include "core/engine/poincare_space.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/metric/word_metric.h"
#include "tests/ui/choose/choose_fixture.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using namespace epsilens::ui::choose;
using test::DirectComputation;
using test::isSame;
using test::isSettled;

namespace {

constexpr int kBallWords = 200;

struct Followed : test::Stated {
    Followed() { test::loadToy(state); }
    explicit Followed(const char* text) : Followed() { follow(text); }
    explicit Followed(const embedding::EmbeddingHandle& embedding) { open(embedding); }

    void follow(const char* text) {
        state.setSentence(QString::fromUtf8(text));
        settle();
    }
    void settle() { QTRY_VERIFY(isSettled(model)); }
    [[nodiscard]] const TextWord& word(std::size_t place) const { return model.words()[place]; }
    [[nodiscard]] bool isGuessed(std::size_t place) const {
        return place < model.output().words.size() &&
               !model.output().words[place].guess.text.isEmpty();
    }

    ChooseModel model{state};
};

/// What the pinned setting puts in a place; nothing while that is not known.
std::optional<embedding::Row> pinnedRow(const Followed& f, std::size_t place) {
    return f.model.pinnedOutput()->words[place].output.row;
}

}  // namespace

class ChooseModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void distributionsAreThoseOfTheCore() {
        Followed f;
        f.state.edit(&AnalysisSettings::draws, 101);
        f.follow("paris london word7");
        const DirectComputation direct(f.state, {"paris", "london", "word7"});
        const QSignalSpy jobs(&f.model.outputJob(), &JobRunnerBase::started);
        const QSignalSpy changes(&f.model, &ChooseModel::valuesChanged);
        for (const double epsilon : {0.1, 2.0, 5.0, 40.0, test::kToyEpsilon}) {
            f.chooseEpsilon(epsilon);
            for (std::size_t word = 0; word < 3; ++word) {
                QVERIFY(isSame(f.word(word).distribution, direct.distribution(word, epsilon)));
            }
        }
        // Epsilon only looks up.
        QVERIFY(!f.model.isBehind());
        QCOMPARE(jobs.count(), 0);
        QCOMPARE(changes.count(), 5);
        // The settings tell the three classes apart; otherwise equality would say little.
        const auto mixed = direct.distribution(0, test::kToyEpsilon);
        QVERIFY(mixed.kept > 0 && mixed.near > 0 && mixed.far > 0);
        std::vector<double> critical;
        for (const engine::DrawPath& path : direct.paths(0)) {
            critical.push_back(path.criticalEpsilon(f.word(0).word->row()));
        }
        QCOMPARE(critical.size(), 101);
        std::ranges::sort(critical);
        QCOMPARE(f.word(0).outputs->halfKept, critical[50]);
    }

    void everySettingThatMattersIsFollowed() {
        Followed f("paris london");
        const auto lambda = [&f](double value) { f.set({.lambda = value}); };
        const auto check = [&f](const auto& change) {
            const auto old = DirectComputation(f.state, {"paris"}, f.word(0).distribution.draws)
                                 .distribution(0, test::kToyEpsilon);
            change();
            QVERIFY(f.word(0).outputs && f.model.isStale() && f.model.output().isStale);
            f.settle();
            const auto now =
                DirectComputation(f.state, {"paris"}).distribution(0, test::kToyEpsilon);
            QVERIFY(isSame(f.word(0).distribution, now));
            QVERIFY(!isSame(f.word(0).distribution, old));
        };
        check([&] {
            lambda(0.1);
            lambda(0.6);
            lambda(0.95);
        });
        check([&f] { f.state.edit(&AnalysisSettings::seed, 9); });
        check([&f] { f.state.edit(&AnalysisSettings::draws, 30); });
        check([&f] { f.choose(mechanism::Laplace()); });
        f.choose(mechanism::Mahalanobis());
        f.settle();
        // Going back needs no job.
        lambda(0.2);
        QVERIFY(f.model.isBehind());
        lambda(0.95);
        QVERIFY(!f.model.isBehind());
        QTRY_VERIFY(!f.model.outputJob().isRunning());
        QVERIFY(!f.model.isBehind());
    }

    void sentenceKGivesWordIDrawKPlusI() {
        Followed f;
        f.state.edit(&AnalysisSettings::draws, 4);
        f.follow("paris london word7");
        const DirectComputation direct(f.state, {"paris", "london", "word7"});
        for (int sentence = 0; sentence < 6; ++sentence) {
            QCOMPARE(f.model.sampleIndex(), sentence % 4);
            QStringList expected;
            int changed = 0;
            for (std::size_t word = 0; word < 3; ++word) {
                expected.append(direct.output(word, (sentence + static_cast<int>(word)) % 4,
                                              test::kToyEpsilon));
                changed += expected.last() == f.word(word).typed ? 0 : 1;
            }
            QCOMPARE(f.model.output().text, expected.join(QLatin1Char(' ')));
            QCOMPARE(f.model.output().changed, changed);
            f.model.nextSample();
        }
    }

    /// A text longer than the draws gets more of them.
    void repeatedWordsAreOneRow() {
        Followed f;
        f.state.edit(&AnalysisSettings::draws, 3);
        f.follow("paris nope Paris nope london word2 word3");
        QCOMPARE(f.model.words().size(), 5);
        QCOMPARE(f.word(0).occurrences, 2);
        QVERIFY(!f.word(1).word.has_value());
        QCOMPARE(f.model.output().known, 5);
        QCOMPARE(f.model.output().unknown, 2);
        QCOMPARE(f.model.drawsUsed(), 9);
        QCOMPARE(f.word(0).distribution.draws, 9);
    }

    void outputsTakeTheCaseOfTheTypedWord() {
        Followed f;
        f.chooseEpsilon(0.01);
        f.follow("PARIS, London.");
        const SampledSentence& output = f.model.output();
        QCOMPARE(output.changed, 2);
        QCOMPARE(output.words.size(), 2);
        const QString first = textOf(output, 0);
        const QString second = textOf(output, 1);
        QCOMPARE(first, first.toUpper());
        QVERIFY(second.front().isUpper());
        QCOMPARE(output.text, first + ", " + second + ".");
    }

    void typingOnComputesOnlyTheNewWord() {
        Followed f("paris london");
        const NeighbourhoodHandle before = f.word(0).outputs->neighbours;
        f.state.setSentence("paris london word9");
        QVERIFY(f.word(0).outputs && !f.word(2).outputs && !f.model.isStale());
        f.settle();
        f.state.setSentence("london paris!");
        QVERIFY(!f.model.isBehind());
        f.settle();
        QVERIFY(f.word(1).outputs->neighbours == before);
    }

    void unknownWordsAreTreatedAsThePolicySays() {
        using release::UnknownPolicy;
        Followed f;
        f.chooseEpsilon(1000.0);
        f.follow("paris Nope");
        QCOMPARE(f.model.output().text, "paris <unk>");
        f.state.edit(&AnalysisSettings::textPolicies, {UnknownPolicy::keep, {}});
        QCOMPARE(f.model.output().text, "paris Nope");
        f.state.edit(&AnalysisSettings::textPolicies, {UnknownPolicy::drop, {}});
        QCOMPARE(f.model.output().text, "paris ");
        f.state.edit(&AnalysisSettings::textPolicies, {UnknownPolicy::random, {}});
        QSet<QString> outputs;
        for (int i = 0; i < 100; ++i) {
            const QString word = f.model.output().text.mid(6);
            QVERIFY(f.state.embedding()->vocabulary().find(toStd(word.toLower())));
            QVERIFY(word.front().isUpper());
            outputs.insert(word);
            f.model.nextSample();
        }
        QVERIFY(outputs.size() > 1);
        QCOMPARE(f.model.output().changed, 0);
        QCOMPARE(f.model.output().unknown, 1);
    }

    void letterCaseDecidesWhatIsKnown() {
        Followed f("Paris");
        QVERIFY(f.word(0).word.has_value());
        f.state.edit(&AnalysisSettings::textPolicies, {{}, text::CasePolicy::keep});
        QTRY_VERIFY(!f.word(0).word.has_value());
        f.state.edit(&AnalysisSettings::textPolicies, {{}, text::CasePolicy::lower});
        QTRY_VERIFY(f.word(0).word.has_value());
    }

    void detailIsTheFirstKnownWordUntilOneIsSelected() {
        Followed f("nope paris london");
        QCOMPARE(f.model.detail()->typed, "paris");
        QVERIFY(!f.state.selectedWord().has_value());
        f.model.select(2);
        QCOMPARE(f.model.detail()->typed, "london");
        QCOMPARE(f.state.selectedWord(), findWord(f.state.embedding(), "london"));
        f.model.select(0);
        QCOMPARE(f.model.detail()->typed, "london");
        // A word selected elsewhere is shown, too.
        f.state.selectWord(findWord(f.state.embedding(), "word7"));
        QTRY_VERIFY(f.model.detail()->outputs);
        QCOMPARE(f.model.detail()->typed, "word7");
        QCOMPARE(f.model.detail()->occurrences, 0);
        QCOMPARE(f.model.distinctWords(), 3);
        QVERIFY(isSame(f.model.detail()->distribution,
                       DirectComputation(f.state, {"word7"}).distribution(0, test::kToyEpsilon)));
        f.state.setSentence("london");
        QCOMPARE(f.model.detail()->typed, "london");
    }

    /// Behind each output stands what the attack of the core guesses from it.
    void guessesAreThoseOfTheCore() {
        auto expected = std::make_shared<VectorD>(VectorD::Constant(40, 0.2 / 39.0));
        (*expected)[5] = 0.8;
        for (const auto& [mechanism, epsilon, prior] :
             {std::tuple(mechanism::Mechanism(mechanism::Laplace()), 3.0,
                         std::shared_ptr<const VectorD>()),
              {mechanism::Mechanism(mechanism::Exponential()), 3.0, nullptr},
              {mechanism::Mechanism(mechanism::Laplace()), 1e-4, expected}}) {
            Followed f(test::toyEmbedding());
            f.model.setPrior(prior, "texts.tsv");
            QCOMPARE(f.model.assumption().contains("texts.tsv"), prior != nullptr);
            f.choose(mechanism);
            f.chooseEpsilon(epsilon);
            QByteArray text = "nope";
            for (embedding::Row row = 0; row < 40; ++row) {
                text += ' ' + QByteArray::fromStdString(
                                  std::string(f.state.embedding()->vocabulary().word(row)));
            }
            f.follow(text.constData());
            QTRY_VERIFY(f.isGuessed(1));
            const auto view = attack::AttackerView::learn(
                                  *f.state.searchSpace(), mechanism, std::array{epsilon},
                                  prior ? *prior : attack::uniformPrior(40), f.state.seed())
                                  .value();
            QSet<QString> kinds;
            for (const SampledWord& word : f.model.output().words) {
                if (!word.row) {
                    QVERIFY(word.guess.text.isEmpty());
                    continue;
                }
                const auto best = view.guesses(0, std::array{*word.output.row}).value().front();
                const bool isRight = best.word == *word.row;
                const bool isUnsure = best.probability < kLeastGuessed;
                const QString guessed =
                    toQString(f.state.embedding()->vocabulary().word(best.word));
                QCOMPARE(word.guess.isRight, isRight && !isUnsure);
                QCOMPARE(word.guess.text,
                         isUnsure
                             ? "unsure"
                             : QString("%1 %2%3%")
                                   .arg(isRight ? "✓" : guessed, best.isExact ? QString() : "≈")
                                   .arg(std::lround(100.0 * best.probability)));
                kinds.insert(word.guess.text.left(1));
            }
            QVERIFY(kinds.size() > 1);
            // Behind outputs of earlier settings, or of others, nothing is guessed.
            f.state.edit(&AnalysisSettings::seed, 9);
            QVERIFY(f.model.output().isStale && !f.isGuessed(1));
            QTRY_VERIFY(f.isGuessed(1));
        }
    }

    void largeEmbeddingsAreGuessedOnRequest() {
        constexpr int kLongMs = 4 * test::kPatienceMs;  // so many words take their time
        Followed f(test::toyEmbedding(kMostGuessedUnasked + 1, 2));
        f.choose(mechanism::Laplace());
        f.chooseEpsilon(1e4);
        f.follow("paris");
        QVERIFY(f.model.awaitsRequest());
        QVERIFY(f.model.assumption().contains("when you ask"));
        f.model.requestGuesses();
        QVERIFY(!f.model.awaitsRequest());
        QTRY_VERIFY_WITH_TIMEOUT(f.isGuessed(0), kLongMs);
        QVERIFY(f.model.output().words[0].guess.isRight);
        // Another setting is another request; a request that is cancelled can be made again.
        f.chooseEpsilon(2e4);
        QVERIFY(f.model.awaitsRequest() && !f.isGuessed(0));
        f.model.requestGuesses();
        QTRY_VERIFY(f.model.guessJob().isRunning());
        f.model.guessJob().cancel();
        QTRY_VERIFY(f.model.awaitsRequest());
        f.model.requestGuesses();
        QTRY_VERIFY_WITH_TIMEOUT(f.isGuessed(0), kLongMs);
    }

    void whileInactiveNothingIsComputed() {
        Followed f;
        f.model.setActive(false);
        const QSignalSpy jobs(&f.model.outputJob(), &JobRunnerBase::started);
        const QSignalSpy guesses(&f.model.guessJob(), &JobRunnerBase::started);
        f.state.setSentence("paris");
        QTRY_VERIFY(!f.model.words().empty());
        f.set({.lambda = 0.7});
        test::letPass(50);
        QVERIFY(jobs.empty() && guesses.empty());
        f.model.setActive(true);
        f.settle();
        // Also where a run was stopped a moment ago.
        f.state.edit(&AnalysisSettings::seed, 7);
        f.model.setActive(false);
        QVERIFY(f.model.isBehind());
        f.model.setActive(true);
        f.settle();
    }

    void anotherEmbeddingForgetsTheOld() {
        Followed f("paris word250");
        f.open(test::toyEmbedding(40, 3));
        QVERIFY(f.model.words().empty());
        f.settle();
        QVERIFY(!f.word(1).word.has_value());
        QVERIFY(isSame(f.word(0).distribution,
                       DirectComputation(f.state, {"paris"}).distribution(0, f.state.epsilon())));
    }

    /// Against the sentence seen before, and the core at the pinned settings alone.
    void thePinnedSettingStaysAsItWas() {
        Followed f("paris london word7 word9");
        f.model.nextSample();
        const QString before = f.model.output().text;
        QVERIFY(!f.model.pinnedOutput());
        f.state.edit(&AnalysisSettings::pinPresent);
        f.chooseEpsilon(40.0);
        f.set({.lambda = 0.1});
        f.settle();
        QTRY_COMPARE(f.model.pinnedOutput()->text, before);
        QVERIFY(f.model.output().text != before);
        // Another mechanism, whose outputs are known at the pinned epsilon alone.
        f.choose(mechanism::Tem());
        f.state.edit(&AnalysisSettings::pinPresent);
        QVERIFY(!pinnedRow(f, 1));
        QTRY_VERIFY(pinnedRow(f, 1));
        f.state.edit(&AnalysisSettings::pin, std::nullopt);
        QVERIFY(!f.model.pinnedOutput());
    }

    void pinnedAgainWhileItsJobIsBeingStopped() {
        Followed f;
        f.state.edit(&AnalysisSettings::draws, 10'000);  // enough that the job is still running
        f.state.setSentence("paris london word7 word9");
        QTRY_VERIFY(!f.model.words().empty());
        f.state.edit(&AnalysisSettings::pinPresent);
        const auto pin = f.state.pin();
        f.state.edit(&AnalysisSettings::pin, std::nullopt);
        f.state.edit(&AnalysisSettings::pin, pin);
        QTRY_VERIFY(pinnedRow(f, 3));
    }

    /// Probabilities by the closed form over distances in float64, S_w by its definition.
    void temShowsExactProbabilities() {
        Followed f(test::toyBall(kBallWords, 3));
        f.choose(mechanism::Tem());
        f.set({.metric = metric::Metric::angular});
        f.set({.gamma = 1.2});
        f.state.edit([](AnalysisSettings& settings) { settings.mechanism.gammaGiven = true; });
        f.state.setSentence("paris london word7");
        for (const double epsilon : {2.0, 9.0}) {
            f.chooseEpsilon(epsilon);
            f.settle();
            const auto metric =
                metric::WordMetric::create(f.state.embedding(), metric::Metric::angular).value();
            const auto law = mechanism::TruncatedExponential::create(epsilon, 1.2).value();
            VectorD p(kBallWords);
            for (embedding::Row row = 0; row < kBallWords; ++row) {
                p[row] = std::exp(-law.exponent(metric.distance(0, row)));
            }
            p /= p.sum();
            double distinct = 0.0;
            for (const double share : p) {
                distinct += 1.0 - std::pow(1.0 - share, f.state.draws());
            }
            const auto& shown = f.word(0).distribution;
            QVERIFY(shown.exact);
            QVERIFY(std::abs(shown.kept - 100.0 * p[0]) < 1e-3);
            QVERIFY(std::abs(shown.distinct - distinct) < 1e-3 * distinct);
            for (const auto& output : shown.outputs) {
                const double expected = 100.0 * p[static_cast<std::size_t>(output.row)];
                QVERIFY(std::abs(output.count - expected) < 1e-3 * expected);
            }
            std::sort(p.begin(), p.end());  // the word itself is the last one
            const double near = 100.0 * p.tail(1 + kNearNeighbours).head(kNearNeighbours).sum();
            QVERIFY(std::abs(shown.near - near) < 1e-3 * near);
            QCOMPARE(shown.outputCount, std::int64_t{kBallWords});
            QVERIFY(f.model.output().words.front().output.row.has_value());
        }
    }

    /// Hyperbolic outputs follow the exact paths; their counts are those of drawing at the epsilon.
    void hyperbolicPathsAgreeWithDraws() {
        Followed f(test::toyBall(kBallWords, 3));
        f.choose(mechanism::Hyperbolic());
        f.follow("paris london word7");
        const std::vector<double> epsilons{2.5, 4.0, 12.0};
        const auto series =
            engine::createSeries(*f.state.searchSpace(), f.state.mechanism(), {0.0}).value();
        const std::vector<embedding::Row> rows{0, 1, 7};
        const auto drawn =
            engine::drawOutputs(*series, rows, epsilons, {f.state.draws(), f.state.seed(), 100, 0})
                .value();
        for (std::size_t e = 0; e < epsilons.size(); ++e) {
            f.chooseEpsilon(epsilons[e]);
            for (std::size_t word = 0; word < rows.size(); ++word) {
                QVERIFY(isSame(f.word(word).distribution,
                               calibration::outputDistribution(rows[word], drawn[word].outputs[e],
                                                               drawn[word].neighbours)));
            }
        }
        QVERIFY(f.word(0).outputs->halfKept >= 2.0);  // m - 1
        // Near means near by the distance of the mechanism.
        const engine::PoincareSpace ball(*f.state.searchSpace());
        const auto hyperbolic = f.word(0).outputs->neighbours->rows;
        QVERIFY(hyperbolic == engine::poincareNeighbours(ball, 0, 100).rows);
        f.choose(mechanism::Laplace());
        f.settle();
        QVERIFY(f.word(0).outputs->neighbours->rows != hyperbolic);
    }
};

EPSILENS_UI_TEST(ChooseModelTest)
#include "choose_model_test.moc"
