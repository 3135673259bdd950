#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/base/operating_system_stream.h"
#include "core/engine/metric_space.h"
#include "core/engine/search_space.h"
#include "core/mechanism/guarantee.h"
#include "core/mechanism/mechanism.h"
#include "core/mechanism/truncated_exponential.h"

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

/// The truncated exponential mechanism, drawn from its exact distributions. What a word's
/// distribution needs is kept as long as it fits into a number of bytes; each occurrence is
/// still drawn with randomness of its own.
class SelectionReplacer final : public WordReplacer {
public:
    static constexpr std::size_t kCacheBytes = std::size_t{192} << 20;

    /// cacheBytes  for tables; one table is kept at least
    SelectionReplacer(engine::MetricSpace space, const mechanism::TruncatedExponential& mechanism,
                      std::size_t cacheBytes = kCacheBytes);

    [[nodiscard]] const mechanism::Guarantee& guarantee() const override { return m_guarantee; }
    void replace(std::span<const Row> words, std::span<Row> outputs, int threads,
                 const JobContext& job) override;

    [[nodiscard]] std::size_t cachedTables() const { return m_tables.size(); }
    [[nodiscard]] std::size_t mostTables() const { return m_mostTables; }
    /// Bytes that the table of a word takes.
    [[nodiscard]] static std::size_t bytesPerTable(const engine::MetricSpace& space);

private:
    /// Sums of the bounds of weights, in units of 2^-32: entry 0 stands for the word itself, whose
    /// weight is 1, entry 1 + t for tile t.
    using EnvelopeTable = std::vector<std::uint64_t>;
    struct Cached {
        EnvelopeTable table{};
        std::uint64_t lastUse = 0;
    };

    [[nodiscard]] EnvelopeTable tableOf(const float* tileBounds) const;
    [[nodiscard]] Row draw(Row word, const EnvelopeTable& table,
                           OperatingSystemStream& stream) const;
    [[nodiscard]] std::size_t prepare(std::span<const Row> words, int threads,
                                      const JobContext& job);
    void build(std::span<const Row> missing, int threads, const JobContext& job);

    engine::MetricSpace m_space;
    mechanism::TruncatedExponential m_mechanism;
    mechanism::Guarantee m_guarantee;
    std::size_t m_mostTables;
    std::unordered_map<Row, Cached> m_tables{};
    std::uint64_t m_round = 0;
};

}  // namespace epsilens::release
