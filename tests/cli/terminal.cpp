#include "tests/cli/terminal.h"

#include <utility>

#include <catch2/catch.hpp>

#include "tests/support/made_up_embedding.h"

namespace epsilens::test {

Terminal::Terminal() {
    file("small.txt", madeUpGlove(60, 4, 1));
}

nlohmann::ordered_json Terminal::document(std::string_view name) const {
    return nlohmann::ordered_json::parse(content(name));
}

void Terminal::change(std::string_view name, const std::string& pointer,
                      const nlohmann::ordered_json& value) const {
    nlohmann::ordered_json changed = document(name);
    changed[nlohmann::ordered_json::json_pointer(pointer)] = value;
    file(name, changed.dump());
}

CliProcess Terminal::start(std::string_view line, CliSetup setup) const {
    setup.workingDirectory = path("");
    return CliProcess(typed(line), setup);
}

CliResult Terminal::run(std::string_view line, CliSetup setup) const {
    return start(line, std::move(setup)).finish();
}

CliResult Terminal::run(std::string_view line, std::string_view input) const {
    CliSetup setup;
    setup.input = input;
    return run(line, std::move(setup));
}

std::string Terminal::printed(std::string_view line, CliSetup setup) const {
    const CliResult result = run(line, std::move(setup));
    INFO(line << ": " << result.errors);
    REQUIRE(result.exitCode == 0);
    return result.output;
}

nlohmann::json Terminal::found(const std::string& line) const {
    return nlohmann::json::parse(printed(line + " --format json"));
}

void Terminal::fails(std::string_view line, int exitCode, const std::string& said) const {
    const CliResult result = run(line);
    INFO(line);
    CHECK(result.exitCode == exitCode);
    CHECK_THAT(result.errors, Catch::Contains(said));
}

Arguments typed(std::string_view line) {
    Arguments words;
    bool isInWord = false;
    bool isQuoted = false;
    for (const char letter : line) {
        if (letter == ' ' && !isQuoted) {
            isInWord = false;
            continue;
        }
        if (!isInWord) {
            words.emplace_back();
            isInWord = true;
        }
        if (letter == '\'') {
            isQuoted = !isQuoted;
        } else {
            words.back() += letter;
        }
    }
    return words;
}

}  // namespace epsilens::test
