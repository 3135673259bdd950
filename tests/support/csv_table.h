#pragma once

#include <map>
#include <string>
#include <vector>

namespace epsilens::test {

/// The lines of comma-separated values below their titles, each by title.
inline std::vector<std::map<std::string, std::string>> csvTable(const std::string& text) {
    std::vector<std::vector<std::string>> lines{{""}};
    bool isQuoted = false;
    for (const char letter : text) {
        std::vector<std::string>& line = lines.back();
        if (letter == '"') {
            // Two of them inside quotes stand for one.
            if (!isQuoted && !line.back().empty()) {
                line.back() += letter;
            }
            isQuoted = !isQuoted;
        } else if (letter == ',' && !isQuoted) {
            line.emplace_back();
        } else if (letter == '\n' && !isQuoted) {
            lines.emplace_back(1);
        } else {
            line.back() += letter;
        }
    }
    lines.pop_back();
    std::vector<std::map<std::string, std::string>> table;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        table.emplace_back();
        for (std::size_t column = 0; column < lines[i].size(); ++column) {
            table.back()[lines[0].at(column)] = lines[i][column];
        }
    }
    return table;
}

}  // namespace epsilens::test
