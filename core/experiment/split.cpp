#include "core/experiment/split.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/base/random_stream.h"
#include "core/experiment/streams.h"

namespace epsilens::experiment {
namespace {

DocumentSplit ownSplit(const DataSet& data) {
    DocumentSplit split;
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        const Split part = data.documents[i].split;
        if (part == Split::training) {
            split.training.push_back(static_cast<std::int64_t>(i));
        } else if (part == Split::test) {
            split.test.push_back(static_cast<std::int64_t>(i));
        }
    }
    return split;
}

DocumentSplit randomSplit(const DataSet& data, int repeat, std::uint64_t seed) {
    // The first documents of those with the same text, in random order.
    std::vector<std::int32_t> firsts;
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        if (data.documents[i].twin == static_cast<std::int32_t>(i)) {
            firsts.push_back(static_cast<std::int32_t>(i));
        }
    }
    SeededStream stream({seed, kSplitStream, static_cast<std::uint32_t>(repeat), 0});
    for (std::size_t i = 0; i < firsts.size(); ++i) {
        std::swap(firsts[i], firsts[i + stream.below(firsts.size() - i)]);
    }
    const auto wanted =
        static_cast<std::size_t>(std::llround(kTrainingShare * static_cast<double>(firsts.size())));
    std::vector<bool> isTraining(data.documents.size());
    for (std::size_t i = 0; i < wanted; ++i) {
        isTraining[static_cast<std::size_t>(firsts[i])] = true;
    }
    DocumentSplit split;
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        const bool training = isTraining[static_cast<std::size_t>(data.documents[i].twin)];
        (training ? split.training : split.test).push_back(static_cast<std::int64_t>(i));
    }
    return split;
}

Result<void> check(const DataSet& data, const DocumentSplit& split, bool needsClasses) {
    if (split.training.empty() || split.test.empty()) {
        return fail(ErrorCode::unsupported,
                    "the data set has too few documents for a training and a test part");
    }
    const auto labelOf = [&](std::int64_t document) {
        return data.documents[static_cast<std::size_t>(document)].label;
    };
    if (needsClasses &&
        std::all_of(split.training.begin(), split.training.end(), [&](std::int64_t document) {
            return labelOf(document) == labelOf(split.training.front());
        })) {
        return fail(ErrorCode::unsupported,
                    "the training part has documents of one class only; a classifier needs two");
    }
    return {};
}

}  // namespace

Result<std::vector<DocumentSplit>> splitDocuments(const DataSet& data, int repeats,
                                                  std::uint64_t seed, bool needsClasses) {
    std::vector<DocumentSplit> splits;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        splits.push_back(data.hasSplit() ? ownSplit(data) : randomSplit(data, repeat, seed));
        if (auto checked = check(data, splits.back(), needsClasses); !checked) {
            return tl::unexpected(std::move(checked.error()));
        }
    }
    return splits;
}

std::vector<std::int64_t> withoutTextsOf(
    const DataSet& data, const std::vector<std::int64_t>& documents,
    const std::vector<const std::vector<std::int64_t>*>& others) {
    const auto textOf = [&](std::int64_t document) {
        return static_cast<std::size_t>(data.documents[static_cast<std::size_t>(document)].twin);
    };
    std::vector<bool> isThere(data.documents.size());
    for (const std::vector<std::int64_t>* other : others) {
        for (const std::int64_t document : *other) {
            isThere[textOf(document)] = true;
        }
    }
    std::vector<std::int64_t> rest;
    std::copy_if(documents.begin(), documents.end(), std::back_inserter(rest),
                 [&](std::int64_t document) { return !isThere[textOf(document)]; });
    return rest;
}

}  // namespace epsilens::experiment
