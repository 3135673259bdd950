#pragma once

#include "core/project/session.h"

namespace epsilens::test {

/// A session with every text and setting filled in and the results of exampleReport().
[[nodiscard]] project::Session exampleSession();

/// The same with another epsilon and other results, both of as many bytes.
[[nodiscard]] project::Session otherSession();

}  // namespace epsilens::test
