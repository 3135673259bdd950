#include "core/attack/reference_text.h"

#include <charconv>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "core/attack/prior.h"
#include "core/base/ascii.h"
#include "core/base/pass_on.h"
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

Result<ReferenceText> readLines(const std::string& path, const embedding::Vocabulary& vocabulary,
                                text::CasePolicy letterCase, const JobContext& job) {
    ASSIGN_OR_RETURN(auto records,
                     io::RecordReader::open({path, {}, io::RecordFormat::lines}, job.stop));
    const text::Lookup lookup(vocabulary, letterCase);
    const auto words = static_cast<Row>(vocabulary.size());
    ReferenceText reference;
    reference.counts.resize(static_cast<std::size_t>(words));
    bool isCounts = true;              // all lines so far
    std::vector<std::string> earlier;  // while they may be counts
    text::Tokeniser tokeniser;
    std::vector<Row> tokens;
    std::vector<std::size_t> lineEnds;
    const auto addText = [&](const std::string& line) {
        for (const text::Word& word : text::tokeniseText(line, tokeniser, lookup).words) {
            tokens.push_back(word.row.value_or(kUnknownWord));
        }
        lineEnds.push_back(tokens.size());
    };
    std::string line;
    while (true) {
        ASSIGN_OR_RETURN(const bool isThere, records.next(line));
        if (!isThere) {
            break;
        }
        const auto counted = isCounts ? countedWord(line) : std::nullopt;
        if (!counted) {
            // A text after all: what looked like counts before were its first lines.
            isCounts = false;
            for (const std::string& before : std::exchange(earlier, {})) {
                addText(before);
            }
            addText(line);
            continue;
        }
        earlier.push_back(line);
        if (const auto row = lookup.find(counted->first)) {
            reference.counts[static_cast<std::size_t>(*row)] += counted->second;
        }
    }
    if (!isCounts) {
        reference.counts = wordCounts(tokens, words);
    }
    reference.bigrams = Bigrams(tokens, lineEnds, words);
    reference.knownWords =
        std::accumulate(reference.counts.begin(), reference.counts.end(), std::int64_t{0});
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
    auto reference = readLines(path, vocabulary, letterCase, job);
    if (!reference) {
        return tl::unexpected(inFile(std::move(reference.error()), path));
    }
    return std::make_shared<const ReferenceText>(*std::move(reference));
}

}  // namespace epsilens::attack
