#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/format_detection.h"
#include "core/embedding/row_table.h"
#include "core/io/byte_source.h"

namespace epsilens::embedding {

/// Reads word2vec binary: a header line, then per row the word, a blank and the values as float32;
/// a line end may stand behind each row.
///
/// Fails with badFile, also for bytes behind the last row; resourceLimit; cancelled.
[[nodiscard]] Result<void> readWord2vecBinary(io::ByteSource& source, const DetectedFormat& format,
                                              RowTable& table, const JobContext& job);

}  // namespace epsilens::embedding
