#include "ui/state/word.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "core/text/letter_case.h"
#include "core/text/lookup.h"
#include "core/text/nearest_spellings.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

Word::Word(embedding::EmbeddingHandle embedding, embedding::Row row)
    : m_embedding(std::move(embedding)), m_row(row) {
    if (!m_embedding || row < 0 || row >= m_embedding->wordCount()) {
        throw std::logic_error("row " + std::to_string(row) + " is not of this embedding");
    }
}

QString Word::text() const {
    return toQString(m_embedding->vocabulary().word(m_row));
}

std::optional<Word> findWord(const embedding::EmbeddingHandle& embedding, const QString& spelling) {
    const embedding::Vocabulary& vocabulary = embedding->vocabulary();
    auto row = vocabulary.find(toStd(spelling));
    if (!row) {
        row = text::Lookup(vocabulary, text::CasePolicy::lower).find(toStd(spelling));
    }
    return row ? std::optional(Word(embedding, *row)) : std::nullopt;
}

QStringList nearestSpellings(const embedding::PreparedEmbedding& embedding, const QString& unknown,
                             std::size_t most) {
    QStringList found;
    const embedding::Vocabulary& vocabulary = embedding.vocabulary();
    for (const text::Spelling& spelling :
         text::nearestSpellings(vocabulary, toStd(unknown), most)) {
        found.append(toQString(vocabulary.word(spelling.row)));
    }
    return found;
}

}  // namespace epsilens::ui
