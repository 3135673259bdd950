#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"
#include "core/release/counts.h"
#include "core/release/policies.h"
#include "core/release/word_replacer.h"
#include "core/text/tokeniser.h"

namespace epsilens::release {

/// Text in, text out: every word is replaced by the mechanism or treated by a policy; spacing,
/// punctuation, line ends and the pattern of letter case stay byte for byte. A blank is added where
/// two words would run into one because a symbol that parted them was replaced or left out.
///
/// A word always comes out as the vocabulary spells it, in the case pattern of the word it stands
/// for, also when the mechanism returns the same word: a spelling that only a kept word could have
/// would tell that it was kept.
///
/// The mask's own text, where unknown words are masked, is an unknown word and stays.
class Sanitizer {
public:
    /// The replacer is used, not owned. Fails as checkMask does.
    [[nodiscard]] static Result<Sanitizer> create(engine::SearchSpaceHandle space,
                                                  WordReplacer& replacer, ReleasePolicies policies);

    /// The released form of a piece of text, well-formed UTF-8, added to the counts. Pieces follow
    /// each other without gaps and are cut behind line ends or blanks: words are not sought across
    /// a cut. Each line is a document. Fails with cancelled, and then counts nothing.
    [[nodiscard]] Result<std::string> sanitize(std::string_view piece, int threads,
                                               const JobContext& job) {
        return sanitize(piece, {}, threads, job);
    }
    /// The same for lines that belong to documents of several lines.
    ///
    /// documents  number of the document of each line, rising from piece to piece
    [[nodiscard]] Result<std::string> sanitize(std::string_view piece,
                                               std::span<const std::int64_t> documents, int threads,
                                               const JobContext& job);
    /// Whether the first character of a text is left as it is, whatever is drawn: it belongs to no
    /// word, or to one that a policy keeps.
    [[nodiscard]] bool keepsStart(std::string_view text);
    /// From now on every unknown word is told, as it is spelt and in the order of the text.
    void tellUnknown(std::function<void(std::string_view)> tell) { m_tell = std::move(tell); }
    /// Remembers that a word had to be cut.
    void countCut() { ++m_counts.cuts; }

    [[nodiscard]] const ReleaseCounts& counts() const { return m_counts; }
    /// Words that came out of the mechanism as they went in. A function of the text to be
    /// protected: for whoever releases it, never to be published.
    [[nodiscard]] std::int64_t unchanged() const { return m_unchanged; }
    /// Words that the mechanism replaces in a line: the median over the lines that have any, of two
    /// the longer; 0 without one.
    [[nodiscard]] std::int64_t medianReplacedInLine() const;
    [[nodiscard]] const ReleasePolicies& policies() const { return m_policies; }
    /// keep or lower, never automatic.
    [[nodiscard]] text::CasePolicy casePolicy() const { return m_lookup.casePolicy(); }
    [[nodiscard]] const mechanism::Guarantee& guarantee() const { return m_replacer->guarantee(); }
    /// Whether the text so far ends within a line.
    [[nodiscard]] bool withinLine() const { return m_withinLine; }

private:
    struct Part;

    Sanitizer(engine::SearchSpaceHandle space, WordReplacer& replacer, ReleasePolicies policies);

    [[nodiscard]] std::deque<Part> split(std::string_view piece, int threads) const;
    void examine(Part& part, text::Tokeniser& tokeniser) const;
    void drawConsistently(std::span<const Row> words, std::span<const std::int64_t> documents,
                          std::span<Row> outputs, int threads, const JobContext& job);
    void render(Part& part, std::span<const Row> outputs) const;
    void count(const std::deque<Part>& parts, std::span<const std::int64_t> lines,
               std::string_view piece, std::size_t written);

    engine::SearchSpaceHandle m_space;
    WordReplacer* m_replacer;
    ReleasePolicies m_policies;
    text::Lookup m_lookup;
    std::deque<text::Tokeniser> m_tokenisers{};  ///< one per part: each serves one thread at a time
    ReleaseCounts m_counts{};
    std::int64_t m_unchanged = 0;
    std::function<void(std::string_view)> m_tell{};  ///< empty: nobody asks
    std::int64_t m_lineEnds = 0;                     ///< in the text so far
    std::int64_t m_line = -1;                        ///< the last with a replaced word
    std::int64_t m_replacedInLine = 0;
    std::map<std::int64_t, std::int64_t> m_lengths{};  ///< lines before it by their replaced words
    // Where equal words of a document are drawn once.
    std::int64_t m_document = -1;                     ///< the last one
    std::unordered_map<Row, std::size_t> m_places{};  ///< of its words in m_drawn
    std::vector<Row> m_drawn{};
    std::int64_t m_drawnCount = 0;
    std::int64_t m_mostDrawn = 0;
    bool m_withinLine = false;
};

}  // namespace epsilens::release
