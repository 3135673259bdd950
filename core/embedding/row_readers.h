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

/// Reads word2vec binary: a header line, then per row the word, a blank and the values as float32;
/// a line end may stand behind each row.
///
/// Fails with badFile, also for bytes behind the last row; resourceLimit; cancelled.
[[nodiscard]] Result<void> readWord2vecBinary(io::ByteSource& source, const DetectedFormat& format,
                                              RowTable& table, const JobContext& job);

/// Reads a fastText model, layouts up to version 12, not quantised, into the table, whose
/// dimensions it sets. Every size is checked against the bytes left before memory is taken for it.
///
/// A word's vector is the mean of its own row and the rows of its character n-grams, summed in
/// float32 in the order of the word, as fastText does it, so that both give the same bits. The end
/// of a sentence, "</s>", has no n-grams except in the old layout.
///
/// threads  that compute the means, 0: all
/// Fails with badFile, resourceLimit, cancelled.
[[nodiscard]] Result<void> readFasttext(io::ByteSource& source, RowTable& table, int threads,
                                        const JobContext& job);

}  // namespace epsilens::embedding
