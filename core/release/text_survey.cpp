#include "core/release/text_survey.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <sstream>
#include <utility>

#include "core/base/error.h"
#include "core/release/sanitize_stream.h"
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
    return TextSurvey{end.counts,        sanitizer.medianReplacedInLine(),
                      end.records,       tally.mostFrequent(mostUnknown),
                      tally.different(), tally.isFull()};
}

Result<std::vector<ExampleLine>> exampleLines(TextInput& input, engine::SearchSpaceHandle space,
                                              WordReplacer& replacer, ReleasePolicies policies,
                                              const TableOptions& table, std::size_t most,
                                              const JobContext& job) {
    constexpr std::size_t kBytes = 60;
    constexpr std::size_t kStart = std::size_t{1} << 20;  // tells the format of a table, too
    ASSIGN_OR_RETURN(auto sanitizer,
                     Sanitizer::create(std::move(space), replacer, std::move(policies)));
    std::string start;
    for (auto state = TextInput::State::data;
         state != TextInput::State::end && start.size() < kStart;) {
        ASSIGN_OR_RETURN(state, input.read(start, 0));
    }
    std::vector<ExampleLine> lines;
    const auto take = [&](const TableText::Fields& fields) -> Result<std::vector<std::string>> {
        for (std::size_t i = 0; i < fields.texts.size() && lines.size() < most; ++i) {
            std::string before = fields.texts[i].substr(0, fields.texts[i].find(' ', kBytes));
            ASSIGN_OR_RETURN(auto after, sanitizer.sanitize(before, 0, job));
            lines.push_back({std::move(before), std::move(after)});
        }
        return fields.texts;
    };
    if (table.columns.empty()) {
        TableText::Fields whole;
        std::istringstream text(start);
        for (std::string line; whole.texts.size() < most && std::getline(text, line);) {
            whole.texts.push_back(line);
        }
        RETURN_IF_ERROR(take(whole));
        return lines;
    }
    TableText records(table, input.name(), true);
    auto taken = records.add(start, take);
    if (taken) {
        taken = records.finish(take);
    }
    // The start may end within a record, which is none then.
    if (!taken && lines.empty()) {
        return tl::unexpected(taken.error());
    }
    return lines;
}

}  // namespace epsilens::release
