#pragma once

#include <cstddef>
#include <optional>

#include <QString>
#include <QStringList>

#include "core/embedding/prepared_embedding.h"

namespace epsilens::ui {

/// A word of an embedding. A row alone is a number, which in another embedding stands for another
/// word or for none: what is kept or handed on is this pair, and spellings are looked up through
/// it.
class Word {
public:
    /// Throws std::logic_error for a row that the embedding does not have.
    Word(embedding::EmbeddingHandle embedding, embedding::Row row);

    [[nodiscard]] const embedding::EmbeddingHandle& embedding() const { return m_embedding; }
    [[nodiscard]] embedding::Row row() const { return m_row; }
    [[nodiscard]] QString text() const;

    /// The same row of the same embedding: equal spellings are not enough.
    [[nodiscard]] bool operator==(const Word&) const = default;

private:
    embedding::EmbeddingHandle m_embedding;
    embedding::Row m_row;
};

/// The word with a spelling, or with the spelling in lower case; nothing if there is none.
///
/// embedding  not null
[[nodiscard]] std::optional<Word> findWord(const embedding::EmbeddingHandle& embedding,
                                           const QString& spelling);

/// The words of an embedding that are spelt most like an unknown one, nearest first. Looks at every
/// word: for jobs.
[[nodiscard]] QStringList nearestSpellings(const embedding::PreparedEmbedding& embedding,
                                           const QString& unknown, std::size_t most);

}  // namespace epsilens::ui
