#include "core/embedding/format_detection.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/memory_file.h"

using epsilens::embedding::FileFormat;
using epsilens::embedding::InputFormat;
using epsilens::fuzz::require;
using epsilens::io::MemoryBudget;

EPSILENS_FUZZ_TARGET(format_detection) {
    const epsilens::fuzz::MemoryFile file(input);
    for (const InputFormat wanted :
         {InputFormat::automatic, InputFormat::glove, InputFormat::word2vecText,
          InputFormat::word2vecBinary, InputFormat::fasttext}) {
        const auto source = epsilens::io::ByteSource::open(
            file.path(), {}, MemoryBudget(epsilens::fuzz::kMemoryLimit));
        if (!source) {
            return;
        }
        const auto format = epsilens::embedding::detectFormat(**source, wanted);
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
