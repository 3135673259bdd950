#pragma once

#include "app/cli/parser/arguments.h"
#include "core/document/session.h"

namespace epsilens::cli {

/// Values of a session as defaults of a command line: the embedding and the seed, the next
/// calibration for calibrate and recommend, the current setting and the policies for the others.
/// Fails with badFile if the session names a file that is a pipe or a device.
///
/// typed  the same command line, as far as it was read without the session: an embedding that is
///        typed may differ from that of the session, and a data set has words of its own
[[nodiscard]] Result<Arguments> valuesOf(const document::Session& session, const Arguments& typed);

}  // namespace epsilens::cli
