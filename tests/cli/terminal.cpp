#include "tests/cli/terminal.h"

#include <memory>
#include <numeric>
#include <utility>

#include <catch2/catch.hpp>

#include "core/document/calibration_document.h"
#include "core/document/session.h"

namespace epsilens::test {
namespace {

/// The values are made up.
std::shared_ptr<const calibration::CalibrationSummary> withWordValues(
    calibration::CalibrationSummary summary) {
    const auto words = static_cast<std::size_t>(summary.words);
    const std::size_t values = words * summary.cells.size();
    summary.perWord.cells = summary.cells.size();
    summary.perWord.words.resize(words);
    std::iota(summary.perWord.words.begin(), summary.perWord.words.end(), 0);
    summary.perWord.nw.assign(values, 3);
    summary.perWord.sw.assign(values, 4);
    summary.perWord.near.assign(values, 0.5F);
    return std::make_shared<const calibration::CalibrationSummary>(std::move(summary));
}

}  // namespace

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

document::Session sessionOf(const Terminal& terminal, const std::string& calibration) {
    auto record = document::readCalibration(terminal.content(calibration));
    REQUIRE(record);
    record->summary = withWordValues(*record->summary);
    document::Session session;
    session.version = "9.8.7";
    session.embedding = document::SessionEmbedding{record->request.load, "", 0,
                                                   record->provenance.embedding.sha256};
    session.grid = record->request.options;
    session.results = std::move(*record);
    return session;
}

void save(const Terminal& terminal, const document::Session& session) {
    REQUIRE(document::saveSession(terminal.path("work.epsilens"), session));
}

}  // namespace epsilens::test
