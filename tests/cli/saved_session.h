#pragma once

#include "core/document/session.h"
#include "tests/cli/terminal.h"

namespace epsilens::test {

/// A session of the embedding small.txt, with the grid that a calibration in the folder had, and
/// with results that are kept as the window keeps them.
[[nodiscard]] document::Session sessionOf(const Terminal& terminal, const std::string& calibration);

/// Saves a session as work.epsilens in the folder.
void save(const Terminal& terminal, const document::Session& session);

}  // namespace epsilens::test
