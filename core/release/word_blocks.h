#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/base/job_context.h"

namespace epsilens::release {

/// Calls body(first, count) for blocks that make up some words, in parallel, unless stopped: as
/// many blocks for each thread, so that none is left with the last one.
///
/// largest  words of a block at most
void forEachBlock(std::size_t words, std::int64_t largest, int threads, const JobContext& job,
                  const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace epsilens::release
