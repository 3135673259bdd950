#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/embedding/row_readers.h"
#include "core/io/byte_cursor.h"

namespace epsilens::embedding {
namespace {

/// Line ends before a word belong to the row before it.
Result<void> skipLineEnds(io::ByteCursor& cursor) {
    bool skipped = true;
    while (skipped) {
        ASSIGN_OR_RETURN(auto done, cursor.skipIf('\n'));
        skipped = done;
    }
    return {};
}

/// Reads and commits one row, 1-based.
Result<void> readRow(io::ByteCursor& cursor, RowTable& table, std::int64_t row,
                     std::int64_t announced) {
    const std::string what = fmt::format("row {} of {}", formatCount(row), formatCount(announced));
    RETURN_IF_ERROR(skipLineEnds(cursor));
    ASSIGN_OR_RETURN(const auto word, cursor.readTextUntil(' ', what));
    ASSIGN_OR_RETURN(const auto values, table.makeRoom(1));
    const auto bytes = static_cast<std::size_t>(table.dimensions()) * sizeof(float);
    RETURN_IF_ERROR(cursor.readBytes(values, bytes, what));
    return table.commit(judgeRow(word, values, table.dimensions()), word, values, row);
}

Result<void> checkEnd(io::ByteCursor& cursor) {
    RETURN_IF_ERROR(skipLineEnds(cursor));
    ASSIGN_OR_RETURN(const auto ended, cursor.atEnd());
    if (!ended) {
        return fail(ErrorCode::badFile,
                    "the file goes on after the rows that its header announces; it is damaged");
    }
    return {};
}

}  // namespace

Result<void> readWord2vecBinary(io::ByteSource& source, const DetectedFormat& format,
                                RowTable& table, const JobContext& job) {
    if (source.bytesLeft()) {
        table.expectRows(*format.announcedRows);
    }
    io::ByteCursor cursor(source);
    RETURN_IF_ERROR(cursor.skipBytes(format.headerBytes, "the header"));
    for (std::int64_t row = 1; row <= *format.announcedRows; ++row) {
        auto done = readRow(cursor, table, row, *format.announcedRows);
        if (!done || table.isCut()) {
            return done;
        }
        if (row % kRowsPerReport == 0) {
            job.progress(cursor.fractionRead(), "Reading the embedding");
        }
    }
    return checkEnd(cursor);
}

}  // namespace epsilens::embedding
