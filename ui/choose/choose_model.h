#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/attack/attacker_view.h"
#include "core/calibration/output_distribution.h"
#include "core/text/letter_case.h"
#include "core/text/tokenised_text.h"
#include "ui/choose/word_outputs.h"
#include "ui/state/analysis_state.h"
#include "ui/state/output_mark.h"
#include "ui/state/query.h"

namespace epsilens::ui::choose {

/// Words of a text that Choose follows; of longer ones it shows the beginning, and says so.
constexpr std::size_t kMostWords = 2'000;

/// Of larger embeddings the attacker learns a setting on request only.
constexpr Row kMostGuessedUnasked = 100'000;
constexpr double kLeastGuessed = 0.1;

struct WordOutput {
    std::optional<Row> row{};  ///< nothing: not known yet
    calibration::OutputClass outputClass = calibration::OutputClass::kept;
};

struct ShownGuess {
    QString text{};  ///< "✓ 73%", "heart 41%", "unsure" where nothing is told; empty: not known yet
    QString spoken{};  ///< the same as a sentence
    bool isRight = false;
};

struct SampledWord {
    int begin = 0;  ///< in SampledSentence::text
    int length = 0;
    std::size_t word = 0;      ///< its entry among the distinct words
    QString typed{};           ///< what was typed in this place
    std::optional<Row> row{};  ///< of the typed word; nothing: not in the vocabulary
    WordOutput output{};
    ShownGuess guess{};
};

struct SampledSentence {
    QString text{};
    std::vector<SampledWord> words{};
    int changed = 0;  ///< of the known words, those with another word as output
    int known = 0;    ///< occurrences of words that the vocabulary has
    int unknown = 0;
    bool isStale = false;  ///< of earlier settings
};

[[nodiscard]] QString textOf(const SampledSentence& sentence, std::size_t place);
[[nodiscard]] OutputMark markOfWord(const SampledWord& word);

struct TextWord {
    QString typed{};                               ///< as in its first place
    std::optional<Word> word{};                    ///< nothing: not in the vocabulary
    int occurrences = 0;                           ///< in the sentence
    std::shared_ptr<const WordOutputs> outputs{};  ///< null: not known yet
    ShownDistribution distribution{};              ///< of these, at the epsilon of the state

    [[nodiscard]] QString spelling(Row row) const;
};

/// So many words of a text have draws of their own; more would take more time than a text is worth.
constexpr std::size_t kMostIndependentWords = 200;
constexpr int kUnknownLookedUp = 4;

/// What Choose shows, without any widget. For mechanisms with paths epsilon only looks up; for the
/// others another epsilon is computed, while what there is stays.
///
/// Sentence k gives word i draw (k + i) mod R, R = drawsUsed(), so that the words of one sentence
/// are independent, in long texts those that are fewer than R places apart.
class ChooseModel : public QObject {
    Q_OBJECT

public:
    explicit ChooseModel(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] AnalysisState& state() const { return m_state; }
    /// Distinct words of the sentence, and after them the word of detail() where it is none of
    /// these.
    [[nodiscard]] const std::vector<TextWord>& words() const { return m_words; }
    [[nodiscard]] std::size_t distinctWords() const;
    [[nodiscard]] const SampledSentence& output() const { return m_output; }
    [[nodiscard]] const std::optional<SampledSentence>& pinnedOutput() const {
        return m_pinnedOutput;
    }
    [[nodiscard]] std::size_t typedWords() const { return m_typedWords; }
    [[nodiscard]] QStringList unknownWords() const;
    /// What an unknown one may have been meant to be, nearest first; nothing until typing has
    /// paused and they are found.
    [[nodiscard]] std::optional<QStringList> spellingsOf(const QString& unknown) const;

    [[nodiscard]] int sampleIndex() const { return m_sample; }
    /// R of the state, or the least multiple of it that is at least the number of words, of long
    /// texts kMostIndependentWords.
    [[nodiscard]] int drawsUsed() const;

    /// The word whose outputs are shown in full: the one selected, else the first known one.
    /// Nullptr when there is none. Valid until the next signal.
    [[nodiscard]] const TextWord* detail() const;
    [[nodiscard]] std::optional<std::size_t> detailIndex() const;

    [[nodiscard]] bool isStale() const { return m_isStale; }
    [[nodiscard]] bool isBehind() const;
    [[nodiscard]] const Error* problem() const;
    [[nodiscard]] const JobRunnerBase& outputJob() const { return m_outputs.job(); }

    /// A share for each word of the embedding; null: every word alike.
    void setPrior(std::shared_ptr<const VectorD> prior, const QString& source);
    [[nodiscard]] bool awaitsRequest() const;
    void requestGuesses();
    [[nodiscard]] QString assumption() const;
    [[nodiscard]] JobRunnerBase& guessJob() { return m_view.job(); }

    /// While inactive nothing is computed; what is missing is asked for on becoming active.
    void setActive(bool active);
    void select(std::size_t word);
    void replaceUnknown(const QString& typed, const QString& replacement);

public Q_SLOTS:
    void nextSample();

Q_SIGNALS:
    void wordsReset();
    void valuesChanged();
    void outputChanged();
    void spellingsChanged();

private:
    struct KnownWords {
        embedding::EmbeddingHandle embedding;
        text::Lookup lookup;
    };
    struct LookupKey {
        embedding::EmbeddingHandle embedding{};
        text::CasePolicy letterCase = text::CasePolicy::automatic;

        [[nodiscard]] bool operator==(const LookupKey&) const = default;
    };

    using ViewHandle = std::shared_ptr<const attack::AttackerView>;
    struct Subject {
        engine::SearchSpaceHandle space{};
        mechanism::Setting setting{};
        std::uint64_t seed = 1;
        std::shared_ptr<const VectorD> prior{};

        [[nodiscard]] bool operator==(const Subject&) const = default;
    };
    struct Question {
        ViewHandle view{};
        std::vector<Row> outputs{};  ///< rising, each once

        [[nodiscard]] bool operator==(const Question&) const = default;
    };

    void connectState();
    void readEmbedding();
    void setText(text::TokenisedText text);
    void readSentence();
    void update();
    void updateOutput();
    [[nodiscard]] SampledSentence sampled(const OutputQuery& from, const OutputSetting& current,
                                          double epsilon) const;
    [[nodiscard]] Row anyWord(std::size_t place) const;
    void requestOutputs();
    [[nodiscard]] std::optional<Subject> subject() const;
    [[nodiscard]] std::optional<Question> question() const;
    void hearOfView();
    void addGuesses();
    [[nodiscard]] ShownGuess shown(const attack::WordGuess& guess, Row typed) const;
    /// Null until it has been prepared for the embedding at hand.
    [[nodiscard]] const KnownWords* known() const;
    [[nodiscard]] OutputSetting outputSetting(const mechanism::Setting& setting) const;
    [[nodiscard]] std::optional<OutputKey> outputKey(
        const std::optional<mechanism::Setting>& setting,
        const std::shared_ptr<OutputMaker>& maker) const;

    AnalysisState& m_state;
    std::unique_ptr<text::Tokeniser> m_tokeniser;
    std::shared_ptr<OutputMaker> m_maker;
    std::shared_ptr<OutputMaker> m_pinnedMaker;
    text::TokenisedText m_text;         ///< the sentence as far as it is shown
    std::size_t m_typedWords = 0;       ///< of the whole sentence
    std::vector<std::size_t> m_places;  ///< of each word of m_text, as index into m_words
    std::vector<TextWord> m_words;
    std::optional<Word> m_detail;
    SampledSentence m_output;
    std::optional<SampledSentence> m_pinnedOutput;
    int m_sample = 0;
    bool m_isStale = false;
    bool m_active = true;
    Query<LookupKey, std::shared_ptr<const KnownWords>> m_known;
    Query<UnknownWords, Spellings> m_spellings;
    OutputQuery m_outputs;
    OutputQuery m_pinned;
    std::shared_ptr<const VectorD> m_prior;
    QString m_priorSource;
    std::optional<Subject> m_requested;  ///< however large the embedding
    Query<Subject, ViewHandle> m_view;
    Query<Question, std::vector<attack::WordGuess>> m_guesses;
};

}  // namespace epsilens::ui::choose
