#include "core/release/text_survey.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/release/sanitize_stream.h"
#include "core/release/word_replacer.h"
#include "core/text/letter_case.h"

namespace epsilens::release {
namespace {

/// Leaves all words alone: what a mechanism draws is of no account here, and costs the most.
class NoReplacer final : public WordReplacer {
public:
    [[nodiscard]] const mechanism::Guarantee& guarantee() const override { return m_guarantee; }
    void replace(std::span<const Row> words, std::span<Row> outputs, int /*threads*/,
                 const JobContext& /*job*/) override {
        std::ranges::copy(words, outputs.begin());
    }

private:
    mechanism::Guarantee m_guarantee{};
};

}  // namespace

void WordTally::add(std::string_view word) {
    // About what a node of the map and its pointers take beside the letters.
    constexpr std::size_t kHolder = 80;
    std::string key(word);
    if (const auto known = m_counts.find(key); known != m_counts.end()) {
        ++known->second;
        return;
    }
    const std::size_t bytes = key.size() + kHolder;
    if (m_bytes + bytes > m_mostBytes) {
        m_isFull = true;
        return;
    }
    m_bytes += bytes;
    m_counts.emplace(std::move(key), 1);
}

std::vector<WordCount> WordTally::mostFrequent(std::size_t most) const {
    std::vector<WordCount> words(std::min(most, m_counts.size()));
    std::vector<std::pair<std::string_view, std::int64_t>> all(m_counts.begin(), m_counts.end());
    const auto end = all.begin() + std::ssize(words);
    std::partial_sort(all.begin(), end, all.end(), [](const auto& one, const auto& other) {
        return one.second != other.second ? one.second > other.second : one.first < other.first;
    });
    std::transform(all.begin(), end, words.begin(), [](const auto& counted) {
        return WordCount{std::string(counted.first), counted.second};
    });
    return words;
}

std::vector<WordCount> TextSurvey::commonUnknown() const {
    constexpr std::int64_t kLeastCount = 5;
    constexpr std::int64_t kHundred = 100;
    std::vector<WordCount> common;
    std::ranges::copy_if(mostUnknown, std::back_inserter(common), [this](const WordCount& word) {
        return word.count >= kLeastCount && kHundred * word.count >= counts.words;
    });
    return common;
}

Result<TextSurvey> surveyText(TextInput& input, engine::SearchSpaceHandle space,
                              ReleasePolicies policies, const TableOptions& table,
                              std::size_t mostUnknown, const JobContext& job) {
    NoReplacer replacer;
    ASSIGN_OR_RETURN(auto sanitizer,
                     Sanitizer::create(std::move(space), replacer, std::move(policies)));
    WordTally tally;
    const bool isLowered = sanitizer.casePolicy() == text::CasePolicy::lower;
    sanitizer.tellUnknown([&](std::string_view word) {
        if (isLowered) {
            tally.add(text::toLower(word));
        } else {
            tally.add(word);
        }
    });
    io::Output output = io::Output::nowhere();
    StreamOptions options;
    options.keepPartial = false;
    options.table = table;
    ASSIGN_OR_RETURN(const StreamEnd end, sanitizeStream(input, output, sanitizer, options, job));
    if (end.failure) {
        return tl::unexpected(*end.failure);
    }
    return TextSurvey{end.counts, end.records, tally.mostFrequent(mostUnknown), tally.different(),
                      tally.isFull()};
}

}  // namespace epsilens::release
