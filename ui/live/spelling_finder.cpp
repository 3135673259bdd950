#include "ui/live/spelling_finder.h"

#include <algorithm>
#include <utility>

#include "ui/state/word.h"

namespace epsilens::ui::live {

namespace {

constexpr std::size_t kSpellingsOffered = 3;
// Half-typed words are unknown most of the time.
constexpr int kPauseMs = 300;

}  // namespace

SpellingFinder::SpellingFinder(QObject* parent)
    : QObject(parent),
      m_pause(kPauseMs),
      m_job(tr("Looking for spellings"), [this](const Result<Answer>& answer) { take(answer); }) {
    connect(&m_pause, &QTimer::timeout, this, &SpellingFinder::start);
}

void SpellingFinder::setEmbedding(embedding::EmbeddingHandle embedding) {
    m_job.drop();
    m_embedding = std::move(embedding);
    m_known.clear();
    setWords({});
}

void SpellingFinder::setWords(const QStringList& words) {
    const bool wasEmpty = m_words.empty();
    m_words.clear();
    for (const QString& word : words) {
        m_words.push_back({word, {}, false});
    }
    fill();
    m_pause.start();
    if (!wasEmpty || !m_words.empty()) {
        Q_EMIT changed();
    }
}

void SpellingFinder::fill() {
    for (UnknownWord& word : m_words) {
        if (const auto found = m_known.find(word.typed); found != m_known.end()) {
            word.spellings = found->second;
            word.isLookedUp = true;
        }
    }
}

void SpellingFinder::start() {
    QStringList missing;
    for (std::size_t i = 0; i < std::min(m_words.size(), kUnknownLookedUp); ++i) {
        if (!m_words[i].isLookedUp) {
            missing.append(m_words[i].typed);
        }
    }
    if (missing.isEmpty() || !m_embedding) {
        return;
    }
    m_job.start([embedding = m_embedding, missing](const JobContext& job) -> Result<Answer> {
        Answer answer;
        for (const QString& word : missing) {
            if (job.stopRequested()) {
                return fail(ErrorCode::cancelled, "cancelled");
            }
            answer[word] = nearestSpellings(*embedding, word, kSpellingsOffered);
        }
        return answer;
    });
}

void SpellingFinder::take(const Result<Answer>& answer) {
    if (!answer) {
        return;
    }
    m_known.insert(answer->begin(), answer->end());
    fill();
    Q_EMIT changed();
}

}  // namespace epsilens::ui::live
