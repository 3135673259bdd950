#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "core/engine/metric_space.h"
#include "core/mechanism/truncated_exponential.h"
#include "core/release/word_replacer.h"

namespace epsilens::release {

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
    class EnvelopeTable;
    struct Cached {
        std::shared_ptr<const EnvelopeTable> table{};
        std::uint64_t lastUse = 0;
    };

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
