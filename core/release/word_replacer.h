#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::release {

using embedding::Row;

/// Replaces words by a mechanism. Every occurrence of every word has randomness of its own, from
/// the operating system; nothing can be seeded, repeated or shared.
class WordReplacer {
public:
    WordReplacer() = default;
    WordReplacer(const WordReplacer&) = delete;
    WordReplacer& operator=(const WordReplacer&) = delete;
    virtual ~WordReplacer() = default;

    [[nodiscard]] virtual const mechanism::Guarantee& guarantee() const = 0;
    /// outputs[i] is drawn for words[i]. Undefined when the job was stopped.
    ///
    /// words  rows of the vocabulary, in any order and as often as they like
    virtual void replace(std::span<const Row> words, std::span<Row> outputs, int threads,
                         const JobContext& job) = 0;
};

/// Fails as the mechanism's own create does: invalidArgument for values outside their ranges,
/// unsupported where the data do not admit it.
[[nodiscard]] Result<std::unique_ptr<WordReplacer>> createReplacer(
    engine::SearchSpaceHandle space, const mechanism::Setting& setting, int threads = 0);

/// Calls body(first, count) for blocks that make up some words, in parallel, unless stopped: as
/// many blocks for each thread, so that none is left with the last one.
///
/// largest  words of a block at most
void forEachBlock(std::size_t words, std::int64_t largest, int threads, const JobContext& job,
                  const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace epsilens::release
