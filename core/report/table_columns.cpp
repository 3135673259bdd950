#include "core/report/table_columns.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace epsilens::report {
namespace {

bool isBlank(const std::string& field) {
    return field.empty() || field == "–" || field == "none";
}

/// "×20", "± 0.3", "10¹⁶: no useful bound".
bool beginsAsNumber(const std::string& field) {
    constexpr std::array<std::string_view, 9> kSigns{"-", "−", "+", "±", "×", "≈", "<", ">", "∞"};
    return (field.front() >= '0' && field.front() <= '9') ||
           std::any_of(kSigns.begin(), kSigns.end(),
                       [&field](std::string_view sign) { return field.starts_with(sign); });
}

/// "0", "0.00", "0 %", "0 [0, 0]".
bool isZero(const std::string& field) {
    return field.find('0') != std::string::npos &&
           field.find_first_of("123456789") == std::string::npos && beginsAsNumber(field);
}

/// A parameter says which setting a row is about, at 0 too.
bool isParameter(const std::string& title) {
    constexpr std::array<std::string_view, 4> kSymbols{"ε", "λ", "γ", "β"};
    return std::any_of(kSymbols.begin(), kSymbols.end(),
                       [&title](std::string_view symbol) { return title.starts_with(symbol); });
}

void dropBlankColumns(Table& table) {
    std::vector<bool> isKept(table.titles.size(), false);
    for (const std::vector<std::string>& row : table.rows) {
        for (std::size_t column = 0; column < isKept.size(); ++column) {
            const bool isSaid = !isBlank(row[column]) &&
                                (table.rows.size() == 1 || column == 0 ||
                                 isParameter(table.titles[column]) || !isZero(row[column]));
            isKept[column] = isKept[column] || isSaid;
        }
    }
    if (std::find(isKept.begin(), isKept.end(), true) == isKept.end()) {
        return;
    }
    const auto drop = [&isKept](std::vector<std::string>& fields) {
        std::vector<std::string> kept;
        for (std::size_t column = 0; column < fields.size(); ++column) {
            if (isKept[column]) {
                kept.push_back(std::move(fields[column]));
            }
        }
        fields = std::move(kept);
    };
    drop(table.titles);
    std::for_each(table.rows.begin(), table.rows.end(), drop);
}

void dropBlankColumns(std::vector<Section>& sections) {
    for (Section& section : sections) {
        for (Block& block : section.blocks) {
            if (auto* table = std::get_if<Table>(&block)) {
                dropBlankColumns(*table);
            } else if (auto* figure = std::get_if<Figure>(&block); figure && figure->table) {
                dropBlankColumns(*figure->table);
            }
        }
    }
}

}  // namespace

bool isSetLeft(const Table& table, std::size_t column) {
    return column == 0 ||
           (!table.rows.empty() &&
            std::all_of(table.rows.begin(), table.rows.end(), [column](const auto& row) {
                return !isBlank(row[column]) && !beginsAsNumber(row[column]);
            }));
}

void dropBlankColumns(ReportContent& content) {
    dropBlankColumns(content.sections);
    dropBlankColumns(content.appendix);
}

}  // namespace epsilens::report
