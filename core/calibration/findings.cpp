#include "core/calibration/findings.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"

namespace epsilens::calibration {
namespace {

bool isChosen(const Choice& choice, const Cell& cell) {
    return choice.epsilon == cell.epsilon && (!choice.lambda || *choice.lambda == cell.lambda) &&
           (!choice.gamma || choice.gamma == cell.gamma);
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

Result<std::optional<std::size_t>> chosenCell(const Run& run, const std::optional<Choice>& choice) {
    if (!choice) {
        return std::nullopt;
    }
    const std::vector<Cell>& cells = run.summary->cells;
    const auto found = std::find_if(cells.begin(), cells.end(),
                                    [&](const Cell& cell) { return isChosen(*choice, cell); });
    if (found == cells.end()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("epsilon {} was chosen{}, which is not among the calibrated "
                                "settings; choose one of them or calibrate it",
                                formatNumber(choice->epsilon),
                                choice->lambda
                                    ? fmt::format(" with lambda {}", formatNumber(*choice->lambda))
                                    : std::string()));
    }
    return static_cast<std::size_t>(found - cells.begin());
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

/// "0.25, 0.5": the values of a parameter, each once.
template <typename Of>
std::string valuesOf(const std::vector<Cell>& cells, Of&& of) {
    std::vector<std::string> texts;
    for (const Cell& cell : cells) {
        const std::optional<double> value = of(cell);
        std::string text = value ? formatNumber(*value) : std::string("none");
        if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
            texts.push_back(std::move(text));
        }
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

tl::unexpected<Error> missingChoice(const char* parameter, double value, const std::string& with,
                                    const std::string& there) {
    return fail(ErrorCode::invalidArgument,
                fmt::format("{} {} was chosen with {}, which is not among the calibrated settings; "
                            "there are {}",
                            parameter, formatNumber(value), with, there));
}

}  // namespace

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

Result<void> checkChoice(const Run& run, const Choice& choice) {
    std::vector<Cell> cells = run.summary->cells;
    std::erase_if(cells, [&](const Cell& cell) { return cell.epsilon != choice.epsilon; });
    if (cells.empty()) {
        return {};
    }
    std::string with = fmt::format("epsilon {}", formatNumber(choice.epsilon));
    if (choice.lambda) {
        const auto lambda = [](const Cell& cell) { return std::optional(cell.lambda); };
        const std::string there = valuesOf(cells, lambda);
        std::erase_if(cells, [&](const Cell& cell) { return cell.lambda != *choice.lambda; });
        if (cells.empty()) {
            return missingChoice("lambda", *choice.lambda, with, there);
        }
        with += fmt::format(" and lambda {}", formatNumber(*choice.lambda));
    }
    if (choice.gamma) {
        const std::string there = valuesOf(cells, [](const Cell& cell) { return cell.gamma; });
        std::erase_if(cells, [&](const Cell& cell) { return cell.gamma != choice.gamma; });
        if (cells.empty()) {
            return missingChoice("gamma", *choice.gamma, with, there);
        }
    }
    return {};
}

}  // namespace epsilens::calibration
