#include "core/io/decompressor.h"

#include <fmt/format.h>

namespace epsilens::io {

tl::unexpected<Error> damagedData(std::string_view compression, std::string_view reason) {
    return fail(ErrorCode::badFile,
                fmt::format("the {} data is damaged or cut off ({}); fetch the file "
                            "again, or decompress it by the program that made it",
                            compression, reason));
}

tl::unexpected<Error> noMemoryToDecompress() {
    return fail(ErrorCode::resourceLimit, "there is not enough memory to decompress the file");
}

}  // namespace epsilens::io
