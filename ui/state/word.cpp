#include "ui/state/word.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/embedding/load.h"
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

Result<Spellings> nearestSpellings(const UnknownWords& unknown, const JobContext& job) {
    constexpr std::size_t kMost = 3;
    // A letter of three makes another word: only a slip in one of the commonest is likely then.
    constexpr qsizetype kShort = 3;
    const embedding::Vocabulary& vocabulary = unknown.embedding->vocabulary();
    const embedding::Row common = unknown.embedding->wordCount() / 100;
    Spellings found;
    for (const QString& word : unknown.words) {
        RETURN_IF_ERROR(job.checkStop());
        QStringList& similar = found[word];
        if (word.front().isUpper()) {
            continue;
        }
        for (const text::Spelling& spelling :
             text::nearestSpellings(vocabulary, toStd(word), kMost)) {
            if (word.size() > kShort || spelling.row < common) {
                similar.append(toQString(vocabulary.word(spelling.row)));
            }
        }
    }
    return found;
}

namespace {

constexpr std::size_t kShownUnknown = 5;

QString shortened(std::string_view word) {
    constexpr int kMostLetters = 24;
    const QString all = toQString(word);
    return all.size() > kMostLetters ? all.left(kMostLetters) + QChar(0x2026) : all;
}

}  // namespace

QString fateOfUnknown(release::UnknownPolicy policy) {
    const std::array fates{tr("would be masked"), tr("would be replaced by any word"),
                           tr("would be left out"), tr("would stay as they are, unprotected")};
    return fates.at(static_cast<std::size_t>(policy));
}

QString mostUnknownText(const release::TextSurvey& survey) {
    QStringList words;
    for (const release::WordCount& unknown :
         std::span(survey.mostUnknown).first(std::min(kShownUnknown, survey.mostUnknown.size()))) {
        words << tr("%1 (%2)").arg(shortened(unknown.word), counted(unknown.count));
    }
    return words.join(tr(", "));
}

QString commonUnknownWarning(const release::TextSurvey& survey, release::UnknownPolicy policy) {
    const QString fate = fateOfUnknown(policy);
    const std::vector<release::WordCount> common = survey.commonUnknown();
    QStringList names;
    std::int64_t times = 0;
    for (const release::WordCount& word : common) {
        times += word.count;
        if (static_cast<std::size_t>(names.size()) < kShownUnknown) {
            names << tr("“%1”").arg(shortened(word.word));
        }
    }
    if (common.size() > kShownUnknown) {
        names << tr("%1 more").arg(counted(static_cast<qint64>(common.size() - kShownUnknown)));
    }
    if (common.empty()) {
        return {};
    }
    const QString question = tr("is this the right embedding or letter case?");
    return common.size() == 1 ? tr("⚠ %1, a common word of this text, is unknown and %2, %3 times: "
                                   "%4")
                                    .arg(names.front(), fate, counted(times), question)
                              : tr("⚠ %1 are common words of this text, unknown, and %2, %3 times "
                                   "in all: %4")
                                    .arg(names.join(tr(", ")), fate, counted(times), question);
}

std::vector<WordPair> exampleWords(const embedding::Vocabulary& vocabulary) {
    std::vector<WordPair> pairs = embedding::exampleRows(vocabulary);
    if (pairs.empty() && vocabulary.size() >= 2) {
        pairs.emplace_back(0, 1);
    }
    return pairs;
}

}  // namespace epsilens::ui
