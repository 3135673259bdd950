#pragma once

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/embedding/format_detection.h"
#include "core/embedding/row_table.h"
#include "core/io/byte_source.h"

namespace epsilens::embedding {

/// Reads GloVe or word2vec text into the table. Blank lines are passed over.
///
/// threads  that parse, 0: all; a further one reads ahead
/// Fails with badFile, also when the number of rows is not the announced one; resourceLimit;
/// cancelled.
[[nodiscard]] Result<void> readText(io::ByteSource& source, const DetectedFormat& format,
                                    RowTable& table, int threads, const JobContext& job);

}  // namespace epsilens::embedding
