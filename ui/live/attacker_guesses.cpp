#include "ui/live/attacker_guesses.h"

#include <cmath>
#include <utility>

#include "core/base/pass_on.h"
#include "core/experiment/attack/prior.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {

constexpr int kRestMs = 150;

int percent(double share) {
    return static_cast<int>(std::lround(100.0 * share));
}

}  // namespace

AttackerGuesses::AttackerGuesses(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_rest(kRestMs),
      m_job(tr("Guessing words from outputs"),
            [this](const Result<GuessesHandle>& guesses) { take(guesses); }) {
    connect(&m_state, &AnalysisState::embeddingDropped, this, &AttackerGuesses::forget);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &AttackerGuesses::follow);
    m_state.onChange(&AnalysisSettings::epsilon, this, &AttackerGuesses::follow);
    m_state.onChange(&AnalysisSettings::chosen, this, &AttackerGuesses::follow);
    m_state.onChange(&AnalysisSettings::seed, this, &AttackerGuesses::follow);
    connect(&m_rest, &QTimer::timeout, this, &AttackerGuesses::compute);
}

void AttackerGuesses::setPrior(AttackerPriorHandle prior) {
    m_prior = std::move(prior);
    follow();
    Q_EMIT changed();
}

void AttackerGuesses::setActive(bool active) {
    m_isActive = active;
    follow();
}

void AttackerGuesses::forget() {
    m_rest.stop();
    m_job.drop();
    m_asked = {};
    m_known = {};
    m_guesses.reset();
    m_prior.reset();
}

AttackerGuesses::Subject AttackerGuesses::subject() const {
    return {m_state.embedding(), {m_state.mechanism(), m_state.epsilon()}, m_state.seed(), m_prior};
}

bool AttackerGuesses::isTooMuch() const {
    const auto& embedding = m_state.embedding();
    return !embedding ||
           experiment::WordGuesses::products(m_state.mechanism(), embedding->wordCount(),
                                             embedding->dimensions()) > kMostProducts;
}

// While a setting moves, a job of the one before would only take processors from what follows it.
void AttackerGuesses::follow() {
    const Subject now = subject();
    if (m_job.isRunning() && (!m_isActive || m_asked != now)) {
        m_job.drop();
    }
    if (m_isActive && !isTooMuch() && now != m_known) {
        m_rest.start();
    } else {
        m_rest.stop();
    }
}

void AttackerGuesses::compute() {
    m_asked = subject();
    m_job.start([space = m_state.searchSpace(),
                 asked = m_asked](const JobContext& job) -> Result<GuessesHandle> {
        experiment::WordGuessOptions options;
        options.seed = asked.seed;
        const VectorD prior = asked.prior
                                  ? asked.prior->shares
                                  : experiment::uniformPrior(space->embedding().wordCount());
        ASSIGN_OR_RETURN(auto guesses, experiment::WordGuesses::learn(*space, asked.setting, prior,
                                                                      options, job));
        return std::make_shared<const experiment::WordGuesses>(std::move(guesses));
    });
}

// Why a setting cannot be computed is said where its outputs are missing.
void AttackerGuesses::take(const Result<GuessesHandle>& guesses) {
    if (guesses && m_asked == subject()) {
        m_known = m_asked;
        m_guesses = *guesses;
        Q_EMIT changed();
    }
}

std::optional<std::vector<ShownGuess>> AttackerGuesses::shownFor(
    const SampledSentence& sentence) const {
    if (isTooMuch()) {
        return std::nullopt;
    }
    std::vector<ShownGuess> shownGuesses(sentence.words.size());
    if (m_guesses && m_known == subject()) {
        for (std::size_t place = 0; place < sentence.words.size(); ++place) {
            shownGuesses[place] = shown(sentence.words[place]);
        }
    }
    return shownGuesses;
}

ShownGuess AttackerGuesses::shown(const SampledWord& word) const {
    if (!word.row || !word.output.row || word.output.freshness != Freshness::current) {
        return {};
    }
    const auto& guess = m_guesses->on(*word.output.row);
    if (!guess || guess->probability < kLeastShown) {
        return {tr("unsure"),
                tr("the attacker has no guess that is right more often than one time in ten"),
                false};
    }
    const QString guessed = toQString(m_known.embedding->vocabulary().word(guess->word));
    const bool isRight = guess->word == word.row;
    const int share = percent(guess->probability);
    const QString name = isRight ? QStringLiteral("✓") : guessed;
    if (!guess->ci95) {
        return {
            tr("%1 %2%").arg(name).arg(share),
            (isRight
                 ? tr("the attacker guesses %1, correctly; exactly %2% of such guesses are "
                      "correct")
                 : tr("the attacker guesses %1, wrongly; exactly %2% of such guesses are correct"))
                .arg(guessed)
                .arg(share),
            isRight};
    }
    const auto [low, high] = *guess->ci95;
    return {tr("%1 ≈%2%").arg(name).arg(share),
            (isRight ? tr("the attacker guesses %1, correctly; %2% of such guesses are correct "
                          "(95% interval %3 to %4)")
                     : tr("the attacker guesses %1, wrongly; %2% of such guesses are correct "
                          "(95% interval %3 to %4)"))
                .arg(guessed)
                .arg(share)
                .arg(percent(low))
                .arg(percent(high)),
            isRight};
}

QString AttackerGuesses::progressText() const {
    const QString percent = tr("%1%").arg(std::floor(100.0 * m_job.fraction()));
    const auto left = m_timeLeft.seconds();
    return left ? tr("%1, %2 left").arg(percent, duration(*left)) : percent;
}

QString AttackerGuesses::assumption() const {
    if (isTooMuch()) {
        return m_state.embedding() ? tr("What an attacker guesses is not computed here: the "
                                        "embedding has too many words for this mechanism.")
                                   : QString();
    }
    return m_prior ? tr("The attacker knows the setting, sees one word at a time and expects the "
                        "words of %1.")
                         .arg(m_prior->source)
                   : tr("The attacker knows the setting, sees one word at a time and expects every "
                        "word of the embedding equally.");
}

}  // namespace epsilens::ui::live
