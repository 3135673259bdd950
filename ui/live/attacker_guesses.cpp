#include "ui/live/attacker_guesses.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/attack/prior.h"
#include "core/base/pass_on.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {

constexpr int kRestMs = 150;

// Multiplications of a row of distances to each output that take a few milliseconds.
constexpr double kQuickProducts = 5e8;

bool isGuessed(const SampledWord& word) {
    return word.row && word.output.row;
}

}  // namespace

// Why a setting cannot be computed is said where its outputs are missing.
AttackerGuesses::AttackerGuesses(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_view({.title = tr("Guessing words from outputs"),
              .key =
                  [this] {
                      const auto now = subject();
                      return awaitsRequest() ? std::nullopt : now;
                  },
              .make = &AttackerGuesses::learn,
              .restMs = kRestMs}),
      m_guesses({.title = tr("Guessing the words of the text"),
                 .key = [this] { return question(); },
                 .make =
                     [](const Question& question, const JobContext& job) {
                         return question.view->guesses(0, question.outputs, 0, job);
                     },
                 .isQuick =
                     [](const Question& question) {
                         const auto& embedding = question.view->space().embedding();
                         return static_cast<double>(question.outputs.size()) *
                                    static_cast<double>(embedding.wordCount()) *
                                    static_cast<double>(embedding.dimensions()) <
                                kQuickProducts;
                     }}) {
    connect(&m_view, &QueryBase::changed, this, &AttackerGuesses::hearOfView);
    connect(&m_guesses, &QueryBase::changed, this, &AttackerGuesses::changed);
    connect(&m_state, &AnalysisState::embeddingDropped, this, [this] {
        m_prior.reset();
        m_outputs.clear();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &AttackerGuesses::update);
    m_state.onChange(
        [](const AnalysisSettings& settings) {
            return std::pair(settings.setting(), settings.seed);
        },
        this, &AttackerGuesses::update);
}

void AttackerGuesses::setPrior(AttackerPriorHandle prior) {
    m_prior = std::move(prior);
    update();
    Q_EMIT changed();
}

void AttackerGuesses::setActive(bool active) {
    m_view.setWanted(active);
    m_guesses.setWanted(active);
}

void AttackerGuesses::setSentence(const SampledSentence& sentence) {
    std::vector<Row> outputs;
    for (const SampledWord& word : sentence.words) {
        if (isGuessed(word) && !sentence.isStale) {
            outputs.push_back(*word.output.row);
        }
    }
    std::ranges::sort(outputs);
    outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
    m_outputs = std::move(outputs);
    m_guesses.update();
}

void AttackerGuesses::request() {
    m_requested = subject();
    update();
    Q_EMIT changed();
}

void AttackerGuesses::update() {
    m_view.update();
    m_guesses.update();
}

// A request that was cancelled, or failed, can be made again.
void AttackerGuesses::hearOfView() {
    if (m_view.current() == nullptr) {
        m_requested.reset();
        m_view.update();
    }
    m_guesses.update();
    Q_EMIT changed();
}

std::optional<AttackerGuesses::Subject> AttackerGuesses::subject() const {
    if (!m_state.searchSpace()) {
        return std::nullopt;
    }
    return Subject{
        m_state.searchSpace(), {m_state.mechanism(), m_state.epsilon()}, m_state.seed(), m_prior};
}

bool AttackerGuesses::awaitsRequest() const {
    const auto now = subject();
    return now && now->space->embedding().wordCount() > kMostUnasked && m_requested != now;
}

Result<AttackerGuesses::ViewHandle> AttackerGuesses::learn(const Subject& subject,
                                                           const JobContext& job) {
    const engine::SearchSpace& space = *subject.space;
    const VectorD prior =
        subject.prior ? subject.prior->shares : attack::uniformPrior(space.embedding().wordCount());
    ASSIGN_OR_RETURN(auto view, attack::AttackerView::learn(space, subject.setting.mechanism,
                                                            std::span(&subject.setting.epsilon, 1),
                                                            prior, subject.seed, 0, job));
    return std::make_shared<const attack::AttackerView>(std::move(view));
}

std::optional<AttackerGuesses::Question> AttackerGuesses::question() const {
    const ViewHandle* view = m_view.current();
    return view != nullptr ? std::optional(Question{*view, m_outputs}) : std::nullopt;
}

std::optional<std::vector<ShownGuess>> AttackerGuesses::shownFor(
    const SampledSentence& sentence) const {
    if (!m_state.searchSpace() || awaitsRequest()) {
        return std::nullopt;
    }
    std::vector<ShownGuess> shownGuesses;
    for (const SampledWord& word : sentence.words) {
        shownGuesses.push_back(sentence.isStale ? ShownGuess{} : shown(word));
    }
    return shownGuesses;
}

ShownGuess AttackerGuesses::shown(const SampledWord& word) const {
    const Answers* answers = m_guesses.current();
    if (answers == nullptr || !isGuessed(word)) {
        return {};
    }
    const auto place = std::ranges::lower_bound(m_outputs, *word.output.row);
    if (place == m_outputs.end() || *place != *word.output.row) {
        return {};
    }
    const attack::WordGuess& guess =
        (*answers)[static_cast<std::size_t>(place - m_outputs.begin())];
    if (guess.probability < kLeastShown) {
        return {tr("unsure"),
                tr("the attacker has no guess that is right more often than one time in ten"),
                false};
    }
    const QString guessed = toQString(m_state.embedding()->vocabulary().word(guess.word));
    const bool isRight = guess.word == word.row;
    const QString share = tr("%1%").arg(std::lround(100.0 * guess.probability));
    const QString spoken =
        isRight ? tr("the attacker guesses %1, correctly; %2 of such guesses are correct")
                : tr("the attacker guesses %1, wrongly; %2 of such guesses are correct");
    return {tr("%1 %2").arg(isRight ? QStringLiteral("✓") : guessed,
                            guess.isExact ? share : tr("≈%1").arg(share)),
            spoken.arg(guessed, (guess.isExact ? tr("exactly %1") : tr("about %1")).arg(share)),
            isRight};
}

QString AttackerGuesses::assumption() const {
    if (awaitsRequest()) {
        return tr("What an attacker guesses takes long with more than %1 words: it is computed "
                  "when you ask for it.")
            .arg(counted(kMostUnasked));
    }
    return m_prior ? tr("The attacker knows the setting, sees one word at a time and expects the "
                        "words of %1.")
                         .arg(m_prior->source)
                   : tr("The attacker knows the setting, sees one word at a time and expects every "
                        "word of the embedding equally.");
}

}  // namespace epsilens::ui::live
