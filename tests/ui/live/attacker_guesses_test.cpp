#include "ui/live/attacker_guesses.h"

#include <array>
#include <utility>

#include <QSignalSpy>

#include "core/attack/prior.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using test::kPatienceMs;
using ui::live::AttackerGuesses;
using ui::live::SampledSentence;
using ui::live::ShownGuess;

namespace {

/// The words of rows 3 and 5 that came out as those of rows 3 and 4, and an unknown one.
SampledSentence sentence() {
    SampledSentence result;
    result.words.push_back({0, 1, 0, QStringLiteral("a"), 3, {3}});
    result.words.push_back({2, 1, 1, QStringLiteral("b"), 5, {4}});
    result.words.push_back({4, 1, 2, QStringLiteral("c"), {}, {}});
    return result;
}

struct Fixture {
    explicit Fixture(const mechanism::Mechanism& mechanism, double epsilon) {
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        state.edit(&ui::AnalysisSettings::choose, mechanism);
        state.edit(&ui::AnalysisSettings::chooseEpsilon, epsilon);
        guesses.setSentence(sentence());
    }
    [[nodiscard]] ShownGuess guess(std::size_t place) const {
        return guesses.shownFor(sentence()).value()[place];
    }
    [[nodiscard]] bool isKnown() const { return !guess(0).text.isEmpty(); }

    ui::AnalysisState state;
    AttackerGuesses guesses{state};
};

}  // namespace

class AttackerGuessesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noiseThatHidesNothingIsSeenThrough() {
        Fixture f(mechanism::Laplace{}, 10'000.0);
        QTRY_VERIFY_WITH_TIMEOUT(f.isKnown(), kPatienceMs);
        QVERIFY(f.guess(0).isRight);
        QCOMPARE(f.guess(0).text, QStringLiteral("✓ ≈100%"));
        // A guess that is nearly always right is wrong about this word.
        QVERIFY(!f.guess(1).isRight);
        const QString output = ui::toQString(f.state.embedding()->vocabulary().word(4));
        QCOMPARE(f.guess(1).text, QStringLiteral("%1 ≈100%").arg(output));
        QVERIFY(f.guess(1).spoken.contains(QStringLiteral("wrongly")));
        QVERIFY(f.guess(2).text.isEmpty());
        // Behind outputs of earlier settings nothing is guessed.
        SampledSentence stale = sentence();
        stale.isStale = true;
        QVERIFY(f.guesses.shownFor(stale).value()[0].text.isEmpty());
    }

    void exactProbabilitiesEqualThoseOfTheCore() {
        Fixture f(mechanism::Exponential{}, 3.0);
        QTRY_VERIFY_WITH_TIMEOUT(f.isKnown(), kPatienceMs);
        const auto view =
            attack::AttackerView::learn(*f.state.searchSpace(), mechanism::Exponential{},
                                        std::array{3.0}, attack::uniformPrior(40), 1)
                .value();
        const auto best = view.guesses(0, std::array<embedding::Row, 1>{4}).value().front();
        const QString share = QString::number(qRound(100.0 * best.probability));
        if (best.probability < AttackerGuesses::kLeastShown) {
            QCOMPARE(f.guess(1).text, QStringLiteral("unsure"));
        } else {
            QVERIFY2(f.guess(1).text.endsWith(QStringLiteral(" %1%").arg(share)),
                     qPrintable(f.guess(1).text));
        }
    }

    void anotherSettingHasNoGuessesUntilTheyAreKnown() {
        Fixture f(mechanism::Laplace{}, 10'000.0);
        QTRY_VERIFY_WITH_TIMEOUT(f.isKnown(), kPatienceMs);
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 1e-4);
        QVERIFY(!f.isKnown());
        QTRY_VERIFY_WITH_TIMEOUT(f.isKnown(), kPatienceMs);
        QCOMPARE(f.guess(0).text, QStringLiteral("unsure"));
        f.state.setEmbedding(nullptr, nullptr);
        QVERIFY(!f.guesses.shownFor(sentence()));
    }

    void whatIsExpectedCounts() {
        // The noise hides everything: the attacker guesses what he expects.
        Fixture f(mechanism::Laplace{}, 1e-4);
        auto prior = std::make_shared<ui::live::AttackerPrior>();
        prior->shares = VectorD::Constant(40, 0.2 / 39.0);
        prior->shares[5] = 0.8;
        prior->source = QStringLiteral("texts.tsv");
        f.guesses.setPrior(prior);
        QVERIFY(f.guesses.assumption().contains(QStringLiteral("texts.tsv")));
        QTRY_VERIFY_WITH_TIMEOUT(f.isKnown(), kPatienceMs);
        // Not every word comes out of such noise; where one does, the guess is the expected word.
        int told = 0;
        for (embedding::Row output = 0; output < 40; ++output) {
            SampledSentence one;
            one.words.push_back({0, 1, 0, QStringLiteral("b"), 5, {output}});
            f.guesses.setSentence(one);
            QTRY_VERIFY_WITH_TIMEOUT(!f.guesses.shownFor(one).value().front().text.isEmpty(),
                                     kPatienceMs);
            const ShownGuess guess = f.guesses.shownFor(one).value().front();
            told += guess.text == QStringLiteral("unsure") ? 0 : 1;
            QVERIFY(guess.isRight || guess.text == QStringLiteral("unsure"));
        }
        QVERIFY(told >= 2);
        f.guesses.setPrior(nullptr);
        QVERIFY(!f.isKnown());
    }

    void largeEmbeddingsAreGuessedOnRequest() {
        constexpr int kLongMs = 4 * kPatienceMs;  // so many words take their time
        Fixture f(mechanism::Laplace{}, 1e4);
        const auto embedding = test::toyEmbedding(AttackerGuesses::kMostUnasked + 1, 2);
        f.state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        f.guesses.setSentence(sentence());
        QVERIFY(f.guesses.awaitsRequest());
        QVERIFY(!f.guesses.shownFor(sentence()));
        QVERIFY(f.guesses.assumption().contains(QStringLiteral("when you ask")));
        f.guesses.request();
        QVERIFY(!f.guesses.awaitsRequest());
        QTRY_VERIFY_WITH_TIMEOUT(f.isKnown(), kLongMs);
        QVERIFY(f.guess(0).isRight);
        // Another setting is another request; a request that is cancelled can be made again.
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 2e4);
        QVERIFY(f.guesses.awaitsRequest());
        f.guesses.request();
        QTRY_VERIFY_WITH_TIMEOUT(f.guesses.job().isRunning(), kPatienceMs);
        f.guesses.job().cancel();
        QTRY_VERIFY_WITH_TIMEOUT(f.guesses.awaitsRequest(), kPatienceMs);
        f.guesses.request();
        QTRY_VERIFY_WITH_TIMEOUT(f.isKnown(), kLongMs);
    }

    void nothingIsComputedWhileInactive() {
        Fixture f(mechanism::Laplace{}, 10.0);
        f.guesses.setActive(false);
        const QSignalSpy started(&f.guesses.job(), &ui::JobRunnerBase::started);
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 20.0);
        test::letPass(400);
        QCOMPARE(started.count(), 0);
        f.guesses.setActive(true);
        QTRY_VERIFY_WITH_TIMEOUT(f.isKnown(), kPatienceMs);
    }
};

EPSILENS_UI_TEST(AttackerGuessesTest)
#include "attacker_guesses_test.moc"
