#include "core/calibration/run.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "core/base/ordered.h"
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
        return std::pair(-table.nw[atA], table.sw[atA]) < std::pair(-table.nw[atB], table.sw[atB]);
    };
    std::vector<WordValue> worst;
    for (const std::size_t word : ordered(table.words.size(), worse, Run::kWorstWords)) {
        const std::size_t at = word * table.cells + cell;
        const embedding::Row row = table.words[word];
        worst.push_back({std::string(vocabulary.word(row)), row, table.nw[at], table.sw[at]});
    }
    return worst;
}

bool has(const std::vector<NamedPair>& pairs, const NamedPair& wanted) {
    return std::ranges::any_of(pairs, [&](const NamedPair& pair) {
        return pair == wanted || pair == NamedPair(wanted.second, wanted.first);
    });
}

/// Before the first larger value, so that rising values go on rising.
void include(std::vector<double>& values, double value) {
    if (std::ranges::find(values, value) == values.end()) {
        values.insert(std::ranges::upper_bound(values, value), value);
    }
}

/// The numbers of the cells of some epsilons, in the order in which a run of them has them.
std::vector<std::size_t> cellsOf(const CalibrationSummary& summary,
                                 std::span<const double> epsilons) {
    const std::vector<double>& all = summary.grid.epsilons;
    std::vector<std::size_t> cells;
    for (std::size_t first = 0; first < summary.cells.size(); first += all.size()) {
        for (const double epsilon : epsilons) {
            const auto found = std::ranges::find(all, epsilon);
            cells.push_back(first + static_cast<std::size_t>(found - all.begin()));
        }
    }
    return cells;
}

template <typename Value>
std::vector<Value> taken(const std::vector<Value>& values, std::span<const std::size_t> places) {
    std::vector<Value> some;
    some.reserve(places.size());
    for (const std::size_t place : places) {
        some.push_back(values.at(place));
    }
    return some;
}

/// All but the values of single words and the critical epsilons.
CalibrationSummary withoutWords(const CalibrationSummary& summary, std::span<const double> epsilons,
                                std::span<const std::size_t> cells) {
    CalibrationSummary some;
    some.grid = summary.grid;
    some.grid.epsilons.assign(epsilons.begin(), epsilons.end());
    some.cells = taken(summary.cells, cells);
    some.guarantees = taken(summary.guarantees, cells);
    some.words = summary.words;
    some.wordsAsked = summary.wordsAsked;
    some.draws = summary.draws;
    some.seed = summary.seed;
    some.threads = summary.threads;
    some.nearNeighbours = summary.nearNeighbours;
    some.blockSize = summary.blockSize;
    some.independentDraws = summary.independentDraws;
    some.substitutions = summary.substitutions;
    some.recheckedInFloat64 = summary.recheckedInFloat64;
    some.partial = summary.partial;
    some.seconds = summary.seconds;
    return some;
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
        if (!has(pairs, pair)) {
            pairs.push_back(std::move(pair));
        }
    }
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

std::optional<std::size_t> cellOf(const mechanism::Grid& grid, const mechanism::Setting& setting) {
    const std::vector<mechanism::Mechanism> all = grid.mechanisms();
    const auto found = std::ranges::find(all, setting.mechanism);
    const auto epsilon = std::ranges::find(grid.epsilons, setting.epsilon);
    if (found == all.end() || epsilon == grid.epsilons.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - all.begin()) * grid.epsilons.size() +
           static_cast<std::size_t>(epsilon - grid.epsilons.begin());
}

Cell cellAt(const mechanism::Setting& setting) {
    const mechanism::Parameters parameters = setting.mechanism.parameters();
    Cell cell;
    cell.epsilon = setting.epsilon;
    cell.lambda = setting.mechanism.lambda();
    cell.gamma = parameters.gamma;
    cell.beta = parameters.beta;
    return cell;
}

mechanism::Grid including(mechanism::Grid grid, const mechanism::Setting& setting) {
    include(grid.epsilons, setting.epsilon);
    const mechanism::Parameters parameters = setting.mechanism.parameters();
    if (parameters.lambda) {
        include(grid.lambdas, *parameters.lambda);
    }
    if (parameters.gamma && grid.gammas.empty()) {
        grid.gammas = {*parameters.gamma};
    } else if (parameters.gamma) {
        include(grid.gammas, *parameters.gamma);
    } else if (parameters.beta && !grid.gammas.empty()) {
        grid.gammas.clear();
        grid.betas = {*parameters.beta};
    } else if (parameters.beta) {
        include(grid.betas, *parameters.beta);
    }
    return grid;
}

Result<RunHandle> runWith(const RunHandle& run, const mechanism::Setting& setting,
                          const engine::SearchSpace& space, const JobContext& job) {
    if (cellOf(run->summary->grid, setting)) {
        return run;
    }
    Run wanted = *run;
    wanted.request.options.grid = including(run->request.options.grid, setting);
    ASSIGN_OR_RETURN(auto again, repeatRun(wanted, space, run->request.options.threads, job));
    return std::make_shared<const Run>(std::move(again));
}

bool isOfAxis(const Run& run) {
    const std::vector<double>& epsilons = run.summary->grid.epsilons;
    const std::vector<Cell>& cells = run.summary->cells;
    bool isGrid =
        run.request.options.epsilonAxis && !epsilons.empty() && cells.size() % epsilons.size() == 0;
    for (std::size_t i = 0; isGrid && i < cells.size(); ++i) {
        isGrid = cells[i].epsilon == epsilons[i % epsilons.size()];
    }
    return isGrid;
}

Run runAt(const Run& run, std::span<const double> epsilons) {
    const std::vector<std::size_t> cells = cellsOf(*run.summary, epsilons);
    Run some;
    some.request = run.request;
    some.request.options.grid.epsilons.assign(epsilons.begin(), epsilons.end());
    some.request.options.epsilonAxis = false;
    some.summary =
        std::make_shared<const CalibrationSummary>(withoutWords(*run.summary, epsilons, cells));
    some.provenance = run.provenance;
    some.worstWords = taken(run.worstWords, cells);
    if (!run.examples.empty()) {
        some.examples = taken(run.examples, cells);
    }
    some.pairs = run.pairs;
    return some;
}

std::vector<double> spreadEpsilons(const CalibrationSummary& summary, std::size_t count,
                                   double besides) {
    const std::vector<double>& all = summary.grid.epsilons;
    if (all.size() <= count) {
        return all;
    }
    std::vector<double> some;
    std::size_t next = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool isDue = i == next * (all.size() - 1) / (count - 1);
        next += isDue ? 1 : 0;
        if (isDue || all[i] == besides) {
            some.push_back(all[i]);
        }
    }
    return some;
}

}  // namespace epsilens::calibration
