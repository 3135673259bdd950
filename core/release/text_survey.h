#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"
#include "core/release/counts.h"
#include "core/release/policies.h"
#include "core/release/table_text.h"
#include "core/release/text_input.h"
#include "core/release/word_replacer.h"

namespace epsilens::release {

/// A word and how often it stands in a text.
struct WordCount {
    std::string word{};
    std::int64_t count = 0;

    bool operator==(const WordCount&) const = default;
};

/// Counts words, in memory that does not grow with the text: once it is used up, only words are
/// counted that were met before.
class WordTally {
public:
    /// mostBytes  of the words held, with what holds them
    explicit WordTally(std::size_t mostBytes = kMostBytes) : m_mostBytes(mostBytes) {}

    void add(std::string_view word);
    /// The most frequent words, ties in the order of their bytes.
    [[nodiscard]] std::vector<WordCount> mostFrequent(std::size_t most) const;
    [[nodiscard]] std::int64_t different() const { return std::ssize(m_counts); }
    /// Whether a word was left out.
    [[nodiscard]] bool isFull() const { return m_isFull; }

private:
    static constexpr std::size_t kMostBytes = std::size_t{32} << 20;

    std::size_t m_mostBytes;
    std::size_t m_bytes = 0;
    bool m_isFull = false;
    std::unordered_map<std::string, std::int64_t> m_counts{};
};

/// What a release of a text will meet. For whoever releases it, never to be published: it holds
/// words of the text.
struct TextSurvey {
    ReleaseCounts counts{};  ///< those that the release will have; bytesWritten says nothing
    std::int64_t medianReplacedInLine = 0;  ///< see Sanitizer
    std::int64_t records = 0;               ///< of a table, without its header; 0: the text is none
    /// Unknown words, in lower case where that is how words are looked up.
    std::vector<WordCount> mostUnknown{};
    std::int64_t differentUnknown = 0;
    /// Further unknown words were too many to be held, and may be more frequent.
    bool isUnknownPartial = false;

    /// Those of mostUnknown that alone make up at least 1 % of the words of the text: everyday
    /// words of its language, which the right embedding would know. Not those that stand there
    /// fewer than five times, as any word of a short text may.
    [[nodiscard]] std::vector<WordCount> commonUnknown() const;
};

/// Reads a text to its end as sanitizeStream does, and writes nothing.
///
/// mostUnknown  unknown words that are told
/// Fails as sanitizeStream does.
[[nodiscard]] Result<TextSurvey> surveyText(TextInput& input, engine::SearchSpaceHandle space,
                                            ReleasePolicies policies, const TableOptions& table,
                                            std::size_t mostUnknown, const JobContext& job = {});

/// A line of a text, or a field of a table that is released, before and after.
struct ExampleLine {
    std::string before{};
    std::string after{};

    bool operator==(const ExampleLine&) const = default;
};

/// Replaces the words of the first lines, or fields, each cut at a blank once it is as long as a
/// screen shows, and writes nothing. Fails as sanitizeStream does.
///
/// most  lines
[[nodiscard]] Result<std::vector<ExampleLine>> exampleLines(
    TextInput& input, engine::SearchSpaceHandle space, WordReplacer& replacer,
    ReleasePolicies policies, const TableOptions& table, std::size_t most,
    const JobContext& job = {});

}  // namespace epsilens::release
