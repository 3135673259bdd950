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

/// "0.25, 0.5": the values of a parameter, each once.
template <typename Of>
std::string valuesOf(const std::vector<const Cell*>& cells, const Of& of) {
    std::vector<std::string> texts;
    for (const Cell* cell : cells) {
        const std::optional<double> value = of(*cell);
        std::string text = value ? formatNumber(*value) : std::string("none");
        if (std::ranges::find(texts, text) == texts.end()) {
            texts.push_back(std::move(text));
        }
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

Result<std::optional<std::size_t>> chosenCell(const Run& run, const std::optional<Choice>& choice) {
    if (!choice) {
        return std::nullopt;
    }
    std::vector<const Cell*> left;
    for (const Cell& cell : run.summary->cells) {
        left.push_back(&cell);
    }
    std::string with;
    const auto narrow = [&](const char* parameter, const std::optional<double>& wanted,
                            const auto& of) -> Result<void> {
        if (!wanted) {
            return {};
        }
        const std::string hint = with.empty() ? std::string("choose one of them or calibrate it")
                                              : "there are " + valuesOf(left, of);
        std::erase_if(left, [&](const Cell* cell) { return of(*cell) != wanted; });
        if (left.empty()) {
            return fail(ErrorCode::invalidArgument,
                        fmt::format("{} {} was chosen{}, which is not among the calibrated "
                                    "settings; {}",
                                    parameter, formatNumber(*wanted), with, hint));
        }
        with += fmt::format(" {} {} {}", with.empty() ? "with" : "and", parameter,
                            formatNumber(*wanted));
        return {};
    };
    RETURN_IF_ERROR(narrow("epsilon", choice->epsilon,
                           [](const Cell& cell) { return std::optional(cell.epsilon); }));
    RETURN_IF_ERROR(narrow("lambda", choice->lambda,
                           [](const Cell& cell) { return std::optional(cell.lambda); }));
    RETURN_IF_ERROR(narrow("gamma", choice->gamma, [](const Cell& cell) { return cell.gamma; }));
    return static_cast<std::size_t>(left.front() - run.summary->cells.data());
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

Choice choiceOf(const Cell& cell) {
    return {cell.epsilon, cell.lambda, cell.gamma};
}

Result<std::optional<Choice>> proposedChoice(const Run& run, const std::vector<Limit>& limits) {
    const std::vector<Cell>& cells = run.summary->cells;
    if (cells.size() == 1) {
        return choiceOf(cells.front());
    }
    return cellsWithin(limits, run).map([&](const std::vector<std::size_t>& within) {
        const auto largest = std::ranges::max_element(within, [&](std::size_t a, std::size_t b) {
            return cells[a].epsilon < cells[b].epsilon;
        });
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
