#include <string>

#include "core/io/record_reader.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/memory_file.h"

using epsilens::fuzz::require;
using epsilens::io::RecordFormat;
using epsilens::io::RecordReader;

/// The first byte chooses format and column, the others are the file.
EPSILENS_FUZZ_TARGET(data_set) {
    if (input.empty()) {
        return;
    }
    const auto choice = static_cast<unsigned char>(input.front());
    constexpr RecordFormat kFormats[] = {RecordFormat::automatic, RecordFormat::lines,
                                         RecordFormat::tsv,       RecordFormat::csv,
                                         RecordFormat::tsvQuoted, RecordFormat::jsonLines};
    const std::string columns[] = {"", "text", "1", "2"};
    const epsilens::fuzz::MemoryFile file(input.substr(1));
    auto reader = RecordReader::open({file.path(), columns[choice / 6 % 4], kFormats[choice % 6]});
    if (!reader) {
        require(reader.error().file == file.path(), "a failure names the file");
        return;
    }
    std::string text;
    std::size_t records = 0;
    while (true) {
        const auto more = reader->next(text);
        if (!more) {
            require(!more.error().message.empty(), "a failure has a sentence");
            return;
        }
        if (!*more) {
            break;
        }
        ++records;
        require(records <= input.size(), "a record takes a byte");
    }
    require(reader->skipped() >= 0, "records are counted");
}
