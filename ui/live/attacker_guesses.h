#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/attack/attacker_view.h"
#include "core/mechanism/mechanism.h"
#include "ui/live/live_model.h"
#include "ui/state/analysis_state.h"
#include "ui/state/query.h"

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

/// What an attacker guesses behind outputs of the current setting. He learns the setting anew once
/// it has rested; without a prior every word of the embedding is equally likely to him.
class AttackerGuesses : public QObject {
    Q_OBJECT

public:
    /// Of larger embeddings he learns a setting on request only.
    static constexpr Row kMostUnasked = 100'000;
    /// A guess that is right less often tells nothing worth showing.
    static constexpr double kLeastShown = 0.1;

    explicit AttackerGuesses(AnalysisState& state, QObject* parent = nullptr);

    /// prior  of the embedding at hand; null: every word alike
    void setPrior(AttackerPriorHandle prior);
    /// While inactive nothing is computed; what is missing is asked for on becoming active.
    void setActive(bool active);
    /// The outputs that are guessed behind.
    void setSentence(const SampledSentence& sentence);
    /// Learns the current setting of an embedding of any size.
    void request();

    /// Whether nothing is computed without a request.
    [[nodiscard]] bool awaitsRequest() const;
    /// One for each word of the sentence, empty ones while they are not known. Nothing without an
    /// embedding or while a request is awaited.
    [[nodiscard]] std::optional<std::vector<ShownGuess>> shownFor(
        const SampledSentence& sentence) const;
    /// What the attacker knows, or why there are no guesses: one sentence.
    [[nodiscard]] QString assumption() const;
    [[nodiscard]] JobRunnerBase& job() { return m_view.job(); }

Q_SIGNALS:
    /// shownFor(), awaitsRequest() and assumption() have other answers.
    void changed();

private:
    using ViewHandle = std::shared_ptr<const attack::AttackerView>;
    /// What an attacker learns.
    struct Subject {
        engine::SearchSpaceHandle space{};
        mechanism::Setting setting{};
        std::uint64_t seed = 1;
        AttackerPriorHandle prior{};

        [[nodiscard]] bool operator==(const Subject&) const = default;
    };
    struct Question {
        ViewHandle view{};
        std::vector<Row> outputs{};  ///< ascending, each once

        [[nodiscard]] bool operator==(const Question&) const = default;
    };
    using Answers = std::vector<attack::WordGuess>;  ///< one for each output

    [[nodiscard]] std::optional<Subject> subject() const;
    [[nodiscard]] static Result<ViewHandle> learn(const Subject& subject, const JobContext& job);
    [[nodiscard]] std::optional<Question> question() const;
    void update();
    void hearOfView();
    [[nodiscard]] ShownGuess shown(const SampledWord& word) const;

    AnalysisState& m_state;
    AttackerPriorHandle m_prior;
    std::vector<Row> m_outputs;          ///< ascending, each once
    std::optional<Subject> m_requested;  ///< however large the embedding
    Query<Subject, ViewHandle> m_view;
    Query<Question, Answers> m_guesses;
};

}  // namespace epsilens::ui::live
