#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/embedding/prepared_embedding.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui::live {

/// Unknown words of a sentence that spellings are found for, the first ones.
constexpr std::size_t kUnknownLookedUp = 4;

/// A word that the vocabulary does not have.
struct UnknownWord {
    QString typed{};
    QStringList spellings{};  ///< nearest first; empty when nothing is near
    bool isLookedUp = false;  ///< spellings is the answer, even when empty
};

/// Finds words of the vocabulary that unknown words may have been meant to be, in the background
/// and only once typing has paused.
class SpellingFinder : public QObject {
    Q_OBJECT

public:
    explicit SpellingFinder(QObject* parent = nullptr);

    /// Forgets all words. embedding  may be null
    void setEmbedding(embedding::EmbeddingHandle embedding);
    /// Unknown words of the sentence, distinct; the first kUnknownLookedUp are looked up.
    void setWords(const QStringList& words);
    [[nodiscard]] const std::vector<UnknownWord>& words() const { return m_words; }

Q_SIGNALS:
    /// words() or the spellings of one changed.
    void changed();

private:
    using Answer = std::map<QString, QStringList>;

    void start();
    void take(const Result<Answer>& answer);
    void fill();

    embedding::EmbeddingHandle m_embedding;
    std::vector<UnknownWord> m_words;
    Answer m_known;  ///< found so far
    RestTimer m_pause;
    JobRunner<Answer> m_job;
};

}  // namespace epsilens::ui::live
