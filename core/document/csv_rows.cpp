#include "core/document/csv_rows.h"

#include <algorithm>
#include <array>
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

std::string joined(const std::string& prefix, const std::string& name) {
    return prefix.empty() ? name : fmt::format("{}.{}", prefix, name);
}

/// Lines whose columns are found as they come.
class CsvTable {
public:
    void beginLine() { m_lines.emplace_back(); }

    void add(const std::string& name, const ordered_json& value) {
        const auto [column, isNew] = m_columns.try_emplace(name, m_names.size());
        if (isNew) {
            m_names.push_back(name);
        }
        std::vector<std::string>& line = m_lines.back();
        line.resize(std::max(line.size(), m_names.size()));
        line[column->second] = fieldOf(value);
    }

    /// An interval has two columns, also where there is none.
    void addInterval(const std::string& name, const ordered_json& low, const ordered_json& high) {
        add(name + "Low", low);
        add(name + "High", high);
    }

    void addMembers(const std::string& prefix, const ordered_json& value, bool withLists) {
        if (value.is_object()) {
            for (const auto& [name, member] : value.items()) {
                if (std::ranges::find(kProse, name) == kProse.end()) {
                    addMembers(joined(prefix, name), member, withLists);
                }
            }
        } else if (value.is_array()) {
            addList(prefix, value, withLists);
        } else if (value.is_null() && prefix.ends_with("ci95")) {
            addInterval(prefix, value, value);
        } else {
            add(prefix, value);
        }
    }

    [[nodiscard]] std::string text() const {
        std::vector<std::size_t> shown;
        for (std::size_t column = 0; column < m_names.size(); ++column) {
            if (!standsForMembers(column)) {
                shown.push_back(column);
            }
        }
        std::vector<std::string> header;
        header.reserve(m_names.size());
        for (const std::string& name : m_names) {
            header.push_back(io::csvField(name));
        }
        std::string text;
        appendLine(text, header, shown);
        for (const std::vector<std::string>& line : m_lines) {
            appendLine(text, line, shown);
        }
        return text;
    }

private:
    void addList(const std::string& prefix, const ordered_json& list, bool withLists) {
        if (list.size() == 2 && list[0].is_number() && list[1].is_number()) {
            addInterval(prefix, list[0], list[1]);
            return;
        }
        for (std::size_t i = 0; withLists && i < list.size(); ++i) {
            if (list[i].is_object()) {
                addMembers(fmt::format("{}.{}", prefix, i + 1), list[i], withLists);
            }
        }
    }

    /// Whether a column is empty because what it names has no members in some rows.
    [[nodiscard]] bool standsForMembers(std::size_t column) const {
        const std::string start = m_names[column] + ".";
        return std::ranges::any_of(
            m_names, [&](const std::string& name) { return name.starts_with(start); });
    }

    static void appendLine(std::string& text, const std::vector<std::string>& fields,
                           const std::vector<std::size_t>& shown) {
        std::vector<std::string> line;
        line.reserve(shown.size());
        for (const std::size_t column : shown) {
            line.push_back(column < fields.size() ? fields[column] : std::string());
        }
        io::appendCsvLine(text, line);
    }

    std::vector<std::string> m_names{};
    std::map<std::string, std::size_t> m_columns{};
    std::vector<std::vector<std::string>> m_lines{};
};

/// Adds a line for each row that a path leads to, as the objects on the way: a setting and one of
/// its words.
///
/// names  the steps of the path;  row  the way so far;  index  of its outermost object
void addRows(const ordered_json& document, std::span<const std::string> names,
             std::vector<const ordered_json*>& row, std::size_t index, CsvTable& table) {
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
        table.beginLine();
        table.addMembers({}, document, true);
    } else if (depth > 0) {
        table.beginLine();
        for (const auto& [place, name] : kOfTheRun) {
            const ordered_json::json_pointer pointer(place);
            if (document.contains(pointer)) {
                table.add(name, document[pointer]);
            }
        }
        const auto guarantees = document.find("guarantee");
        if (guarantees != document.end() && index < guarantees->size()) {
            for (const char* name : {"metric", "bound", "cap"}) {
                table.add(name, (*guarantees)[index][name]);
            }
        }
        for (std::size_t i = 0; i < depth; ++i) {
            table.addMembers(i == 0 ? std::string() : names[i], *row[i], i + 1 == names.size());
        }
    }
}

}  // namespace

std::string csvRows(const ordered_json& document, std::string_view path) {
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        names.emplace_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    CsvTable table;
    std::vector<const ordered_json*> row;
    addRows(document, names, row, 0, table);
    return table.text();
}

}  // namespace epsilens::document
