#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/report/report_model.h"

namespace epsilens::report {
namespace {

using calibration::Cell;

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

Result<void> checkChoice(const Report& report) {
    if (!report.settings.choice) {
        return {};
    }
    const document::Choice& choice = *report.settings.choice;
    std::vector<Cell> cells = report.record.summary->cells;
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

}  // namespace epsilens::report
