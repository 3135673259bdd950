#pragma once

#include <string_view>

#include "core/embedding/load.h"

namespace epsilens::fuzz {

/// Loads the bytes as an embedding file of this format and checks what every result promises: an
/// error of a known kind with a sentence, or valid words with finite vectors. The other options
/// follow from the number of bytes, so that they vary.
void loadAny(std::string_view content, embedding::InputFormat format);

}  // namespace epsilens::fuzz
