#include "core/experiment/membership_parts.h"

#include <algorithm>
#include <array>
#include <iterator>
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

/// The documents of one half, by the split column.
std::vector<std::int64_t> namedHalf(const DataSet& data, const std::vector<std::int64_t>& documents,
                                    std::int32_t half) {
    std::vector<std::int64_t> chosen;
    std::copy_if(documents.begin(), documents.end(), std::back_inserter(chosen),
                 [&](std::int64_t document) {
                     return data.documents[static_cast<std::size_t>(document)].half == half;
                 });
    return chosen;
}

FourParts namedParts(const DataSet& data, const DocumentSplit& split) {
    FourParts parts;
    parts.targetIn = namedHalf(data, split.training, 0);
    parts.targetOut = withoutTextsOf(data, namedHalf(data, split.training, 1), {&parts.targetIn});
    parts.shadowOut =
        withoutTextsOf(data, namedHalf(data, split.test, 0), {&parts.targetIn, &parts.targetOut});
    parts.shadowIn = withoutTextsOf(data, namedHalf(data, split.test, 1),
                                    {&parts.targetIn, &parts.targetOut, &parts.shadowOut});
    return parts;
}

FourParts drawnParts(const DataSet& data, const DocumentSplit& split, std::uint64_t seed,
                     int repeat) {
    const auto number = static_cast<std::uint32_t>(repeat);
    auto training = halves(data, split.training, seed, 2 * number);
    auto test =
        halves(data, withoutTextsOf(data, split.test, {&split.training}), seed, 2 * number + 1);
    return {std::move(training[0]), std::move(training[1]), std::move(test[1]), std::move(test[0])};
}

}  // namespace

FourParts fourParts(const DataSet& data, const DocumentSplit& split, std::uint64_t seed,
                    int repeat) {
    FourParts parts =
        data.hasFourParts() ? namedParts(data, split) : drawnParts(data, split, seed, repeat);
    parts.leftOut = split.training.size() + split.test.size() - parts.targetIn.size() -
                    parts.targetOut.size() - parts.shadowOut.size() - parts.shadowIn.size();
    return parts;
}

}  // namespace epsilens::experiment
