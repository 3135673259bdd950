#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/report/odds_text.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationSummary;
using calibration::Cell;

bool isChosen(const document::Choice& choice, const Cell& cell) {
    return choice.epsilon == cell.epsilon && (!choice.lambda || *choice.lambda == cell.lambda) &&
           (!choice.gamma || choice.gamma == cell.gamma);
}

Result<bool> meetsAll(const std::vector<calibration::Limit>& limits, const Cell& cell, int draws) {
    return calibration::checkLimits(limits, cell, draws).map([](const auto& checks) {
        return std::all_of(checks.begin(), checks.end(),
                           [](const calibration::LimitCheck& check) { return check.met(); });
    });
}

/// Places of the cells that meet all limits; none without limits.
Result<std::vector<std::size_t>> cellsWithinLimits(const Report& report) {
    const CalibrationSummary& summary = *report.record.summary;
    std::vector<std::size_t> within;
    if (report.settings.limits.empty()) {
        return within;
    }
    for (std::size_t i = 0; i < summary.cells.size(); ++i) {
        ASSIGN_OR_RETURN(const auto met,
                         meetsAll(report.settings.limits, summary.cells[i], summary.draws));
        if (met) {
            within.push_back(i);
        }
    }
    return within;
}

Result<std::optional<std::size_t>> chosenCell(const Report& report) {
    const std::vector<Cell>& cells = report.record.summary->cells;
    const auto& choice = report.settings.choice;
    if (!choice) {
        return std::nullopt;
    }
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

std::vector<Findings::Odds> oddsOf(const document::CalibrationRecord& record, std::size_t cell) {
    std::vector<Findings::Odds> odds;
    if (!record.run.details) {
        return odds;
    }
    const mechanism::Guarantee& guarantee = record.summary->guarantees[cell];
    for (const calibration::PairDistance& pair : record.run.details->pairs) {
        if (pair.lambda == record.summary->cells[cell].lambda) {
            const auto loss = mechanism::pairLoss(guarantee, pair.distance);
            odds.push_back({pair, loss ? std::optional(std::exp(*loss)) : std::optional<double>()});
        }
    }
    return odds;
}

}  // namespace

document::Choice choiceOf(const Cell& cell) {
    return {cell.epsilon, cell.lambda, cell.gamma};
}

Result<std::optional<document::Choice>> proposedChoice(const Report& report) {
    const std::vector<Cell>& cells = report.record.summary->cells;
    if (cells.size() == 1) {
        return choiceOf(cells.front());
    }
    return cellsWithinLimits(report).map([&](const std::vector<std::size_t>& within) {
        const auto largest = std::max_element(
            within.begin(), within.end(),
            [&](std::size_t a, std::size_t b) { return cells[a].epsilon < cells[b].epsilon; });
        return largest == within.end() ? std::nullopt : std::optional(choiceOf(cells[*largest]));
    });
}

Result<Findings> findingsOf(const Report& report) {
    ASSIGN_OR_RETURN(const auto cell, chosenCell(report));
    ASSIGN_OR_RETURN(auto within, cellsWithinLimits(report));
    Findings findings;
    findings.cell = cell;
    findings.withinLimits = std::move(within);
    if (!findings.cell) {
        return findings;
    }
    const CalibrationSummary& summary = *report.record.summary;
    ASSIGN_OR_RETURN(auto checks,
                     calibration::checkLimits(report.settings.limits, summary.cells[*findings.cell],
                                              summary.draws));
    findings.limits = std::move(checks);
    findings.odds = oddsOf(report.record, *findings.cell);
    return findings;
}

std::string oddsSentence(const Findings::Odds& odds) {
    const std::string words =
        fmt::format("seeing the output changes the odds of {} against {} (d = {})", odds.pair.first,
                    odds.pair.second, formatSignificant(odds.pair.distance, 3));
    if (!odds.factor) {
        return words + " without any bound";
    }
    return *odds.factor > kLargestUsefulFactor
               ? words + fmt::format(" by a factor above {}: no useful bound",
                                     formatCount(static_cast<std::int64_t>(kLargestUsefulFactor)))
               : words + fmt::format(" by at most ×{}", factorAtMost(*odds.factor));
}

}  // namespace epsilens::report
