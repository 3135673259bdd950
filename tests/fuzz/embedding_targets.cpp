#include "core/embedding/load.h"

#include <string_view>

#include "core/embedding/row_readers.h"
#include "core/io/text_decoder.h"
#include "tests/fuzz/fuzz_target.h"

using namespace epsilens;
using embedding::FileFormat;
using embedding::InputFormat;
using fuzz::require;

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

/// Loads the bytes as an embedding file of this format and checks what every result promises: an
/// error of a known kind with a sentence, or valid words with finite vectors. The other options
/// follow from the number of bytes, so that they vary.
void loadAny(std::string_view content, embedding::InputFormat format) {
    const fuzz::MemoryFile file(content);
    embedding::LoadOptions options;
    options.path = file.path();
    options.inputFormat = format;
    options.strict = content.size() % 5 == 0;
    options.limitRows = content.size() % 7 == 0 ? 3 : 0;
    options.threads = 1;
    options.memoryLimit = fuzz::kMemoryLimit;
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

}  // namespace

EPSILENS_FUZZ_TARGET(any_embedding) {
    loadAny(input, InputFormat::automatic);
}
EPSILENS_FUZZ_TARGET(glove_text) {
    loadAny(input, InputFormat::glove);
}
EPSILENS_FUZZ_TARGET(word2vec_text) {
    loadAny(input, InputFormat::word2vecText);
}
EPSILENS_FUZZ_TARGET(word2vec_binary) {
    loadAny(input, InputFormat::word2vecBinary);
}
EPSILENS_FUZZ_TARGET(fasttext_model) {
    loadAny(input, InputFormat::fasttext);
}

EPSILENS_FUZZ_TARGET(format_detection) {
    const fuzz::MemoryFile file(input);
    for (const InputFormat wanted :
         {InputFormat::automatic, InputFormat::glove, InputFormat::word2vecText,
          InputFormat::word2vecBinary, InputFormat::fasttext}) {
        const auto source = io::ByteSource::open(file.path());
        if (!source) {
            return;
        }
        const auto format = embedding::detectFormat(**source, wanted);
        if (!format) {
            require(!format.error().message.empty(), "a refusal says why");
            continue;
        }
        require(format->format == FileFormat::fasttextBinary ||
                    (format->dimensions >= 1 && format->dimensions <= 100'000),
                "dimensions are within their limits");
        require(!format->announcedRows || *format->announcedRows >= 1, "rows are announced or not");
        const auto again = (*source)->peek(1);
        require(again.has_value(), "the bytes stay in the source");
    }
}

EPSILENS_FUZZ_TARGET(word_list) {
    const fuzz::MemoryFile file(input);
    const auto words = embedding::readWordList(file.path(), {}, fuzz::kMemoryLimit);
    if (!words) {
        require(words.error().file == file.path(), "a failure names the file");
        return;
    }
    for (embedding::Row row = 0; row < words->size(); ++row) {
        require(!words->word(row).empty(), "no word is empty");
    }
}
