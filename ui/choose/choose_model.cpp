#include "ui/choose/choose_model.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/attack/prior.h"
#include "core/base/error.h"
#include "core/base/random_stream.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::choose {

namespace {

constexpr std::string_view kMask = "<unk>";
constexpr int kSpellingRestMs = 300;
constexpr int kGuessRestMs = 150;
// Multiplications of a row of distances to each output that take a few milliseconds.
constexpr double kQuickProducts = 5e8;

std::shared_ptr<const WordOutputs> find(const OutputQuery& query, const Word& word) {
    const Outputs* outputs = query.last();
    if (outputs == nullptr) {
        return nullptr;
    }
    const auto found = outputs->words.find(word.row());
    return found == outputs->words.end() ? nullptr : found->second;
}

}  // namespace

QString textOf(const SampledSentence& sentence, std::size_t place) {
    const SampledWord& word = sentence.words[place];
    return sentence.text.mid(word.begin, word.length);
}

OutputMark markOfWord(const SampledWord& word) {
    if (!word.row) {
        return OutputMark::unknown;
    }
    return word.output.row ? markOf(word.output.outputClass) : OutputMark::pending;
}

QString TextWord::spelling(Row row) const {
    return toQString(word->embedding()->vocabulary().word(row));
}

ChooseModel::ChooseModel(AnalysisState& state, QObject* parent)
    : QObject(parent),
      m_state(state),
      m_known({.title = tr("Reading the vocabulary"),
               .key = [this]() -> std::optional<LookupKey> {
                   return m_state.searchSpace()
                              ? std::optional(LookupKey{m_state.embedding(),
                                                        m_state.textPolicies().letterCase})
                              : std::nullopt;
               },
               .make = [](const LookupKey& key,
                          const JobContext&) -> Result<std::shared_ptr<const KnownWords>> {
                   const embedding::Vocabulary& vocabulary = key.embedding->vocabulary();
                   return std::make_shared<const KnownWords>(KnownWords{
                       key.embedding,
                       {vocabulary, text::decideCasePolicy(key.letterCase, vocabulary)}});
               }}),
      m_spellings({.title = tr("Looking for spellings"),
                   .key = [this]() -> std::optional<UnknownWords> {
                       const QStringList unknown = unknownWords();
                       return unknown.empty()
                                  ? std::nullopt
                                  : std::optional(UnknownWords{m_state.embedding(),
                                                               unknown.mid(0, kUnknownLookedUp)});
                   },
                   .make = nearestSpellings,
                   .restMs = kSpellingRestMs}),
      m_outputs(outputSpec(tr("Following the sentence"),
                           [this] { return outputKey(m_state.setting(), m_maker); })),
      m_pinned(outputSpec(tr("Following the sentence under the pinned settings"),
                          [this] { return outputKey(m_state.pin(), m_pinnedMaker); })),
      m_view({.title = tr("Guessing words from outputs"),
              .key =
                  [this] {
                      const auto now = subject();
                      return awaitsRequest() ? std::nullopt : now;
                  },
              .make = [](const Subject& subject, const JobContext& job) -> Result<ViewHandle> {
                  const VectorD prior =
                      subject.prior ? *subject.prior
                                    : attack::uniformPrior(subject.space->embedding().wordCount());
                  ASSIGN_OR_RETURN(auto view, attack::AttackerView::learn(
                                                  *subject.space, subject.setting.mechanism,
                                                  std::span(&subject.setting.epsilon, 1), prior,
                                                  subject.seed, 0, job));
                  return std::make_shared<const attack::AttackerView>(std::move(view));
              },
              .restMs = kGuessRestMs}),
      m_guesses({.title = tr("Guessing the words of the text"),
                 .key = [this] { return question(); },
                 .make =
                     [](const Question& question, const JobContext& job) {
                         return question.view->guesses(0, question.outputs, 0, job);
                     },
                 .isQuick =
                     [](const Question& question) {
                         const auto& embedding = question.view->space.embedding();
                         return static_cast<double>(question.outputs.size()) *
                                    static_cast<double>(embedding.wordCount()) *
                                    static_cast<double>(embedding.dimensions()) <
                                kQuickProducts;
                     }}) {
    connectState();
    readEmbedding();
}

void ChooseModel::connectState() {
    connect(&m_known, &QueryBase::changed, this, &ChooseModel::readSentence);
    connect(&m_spellings, &QueryBase::changed, this, &ChooseModel::spellingsChanged);
    connect(&m_outputs, &QueryBase::changed, this, &ChooseModel::update);
    connect(&m_pinned, &QueryBase::changed, this, &ChooseModel::update);
    connect(&m_view, &QueryBase::changed, this, &ChooseModel::hearOfView);
    connect(&m_guesses, &QueryBase::changed, this, [this] {
        addGuesses();
        Q_EMIT outputChanged();
    });
    connect(&m_state, &AnalysisState::embeddingReset, this, [this] {
        setText({});
        m_detail.reset();
        m_output = {};
        m_prior.reset();
        for (QueryBase* query : std::initializer_list<QueryBase*>{
                 &m_known, &m_spellings, &m_outputs, &m_pinned, &m_view, &m_guesses}) {
            query->update();
        }
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &ChooseModel::readEmbedding);
    connect(&m_state, &AnalysisState::sentenceChanged, this, &ChooseModel::readSentence);
    connect(&m_state, &AnalysisState::selectedWordChanged, this, [this] {
        if (m_state.selectedWord()) {
            m_detail = m_state.selectedWord();
        }
        update();
        requestOutputs();
    });
    m_state.onChange(
        [](const AnalysisSettings& settings) {
            return std::tuple(settings.setting(), settings.pin, settings.draws, settings.seed);
        },
        this,
        [this] {
            m_sample %= drawsUsed();
            m_view.update();
            update();
            requestOutputs();
        });
    m_state.onChange(&AnalysisSettings::textPolicies, this, [this] {
        m_known.update();
        updateOutput();
        Q_EMIT outputChanged();
    });
}

int ChooseModel::drawsUsed() const {
    const auto words = static_cast<int>(std::min(m_places.size(), kMostIndependentWords));
    const int draws = m_state.draws();
    return std::max(1, (words + draws - 1) / draws) * draws;
}

OutputSetting ChooseModel::outputSetting(const mechanism::Setting& setting) const {
    return {setting.mechanism, setting.mechanism.isExact() ? setting.epsilon : 0.0, m_state.seed(),
            drawsUsed()};
}

std::optional<OutputKey> ChooseModel::outputKey(const std::optional<mechanism::Setting>& setting,
                                                const std::shared_ptr<OutputMaker>& maker) const {
    std::vector<Row> wanted;
    for (const TextWord& word : m_words) {
        if (word.word) {
            wanted.push_back(word.word->row());
        }
    }
    std::ranges::sort(wanted);
    return setting && !wanted.empty()
               ? std::optional(OutputKey{maker, outputSetting(*setting), std::move(wanted)})
               : std::nullopt;
}

const ChooseModel::KnownWords* ChooseModel::known() const {
    const auto* last = m_known.last();
    return last != nullptr && (*last)->embedding == m_state.embedding() ? last->get() : nullptr;
}

void ChooseModel::readEmbedding() {
    for (auto* maker : {&m_maker, &m_pinnedMaker}) {
        *maker = std::make_shared<OutputMaker>(m_state.searchSpace(), m_state.metricSpaces());
    }
    m_known.update();
    m_view.update();
    readSentence();
}

void ChooseModel::setText(text::TokenisedText text) {
    m_text = std::move(text);
    m_typedWords = m_text.words.size();
    if (m_typedWords > kMostWords) {
        m_text.words.resize(kMostWords);
        m_text.text.resize(m_text.words.back().token.range.end);
    }
    m_places.clear();
    m_words.clear();
    std::unordered_map<Row, std::size_t> known;
    std::unordered_map<std::string_view, std::size_t> unknown;
    for (std::size_t place = 0; place < m_text.words.size(); ++place) {
        const std::optional<Row> row = m_text.words[place].row;
        const std::string_view typed = m_text.spelling(place);
        const std::size_t next = m_words.size();
        const std::size_t entry = row ? known.try_emplace(*row, next).first->second
                                      : unknown.try_emplace(typed, next).first->second;
        if (entry == next) {
            TextWord& word = m_words.emplace_back();
            word.typed = toQString(typed);
            word.word = row ? std::optional(Word(m_state.embedding(), *row)) : std::nullopt;
        }
        ++m_words[entry].occurrences;
        m_places.push_back(entry);
    }
}

void ChooseModel::readSentence() {
    m_sample = 0;
    if (known() == nullptr) {
        setText({});
    } else {
        if (!m_tokeniser) {
            m_tokeniser = std::make_unique<text::Tokeniser>();
        }
        setText(text::tokeniseText(toStd(m_state.sentence()), *m_tokeniser, known()->lookup));
    }
    const auto firstKnown =
        std::ranges::find_if(m_words, [](const TextWord& word) { return word.word.has_value(); });
    if (!detailIndex() && firstKnown != m_words.end()) {
        m_detail = firstKnown->word;
    }
    Q_EMIT wordsReset();
    update();
    m_spellings.update();
    Q_EMIT spellingsChanged();
    requestOutputs();
}

QStringList ChooseModel::unknownWords() const {
    QStringList unknown;
    for (const TextWord& word : m_words) {
        if (!word.word) {
            unknown.append(word.typed);
        }
    }
    return unknown;
}

std::optional<QStringList> ChooseModel::spellingsOf(const QString& unknown) const {
    const Spellings* found = m_spellings.last();
    return found != nullptr && found->contains(unknown) ? std::optional(found->at(unknown))
                                                        : std::nullopt;
}

std::size_t ChooseModel::distinctWords() const {
    return m_words.size() - (!m_words.empty() && m_words.back().occurrences == 0 ? 1 : 0);
}

void ChooseModel::update() {
    m_isStale = m_outputs.last() != nullptr &&
                m_outputs.last()->setting != outputSetting(m_state.setting());
    m_words.resize(distinctWords());
    if (m_detail && !detailIndex()) {
        m_words.push_back({.typed = m_detail->text(), .word = m_detail});
    }
    for (TextWord& word : m_words) {
        word.outputs = word.word ? find(m_outputs, *word.word) : nullptr;
        if (word.outputs) {
            word.distribution = word.outputs->at(m_state.epsilon());
        }
    }
    updateOutput();
    Q_EMIT valuesChanged();
}

void ChooseModel::updateOutput() {
    m_output = {};
    m_pinnedOutput.reset();
    if (known() != nullptr) {
        m_output = sampled(m_outputs, outputSetting(m_state.setting()), m_state.epsilon());
        if (const auto& pin = m_state.pin()) {
            m_pinnedOutput = sampled(m_pinned, outputSetting(*pin), pin->epsilon);
        }
    }
    m_guesses.update();
    addGuesses();
}

SampledSentence ChooseModel::sampled(const OutputQuery& from, const OutputSetting& current,
                                     double epsilon) const {
    const release::UnknownPolicy unknown = m_state.textPolicies().unknownWords;
    SampledSentence sentence;
    sentence.isStale = from.last() == nullptr || from.last()->setting != current;
    std::vector<std::string> replacements(m_places.size());
    for (std::size_t place = 0; place < m_places.size(); ++place) {
        const text::Word& input = m_text.words[place];
        const auto& word = m_words[m_places[place]].word;
        WordOutput output;
        if (!word) {
            output.row = unknown == release::UnknownPolicy::random ? std::optional(anyWord(place))
                                                                   : std::nullopt;
        } else if (const auto known = find(from, *word);
                   known && (!sentence.isStale || &from == &m_outputs)) {
            output.row = known->output(m_sample + static_cast<int>(place), epsilon);
            output.outputClass =
                calibration::classify(word->row(), *output.row, *known->neighbours);
        }
        sentence.words.push_back(
            {0, 0, m_places[place], toQString(m_text.spelling(place)), input.row, output});
        ++(input.row ? sentence.known : sentence.unknown);
        sentence.changed += input.row && output.row && output.row != input.row ? 1 : 0;
        if (output.row && output.row != input.row) {
            replacements[place] = text::applyCasePattern(
                m_state.embedding()->vocabulary().word(*output.row), input.pattern);
        } else if (input.row || unknown == release::UnknownPolicy::keep) {
            replacements[place] = m_text.spelling(place);
        } else if (unknown == release::UnknownPolicy::mask) {
            replacements[place] = kMask;
        }
    }
    const text::RenderedText rendered = text::render(
        m_text, std::vector<std::string_view>(replacements.begin(), replacements.end()));
    const std::string_view whole = rendered.text;
    std::size_t done = 0;
    for (std::size_t place = 0; place < rendered.words.size(); ++place) {
        const text::TextRange& range = rendered.words[place];
        sentence.text += toQString(whole.substr(done, range.begin - done));
        const QString word = toQString(range.of(whole));
        sentence.words[place].begin = static_cast<int>(sentence.text.size());
        sentence.words[place].length = static_cast<int>(word.size());
        sentence.text += word;
        done = range.end;
    }
    sentence.text += toQString(whole.substr(done));
    return sentence;
}

Row ChooseModel::anyWord(std::size_t place) const {
    SeededStream stream({m_state.seed(), StreamPurpose::unknownWords,
                         static_cast<std::uint32_t>(m_sample), static_cast<std::uint32_t>(place)});
    return static_cast<Row>(
        stream.below(static_cast<std::uint64_t>(m_state.embedding()->wordCount())));
}

void ChooseModel::nextSample() {
    if (!m_places.empty()) {
        m_sample = (m_sample + 1) % drawsUsed();
        updateOutput();
        Q_EMIT outputChanged();
    }
}

void ChooseModel::requestOutputs() {
    if (m_active) {
        m_outputs.update();
        m_pinned.update();
    }
}

const TextWord* ChooseModel::detail() const {
    const auto index = detailIndex();
    return index ? &m_words[*index] : nullptr;
}

std::optional<std::size_t> ChooseModel::detailIndex() const {
    const auto found = std::ranges::find_if(
        m_words, [this](const TextWord& word) { return m_detail && word.word == m_detail; });
    return found == m_words.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - m_words.begin()));
}

bool ChooseModel::isBehind() const {
    return std::ranges::any_of(m_words, [this](const TextWord& word) {
        return word.word && (!word.outputs || m_isStale);
    });
}

const Error* ChooseModel::problem() const {
    const Error* error = m_outputs.error();
    return error != nullptr && error->code != ErrorCode::cancelled ? error : nullptr;
}

void ChooseModel::setActive(bool active) {
    m_active = active;
    m_outputs.setWanted(active);
    m_pinned.setWanted(active);
    m_view.setWanted(active);
    m_guesses.setWanted(active);
}

void ChooseModel::select(std::size_t word) {
    if (word >= m_words.size() || !m_words[word].word) {
        return;
    }
    if (m_state.selectedWord() != m_words[word].word) {
        m_state.selectWord(m_words[word].word);
    } else if (m_detail != m_words[word].word) {
        m_detail = m_words[word].word;
        update();
        requestOutputs();
    }
}

void ChooseModel::setPrior(std::shared_ptr<const VectorD> prior, const QString& source) {
    m_prior = std::move(prior);
    m_priorSource = source;
    m_view.update();
    updateOutput();
    Q_EMIT outputChanged();
}

void ChooseModel::requestGuesses() {
    m_requested = subject();
    m_view.update();
    updateOutput();
    Q_EMIT outputChanged();
}

bool ChooseModel::awaitsRequest() const {
    const auto now = subject();
    return now && now->space->embedding().wordCount() > kMostGuessedUnasked && m_requested != now;
}

std::optional<ChooseModel::Subject> ChooseModel::subject() const {
    return m_state.searchSpace() ? std::optional(Subject{m_state.searchSpace(), m_state.setting(),
                                                         m_state.seed(), m_prior})
                                 : std::nullopt;
}

void ChooseModel::hearOfView() {
    if (m_view.current() == nullptr) {
        // A request that was cancelled, or failed, can be made again.
        m_requested.reset();
        m_view.update();
    }
    updateOutput();
    Q_EMIT outputChanged();
}

std::optional<ChooseModel::Question> ChooseModel::question() const {
    const ViewHandle* view = m_view.current();
    if (view == nullptr) {
        return std::nullopt;
    }
    Question asked{*view, {}};
    for (const SampledWord& word : m_output.words) {
        if (word.row && word.output.row && !m_output.isStale) {
            asked.outputs.push_back(*word.output.row);
        }
    }
    std::ranges::sort(asked.outputs);
    asked.outputs.erase(std::unique(asked.outputs.begin(), asked.outputs.end()),
                        asked.outputs.end());
    return asked;
}

void ChooseModel::addGuesses() {
    const auto asked = question();
    const auto* answers = asked ? m_guesses.current() : nullptr;
    for (SampledWord& word : m_output.words) {
        word.guess = {};
        if (answers != nullptr && word.row && word.output.row && !m_output.isStale) {
            const auto place = std::ranges::lower_bound(asked->outputs, *word.output.row);
            word.guess = shown((*answers)[static_cast<std::size_t>(place - asked->outputs.begin())],
                               *word.row);
        }
    }
}

ShownGuess ChooseModel::shown(const attack::WordGuess& guess, Row typed) const {
    if (guess.probability < kLeastGuessed) {
        return {tr("unsure"),
                tr("the attacker has no guess that is right more often than one time in ten"),
                false};
    }
    const QString guessed = toQString(m_state.embedding()->vocabulary().word(guess.word));
    const bool isRight = guess.word == typed;
    const QString share = tr("%1%").arg(std::lround(100.0 * guess.probability));
    const QString spoken =
        isRight ? tr("the attacker guesses %1, correctly; %2 of such guesses are correct")
                : tr("the attacker guesses %1, wrongly; %2 of such guesses are correct");
    return {tr("%1 %2").arg(isRight ? QStringLiteral("✓") : guessed,
                            guess.isExact ? share : tr("≈%1").arg(share)),
            spoken.arg(guessed, (guess.isExact ? tr("exactly %1") : tr("about %1")).arg(share)),
            isRight};
}

QString ChooseModel::assumption() const {
    if (awaitsRequest()) {
        return tr("What an attacker guesses takes long with more than %1 words: it is computed "
                  "when you ask for it.")
            .arg(counted(kMostGuessedUnasked));
    }
    return m_prior ? tr("The attacker knows the setting, sees one word at a time and expects the "
                        "words of %1.")
                         .arg(m_priorSource)
                   : tr("The attacker knows the setting, sees one word at a time and expects every "
                        "word of the embedding equally.");
}

void ChooseModel::replaceUnknown(const QString& typed, const QString& replacement) {
    const KnownWords* known = this->known();
    const auto row =
        known != nullptr ? known->embedding->vocabulary().find(toStd(replacement)) : std::nullopt;
    if (!row) {
        return;
    }
    const text::TokenisedText whole =
        text::tokeniseText(toStd(m_state.sentence()), *m_tokeniser, known->lookup);
    const std::string unknown = toStd(typed);
    std::vector<Row> rows;
    for (std::size_t place = 0; place < whole.words.size(); ++place) {
        const bool isMeant = !whole.words[place].row && whole.spelling(place) == unknown;
        rows.push_back(isMeant ? *row : text::kAsTyped);
    }
    m_state.setSentence(
        toQString(text::renderRows(whole, known->embedding->vocabulary(), rows).text));
}

}  // namespace epsilens::ui::choose
