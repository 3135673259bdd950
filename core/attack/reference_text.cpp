#include "core/attack/reference_text.h"

#include <charconv>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "core/attack/prior.h"
#include "core/base/pass_on.h"
#include "core/base/trimmed.h"
#include "core/io/record_reader.h"
#include "core/text/tokenised_text.h"

namespace epsilens::attack {
namespace {

/// The count of a line "word TAB count"; nothing for another line.
std::optional<std::pair<std::string_view, std::int64_t>> countedWord(std::string_view line) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos || tab == 0) {
        return std::nullopt;
    }
    const std::string_view digits = trimmed(line.substr(tab + 1));
    std::int64_t count = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || count < 0) {
        return std::nullopt;
    }
    return std::pair(trimmed(line.substr(0, tab)), count);
}

class ReferenceReader {
public:
    ReferenceReader(const embedding::Vocabulary& vocabulary, text::CasePolicy letterCase)
        : m_lookup(vocabulary, letterCase), m_counts(static_cast<std::size_t>(vocabulary.size())) {}

    void addLine(const std::string& line) {
        if (m_isCounts) {
            if (const auto counted = countedWord(line)) {
                addCount(counted->first, counted->second);
                return;
            }
            // A text after all: what looked like counts before were its first lines.
            m_isCounts = false;
            for (const std::string& earlier : std::exchange(m_lines, {})) {
                addText(earlier);
            }
        }
        addText(line);
    }

    ReferenceText finish() {
        const auto words = static_cast<Row>(m_counts.size());
        ReferenceText reference;
        reference.counts = m_isCounts ? std::move(m_counts) : wordCounts(m_tokens, words);
        reference.bigrams = Bigrams(m_tokens, m_lineEnds, words);
        reference.knownWords =
            std::accumulate(reference.counts.begin(), reference.counts.end(), std::int64_t{0});
        return reference;
    }

private:
    void addCount(std::string_view word, std::int64_t count) {
        m_lines.push_back(std::string(word) + '\t' + std::to_string(count));
        if (const auto row = m_lookup.find(word)) {
            m_counts[static_cast<std::size_t>(*row)] += count;
        }
    }

    void addText(const std::string& line) {
        for (const text::Word& word : text::tokeniseText(line, m_tokeniser, m_lookup).words) {
            m_tokens.push_back(word.row.value_or(kUnknownWord));
        }
        m_lineEnds.push_back(static_cast<std::int64_t>(m_tokens.size()));
    }

    text::Lookup m_lookup;
    text::Tokeniser m_tokeniser{};
    bool m_isCounts = true;              ///< all lines so far
    std::vector<std::string> m_lines{};  ///< while they may be counts
    std::vector<std::int64_t> m_counts;
    std::vector<Row> m_tokens{};
    std::vector<std::int64_t> m_lineEnds{};
};

Result<ReferenceText> readLines(const std::string& path, ReferenceReader reader,
                                const JobContext& job) {
    ASSIGN_OR_RETURN(auto records,
                     io::RecordReader::open({path, {}, io::RecordFormat::lines}, job.stop));
    std::string line;
    while (true) {
        ASSIGN_OR_RETURN(const bool isThere, records.next(line));
        if (!isThere) {
            break;
        }
        reader.addLine(line);
    }
    ReferenceText reference = reader.finish();
    if (reference.knownWords == 0) {
        return fail(
            ErrorCode::badFile,
            "no word of the reference text is in the vocabulary; is it of another language?");
    }
    reference.file = std::filesystem::path(path).filename().string();
    return reference;
}

}  // namespace

Result<ReferenceTextHandle> readReferenceText(const std::string& path,
                                              const embedding::Vocabulary& vocabulary,
                                              text::CasePolicy letterCase, const JobContext& job) {
    auto reference = readLines(path, ReferenceReader(vocabulary, letterCase), job);
    if (!reference) {
        return tl::unexpected(inFile(std::move(reference.error()), path));
    }
    return std::make_shared<const ReferenceText>(*std::move(reference));
}

}  // namespace epsilens::attack
