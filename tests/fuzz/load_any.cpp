#include "tests/fuzz/load_any.h"

#include "core/io/utf8.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/memory_file.h"

namespace epsilens::fuzz {
namespace {

void checkLoaded(const embedding::Embedding& loaded) {
    const embedding::Vocabulary& words = loaded.vocabulary;
    require(words.size() >= 1, "there is a row");
    require(loaded.vectors.rows() == words.size(), "every word has a vector");
    require(loaded.vectors.cols() >= 1, "there is a dimension");
    require(loaded.vectors.allFinite(), "values are finite");
    require(loaded.report.sha256.size() == 64, "the bytes are hashed");
    for (embedding::Row row = 0; row < static_cast<embedding::Row>(words.size()); ++row) {
        const std::string_view word = words.word(row);
        require(!word.empty() && io::isValidUtf8(word), "words are not empty and UTF-8");
        require(!io::hasControlCharacter(word), "words can be seen");
        require(words.find(word) == row, "a word is found at its row");
    }
}

}  // namespace

void loadAny(std::string_view content, embedding::InputFormat format) {
    const MemoryFile file(content);
    embedding::LoadOptions options;
    options.path = file.path();
    options.inputFormat = format;
    options.strict = content.size() % 5 == 0;
    options.limitRows = content.size() % 7 == 0 ? 3 : 0;
    options.threads = 1;
    options.memoryLimit = kMemoryLimit;
    const auto loaded = embedding::loadEmbedding(options);
    if (loaded) {
        checkLoaded(*loaded);
        return;
    }
    const Error& error = loaded.error();
    require(error.code == ErrorCode::badFile || error.code == ErrorCode::resourceLimit,
            "a file that cannot be used is a bad file or too large");
    require(!error.message.empty(), "a failure has a sentence");
    require(error.file == options.path, "a failure names the file");
}

}  // namespace epsilens::fuzz
