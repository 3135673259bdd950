#include "ui/live/live_model.h"

#include <algorithm>
#include <utility>

#include "core/base/random_stream.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {

constexpr std::size_t kMostDrawsHeld = 400'000;

bool contains(const std::vector<Word>& words, Row row) {
    return std::any_of(words.begin(), words.end(),
                       [row](const Word& word) { return word.row() == row; });
}

}  // namespace

LiveModel::LiveModel(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_cache(std::make_shared<SelectionCache>()),
      m_lookupJob(tr("Reading the vocabulary"),
                  [this](const Result<text::CasePolicy>& casePolicy) {
                      if (casePolicy) {
                          m_lookupOwner = m_state.embedding();
                          m_lookup.emplace(m_lookupOwner->vocabulary(), *casePolicy);
                          readSentence();
                      }
                  }),
      m_outputJob(tr("Following the sentence"),
                  [this](const Result<OutputAnswer>& answer) { takeOutputs(answer); }),
      m_pinned(state) {
    connectState();
    connect(&m_pinned, &PinnedOutputs::changed, this, &LiveModel::update);
    onEmbeddingChanged();
}

LiveModel::~LiveModel() = default;

void LiveModel::connectState() {
    connect(&m_state, &AnalysisState::embeddingDropped, this, &LiveModel::forget);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &LiveModel::onEmbeddingChanged);
    connect(&m_state, &AnalysisState::sentenceChanged, this, &LiveModel::readSentence);
    connect(&m_state, &AnalysisState::selectedWordChanged, this, &LiveModel::onSelectionChanged);
    m_state.onChange(&AnalysisSettings::epsilon, this, &LiveModel::onEpsilonChanged);
    m_state.onChange(&AnalysisSettings::chosen, this, &LiveModel::onSettingChanged);
    m_state.onChange(&AnalysisSettings::draws, this, &LiveModel::onSettingChanged);
    m_state.onChange(&AnalysisSettings::seed, this, &LiveModel::onSettingChanged);
    m_state.onChange(&AnalysisSettings::textPolicies, this, [this] {
        if (m_state.textPolicies().letterCase != m_askedCase) {
            prepareLookup();
        }
        updateOutput();
        Q_EMIT outputChanged();
    });
}

int LiveModel::drawsUsed() const {
    const auto words =
        static_cast<int>(std::min(m_sentence.places().size(), kMostIndependentWords));
    const int draws = m_state.draws();
    return std::max(1, (words + draws - 1) / draws) * draws;
}

OutputSetting LiveModel::setting() const {
    const mechanism::Mechanism mechanism = m_state.mechanism();
    return {mechanism, m_state.seed(), drawsUsed(), mechanism.isExact() ? m_state.epsilon() : 0.0};
}

void LiveModel::forget() {
    m_lookupJob.drop();
    m_outputJob.drop();
    m_runningWords.clear();
    m_store.clear();
    m_cache = std::make_shared<SelectionCache>();
    m_lookup.reset();
    m_lookupOwner.reset();
    m_sentence = {};
    m_words.clear();
    m_other.reset();
    m_detail.reset();
    m_output = {};
}

void LiveModel::onEmbeddingChanged() {
    m_spellings.setEmbedding(m_state.embedding());
    clearFailure();
    readSentence();
    prepareLookup();
}

void LiveModel::prepareLookup() {
    if (!m_state.searchSpace()) {
        return;
    }
    m_askedCase = m_state.textPolicies().letterCase;
    m_lookupJob.start([embedding = m_state.embedding(),
                       asked = m_askedCase](const JobContext&) -> Result<text::CasePolicy> {
        return text::decideCasePolicy(asked, embedding->vocabulary());
    });
}

void LiveModel::onSettingChanged() {
    m_sample %= drawsUsed();
    update();
    requestOutputs();
}

void LiveModel::onEpsilonChanged() {
    update();
    if (m_state.mechanism().isExact()) {
        requestOutputs();
    }
}

void LiveModel::onSelectionChanged() {
    if (m_state.selectedWord()) {
        m_detail = m_state.selectedWord();
    }
    update();
    requestOutputs();
}

void LiveModel::readSentence() {
    m_sample = 0;
    m_sentence = {};
    if (m_lookup) {
        if (!m_tokeniser) {
            m_tokeniser = std::make_unique<text::Tokeniser>();
        }
        m_sentence = Sentence(m_state.sentence(), *m_tokeniser, *m_lookup);
    }
    m_words.clear();
    QStringList unknown;
    for (const Sentence::Entry& entry : m_sentence.entries()) {
        LiveWord word;
        word.typed = entry.typed;
        word.occurrences = entry.occurrences;
        if (entry.row) {
            word.word.emplace(m_lookupOwner, *entry.row);
        } else {
            unknown.append(entry.typed);
        }
        m_words.push_back(std::move(word));
    }
    chooseDetail();
    Q_EMIT wordsReset();
    update();
    m_spellings.setWords(unknown);
    requestOutputs();
}

void LiveModel::chooseDetail() {
    if (m_detail && detailIndex()) {
        return;
    }
    const auto firstKnown = std::find_if(
        m_words.begin(), m_words.end(), [](const LiveWord& word) { return word.word.has_value(); });
    if (firstKnown != m_words.end()) {
        m_detail = firstKnown->word;
    }
}

void LiveModel::update() {
    for (LiveWord& word : m_words) {
        updateWord(word);
    }
    m_other.reset();
    if (m_detail && !detailIndex()) {
        m_other.emplace();
        m_other->word = m_detail;
        m_other->typed = m_detail->text();
        updateWord(*m_other);
    }
    updateOutput();
    Q_EMIT valuesChanged();
}

void LiveModel::updateWord(LiveWord& word) const {
    word.pinned = word.word ? m_pinned.distribution(*word.word) : std::nullopt;
    const StoredOutputs* stored = word.word ? m_store.find(*word.word) : nullptr;
    if (stored == nullptr) {
        word.freshness = Freshness::waiting;
        return;
    }
    word.freshness = stored->setting == setting() ? Freshness::current : Freshness::stale;
    word.distribution = stored->distribution(m_state.epsilon());
    word.critical = stored->outputs.critical;
}

void LiveModel::updateOutput() {
    m_output = {};
    m_pinnedOutput.reset();
    if (!m_lookupOwner) {
        return;
    }
    m_output = sampled([this](const LiveWord& word, int draw) {
        const StoredOutputs* stored = m_store.find(*word.word);
        return stored != nullptr
                   ? outputOf(*stored, *word.word, draw, m_state.epsilon(), word.freshness)
                   : WordOutput{{}, word.freshness};
    });
    if (m_state.pin()) {
        m_pinnedOutput = sampled(
            [this](const LiveWord& word, int draw) { return m_pinned.output(*word.word, draw); });
    }
}

SampledSentence LiveModel::sampled(
    const std::function<WordOutput(const LiveWord& word, int draw)>& output) const {
    const release::UnknownPolicy unknown = m_state.textPolicies().unknownWords;
    std::vector<WordOutput> outputs;
    for (std::size_t place = 0; place < m_sentence.places().size(); ++place) {
        const LiveWord& word = m_words[m_sentence.places()[place]];
        if (word.word) {
            outputs.push_back(output(word, m_sample + static_cast<int>(place)));
        } else {
            outputs.push_back({unknown == release::UnknownPolicy::random
                                   ? std::optional(anyWord(place))
                                   : std::nullopt,
                               word.freshness});
        }
    }
    return m_sentence.render(m_lookupOwner->vocabulary(), outputs, unknown);
}

Row LiveModel::anyWord(std::size_t place) const {
    SeededStream stream({m_state.seed(), StreamPurpose::unknownWords,
                         static_cast<std::uint32_t>(m_sample), static_cast<std::uint32_t>(place)});
    return static_cast<Row>(stream.below(static_cast<std::uint64_t>(m_lookupOwner->wordCount())));
}

void LiveModel::nextSample() {
    if (!m_words.empty()) {
        m_sample = (m_sample + 1) % drawsUsed();
        updateOutput();
        Q_EMIT outputChanged();
    }
}

std::vector<Word> LiveModel::wantedWords() const {
    std::vector<Word> wanted;
    for (const LiveWord& word : m_words) {
        if (word.word) {
            wanted.push_back(*word.word);
        }
    }
    if (m_other) {
        wanted.push_back(*m_other->word);
    }
    return wanted;
}

void LiveModel::dropRun() {
    m_outputJob.cancel();
    m_runningWords.clear();
}

bool LiveModel::isRunUseful(const std::vector<Word>& wanted) const {
    // An answer for another epsilon is better than none: while epsilon moves, a run that is
    // stopped for each new value would never finish.
    return m_outputJob.isRunning() && !m_runningWords.empty() &&
           m_runningSetting.sharesAllButEpsilon(setting()) &&
           std::all_of(m_runningWords.begin(), m_runningWords.end(),
                       [&wanted](Row row) { return contains(wanted, row); });
}

void LiveModel::requestOutputs() {
    if (!m_active || !m_lookup) {
        return;
    }
    const std::vector<Word> wanted = wantedWords();
    m_pinned.request(wanted, drawsUsed());
    if (isRunUseful(wanted)) {
        return;  // what else is missing is asked for when its answer is there
    }
    OutputRequest request = m_store.missingOf(wanted, setting());
    if (request.words.empty()) {
        dropRun();
        clearFailure();
        return;
    }
    request.space = m_state.searchSpace();
    request.spaces = m_state.metricSpaces();
    request.cache = m_cache;
    m_runningSetting = request.setting;
    m_runningWords = request.words;
    m_outputJob.start([request = std::move(request)](const JobContext& job) {
        return computeOutputs(request, job);
    });
}

void LiveModel::takeOutputs(const Result<OutputAnswer>& answer) {
    if (!answer) {
        m_runningWords.clear();
        if (answer.error().code != ErrorCode::cancelled) {
            m_hasFailed = true;
            Q_EMIT failed(answer.error());
        }
        return;
    }
    m_runningWords.clear();
    if (!answer->setting.sharesAllButEpsilon(setting())) {
        return;
    }
    m_store.add(*answer);
    m_store.trim(wantedWords(), kMostDrawsHeld);
    clearFailure();
    update();
    requestOutputs();
}

void LiveModel::clearFailure() {
    if (std::exchange(m_hasFailed, false)) {
        Q_EMIT recovered();
    }
}

const LiveWord* LiveModel::detail() const {
    if (const auto index = detailIndex()) {
        return &m_words[*index];
    }
    return m_other ? &*m_other : nullptr;
}

std::optional<std::size_t> LiveModel::detailIndex() const {
    return m_detail ? m_sentence.indexOf(m_detail->row()) : std::nullopt;
}

NeighbourhoodHandle LiveModel::neighbours(const Word& word) const {
    return m_store.neighbours(word);
}

bool LiveModel::isBehind() const {
    return std::any_of(m_words.begin(), m_words.end(), [](const LiveWord& word) {
        return word.word && word.freshness != Freshness::current;
    });
}

void LiveModel::setActive(bool active) {
    m_active = active;
    if (active) {
        requestOutputs();
    } else {
        dropRun();
    }
}

void LiveModel::select(std::size_t word) {
    if (word >= m_words.size() || !m_words[word].word) {
        return;
    }
    if (m_state.selectedWord() != m_words[word].word) {
        m_state.lookAt(m_words[word].word);
    } else if (m_detail != m_words[word].word) {
        onSelectionChanged();
    }
}

void LiveModel::replaceUnknown(const QString& typed, const QString& replacement) {
    const auto row = m_lookup ? m_lookupOwner->vocabulary().find(toStd(replacement)) : std::nullopt;
    if (!row || !m_tokeniser) {
        return;
    }
    const text::TokenisedText whole =
        text::tokeniseText(toStd(m_state.sentence()), *m_tokeniser, *m_lookup);
    const std::string unknown = toStd(typed);
    std::vector<Row> rows;
    for (std::size_t place = 0; place < whole.words.size(); ++place) {
        const bool isMeant = !whole.words[place].row && whole.spelling(place) == unknown;
        rows.push_back(isMeant ? *row : text::kAsTyped);
    }
    m_state.lookAt(toQString(text::renderRows(whole, m_lookupOwner->vocabulary(), rows).text));
}

}  // namespace epsilens::ui::live
