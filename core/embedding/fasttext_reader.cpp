#include "core/embedding/fasttext_reader.h"

namespace epsilens::embedding {

Result<void> readFasttext(ByteSource& /*source*/, RowTable& /*table*/, int /*threads*/,
                          const JobContext& /*job*/) {
    return fail(ErrorCode::badFile, "fastText models are not yet read");
}

}  // namespace epsilens::embedding
