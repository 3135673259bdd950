#include "core/embedding/word_list.h"

#include <string_view>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/pass_on.h"
#include "core/io/byte_source.h"
#include "core/io/memory_limit.h"
#include "core/io/read_ahead.h"
#include "core/io/text_decoder.h"

namespace epsilens::embedding {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
/// What grows is there as it was, and twice as large.
constexpr double kCopiesWhileGrowing = 3.0;

Result<Vocabulary> readWords(const std::string& path, std::stop_token stop,
                             std::uint64_t memoryLimit) {
    const io::MemoryBudget budget(memoryLimit);
    ASSIGN_OR_RETURN(const auto source, io::ByteSource::open(path, std::move(stop)));
    ASSIGN_OR_RETURN(io::TextDecoder decoder, io::TextDecoder::create());
    Vocabulary words;
    std::string text;
    io::LineBlocks blocks(*source, kBlockBytes);
    while (true) {
        ASSIGN_OR_RETURN(const auto block, blocks.next());
        if (block.empty()) {
            break;
        }
        // Blocks end with lines, and so with characters.
        text.clear();
        RETURN_IF_ERROR(decoder.decode(block, true, text));
        for (std::string_view rest = text; !rest.empty();) {
            if (const std::string_view word = trimmed(io::takeLine(rest)); !word.empty()) {
                words.add(word);
            }
        }
        RETURN_IF_ERROR(budget.check(kCopiesWhileGrowing * words.bytesHeld(), "the words of a list",
                                     "use a shorter list"));
    }
    if (words.size() == 0) {
        return fail(ErrorCode::badFile, "the list of words is empty");
    }
    return words;
}

}  // namespace

Result<Vocabulary> readWordList(const std::string& path, std::stop_token stop,
                                std::uint64_t memoryLimit) {
    return readWords(path, std::move(stop), memoryLimit).map_error([&](Error error) {
        return inFile(std::move(error), path);
    });
}

Result<ListedWords> findListedWords(const std::string& path, const Vocabulary& vocabulary,
                                    std::stop_token stop) {
    ASSIGN_OR_RETURN(const auto list, readWordList(path, std::move(stop)));
    ListedWords found;
    found.words = list.size();
    for (Row line = 0; line < static_cast<Row>(list.size()); ++line) {
        if (const auto row = vocabulary.find(list.word(line))) {
            found.rows.push_back(*row);
        }
    }
    return found;
}

}  // namespace epsilens::embedding
