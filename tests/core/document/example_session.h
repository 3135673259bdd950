#pragma once

#include "core/document/session.h"

namespace epsilens::test {

/// A session with every text and setting filled in and the results of exampleReport().
[[nodiscard]] document::Session exampleSession();

/// The same with another epsilon and other results, both of as many bytes.
[[nodiscard]] document::Session otherSession();

}  // namespace epsilens::test
