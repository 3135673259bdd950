#include "ui/live/sentence.h"

#include "core/text/letter_case.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui::live {

namespace {

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

SampledSentence render(const text::TokenisedText& text, std::span<const std::size_t> entries,
                       std::span<const WordOutput> outputs, const embedding::Vocabulary& vocabulary,
                       release::UnknownPolicy unknown) {
    SampledSentence sampled;
    std::vector<std::string> replacements(text.words.size());
    for (std::size_t place = 0; place < text.words.size(); ++place) {
        const text::Word& input = text.words[place];
        const WordOutput& output = outputs[place];
        sampled.words.push_back(
            {0, 0, entries[place], toQString(text.spelling(place)), input.row, output});
        ++(input.row ? sampled.known : sampled.unknown);
        sampled.changed += input.row && output.row && output.row != input.row ? 1 : 0;
        if (output.row && output.row != input.row) {
            replacements[place] =
                text::applyCasePattern(vocabulary.word(*output.row), input.pattern);
        } else if (input.row || unknown == release::UnknownPolicy::keep) {
            replacements[place] = text.spelling(place);
        } else if (unknown == release::UnknownPolicy::mask) {
            replacements[place] = kMask;
        }
    }
    const std::vector<std::string_view> views(replacements.begin(), replacements.end());
    placeWords(text::render(text, views), sampled);
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

}  // namespace epsilens::ui::live
