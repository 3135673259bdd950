#include "core/experiment/membership_parts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/random_stream.h"
#include "core/experiment/streams.h"

namespace epsilens::experiment {
namespace {

/// Halves documents at random; those with the same text stay together.
std::array<std::vector<std::int64_t>, 2> halves(const DataSet& data,
                                                const std::vector<std::int64_t>& documents,
                                                std::uint64_t seed, std::uint32_t draw) {
    std::vector<std::int32_t> texts;
    texts.reserve(documents.size());
    for (const std::int64_t document : documents) {
        texts.push_back(data.documents[static_cast<std::size_t>(document)].twin);
    }
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    SeededStream stream({seed, kHalvesStream, draw, 0});
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::swap(texts[i], texts[i + stream.below(texts.size() - i)]);
    }
    std::vector<bool> isFirst(data.documents.size());
    for (std::size_t i = 0; i < texts.size() / 2; ++i) {
        isFirst[static_cast<std::size_t>(texts[i])] = true;
    }
    std::array<std::vector<std::int64_t>, 2> result;
    for (const std::int64_t document : documents) {
        const auto twin =
            static_cast<std::size_t>(data.documents[static_cast<std::size_t>(document)].twin);
        result[isFirst[twin] ? 0 : 1].push_back(document);
    }
    return result;
}

}  // namespace

FourParts fourParts(const DataSet& data, const DocumentSplit& split, std::uint64_t seed,
                    int repeat) {
    const auto number = static_cast<std::uint32_t>(repeat);
    const std::vector<std::int64_t> others = withoutTextsOf(data, split.test, {&split.training});
    auto training = halves(data, split.training, seed, 2 * number);
    auto test = halves(data, others, seed, 2 * number + 1);
    return {std::move(training[0]), std::move(training[1]), std::move(test[1]), std::move(test[0]),
            split.test.size() - others.size()};
}

}  // namespace epsilens::experiment
