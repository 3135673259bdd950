#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/text/letter_case.h"
#include "ui/live/output_job.h"
#include "ui/live/output_store.h"
#include "ui/live/pinned_outputs.h"
#include "ui/live/selection_outputs.h"
#include "ui/live/sentence.h"
#include "ui/live/spelling_finder.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"

namespace epsilens::ui::live {

/// What is shown of a word, once however often it occurs.
struct LiveWord {
    QString typed{};             ///< as in its first place
    std::optional<Word> word{};  ///< nothing: not in the vocabulary
    int occurrences = 0;         ///< in the sentence
    Freshness freshness = Freshness::waiting;
    ShownDistribution distribution{};  ///< at the epsilon of the state, if current
    std::optional<CriticalEpsilon> critical{};
    std::optional<ShownDistribution> pinned{};  ///< under the pinned settings, once known
};

/// So many words of a text have draws of their own; more would take more time than a text is worth.
constexpr std::size_t kMostIndependentWords = 200;

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
    ~LiveModel() override;

    [[nodiscard]] AnalysisState& state() const { return m_state; }
    /// Distinct words of the sentence in the order of their first places.
    [[nodiscard]] const std::vector<LiveWord>& words() const { return m_words; }
    [[nodiscard]] const SampledSentence& output() const { return m_output; }
    /// The same draws under the pinned setting; nothing without a pin.
    [[nodiscard]] const std::optional<SampledSentence>& pinnedOutput() const {
        return m_pinnedOutput;
    }
    /// Words of the whole sentence; more than kMostWords means that only the first are shown.
    [[nodiscard]] std::size_t typedWords() const { return m_sentence.typedWords(); }
    [[nodiscard]] const SpellingFinder& spellings() const { return m_spellings; }

    /// Index k of the sentence shown, in [0, drawsUsed()).
    [[nodiscard]] int sampleIndex() const { return m_sample; }
    /// R of the state, or the least multiple of it that is at least the number of words, of long
    /// texts kMostIndependentWords.
    [[nodiscard]] int drawsUsed() const;

    /// The word whose outputs are shown in full: the one selected, else the first known one.
    /// Nullptr when there is none. Valid until the next signal.
    [[nodiscard]] const LiveWord* detail() const;
    /// Its index in words(), if it is one of them.
    [[nodiscard]] std::optional<std::size_t> detailIndex() const;
    /// Nearest neighbours of a word; null while they are not known.
    [[nodiscard]] NeighbourhoodHandle neighbours(const Word& word) const;

    /// Whether a known word shows values of earlier settings, or none yet.
    [[nodiscard]] bool isBehind() const;
    /// The job that computes outputs, so that its runs can be counted and shown.
    [[nodiscard]] const JobRunnerBase& outputJob() const { return m_outputJob; }

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
    /// Distributions, the output and the word of detail() changed.
    void valuesChanged();
    /// Only output() changed.
    void outputChanged();
    /// The outputs could not be computed: the sentence that says why.
    void failed(const epsilens::Error& error);
    /// What failed() said holds no longer.
    void recovered();

private:
    void connectState();
    void forget();
    void onEmbeddingChanged();
    void onSelectionChanged();
    void onSettingChanged();
    void onEpsilonChanged();
    void prepareLookup();
    void readSentence();
    void chooseDetail();
    void update();
    void updateWord(LiveWord& word) const;
    void updateOutput();
    /// output  of a known word in its place
    [[nodiscard]] SampledSentence sampled(
        const std::function<WordOutput(const LiveWord& word, int draw)>& output) const;
    /// What the policy random puts in the place of an unknown word of the sample shown.
    [[nodiscard]] Row anyWord(std::size_t place) const;
    void requestOutputs();
    void dropRun();
    void takeOutputs(const Result<OutputAnswer>& answer);
    void clearFailure();
    [[nodiscard]] OutputSetting setting() const;
    [[nodiscard]] std::vector<Word> wantedWords() const;
    [[nodiscard]] bool isRunUseful(const std::vector<Word>& wanted) const;

    AnalysisState& m_state;
    OutputStore m_store;
    std::shared_ptr<SelectionCache> m_cache;
    std::unique_ptr<text::Tokeniser> m_tokeniser;
    text::CasePolicy m_askedCase = text::CasePolicy::automatic;
    embedding::EmbeddingHandle m_lookupOwner;  ///< keeps the vocabulary of m_lookup alive
    std::optional<text::Lookup> m_lookup;
    Sentence m_sentence;
    std::vector<LiveWord> m_words;    ///< one per entry of m_sentence
    std::optional<LiveWord> m_other;  ///< the word of detail() when it is not in the sentence
    std::optional<Word> m_detail;
    SampledSentence m_output;
    std::optional<SampledSentence> m_pinnedOutput;
    int m_sample = 0;
    bool m_active = true;
    bool m_hasFailed = false;
    OutputSetting m_runningSetting;
    std::vector<Row> m_runningWords;  ///< of a run whose answer is still wanted
    SpellingFinder m_spellings;
    JobRunner<text::CasePolicy> m_lookupJob;
    JobRunner<OutputAnswer> m_outputJob;
    PinnedOutputs m_pinned;
};

}  // namespace epsilens::ui::live
