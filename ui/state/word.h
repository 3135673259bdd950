#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/prepared_embedding.h"
#include "core/release/policies.h"
#include "core/release/text_survey.h"

namespace epsilens::ui {

/// A word of an embedding. A row alone stands for another word in another embedding, or for none:
/// what is kept or handed on is this pair.
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

struct UnknownWords {
    embedding::EmbeddingHandle embedding{};
    QStringList words{};

    [[nodiscard]] bool operator==(const UnknownWords&) const = default;
};
using Spellings = std::map<QString, QStringList>;

/// The words spelt most like each unknown one, nearest first; none for a capitalised word, which is
/// a name more often than a mistake. Looks at every word: for jobs. Fails with cancelled.
[[nodiscard]] Result<Spellings> nearestSpellings(const UnknownWords& unknown,
                                                 const JobContext& job);

[[nodiscard]] QString fateOfUnknown(release::UnknownPolicy policy);

/// The most frequent ones with their counts: "u (1,132), ur (390)"; empty without any.
[[nodiscard]] QString mostUnknownText(const release::TextSurvey& survey);

/// Everyday words that the embedding lacks: it may be of another language or letter case. Empty
/// where there are none.
[[nodiscard]] QString commonUnknownWarning(const release::TextSurvey& survey,
                                           release::UnknownPolicy policy);

using WordPair = std::pair<embedding::Row, embedding::Row>;

/// Those of embedding::examplePairs() that are there, else the first two words if there are two.
[[nodiscard]] std::vector<WordPair> exampleWords(const embedding::Vocabulary& vocabulary);

}  // namespace epsilens::ui
