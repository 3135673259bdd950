#include "core/calibration/run.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/embedding/examples.h"
#include "core/metric/word_metric.h"

namespace epsilens::calibration {
namespace {

std::vector<WordValue> worstOf(const WordTable& table, std::size_t cell,
                               const embedding::Vocabulary& vocabulary) {
    const auto worse = [&](std::size_t a, std::size_t b) {
        const std::size_t atA = a * table.cells + cell;
        const std::size_t atB = b * table.cells + cell;
        return std::tuple(-table.nw[atA], table.sw[atA], a) <
               std::tuple(-table.nw[atB], table.sw[atB], b);
    };
    std::vector<std::size_t> order(table.words.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t count = std::min(Run::kWorstWords, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count),
                      order.end(), worse);
    std::vector<WordValue> worst;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = order[i] * table.cells + cell;
        const embedding::Row row = table.words[order[i]];
        worst.push_back({std::string(vocabulary.word(row)), row, table.nw[at], table.sw[at]});
    }
    return worst;
}

bool has(const std::vector<NamedPair>& pairs, const NamedPair& wanted) {
    return std::any_of(pairs.begin(), pairs.end(), [&](const NamedPair& pair) {
        return pair == wanted || pair == NamedPair(wanted.second, wanted.first);
    });
}

}  // namespace

std::string absolutePath(const std::string& path) {
    if (path.empty() || path == "-" || embedding::isBuiltIn(path)) {
        return path;
    }
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error);
    return error ? path : absolute.lexically_normal().string();
}

RunRequest keptRequest(embedding::LoadOptions load, CalibrationOptions options) {
    load.path = absolutePath(load.path);
    load.vocabularyPath = absolutePath(load.vocabularyPath);
    load.threads = 0;
    load.memoryLimit = 0;
    options.threads = 0;
    options.criticalEpsilons = false;
    return {std::move(load), std::move(options)};
}

embedding::LoadOptions loadOptionsOf(const embedding::Embedding& embedding) {
    embedding::LoadOptions load;
    load.path = embedding.path.empty() ? embedding.name : embedding.path;
    load.limitRows = embedding.report.limitedTo.value_or(0);
    return load;
}

std::vector<NamedPair> wellKnownPairs() {
    std::vector<NamedPair> pairs;
    for (const embedding::ExamplePair& pair : embedding::examplePairs()) {
        pairs.emplace_back(pair.first, pair.second);
    }
    return pairs;
}

bool isWellKnown(const NamedPair& pair) {
    return has(wellKnownPairs(), pair);
}

std::vector<NamedPair> pairsOf(const Run& run) {
    std::vector<NamedPair> pairs;
    for (const PairDistance& distance : run.pairs) {
        NamedPair pair(distance.first, distance.second);
        if (!isWellKnown(pair) && !has(pairs, pair)) {
            pairs.push_back(std::move(pair));
        }
    }
    const std::vector<NamedPair> wellKnown = wellKnownPairs();
    pairs.insert(pairs.end(), wellKnown.begin(), wellKnown.end());
    return pairs;
}

std::vector<NamedPair> pairsWith(const Run& run, NamedPair pair) {
    std::vector<NamedPair> pairs = pairsOf(run);
    if (!has(pairs, pair)) {
        pairs.insert(pairs.begin(), std::move(pair));
    }
    return pairs;
}

Result<std::vector<PairDistance>> pairDistances(const engine::SearchSpace& space,
                                                const mechanism::Grid& grid,
                                                std::span<const NamedPair> pairs) {
    std::vector<PairDistance> distances;
    const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
    for (const double lambda : grid.lambdas) {
        ASSIGN_OR_RETURN(const auto metric, metric::WordMetric::create(
                                                space.handle(), grid.mechanism.metric(), lambda));
        for (const NamedPair& pair : pairs) {
            const auto first = vocabulary.find(pair.first);
            const auto second = vocabulary.find(pair.second);
            if (first && second) {
                distances.push_back(
                    {pair.first, pair.second, lambda, metric.distance(*first, *second)});
            }
        }
    }
    return distances;
}

Result<Run> describeRun(const engine::SearchSpace& space, CalibrationSummary summary,
                        RunRequest request) {
    Run run;
    ASSIGN_OR_RETURN(run.pairs, pairDistances(space, summary.grid, wellKnownPairs()));
    const std::vector<std::string> texts = builtInTexts(space.embedding().vocabulary());
    if (!texts.empty() && summary.cells.size() <= Run::kMostCellsWithExamples) {
        ASSIGN_OR_RETURN(run.examples, examplesOf(space, summary.grid.mechanism, summary.cells,
                                                  texts, summary.seed));
    }
    for (std::size_t cell = 0; cell < summary.cells.size(); ++cell) {
        run.worstWords.push_back(worstOf(summary.perWord, cell, space.embedding().vocabulary()));
    }
    run.request = std::move(request);
    run.summary = std::make_shared<const CalibrationSummary>(std::move(summary));
    run.provenance = provenanceOf(space.embedding());
    return run;
}

Result<void> checkVectors(const embedding::Embedding& embedding, const std::string& sha256) {
    if (embedding.report.sha256 == sha256) {
        return {};
    }
    return fail(
        ErrorCode::badFile,
        fmt::format("{}: SHA-256 {} instead of {}: these are not the vectors of the results",
                    embedding.name, embedding.report.sha256, sha256));
}

Result<Run> repeatRun(const Run& run, const engine::SearchSpace& space, int threads,
                      const JobContext& job) {
    RETURN_IF_ERROR(checkVectors(space.embedding().embedding, run.provenance.embedding.sha256));
    CalibrationOptions options = run.request.options;
    options.threads = threads;
    options.blockSize = run.summary->blockSize;
    ASSIGN_OR_RETURN(auto summary, calibrate(space, options, job));
    if (summary.partial) {
        return fail(ErrorCode::cancelled, "cancelled before all words were done");
    }
    ASSIGN_OR_RETURN(auto again, describeRun(space, std::move(summary), run.request));
    again.provenance.selection = run.provenance.selection;
    ASSIGN_OR_RETURN(again.pairs, pairDistances(space, again.summary->grid, pairsOf(run)));
    return again;
}

}  // namespace epsilens::calibration
