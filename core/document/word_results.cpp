#include "core/document/word_results.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/document/json_parts.h"
#include "core/io/base64.h"

namespace epsilens::document {
namespace {

using calibration::CalibrationSummary;
using document::JsonNode;
using nlohmann::ordered_json;

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie");

// Expectations of TEM may pass R, and shares 1, by what sums in floating point lose.
constexpr double kRounding = 1.0 + 1e-6;

template <typename Number>
std::string jsonArray(const std::vector<Number>& values) {
    return io::toBase64(std::as_bytes(std::span(values)));
}

template <typename Number>
std::vector<Number> readArray(const JsonNode& node, std::size_t count) {
    const auto bytes = io::fromBase64(node.textView());
    if (!bytes || bytes->size() != count * sizeof(Number)) {
        node.complain(fmt::format("it does not hold {} numbers of {} bytes in base64", count,
                                  sizeof(Number)));
        return {};
    }
    std::vector<Number> values(count);
    if (count > 0) {
        std::memcpy(values.data(), bytes->data(), bytes->size());
    }
    return values;
}

template <typename Number, typename Test>
void demand(const JsonNode& node, const std::vector<Number>& values, Test&& isAllowed) {
    if (!std::all_of(values.begin(), values.end(), isAllowed)) {
        node.complain("one of its numbers is out of range");
    }
}

std::vector<embedding::Row> readRows(const JsonNode& node, std::size_t count,
                                     std::int64_t vocabularySize) {
    std::vector<embedding::Row> rows = readArray<embedding::Row>(node, count);
    demand(node, rows, [&](embedding::Row row) { return row >= 0 && row < vocabularySize; });
    if (std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) != rows.end()) {
        node.complain("its rows do not rise");
    }
    return rows;
}

std::vector<double> readCounts(const JsonNode& node, std::size_t count, int draws) {
    std::vector<double> counts = readArray<double>(node, count);
    demand(node, counts, [&](double value) { return value >= 0.0 && value <= draws * kRounding; });
    return counts;
}

std::vector<float> readShares(const JsonNode& node, std::size_t count) {
    std::vector<float> shares = readArray<float>(node, count);
    demand(node, shares, [](float share) {
        return std::isnan(share) || (share >= 0.0F && share <= static_cast<float>(kRounding));
    });
    return shares;
}

std::vector<float> readMedians(const JsonNode& node, std::size_t count) {
    std::vector<float> medians = readArray<float>(node, count);
    demand(node, medians, [](float median) { return median >= 0.0F; });
    return medians;
}

/// Whether the cells are all epsilons of the first curve, then all of the second, and so on.
bool isWholeGrid(const CalibrationSummary& summary) {
    const std::size_t epsilons = summary.grid.epsilons.size();
    bool isWhole = epsilons > 0 && summary.cells.size() % epsilons == 0;
    for (std::size_t i = 0; isWhole && i < summary.cells.size(); ++i) {
        isWhole = summary.cells[i].epsilon == summary.grid.epsilons[i % epsilons];
    }
    return isWhole;
}

calibration::CriticalTable readCritical(const JsonNode& node, std::size_t words,
                                        std::size_t draws) {
    calibration::CriticalTable table;
    table.lambda = node.at("lambda").number(0.0, 1.0);
    const JsonNode values = node.at("values");
    table.values = readArray<double>(values, words * draws);
    demand(values, table.values, [](double value) { return value >= 0.0; });
    for (auto word = table.values.begin(); word != table.values.end();) {
        const auto next = word + static_cast<std::ptrdiff_t>(draws);
        if (!std::is_sorted(word, next)) {
            values.complain("the values of a word do not rise");
        }
        word = next;
    }
    return table;
}

}  // namespace

void addWordResults(ordered_json& calibration, const CalibrationSummary& summary) {
    const calibration::WordTable& table = summary.perWord;
    if (table.words.empty()) {
        return;
    }
    ordered_json json;
    json["rows"] = jsonArray(table.words);
    json["nw"] = jsonArray(table.nw);
    json["sw"] = jsonArray(table.sw);
    json["near"] = jsonArray(table.near);
    if (!table.criticalEpsilonMedian.empty()) {
        json["criticalEpsilonMedian"] = jsonArray(table.criticalEpsilonMedian);
    }
    if (!summary.critical.empty()) {
        json["criticalEpsilons"] = ordered_json::array();
        for (const calibration::CriticalTable& critical : summary.critical) {
            ordered_json entry;
            entry["lambda"] = document::jsonNumber(critical.lambda);
            entry["values"] = jsonArray(critical.values);
            json["criticalEpsilons"].push_back(std::move(entry));
        }
    }
    calibration[std::string(kWordResults)] = std::move(json);
}

void readWordResults(const JsonNode& calibration, std::int64_t vocabularySize,
                     CalibrationSummary& summary) {
    const auto node = calibration.find(kWordResults);
    if (!node) {
        return;
    }
    if (!isWholeGrid(summary) || summary.words > vocabularySize) {
        node->complain(
            "there are values of single words for what is no grid, or for more words "
            "than there are");
        return;
    }
    const auto words = static_cast<std::size_t>(summary.words);
    const auto draws = static_cast<std::size_t>(summary.draws);
    const std::size_t curves = summary.cells.size() / summary.grid.epsilons.size();
    calibration::WordTable& table = summary.perWord;
    table.cells = summary.cells.size();
    table.words = readRows(node->at("rows"), words, vocabularySize);
    table.nw = readCounts(node->at("nw"), words * table.cells, summary.draws);
    table.sw = readCounts(node->at("sw"), words * table.cells, summary.draws);
    table.near = readShares(node->at("near"), words * table.cells);
    if (const auto medians = node->find("criticalEpsilonMedian")) {
        table.criticalEpsilonMedian = readMedians(*medians, words * curves);
    }
    if (const auto critical = node->find("criticalEpsilons")) {
        const std::vector<JsonNode> tables = critical->items(curves);
        if (tables.size() != curves) {
            critical->complain(
                fmt::format("it has {} tables for {} curves", tables.size(), curves));
        }
        for (const JsonNode& entry : tables) {
            summary.critical.push_back(readCritical(entry, words, draws));
        }
    }
}

}  // namespace epsilens::document
