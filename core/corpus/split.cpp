#include "core/corpus/split.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "core/base/ordered.h"
#include "core/base/random_stream.h"
#include "core/corpus/streams.h"

namespace epsilens::corpus {
namespace {

DocumentSplit ownSplit(const DataSet& data) {
    DocumentSplit split;
    for (std::size_t i = 0; i < data.documents.size(); ++i) {
        if (data.documents[i].split != Split::none) {
            (data.documents[i].split == Split::training ? split.training : split.test).push_back(i);
        }
    }
    return split;
}

std::size_t textOf(const DataSet& data, std::size_t document) {
    return static_cast<std::size_t>(data.documents[document].twin);
}

/// Divides documents at random, those of the first part for training; those with the same text stay
/// together.
///
/// firstOf  how many of so many texts are in the first part
template <typename FirstOf>
DocumentSplit divided(const DataSet& data, const std::vector<std::size_t>& documents,
                      const StreamKey& key, const FirstOf& firstOf) {
    std::set<std::size_t> different;
    for (const std::size_t document : documents) {
        different.insert(textOf(data, document));
    }
    std::vector<std::size_t> texts(different.begin(), different.end());
    SeededStream stream(key);
    shuffleFirst(texts, texts.size(), stream);
    std::vector<bool> isFirst(data.documents.size());
    for (std::size_t i = 0; i < firstOf(texts.size()); ++i) {
        isFirst[texts[i]] = true;
    }
    DocumentSplit parts;
    for (const std::size_t document : documents) {
        (isFirst[textOf(data, document)] ? parts.training : parts.test).push_back(document);
    }
    return parts;
}

}  // namespace

Result<std::vector<DocumentSplit>> splitDocuments(const DataSet& data, int repeats,
                                                  std::uint64_t seed, bool needsClasses) {
    const std::vector<std::size_t> all = indicesBelow(data.documents.size());
    const auto trained = [](std::size_t texts) {
        return static_cast<std::size_t>(std::llround(kTrainingShare * static_cast<double>(texts)));
    };
    std::vector<DocumentSplit> splits;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        splits.push_back(data.hasSplit()
                             ? ownSplit(data)
                             : divided(data, all,
                                       {seed, kSplitStream, static_cast<std::uint32_t>(repeat), 0},
                                       trained));
        const auto& [training, test] = splits.back();
        if (training.empty() || test.empty()) {
            return fail(ErrorCode::unsupported,
                        "the data set has too few documents for a training and a test part");
        }
        const auto isOfFirst =
            [&, first = data.documents[training.front()].label](std::size_t document) {
                return data.documents[document].label == first;
            };
        if (needsClasses && std::ranges::all_of(training, isOfFirst)) {
            return fail(
                ErrorCode::unsupported,
                "the training part has documents of one class only; a classifier needs two");
        }
    }
    return splits;
}

std::vector<std::size_t> unseenTest(const DataSet& data, const DocumentSplit& split) {
    std::vector<bool> isSeen(data.documents.size());
    for (const std::size_t document : split.training) {
        isSeen[textOf(data, document)] = true;
    }
    std::vector<std::size_t> unseen;
    std::ranges::copy_if(split.test, std::back_inserter(unseen),
                         [&](std::size_t document) { return !isSeen[textOf(data, document)]; });
    return unseen;
}

FourParts fourParts(const DataSet& data, const DocumentSplit& split, std::uint64_t seed,
                    std::uint32_t repeat) {
    const std::vector<std::size_t> unseen = unseenTest(data, split);
    const auto halves = [&](const std::vector<std::size_t>& documents, std::uint32_t part) {
        return divided(data, documents, {seed, kHalvesStream, 2 * repeat + part, 0},
                       [](std::size_t n) { return n / 2; });
    };
    DocumentSplit target = halves(split.training, 0);
    DocumentSplit shadow = halves(unseen, 1);
    return {std::move(target.training), std::move(target.test), std::move(shadow.test),
            std::move(shadow.training), split.test.size() - unseen.size()};
}

}  // namespace epsilens::corpus
