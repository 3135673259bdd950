#pragma once

#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

/// Runs of calibrate on a small made-up embedding.
namespace epsilens::test {

/// 60 words of 4 dimensions.
inline std::string smallFile(const TemporaryFolder& folder) {
    return folder.file("small.txt", madeUpGlove(60, 4, 1));
}

inline CliResult calibrateSmall(const TemporaryFolder& folder,
                                const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"calibrate", smallFile(folder)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return runCli(arguments);
}

inline nlohmann::json calibratedJson(const TemporaryFolder& folder,
                                     std::vector<std::string> options) {
    options.insert(options.end(), {"--format", "json"});
    const CliResult result = calibrateSmall(folder, options);
    INFO(result.errors);
    REQUIRE(result.exitCode == 0);
    return nlohmann::json::parse(result.output);
}

/// Without what differs from run to run.
inline nlohmann::json withoutCircumstances(nlohmann::json document) {
    document["run"].erase("seconds");
    document["run"].erase("threads");
    document["run"].erase("peakMemoryMiB");
    return document;
}

inline std::vector<double> epsilonsOf(const nlohmann::json& document) {
    std::set<double> values;
    for (const nlohmann::json& cell : document["cells"]) {
        values.insert(cell["epsilon"].get<double>());
    }
    return {values.begin(), values.end()};
}

}  // namespace epsilens::test
