#include "core/text/sentence_pair.h"

#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"

namespace epsilens::text {
namespace {

/// What stands between word i - 1 and word i, behind the last word for i = number of words.
std::string_view gapBefore(const TokenisedText& text, std::size_t word) {
    const std::size_t begin = word == 0 ? 0 : text.words[word - 1].token.range.end;
    const std::size_t end =
        word < text.words.size() ? text.words[word].token.range.begin : text.text.size();
    return std::string_view(text.text).substr(begin, end - begin);
}

tl::unexpected<Error> notCovered(const TokenisedText& text, std::size_t word, std::size_t which) {
    return fail(ErrorCode::invalidArgument,
                fmt::format("word {} differs and \"{}\" of the {} text is not in the vocabulary: "
                            "the guarantee does not cover which words are unknown",
                            word + 1, text.spelling(word), which == 0 ? "first" : "second"));
}

/// Gathers the positions that differ.
class Exchanges {
public:
    explicit Exchanges(SentencePair& pair) : m_pair(pair) {}

    void add(embedding::Row first, embedding::Row second) {
        ++m_pair.differing;
        const auto [place, isNew] =
            m_places.try_emplace(std::pair(first, second), m_pair.exchanged.size());
        if (isNew) {
            m_pair.exchanged.push_back({first, second, 0});
        }
        ++m_pair.exchanged[place->second].times;
    }

private:
    SentencePair& m_pair;
    std::map<std::pair<embedding::Row, embedding::Row>, std::size_t> m_places{};
};

}  // namespace

Result<SentencePair> pairSentences(const TokenisedText& first, const TokenisedText& second) {
    if (first.words.size() != second.words.size()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("the texts have {} and {} words: the guarantee compares texts of "
                                "equal length",
                                formatCount(static_cast<std::int64_t>(first.words.size())),
                                formatCount(static_cast<std::int64_t>(second.words.size()))));
    }
    SentencePair pair;
    Exchanges exchanges(pair);
    pair.words = first.words.size();
    for (std::size_t i = 0; i < pair.words; ++i) {
        const Word& one = first.words[i];
        const Word& other = second.words[i];
        pair.differsElsewhere = pair.differsElsewhere || one.pattern != other.pattern ||
                                gapBefore(first, i) != gapBefore(second, i);
        if (one.row && other.row) {
            if (*one.row != *other.row) {
                exchanges.add(*one.row, *other.row);
            }
        } else if (first.spelling(i) == second.spelling(i)) {
            ++pair.unknown;
        } else {
            return notCovered(one.row ? second : first, i, one.row ? 1 : 0);
        }
    }
    pair.differsElsewhere =
        pair.differsElsewhere || gapBefore(first, pair.words) != gapBefore(second, pair.words);
    return pair;
}

}  // namespace epsilens::text
