#include "core/training/negative_sampler.h"

#include <algorithm>

namespace epsilens::training {
namespace {

/// Draws beyond those wanted before the negatives are listed instead.
constexpr int kTriesPerNegative = 8;

bool contains(std::span<const Row> rows, Row row) {
    return std::ranges::find(rows, row) != rows.end();
}

}  // namespace

void NegativeSampler::draw(Row child, const Urn& urn, const Urn& nodes, int wanted,
                           IndexStream& stream, std::vector<Row>& targets) {
    const std::size_t others = targets.size();
    const std::size_t full = others + static_cast<std::size_t>(wanted);
    const auto drawn = [&] { return std::span(targets).subspan(others); };
    const std::size_t first = urn[0].size();
    const auto entries = static_cast<std::uint32_t>(first + urn[1].size());
    for (int tries = kTriesPerNegative * wanted; tries > 0 && targets.size() < full; --tries) {
        const std::size_t entry = stream.below(entries);
        const Row node = entry < first ? urn[0][entry] : urn[1][entry - first];
        if (isNegative(child, node) && !contains(drawn(), node)) {
            targets.push_back(node);
        }
    }
    if (targets.size() == full) {
        return;
    }
    m_left.clear();
    for (const std::span<const Row> part : nodes) {
        std::ranges::copy_if(part, std::back_inserter(m_left), [&](Row node) {
            return isNegative(child, node) && !contains(drawn(), node);
        });
    }
    while (targets.size() < full && !m_left.empty()) {
        const std::size_t index = stream.below(static_cast<std::uint32_t>(m_left.size()));
        targets.push_back(m_left[index]);
        m_left[index] = m_left.back();
        m_left.pop_back();
    }
}

}  // namespace epsilens::training
