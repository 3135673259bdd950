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

// Why a setting cannot be computed is said where its outputs are missing.
AttackerGuesses::AttackerGuesses(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_guesses({.title = tr("Guessing words from outputs"),
                 .key = [this] { return subject(); },
                 .make = &AttackerGuesses::guess,
                 .restMs = kRestMs}) {
    connect(&m_guesses, &QueryBase::changed, this, &AttackerGuesses::changed);
    connect(&m_state, &AnalysisState::embeddingDropped, this, [this] { m_prior.reset(); });
    connect(&m_state, &AnalysisState::embeddingChanged, &m_guesses, &QueryBase::update);
    m_state.onChange(
        [](const AnalysisSettings& settings) {
            return std::pair(settings.setting(), settings.seed);
        },
        static_cast<QueryBase*>(&m_guesses), &QueryBase::update);
}

void AttackerGuesses::setPrior(AttackerPriorHandle prior) {
    m_prior = std::move(prior);
    m_guesses.update();
    Q_EMIT changed();
}

void AttackerGuesses::setActive(bool active) {
    m_guesses.setWanted(active);
}

std::optional<AttackerGuesses::Subject> AttackerGuesses::subject() const {
    if (isTooMuch() || !m_state.searchSpace()) {
        return std::nullopt;
    }
    return Subject{
        m_state.searchSpace(), {m_state.mechanism(), m_state.epsilon()}, m_state.seed(), m_prior};
}

bool AttackerGuesses::isTooMuch() const {
    const auto& embedding = m_state.embedding();
    return !embedding ||
           experiment::WordGuesses::products(m_state.mechanism(), embedding->wordCount(),
                                             embedding->dimensions()) > kMostProducts;
}

Result<AttackerGuesses::GuessesHandle> AttackerGuesses::guess(const Subject& subject,
                                                              const JobContext& job) {
    experiment::WordGuessOptions options;
    options.seed = subject.seed;
    const engine::SearchSpace& space = *subject.space;
    const VectorD prior = subject.prior ? subject.prior->shares
                                        : experiment::uniformPrior(space.embedding().wordCount());
    ASSIGN_OR_RETURN(auto guesses,
                     experiment::WordGuesses::learn(space, subject.setting, prior, options, job));
    return std::make_shared<const experiment::WordGuesses>(std::move(guesses));
}

std::optional<std::vector<ShownGuess>> AttackerGuesses::shownFor(
    const SampledSentence& sentence) const {
    if (isTooMuch()) {
        return std::nullopt;
    }
    std::vector<ShownGuess> shownGuesses(sentence.words.size());
    if (const GuessesHandle* guesses = m_guesses.current()) {
        for (std::size_t place = 0; place < sentence.words.size(); ++place) {
            shownGuesses[place] = shown(**guesses, sentence.words[place]);
        }
    }
    return shownGuesses;
}

ShownGuess AttackerGuesses::shown(const experiment::WordGuesses& guesses,
                                  const SampledWord& word) const {
    if (!word.row || !word.output.row || word.output.freshness != Freshness::current) {
        return {};
    }
    const auto& guess = guesses.on(*word.output.row);
    if (!guess || guess->probability < kLeastShown) {
        return {tr("unsure"),
                tr("the attacker has no guess that is right more often than one time in ten"),
                false};
    }
    const QString guessed = toQString(m_state.embedding()->vocabulary().word(guess->word));
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
    const QString percent = tr("%1%").arg(std::floor(100.0 * m_guesses.job().fraction()));
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
