#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/attack/distance_kernel.h"
#include "core/base/eigen.h"
#include "core/embedding/vocabulary.h"
#include "core/engine/metric_rows.h"
#include "core/engine/metric_space.h"

namespace epsilens::attack {

using embedding::Row;

/// Memory that observations are read in: one object for each task.
struct ChannelScratch {
    engine::MetricRows rows{false};
    RowMatrixF points{};
    RowMatrixF products{};
    VectorF row{};
};

/// Called with the index of a token and ln Pr[its observation | word x] of every word x, up to a
/// constant: V entries, which it may change.
using LikelihoodVisitor = std::function<void(std::size_t index, VectorF& row)>;

/// What an attacker sees of a text and what it says: an observation for each token, an output or a
/// noisy vector, and how likely it is for every word. Immutable; tasks share it.
class Channel {
public:
    Channel() = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    virtual ~Channel() = default;

    /// Reads the observations of some tokens, one after the other.
    virtual void read(std::span<const std::int64_t> tokens, ChannelScratch& scratch,
                      const LikelihoodVisitor& visit) const = 0;

    /// Observations of one kind say the same of every word. Noisy vectors are never equal; outputs
    /// often are.
    [[nodiscard]] virtual std::int64_t kindOf(std::int64_t token) const { return token; }
};

/// Outputs of which a kernel tells how likely they are.
class ReleasedWords : public Channel {
public:
    /// All outlive this object.
    ///
    /// space    in the metric of the kernel
    /// outputs  one for every token; those of tokens that are not replaced are never read
    ReleasedWords(const engine::MetricSpace& space, const DistanceKernel& kernel,
                  std::span<const Row> outputs)
        : m_space(space), m_kernel(kernel), m_outputs(outputs) {}

    void read(std::span<const std::int64_t> tokens, ChannelScratch& scratch,
              const LikelihoodVisitor& visit) const override;
    [[nodiscard]] std::int64_t kindOf(std::int64_t token) const override {
        return m_outputs[static_cast<std::size_t>(token)];
    }

private:
    const engine::MetricSpace& m_space;
    const DistanceKernel& m_kernel;
    std::span<const Row> m_outputs;
};

/// The words themselves: nothing was replaced.
class WordsSeen : public Channel {
public:
    /// text   words of all tokens; outlives this object
    /// words  V
    WordsSeen(std::span<const Row> text, Row words) : m_text(text), m_words(words) {}

    void read(std::span<const std::int64_t> tokens, ChannelScratch& scratch,
              const LikelihoodVisitor& visit) const override;
    [[nodiscard]] std::int64_t kindOf(std::int64_t token) const override {
        return m_text[static_cast<std::size_t>(token)];
    }

private:
    std::span<const Row> m_text;
    Row m_words;
};

/// Outputs that tell nothing about their words.
class NothingSeen : public Channel {
public:
    /// words  V
    explicit NothingSeen(Row words) : m_words(words) {}

    void read(std::span<const std::int64_t> tokens, ChannelScratch& scratch,
              const LikelihoodVisitor& visit) const override {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            scratch.row.setZero(m_words);
            visit(i, scratch.row);
        }
    }
    [[nodiscard]] std::int64_t kindOf(std::int64_t /*token*/) const override { return 0; }

private:
    Row m_words;
};

}  // namespace epsilens::attack
