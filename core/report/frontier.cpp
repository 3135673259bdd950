#include "core/report/frontier.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/experiment/trade_off.h"
#include "core/report/svg_plot.h"

namespace epsilens::report {
namespace {

using document::StoredCondition;
using document::StoredEvaluation;

std::vector<bool> beatenOf(const std::vector<FrontierPoint>& points) {
    std::vector<experiment::TradeOff> settings;
    settings.reserve(points.size());
    for (const FrontierPoint& point : points) {
        settings.push_back({point.utility, point.risk});
    }
    return experiment::beaten(settings);
}

/// "7.67", "8"
std::string threeDigits(double value) {
    std::string text = formatSignificant(value, 3);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.find_last_not_of('.') + 1);
    }
    return text;
}

/// "λ 0.5"; "settings" for a mechanism that only epsilon moves.
std::string familyText(const StoredCondition& setting) {
    constexpr std::array kSymbols{"", "λ", "γ", "β"};
    std::string text;
    for (const std::size_t i :
         {std::size_t{1}, setting.setting[3] ? std::size_t{3} : std::size_t{2}}) {
        if (setting.setting.at(i)) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kSymbols.at(i),
                                formatNumber(*setting.setting.at(i)));
        }
    }
    return text.empty() ? "settings" : text;
}

}  // namespace

PlotLine coloursOfFamily(std::size_t family) {
    constexpr std::array kColours{kBlue, kVermillion, kGreen, kPurple, kOrange, kSky};
    constexpr std::array kMarkers{Marker::circle, Marker::square, Marker::triangle, Marker::diamond,
                                  Marker::triangleDown};
    PlotLine line;
    line.colour = kColours.at(family % kColours.size());
    line.marker = kMarkers.at(family % kMarkers.size());
    return line;
}

Figure frontierFigure(const FrontierWords& words, const std::vector<FrontierPoint>& points) {
    Plot plot;
    plot.title = fmt::format("Usefulness against risk: {}", words.attack);
    plot.description =
        "Every setting by what its texts are still good for and by what an attacker "
        "learns from them: best at the top left.";
    plot.x = {words.risk, false, std::nullopt};
    plot.y = {words.utility, false, std::nullopt};
    Table table{
        "Beaten, by the means alone: another setting has no more risk and no less accuracy.",
        {"setting", words.risk, "accuracy", "beaten"},
        {}};
    PlotPoints faint{"beaten by another", "#BBBBBB", {}, Marker::circle, 5.0};
    for (std::size_t family = 0; family < words.families.size(); ++family) {
        plot.lines.push_back(coloursOfFamily(family));
        plot.lines.back().label = words.families[family];
    }
    const std::vector<bool> isBeaten = beatenOf(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const FrontierPoint& point = points[i];
        PlotLine& line = plot.lines.at(point.family);
        line.points.push_back({point.risk, point.utility});
        line.names.push_back("ε " + threeDigits(point.epsilon));
        (isBeaten[i] ? faint.points : line.marked).push_back({point.risk, point.utility});
        table.rows.push_back({point.setting, fmt::format("{:.3f}", point.risk),
                              fmt::format("{:.3f}", point.utility), isBeaten[i] ? "yes" : "no"});
    }
    for (PlotLine& line : plot.lines) {
        // Without markers of its own, a line would show them at all its points.
        line.marker = line.marked.empty() ? Marker::none : line.marker;
    }
    if (!faint.points.empty()) {
        plot.points.push_back(std::move(faint));
    }
    return {fmt::format("{}. The settings of a line differ in ε.", plot.title), svgPlot(plot),
            std::move(table)};
}

bool isSameFamily(const StoredCondition& first, const StoredCondition& second) {
    return first.setting[1] == second.setting[1] && first.setting[3] == second.setting[3] &&
           (first.setting[3] || first.setting[2] == second.setting[2]);
}

std::optional<Figure> frontierFigure(const StoredEvaluation& evaluation, std::string_view attack,
                                     const std::vector<StoredColumn>& utilities,
                                     const std::vector<StoredColumn>& risks) {
    const auto firstMeasured = [&](const std::vector<StoredColumn>& columns) {
        return std::find_if(columns.begin(), columns.end(), [&](const StoredColumn& column) {
            return std::any_of(
                evaluation.cells.begin(), evaluation.cells.end(),
                [&](const StoredCondition& cell) { return cell.find(column.figure) != nullptr; });
        });
    };
    const auto utility = firstMeasured(utilities);
    const auto risk = firstMeasured(risks);
    if (utility == utilities.end() || risk == risks.end()) {
        return std::nullopt;
    }
    FrontierWords words{std::string(attack), risk->title, utility->title, {}};
    std::vector<FrontierPoint> points;
    std::vector<const StoredCondition*> families;
    for (const StoredCondition& cell : evaluation.cells) {
        const document::StoredFigure* worth = cell.find(utility->figure);
        const document::StoredFigure* cost = cell.find(risk->figure);
        if (worth == nullptr || cost == nullptr) {
            continue;
        }
        const auto family =
            std::find_if(families.begin(), families.end(),
                         [&](const StoredCondition* other) { return isSameFamily(*other, cell); });
        const auto place = static_cast<std::size_t>(family - families.begin());
        if (family == families.end()) {
            families.push_back(&cell);
            words.families.push_back(familyText(cell));
        }
        points.push_back(
            {place, cell.epsilon(), cell.name, worth->estimate.mean, cost->estimate.mean});
    }
    std::stable_sort(points.begin(), points.end(),
                     [](const FrontierPoint& a, const FrontierPoint& b) {
                         return std::pair(a.family, a.epsilon) < std::pair(b.family, b.epsilon);
                     });
    return frontierFigure(words, points);
}

}  // namespace epsilens::report
