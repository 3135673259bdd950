#include "core/report/comparison_report.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/document/json_parts.h"
#include "core/document/report_document.h"
#include "core/report/memo_words.h"
#include "core/report/report_model.h"
#include "core/report/report_parts.h"

namespace epsilens::report {
namespace {

using calibration::ComparedMechanism;
using document::comparedTitle;
using document::jsonNumber;
using document::jsonOrNull;
using nlohmann::ordered_json;

// Losses that differ by less are nearly the same odds.
constexpr double kEqualLoss = 0.02;

/// A share out of 100 as it was asked for; one that was measured as a whole number.
std::string keptText(double kept) {
    const double percent = 100.0 * kept;
    const double tenths = std::round(10.0 * percent) / 10.0;
    if (std::abs(percent - tenths) < 1e-9) {
        return formatNumber(tenths);
    }
    return percent < 1.0 || percent > 99.0 ? formatNumber(std::round(1000.0 * percent) / 1000.0)
                                           : fmt::format("{}", std::lround(percent));
}

void addRow(ComparisonReport& report, const ComparedMechanism& compared, double kept) {
    const auto setting = calibration::settingAt(compared, kept);
    if (!setting) {
        report.missing.push_back(
            {compared.mechanism,
             fmt::format("keeps {} of 100 words at no ε that was measured", keptText(kept))});
        return;
    }
    ComparisonRow row{compared.mechanism, kept, *setting};
    if (report.pair) {
        row.pairDistance =
            compared.prepared->metric().distance(report.pair->first, report.pair->second);
        row.pairLoss = mechanism::pairLoss(setting->guarantee, *row.pairDistance);
    }
    report.rows.push_back(std::move(row));
}

/// "promises ×34,600", "promises nothing of use (×10¹⁴)"
std::string promised(const ComparisonRow& row) {
    const std::string odds = oddsWords(row.pairLoss);
    return row.pairLoss <= std::log(kLargestUsefulFactor)
               ? "promises " + odds
               : fmt::format("promises nothing of use (×{})", odds.substr(0, odds.find(':')));
}

ordered_json jsonRow(const ComparisonRow& row) {
    const mechanism::Parameters parameters = row.mechanism.parameters();
    const calibration::ComparedSetting& setting = row.setting;
    ordered_json json{
        {"mechanism",
         {{"name", row.mechanism.name()},
          {"lambda", jsonNumber(parameters.lambda)},
          {"beta", jsonNumber(parameters.beta)},
          {"gamma", jsonNumber(setting.guarantee.gamma)},
          {"metric", metric::metricKey(row.mechanism.metric())}}},
        {"kept", jsonNumber(row.kept)},
        {"epsilon", jsonNumber(setting.epsilon)},
        {"near", jsonNumber(setting.shares.near)},
        {"far", jsonNumber(setting.shares.far)},
        {"differentOutputs", jsonNumber(setting.differentOutputs)},
        {"bound", jsonNumber(setting.guarantee.bound)},
        {"cap", jsonNumber(setting.guarantee.cap)},
        {"pairDistance", jsonNumber(row.pairDistance)},
        {"pairLogOdds", row.pairDistance ? jsonNumber(row.pairLoss) : ordered_json(nullptr)},
        {"reach10", jsonNumber(setting.reach10)},
        {"reach1000000", jsonNumber(setting.reachUseful)}};
    for (const ComparedFigure& figure : row.figures) {
        json[evaluation::figureText(figure.name)] = {{"mean", jsonNumber(figure.value.value)},
                                                     {"ci95", jsonOrNull(figure.value.ci95)}};
    }
    return json;
}

Table tableOf(const ComparisonReport& report, double kept) {
    Table table{"",
                {"mechanism", "ε", "near", "far", "different outputs", "odds, " + report.pairText,
                 "useful within"}};
    for (const ComparisonRow* row : rankedRows(report, kept)) {
        const calibration::ComparedSetting& setting = row->setting;
        std::vector<std::string> fields{
            comparedTitle(row->mechanism),
            formatSignificant(setting.epsilon, 3),
            fmt::format("{}", hundredthsOf(setting.shares).near),
            fmt::format("{}", hundredthsOf(setting.shares).far),
            formatSignificant(setting.differentOutputs, 3),
            report.pair ? oddsWords(row->pairLoss) : kAbsent,
            std::isinf(setting.reachUseful)
                ? "any distance"
                : fmt::format("{} {}", formatAtLeast(setting.reachUseful, 3),
                              metric::metricKey(row->mechanism.metric()))};
        for (const ComparedFigure& figure : row->figures) {
            if (table.rows.empty()) {
                table.columns.emplace_back(evaluation::figureText(figure.name));
            }
            fields.push_back(evaluation::figureValueText(figure.value));
        }
        table.rows.push_back(std::move(fields));
    }
    return table;
}

}  // namespace

ComparisonReport describeComparison(const engine::SearchSpace& space,
                                    const std::vector<ComparedMechanism>& compared,
                                    const std::vector<double>& shares,
                                    const std::optional<RowPair>& pair) {
    ComparisonReport report;
    report.provenance = calibration::provenanceOf(space.embedding());
    report.pair = pair;
    if (pair) {
        const embedding::Vocabulary& vocabulary = space.embedding().vocabulary();
        report.pairText = fmt::format("{} against {}", vocabulary.word(pair->first),
                                      vocabulary.word(pair->second));
    }
    for (const ComparedMechanism& one : compared) {
        if (one.response) {
            report.words = one.response->words().size();
            report.draws = one.response->options().draws;
        } else {
            report.missing.push_back({one.mechanism, one.problem});
        }
    }
    for (const double kept : shares) {
        for (const ComparedMechanism& one : compared) {
            if (one.response) {
                addRow(report, one, kept);
            }
        }
    }
    return report;
}

std::vector<const ComparisonRow*> rankedRows(const ComparisonReport& report, double kept) {
    std::vector<const ComparisonRow*> rows;
    for (const ComparisonRow& row : report.rows) {
        if (row.kept == kept) {
            rows.push_back(&row);
        }
    }
    if (report.pair) {
        std::ranges::stable_sort(rows, [](const auto* one, const auto* other) {
            return one->pairLoss < other->pairLoss;
        });
        const auto capped = std::ranges::find_if(rows, [&rows](const auto* row) {
            return row->setting.guarantee.cap &&
                   row->pairLoss <= rows.front()->pairLoss + kEqualLoss;
        });
        if (capped != rows.end()) {
            std::rotate(rows.begin(), capped, capped + 1);
        }
    }
    return rows;
}

std::string comparisonSentence(const ComparisonReport& report, double kept,
                               const std::optional<mechanism::Mechanism>& present) {
    const std::vector<const ComparisonRow*> rows = rankedRows(report, kept);
    if (!report.pair || rows.empty()) {
        return {};
    }
    const ComparisonRow& best = *rows.front();
    const auto isPresent = [&](const ComparisonRow* row) { return row->mechanism == present; };
    auto other = std::ranges::find_if(rows, isPresent);
    if (other == rows.begin() || other == rows.end()) {
        other = std::ranges::find_if(
            rows, [&](const auto* row) { return row->pairLoss > best.pairLoss + kEqualLoss; });
    }
    const auto said = [&](const ComparisonRow& row) {
        return fmt::format("{}{} {}", isPresent(&row) ? "the present " : "",
                           comparedTitle(row.mechanism), promised(row));
    };
    std::string text = fmt::format("At {} of 100 words kept, {} for {}", keptText(kept), said(best),
                                   report.pairText);
    if (other != rows.end()) {
        text += fmt::format("; {}. The first replaces {}, the second {} of 100 words by near ones",
                            said(**other), hundredthsOf(best.setting.shares).near,
                            hundredthsOf((*other)->setting.shares).near);
    }
    return text + ".";
}

ordered_json comparisonJson(const ComparisonReport& report,
                            const embedding::Vocabulary& vocabulary) {
    ordered_json json{{"schema", "epsilens.compare/1"},
                      {"version", report.provenance.version},
                      {"embedding", document::jsonEmbedding(report.provenance.embedding)},
                      {"pair", nullptr},
                      {"run", {{"words", report.words}, {"draws", report.draws}}},
                      {"rows", ordered_json::array()},
                      {"missing", ordered_json::array()}};
    if (report.pair) {
        json["pair"] = ordered_json::array(
            {vocabulary.word(report.pair->first), vocabulary.word(report.pair->second)});
    }
    for (const ComparisonRow& row : report.rows) {
        json["rows"].push_back(jsonRow(row));
    }
    for (const ComparisonReport::Missing& missing : report.missing) {
        json["missing"].push_back(
            {{"mechanism", comparedTitle(missing.mechanism)}, {"reason", missing.reason}});
    }
    return json;
}

std::string comparisonText(const ComparisonReport& report) {
    Section section;
    section.say(fmt::format("{}, {} draws each; kept, near and far out of 100",
                            counted(static_cast<std::int64_t>(report.words), "word", "words"),
                            formatCount(report.draws)));
    double kept = 0.0;
    for (const ComparisonRow& row : report.rows) {
        if (row.kept != std::exchange(kept, row.kept)) {
            section.say(comparisonSentence(report, kept));
            section.blocks.emplace_back(tableOf(report, kept));
        }
    }
    Facts missing;
    for (const ComparisonReport::Missing& one : report.missing) {
        missing.items.emplace_back(comparedTitle(one.mechanism), one.reason);
    }
    section.blocks.emplace_back(std::move(missing));
    return reportText({runTitle(report.provenance), {std::move(section)}});
}

}  // namespace epsilens::report
