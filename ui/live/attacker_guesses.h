#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/experiment/attack/word_guesses.h"
#include "core/mechanism/mechanism.h"
#include "ui/live/sentence.h"
#include "ui/state/analysis_state.h"
#include "ui/state/query.h"
#include "ui/state/time_left.h"

namespace epsilens::ui::live {

/// What an attacker expects before he sees an output.
struct AttackerPrior {
    VectorD shares{};  ///< of the V words of the embedding at hand, > 0, sum 1
    QString source{};  ///< "texts.tsv"; whose words these are
};
using AttackerPriorHandle = std::shared_ptr<const AttackerPrior>;

/// The guess behind one output as it is shown.
struct ShownGuess {
    QString text{};  ///< "✓ 73%", "heart 41%", "unsure" where nothing is told; empty: not known yet
    QString spoken{};  ///< the same as a sentence
    bool isRight = false;
};

/// What an attacker guesses behind the outputs of the current setting. Computed anew once the
/// setting has rested; without a prior every word of the embedding is equally likely to him.
class AttackerGuesses : public QObject {
    Q_OBJECT

public:
    /// Guesses are not computed where that takes more products of two numbers.
    static constexpr double kMostProducts = 6e11;
    /// A guess that is right less often tells nothing worth showing.
    static constexpr double kLeastShown = 0.1;

    explicit AttackerGuesses(AnalysisState& state, QObject* parent = nullptr);

    /// prior  of the embedding at hand; null: every word alike
    void setPrior(AttackerPriorHandle prior);
    /// While inactive nothing is computed; what is missing is asked for on becoming active.
    void setActive(bool active);

    /// One for each word of the sentence, empty ones while they are not known. Nothing where they
    /// will not be computed.
    [[nodiscard]] std::optional<std::vector<ShownGuess>> shownFor(
        const SampledSentence& sentence) const;
    /// What the attacker knows, or why there are no guesses: one sentence.
    [[nodiscard]] QString assumption() const;
    [[nodiscard]] JobRunnerBase& job() { return m_guesses.job(); }
    /// "12 %, 15 s left" while guesses are computed.
    [[nodiscard]] QString progressText() const;

Q_SIGNALS:
    /// shownFor() and assumption() have other answers.
    void changed();

private:
    using GuessesHandle = std::shared_ptr<const experiment::WordGuesses>;
    /// What guesses depend on.
    struct Subject {
        engine::SearchSpaceHandle space{};
        mechanism::Setting setting{};
        std::uint64_t seed = 1;
        AttackerPriorHandle prior{};

        [[nodiscard]] bool operator==(const Subject&) const = default;
    };

    [[nodiscard]] std::optional<Subject> subject() const;
    [[nodiscard]] static Result<GuessesHandle> guess(const Subject& subject, const JobContext& job);
    [[nodiscard]] bool isTooMuch() const;
    [[nodiscard]] ShownGuess shown(const experiment::WordGuesses& guesses,
                                   const SampledWord& word) const;

    AnalysisState& m_state;
    AttackerPriorHandle m_prior;
    Query<Subject, GuessesHandle> m_guesses;
    TimeLeft& m_timeLeft = TimeLeft::of(m_guesses.job());
};

}  // namespace epsilens::ui::live
