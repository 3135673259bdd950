#include "core/calibration/run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/ordered.h"
#include "core/metric/word_metric.h"

namespace epsilens::calibration {
namespace {

std::vector<WordValue> worstOf(const WordTable& table, std::size_t cell,
                               const embedding::Vocabulary& vocabulary) {
    const auto quality = [&](std::size_t word) {
        const std::size_t at = word * table.cells + cell;
        return std::pair(-table.nw[at], table.sw[at]);
    };
    std::vector<WordValue> worst;
    for (const std::size_t word : ordered(table.words.size(), quality, Run::kWorstWords)) {
        const embedding::Row row = table.words[word];
        const auto [nw, sw] = quality(word);
        worst.push_back({std::string(vocabulary.word(row)), row, -nw, sw});
    }
    return worst;
}

bool has(const std::vector<NamedPair>& pairs, const NamedPair& wanted) {
    return std::ranges::any_of(pairs, [&](const NamedPair& pair) {
        return pair == wanted || pair == NamedPair(wanted.second, wanted.first);
    });
}

/// The pairs that every run has, so far as the vocabulary knows their words.
std::vector<NamedPair> wellKnownPairs() {
    const auto pairs = embedding::examplePairs();
    return {pairs.begin(), pairs.end()};
}

/// Before the first larger value, so that rising values go on rising.
void include(std::vector<double>& values, double value) {
    if (std::ranges::find(values, value) == values.end()) {
        values.insert(std::ranges::upper_bound(values, value), value);
    }
}

/// Indices of the cells that meet all limits; none without limits.
Result<std::vector<std::size_t>> cellsWithin(const std::vector<Limit>& limits, const Run& run) {
    std::vector<std::size_t> within;
    if (limits.empty()) {
        return within;
    }
    for (std::size_t i = 0; i < run.summary->cells.size(); ++i) {
        ASSIGN_OR_RETURN(const auto checks,
                         checkLimits(limits, run.summary->cells[i], run.summary->draws));
        if (allMet(checks)) {
            within.push_back(i);
        }
    }
    return within;
}

std::string choiceText(const Choice& choice) {
    std::string text = fmt::format("epsilon {}", choice.epsilon);
    if (choice.lambda) {
        text += fmt::format(", lambda {}", *choice.lambda);
    }
    if (choice.gamma) {
        text += fmt::format(", gamma {}", *choice.gamma);
    }
    return text;
}

Result<std::optional<std::size_t>> chosenCell(const Run& run, const std::optional<Choice>& choice) {
    if (!choice) {
        return std::nullopt;
    }
    std::string others;  // of the same epsilon
    for (const Cell& cell : run.summary->cells) {
        if (cell.epsilon != choice->epsilon) {
            continue;
        }
        if ((!choice->lambda || *choice->lambda == cell.lambda) &&
            (!choice->gamma || choice->gamma == cell.gamma)) {
            return static_cast<std::size_t>(&cell - run.summary->cells.data());
        }
        others += fmt::format("there is {}; ", choiceText(choiceOf(cell)));
    }
    return refuse(fmt::format(
        "{} was chosen, which is not among the calibrated settings; {}choose one of them "
        "or calibrate it",
        choiceText(*choice), others));
}

std::vector<Findings::Odds> oddsOf(const Run& run, std::size_t cell) {
    std::vector<Findings::Odds> odds;
    const mechanism::Guarantee& guarantee = run.summary->guarantees[cell];
    for (const PairDistance& pair : run.pairs) {
        if (pair.lambda == run.summary->cells[cell].lambda) {
            odds.push_back({pair, std::exp(mechanism::pairLoss(guarantee, pair.distance))});
        }
    }
    return odds;
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
    if (parameters.gamma) {
        include(grid.gammas, *parameters.gamma);
    } else if (parameters.beta) {
        if (!std::exchange(grid.gammas, {}).empty()) {
            grid.betas.clear();
        }
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

Choice choiceOf(const Cell& cell) {
    return {cell.epsilon, cell.lambda, cell.gamma};
}

Result<std::optional<Choice>> proposedChoice(const Run& run, const std::vector<Limit>& limits) {
    const std::vector<Cell>& cells = run.summary->cells;
    if (cells.size() == 1) {
        return choiceOf(cells.front());
    }
    return cellsWithin(limits, run).map([&](const std::vector<std::size_t>& within) {
        const auto largest = std::max_element(
            within.begin(), within.end(),
            [&](std::size_t a, std::size_t b) { return cells[a].epsilon < cells[b].epsilon; });
        return largest == within.end() ? std::nullopt : std::optional(choiceOf(cells[*largest]));
    });
}

Result<Findings> findingsOf(const Run& run, const std::vector<Limit>& limits,
                            const std::optional<Choice>& choice) {
    Findings findings;
    ASSIGN_OR_RETURN(findings.cell, chosenCell(run, choice));
    ASSIGN_OR_RETURN(findings.withinLimits, cellsWithin(limits, run));
    if (findings.cell) {
        ASSIGN_OR_RETURN(findings.limits, checkLimits(limits, run.summary->cells[*findings.cell],
                                                      run.summary->draws));
        findings.odds = oddsOf(run, *findings.cell);
    }
    return findings;
}

}  // namespace epsilens::calibration
