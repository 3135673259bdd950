#include "core/document/csv_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/io/csv.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> kProse{"sentence", "statement", "scope"};

/// What is the same for all rows: place and name.
constexpr std::array<std::pair<const char*, const char*>, 5> kOfTheRun{
    {{"/mechanism/name", "mechanism"},
     {"/run/draws", "draws"},
     {"/run/seed", "seed"},
     {"/run/partial", "partial"},
     {"/partial", "partial"}}};

std::string fieldOf(const ordered_json& value) {
    return value.is_null()           ? std::string()
           : value.is_string()       ? io::csvWord(value.get_ref<const std::string&>())
           : value.is_number_float() ? io::csvNumber(value.get<double>())
                                     : value.dump();
}

/// Names and fields of a row.
using Fields = std::vector<std::pair<std::string, std::string>>;

/// Adds a value and all within it.
void flatten(const std::string& prefix, const ordered_json& value, bool withLists, Fields& fields) {
    const bool isInterval =
        value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
    if (value.is_object()) {
        for (const auto& [name, member] : value.items()) {
            if (std::find(kProse.begin(), kProse.end(), name) == kProse.end()) {
                flatten(prefix.empty() ? name : fmt::format("{}.{}", prefix, name), member,
                        withLists, fields);
            }
        }
    } else if (isInterval || (value.is_null() && prefix.ends_with("ci95"))) {
        // An interval has two columns, also where there is none.
        fields.emplace_back(prefix + "Low", isInterval ? fieldOf(value[0]) : "");
        fields.emplace_back(prefix + "High", isInterval ? fieldOf(value[1]) : "");
    } else if (value.is_array()) {
        for (std::size_t i = 0; withLists && i < value.size(); ++i) {
            if (value[i].is_object()) {
                flatten(fmt::format("{}.{}", prefix, i + 1), value[i], withLists, fields);
            }
        }
    } else {
        fields.emplace_back(prefix, fieldOf(value));
    }
}

/// Columns are those of all rows, as they come.
std::string tableOf(const std::vector<Fields>& rows) {
    std::vector<std::string> names;
    std::map<std::string, std::size_t> columns;
    for (const Fields& row : rows) {
        for (const auto& [name, field] : row) {
            if (columns.try_emplace(name).second) {
                names.push_back(name);
            }
        }
    }
    // What is empty because it has no members in some rows is no column.
    std::erase_if(names, [&columns](const std::string& name) {
        const auto next = columns.lower_bound(name + ".");
        return next != columns.end() && next->first.starts_with(name + ".");
    });
    columns.clear();
    std::vector<std::string> line;
    for (const std::string& name : names) {
        columns.emplace(name, line.size());
        line.push_back(io::csvField(name));
    }
    std::string text;
    io::appendCsvLine(text, line);
    for (const Fields& row : rows) {
        line.assign(names.size(), {});
        for (const auto& [name, field] : row) {
            if (const auto column = columns.find(name); column != columns.end()) {
                line[column->second] = field;
            }
        }
        io::appendCsvLine(text, line);
    }
    return text;
}

/// Adds a line for each row that a path leads to, as the objects on the way: a setting and one of
/// its words.
///
/// names  the steps of the path;  row  the way so far;  index  of its outermost object
void addRows(const ordered_json& document, std::span<const std::string> names,
             std::vector<const ordered_json*>& row, std::size_t index, std::vector<Fields>& table) {
    const std::size_t depth = row.size();
    const ordered_json& owner = row.empty() ? document : *row.back();
    if (depth < names.size() && !owner[names[depth]].empty()) {
        for (std::size_t i = 0; i < owner[names[depth]].size(); ++i) {
            row.push_back(&owner[names[depth]][i]);
            addRows(document, names, row, depth == 0 ? i : index, table);
            row.pop_back();
        }
        return;
    }
    if (names.empty()) {
        flatten({}, document, true, table.emplace_back());
    } else if (depth > 0) {
        Fields& fields = table.emplace_back();
        for (const auto& [place, name] : kOfTheRun) {
            const ordered_json::json_pointer pointer(place);
            if (document.contains(pointer)) {
                fields.emplace_back(name, fieldOf(document[pointer]));
            }
        }
        const auto guarantees = document.find("guarantee");
        if (guarantees != document.end() && index < guarantees->size()) {
            for (const char* name : {"metric", "bound", "cap"}) {
                fields.emplace_back(name, fieldOf((*guarantees)[index][name]));
            }
        }
        for (std::size_t i = 0; i < depth; ++i) {
            flatten(i == 0 ? std::string() : names[i], *row[i], i + 1 == names.size(), fields);
        }
    }
}

/// Formatted as float: the shortest text of the stored number, not of its widening.
///
/// value  place in the table of words
std::string criticalField(const calibration::CalibrationSummary& summary, std::size_t value) {
    const std::vector<float>& medians = summary.perWord.criticalEpsilonMedian;
    if (medians.empty()) {
        return {};
    }
    // One median serves all epsilons, which are together in the order of the cells.
    const float median = medians[value / summary.grid.epsilons.size()];
    return std::isfinite(median) ? fmt::format("{}", median) : std::string();
}

}  // namespace

std::string csvRows(const ordered_json& document, std::string_view path) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        names.emplace_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    std::vector<Fields> table;
    std::vector<const ordered_json*> row;
    addRows(document, names, row, 0, table);
    return tableOf(table);
}

std::string perWordCsv(const calibration::CalibrationSummary& summary,
                       const embedding::Vocabulary& vocabulary) {
    const calibration::WordTable& table = summary.perWord;
    const bool hasLambda = summary.grid.mechanism.hasLambda();
    std::string text = "word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian\n";
    for (std::size_t word = 0; word < table.words.size(); ++word) {
        for (std::size_t cell = 0; cell < table.cells; ++cell) {
            const std::size_t value = word * table.cells + cell;
            const calibration::Cell& setting = summary.cells[cell];
            io::appendCsvLine(text,
                              {io::csvWord(vocabulary.word(table.words[word])),
                               fmt::format("{}", table.words[word]), io::csvNumber(setting.epsilon),
                               hasLambda ? io::csvNumber(setting.lambda) : std::string(),
                               io::csvNumber(setting.gamma), io::csvNumber(table.nw[value]),
                               io::csvNumber(table.sw[value]), criticalField(summary, value)});
        }
    }
    return text;
}

}  // namespace epsilens::document
