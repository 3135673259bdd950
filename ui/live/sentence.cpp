#include "ui/live/sentence.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <QCoreApplication>

#include "core/text/letter_case.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Sentence", text);
}

// Writes the rendered text as QString and notes where each word is in it.
void placeWords(const text::RenderedText& rendered, SampledSentence& sampled) {
    const std::string_view whole = rendered.text;
    std::size_t done = 0;
    for (std::size_t place = 0; place < rendered.words.size(); ++place) {
        const text::TextRange& range = rendered.words[place];
        sampled.text += toQString(whole.substr(done, range.begin - done));
        const QString word = toQString(range.of(whole));
        sampled.words[place].begin = static_cast<int>(sampled.text.size());
        sampled.words[place].length = static_cast<int>(word.size());
        sampled.text += word;
        done = range.end;
    }
    sampled.text += toQString(whole.substr(done));
}

}  // namespace

Sentence::Sentence(const QString& text, text::Tokeniser& tokeniser, const text::Lookup& lookup)
    : m_text(text::tokeniseText(toStd(text), tokeniser, lookup)),
      m_typedWords(m_text.words.size()) {
    if (m_typedWords > kMostWords) {
        m_text.words.resize(kMostWords);
        m_text.text.resize(m_text.words.back().token.range.end);
    }
    collectEntries();
}

void Sentence::collectEntries() {
    std::unordered_map<Row, std::size_t> known;
    std::unordered_map<std::string_view, std::size_t> unknown;
    for (std::size_t place = 0; place < m_text.words.size(); ++place) {
        const std::optional<Row> row = m_text.words[place].row;
        const std::string_view typed = m_text.spelling(place);
        const std::size_t next = m_entries.size();
        const std::size_t entry = row ? known.try_emplace(*row, next).first->second
                                      : unknown.try_emplace(typed, next).first->second;
        if (entry == next) {
            m_entries.push_back({toQString(typed), row, 0});
        }
        ++m_entries[entry].occurrences;
        m_places.push_back(entry);
    }
}

std::optional<std::size_t> Sentence::indexOf(Row row) const {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [row](const Entry& entry) { return entry.row == row; });
    return found == m_entries.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - m_entries.begin()));
}

SampledSentence Sentence::render(const embedding::Vocabulary& vocabulary,
                                 std::span<const WordOutput> outputs,
                                 release::UnknownPolicy unknown) const {
    SampledSentence sampled;
    std::vector<std::string> replacements(m_places.size());
    for (std::size_t place = 0; place < m_places.size(); ++place) {
        const text::Word& input = m_text.words[place];
        const WordOutput& output = outputs[place];
        sampled.words.push_back(
            {0, 0, m_places[place], toQString(m_text.spelling(place)), input.row, output});
        ++(input.row ? sampled.known : sampled.unknown);
        sampled.changed += input.row && output.row && output.row != input.row ? 1 : 0;
        if (output.row && output.row != input.row) {
            replacements[place] =
                text::applyCasePattern(vocabulary.word(*output.row), input.pattern);
        } else if (input.row || unknown == release::UnknownPolicy::keep) {
            replacements[place] = m_text.spelling(place);
        } else if (unknown == release::UnknownPolicy::mask) {
            replacements[place] = kMask;
        }
    }
    const std::vector<std::string_view> views(replacements.begin(), replacements.end());
    placeWords(text::render(m_text, views), sampled);
    return sampled;
}

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

QString unknownWordNote(release::UnknownPolicy unknown) {
    const QString missing = tr("The vocabulary does not have this word. %1");
    switch (unknown) {
        case release::UnknownPolicy::mask:
            return missing.arg(tr("It is replaced by a mask."));
        case release::UnknownPolicy::random:
            return missing.arg(tr("It is replaced by any word, each equally likely."));
        case release::UnknownPolicy::drop:
            return missing.arg(tr("It is left out."));
        case release::UnknownPolicy::keep:
            break;
    }
    return missing.arg(tr("⚠ It stays as it is: unprotected."));
}

}  // namespace epsilens::ui::live
