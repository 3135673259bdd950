#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

namespace epsilens::test {

using Arguments = std::vector<std::string>;
using nlohmann::ordered_json;

/// A calibration of a small file; returns the path of its document. Options come in pairs of name
/// and value but for the last, which may be a flag; they take the place of the usual ones.
inline std::string calibrated(const TemporaryFolder& folder, const Arguments& options = {}) {
    const std::vector<Arguments> usual{
        {"--epsilon", "2,8"}, {"--lambda", "0,0.5"}, {"--words", "20"},
        {"--draws", "10"},    {"--format", "json"},  {"-o", folder.path("calibration.json")}};
    Arguments arguments{"calibrate", folder.file("small.txt", madeUpGlove(60, 4, 1))};
    arguments.insert(arguments.end(), options.begin(), options.end());
    for (const Arguments& option : usual) {
        if (std::find(options.begin(), options.end(), option.front()) == options.end()) {
            arguments.insert(arguments.end(), option.begin(), option.end());
        }
    }
    const CliResult result = runCli(arguments);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    return folder.path("calibration.json");
}

inline std::string reported(const Arguments& options) {
    Arguments arguments{"report"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CliResult result = runCli(arguments);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    return result.output;
}

/// Changes one value of a document.
inline void change(const TemporaryFolder& folder, const std::string& name, const char* pointer,
                   const ordered_json& value) {
    ordered_json document = ordered_json::parse(contentOf(folder.path(name)));
    document[ordered_json::json_pointer(pointer)] = value;
    folder.file(name, document.dump());
}

}  // namespace epsilens::test
