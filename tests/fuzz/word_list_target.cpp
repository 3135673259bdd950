#include "core/embedding/word_list.h"

#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/memory_file.h"

using epsilens::fuzz::require;

EPSILENS_FUZZ_TARGET(word_list) {
    const epsilens::fuzz::MemoryFile file(input);
    const auto words =
        epsilens::embedding::readWordList(file.path(), {}, epsilens::fuzz::kMemoryLimit);
    if (!words) {
        require(words.error().file == file.path(), "a failure names the file");
        return;
    }
    for (epsilens::embedding::Row row = 0; row < words->size(); ++row) {
        require(!words->word(row).empty(), "no word is empty");
    }
}
