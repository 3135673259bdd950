#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/calibration/output_distribution.h"
#include "core/text/letter_case.h"
#include "core/text/tokenised_text.h"
#include "ui/live/word_outputs.h"
#include "ui/state/analysis_state.h"
#include "ui/state/output_mark.h"
#include "ui/state/query.h"

namespace epsilens::ui::live {

/// Words of a text that Choose follows; of longer ones it shows the beginning, and says so.
constexpr std::size_t kMostWords = 2'000;

/// The outputs put in the place of a word of the sentence.
struct WordOutput {
    std::optional<Row> row{};  ///< nothing: not known yet
    calibration::OutputClass outputClass = calibration::OutputClass::kept;
};

/// A word in its place in the sampled sentence.
struct SampledWord {
    int begin = 0;  ///< in SampledSentence::text
    int length = 0;
    std::size_t word = 0;      ///< its entry among the distinct words
    QString typed{};           ///< what was typed in this place
    std::optional<Row> row{};  ///< of the typed word; nothing: not in the vocabulary
    WordOutput output{};
};

/// The sentence as the mechanism returned it once.
struct SampledSentence {
    QString text{};
    std::vector<SampledWord> words{};
    int changed = 0;  ///< of the known words, those with another word as output
    int known = 0;    ///< occurrences of words that the vocabulary has
    int unknown = 0;
    bool isStale = false;  ///< of earlier settings
};

/// What stands in a place of the sampled sentence.
[[nodiscard]] QString textOf(const SampledSentence& sentence, std::size_t place);
/// How a word of the sampled sentence is marked.
[[nodiscard]] OutputMark markOfWord(const SampledWord& word);

/// What is shown of a word, once however often it occurs.
struct LiveWord {
    QString typed{};                   ///< as in its first place
    std::optional<Word> word{};        ///< nothing: not in the vocabulary
    int occurrences = 0;               ///< in the sentence
    bool isKnown = false;              ///< what follows
    ShownDistribution distribution{};  ///< at the epsilon of the state
    double halfKept = 0.0;
    NeighbourhoodHandle neighbours{};

    /// Of a row of its embedding.
    [[nodiscard]] QString spelling(Row row) const;
};

/// So many words of a text have draws of their own; more would take more time than a text is worth.
constexpr std::size_t kMostIndependentWords = 200;
/// Unknown words of a sentence that spellings are found for, the first ones.
constexpr int kUnknownLookedUp = 4;

/// What the first tab shows, without any widget: it follows the state, computes outputs in the
/// background and looks them up. For mechanisms with paths epsilon only looks up; for the others
/// another epsilon is computed, while what there is stays. Sampling only looks up.
///
/// Sentence k gives word i draw (k + i) mod R, R = drawsUsed(), so that the words of one sentence
/// are independent, in long texts those that are fewer than R places apart.
class LiveModel : public QObject {
    Q_OBJECT

public:
    explicit LiveModel(AnalysisState& state, QObject* parent = nullptr);

    [[nodiscard]] AnalysisState& state() const { return m_state; }
    /// Distinct words of the sentence in the order of their first places, and after them the word
    /// of detail() where it is none of these.
    [[nodiscard]] const std::vector<LiveWord>& words() const { return m_words; }
    /// How many of them are in the sentence.
    [[nodiscard]] std::size_t distinctWords() const;
    [[nodiscard]] const SampledSentence& output() const { return m_output; }
    /// The same draws under the pinned setting; nothing without a pin.
    [[nodiscard]] const std::optional<SampledSentence>& pinnedOutput() const {
        return m_pinnedOutput;
    }
    /// Words of the whole sentence; more than kMostWords means that only the first are shown.
    [[nodiscard]] std::size_t typedWords() const { return m_typedWords; }
    /// Words that the vocabulary does not have, as typed.
    [[nodiscard]] QStringList unknownWords() const;
    /// Words of the vocabulary that an unknown one may have been meant to be, nearest first;
    /// nothing until typing has paused and they are found.
    [[nodiscard]] std::optional<QStringList> spellingsOf(const QString& unknown) const;

    /// Index k of the sentence shown, in [0, drawsUsed()).
    [[nodiscard]] int sampleIndex() const { return m_sample; }
    /// R of the state, or the least multiple of it that is at least the number of words, of long
    /// texts kMostIndependentWords.
    [[nodiscard]] int drawsUsed() const;

    /// The word whose outputs are shown in full: the one selected, else the first known one.
    /// Nullptr when there is none. Valid until the next signal.
    [[nodiscard]] const LiveWord* detail() const;
    /// Its index in words().
    [[nodiscard]] std::optional<std::size_t> detailIndex() const;

    /// Whether what words show belongs to earlier settings.
    [[nodiscard]] bool isStale() const { return m_isStale; }
    /// Whether a known word shows values of earlier settings, or none yet.
    [[nodiscard]] bool isBehind() const;
    /// Why outputs could not be computed; null if they could.
    [[nodiscard]] const Error* problem() const;
    /// The job that computes outputs, so that its runs can be counted and shown.
    [[nodiscard]] const JobRunnerBase& outputJob() const { return m_outputs.job(); }

    /// While inactive nothing is computed; what is missing is asked for on becoming active.
    void setActive(bool active);
    /// Selects a known word of words() for detail(); others are ignored.
    void select(std::size_t word);
    /// Puts a word of the vocabulary in all places of an unknown one.
    void replaceUnknown(const QString& typed, const QString& replacement);

public Q_SLOTS:
    /// Shows the next sampled sentence.
    void nextSample();

Q_SIGNALS:
    /// Another embedding or sentence: words() has other members. valuesChanged() follows.
    void wordsReset();
    /// Distributions, the output, the word of detail() or the problem changed.
    void valuesChanged();
    /// Only output() changed.
    void outputChanged();
    void spellingsChanged();

private:
    /// Keeps the vocabulary of the lookup alive.
    struct KnownWords {
        embedding::EmbeddingHandle embedding;
        text::Lookup lookup;
    };
    struct LookupKey {
        embedding::EmbeddingHandle embedding{};
        text::CasePolicy letterCase = text::CasePolicy::automatic;

        [[nodiscard]] bool operator==(const LookupKey&) const = default;
    };
    struct SpellingKey {
        embedding::EmbeddingHandle embedding{};
        QStringList words{};

        [[nodiscard]] bool operator==(const SpellingKey&) const = default;
    };
    using Spellings = std::map<QString, QStringList>;

    void connectState();
    void readEmbedding();
    void setText(text::TokenisedText text);
    void readSentence();
    void chooseDetail();
    void update();
    void updateOutput();
    /// The sentence with the outputs that a query knows of a setting.
    [[nodiscard]] SampledSentence sampled(const OutputQuery& from, const OutputSetting& current,
                                          double epsilon) const;
    /// What the policy random puts in the place of an unknown word of the sample shown.
    [[nodiscard]] Row anyWord(std::size_t place) const;
    void requestOutputs();
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
    std::vector<LiveWord> m_words;
    std::optional<Word> m_detail;
    SampledSentence m_output;
    std::optional<SampledSentence> m_pinnedOutput;
    int m_sample = 0;
    bool m_isStale = false;
    bool m_active = true;
    Query<LookupKey, std::shared_ptr<const KnownWords>> m_known;
    Query<SpellingKey, Spellings> m_spellings;
    OutputQuery m_outputs;
    OutputQuery m_pinned;
};

}  // namespace epsilens::ui::live
