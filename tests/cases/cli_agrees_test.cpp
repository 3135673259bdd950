#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/embedding/load.h"
#include "core/engine/elliptical_series.h"
#include "core/engine/paths.h"
#include "core/report/per_word_csv.h"
#include "core/text/tokenised_text.h"
#include "tests/cases/scenarios.h"
#include "tests/support/run_cli.h"

// Expected values are those of the core called directly; the command line must show the same
// doubles, because its numbers read back exactly.

using namespace epsilens;
using nlohmann::json;

namespace {

engine::SearchSpaceHandle opened(const std::string& path) {
    embedding::LoadOptions options;
    options.path = path;
    return std::make_shared<const engine::SearchSpace>(embedding::openAndPrepare(options).value());
}

std::string listOf(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) {
        text += (text.empty() ? "" : ",") + formatNumber(value);
    }
    return text;
}

std::string wordsOption(const calibration::WordSelection& words,
                        const test::TemporaryFolder& folder,
                        const embedding::Vocabulary& vocabulary) {
    switch (words.kind) {
        case calibration::WordSelection::Kind::all:
            return "all";
        case calibration::WordSelection::Kind::random:
            return fmt::format("{}", words.count);
        case calibration::WordSelection::Kind::list:
            break;
    }
    std::string list;
    for (const embedding::Row row : words.rows) {
        list += fmt::format("{}\n", vocabulary.word(row));
    }
    return "@" + folder.file("words.txt", list);
}

void checkSummary(const json& shown, const calibration::Summary& expected) {
    CHECK(shown["mean"].get<double>() == expected.mean);
    CHECK(shown["sd"].get<double>() == expected.sd);
    CHECK(shown["min"].get<double>() == expected.min);
    CHECK(shown["p1"].get<double>() == expected.p1);
    CHECK(shown["p5"].get<double>() == expected.p5);
    CHECK(shown["p25"].get<double>() == expected.p25);
    CHECK(shown["p50"].get<double>() == expected.p50);
    CHECK(shown["p75"].get<double>() == expected.p75);
    CHECK(shown["p95"].get<double>() == expected.p95);
    CHECK(shown["p99"].get<double>() == expected.p99);
    CHECK(shown["max"].get<double>() == expected.max);
    REQUIRE(shown["ci95"].is_null() == !expected.ci95.has_value());
    if (expected.ci95) {
        CHECK(shown["ci95"][0].get<double>() == (*expected.ci95)[0]);
        CHECK(shown["ci95"][1].get<double>() == (*expected.ci95)[1]);
    }
    REQUIRE(shown["sdTrue"].is_null() == !expected.sdTrue.has_value());
    if (expected.sdTrue) {
        CHECK(shown["sdTrue"].get<double>() == *expected.sdTrue);
    }
}

void checkOptional(const json& shown, const std::optional<double>& expected) {
    REQUIRE(shown.is_null() == !expected.has_value());
    if (expected) {
        CHECK(shown.get<double>() == *expected);
    }
}

void checkCell(const json& shown, const calibration::Cell& expected) {
    CHECK(shown["epsilon"].get<double>() == expected.epsilon);
    if (!shown["lambda"].is_null()) {
        CHECK(shown["lambda"].get<double>() == expected.lambda);
    }
    checkSummary(shown["nw"], expected.nw);
    checkSummary(shown["sw"], expected.sw);
    checkSummary(shown["minEntropy"], expected.minEntropy);
    checkSummary(shown["shannonEntropy"], expected.shannonEntropy);
    checkSummary(shown["hartleyEntropy"], expected.hartleyEntropy);
    CHECK(shown["kept"].get<double>() == expected.kept);
    CHECK(shown["near"].get<double>() == expected.near);
    CHECK(shown["far"].get<double>() == expected.far);
    CHECK(shown["meanDistance"].get<double>() == expected.meanDistance);
    checkOptional(shown["meanCosine"], expected.meanCosine);
    checkOptional(shown["coverage"], expected.coverage);
    checkOptional(shown["gamma"], expected.gamma);
    checkOptional(shown["beta"], expected.beta);
    REQUIRE(shown.contains("relativeError") == expected.relativeError.has_value());
}

void checkGuarantee(const json& shown, const mechanism::Guarantee& expected) {
    CHECK(shown["bound"].get<double>() == expected.bound);
    checkOptional(shown["cap"], expected.cap);
    CHECK(shown["statement"].get<std::string>() == expected.statement);
    CHECK(shown["metric"].get<std::string>() == mechanism::metricName(expected.metric));
    REQUIRE(shown.contains("euclidean") == expected.euclidean.has_value());
    if (expected.euclidean) {
        CHECK(shown["euclidean"][1].get<double>() == (*expected.euclidean)[1]);
    }
}

}  // namespace

TEST_CASE("The command line calibrates as the core does") {
    for (const test::CalibrationScenario& scenario : test::calibrationScenarios()) {
        CAPTURE(scenario.name);
        const test::TemporaryFolder folder;
        const std::string path = folder.file(scenario.file.name, scenario.file.content);
        const auto space = opened(path);
        const auto& options = scenario.options;
        const auto expected = calibration::calibrate(*space, options).value();
        std::vector<std::string> arguments{
            "calibrate",   path,
            "--mechanism", std::string(options.grid.mechanism.name()),
            "--epsilon",   listOf(options.grid.epsilons),
            "--words",     wordsOption(options.words, folder, space->embedding().vocabulary()),
            "--draws",     fmt::format("{}", options.draws),
            "--seed",      fmt::format("{}", options.seed),
            "--per-word",  folder.path("words.csv"),
            "--format",    "json"};
        if (!options.grid.mechanism.isExact() || options.grid.mechanism.hasLambda()) {
            arguments.insert(arguments.end(), {"--lambda", listOf(options.grid.lambdas)});
        }
        if (options.grid.mechanism.hasRadius()) {
            arguments.insert(
                arguments.end(),
                {"--metric", std::string(metric::metricKey(options.grid.mechanism.metric()))});
            const bool byRadius = !options.grid.gammas.empty();
            arguments.insert(arguments.end(),
                             {byRadius ? "--gamma" : "--beta",
                              listOf(byRadius ? options.grid.gammas : options.grid.betas)});
        }
        const test::CliResult result = test::runCli(arguments);
        INFO(result.errors);
        REQUIRE(result.exitCode == 0);
        const json shown = json::parse(result.output);
        CHECK(shown["run"]["words"] == expected.words);
        CHECK(shown["run"]["blockSize"] == expected.blockSize);
        CHECK(shown["run"]["seed"].get<std::uint64_t>() == options.seed);
        REQUIRE(shown["cells"].size() == expected.cells.size());
        for (std::size_t i = 0; i < expected.cells.size(); ++i) {
            CAPTURE(i);
            checkCell(shown["cells"][i], expected.cells[i]);
            checkGuarantee(shown["guarantee"][i], expected.guarantees[i]);
        }
        CHECK(test::contentOf(folder.path("words.csv")) ==
              report::perWordCsv(expected, space->embedding().vocabulary()));
    }
}

TEST_CASE("The command line samples as the core does") {
    // Draw (k + i) mod R for word i of sentence k, R = 100 for these short texts.
    constexpr int kDraws = 100;
    for (const test::SampleScenario& scenario : test::sampleScenarios()) {
        CAPTURE(scenario.name);
        const test::TemporaryFolder folder;
        const std::string path = folder.file(scenario.file.name, scenario.file.content);
        const auto space = opened(path);
        const embedding::Vocabulary& vocabulary = space->embedding().vocabulary();
        const std::shared_ptr<const embedding::PcaBasis> basis(space->handle(),
                                                               &space->handle()->basis);
        const auto noise = mechanism::EllipticalNoise::create(basis, scenario.lambda).value();
        const auto text =
            text::tokeniseText(scenario.text, text::Lookup(vocabulary, text::CasePolicy::lower));
        const test::CliResult result = test::runCli(
            {"sample", path, "--text", scenario.text, "--mechanism",
             std::string(scenario.mechanism.name()), "--lambda", formatNumber(scenario.lambda),
             "--epsilon", formatNumber(scenario.epsilon), "--draws",
             fmt::format("{}", scenario.sentences), "--seed", fmt::format("{}", scenario.seed),
             "--format", "json"});
        INFO(result.errors);
        REQUIRE(result.exitCode == 0);
        const json sentences = json::parse(result.output)["results"][0]["sentences"];
        REQUIRE(sentences.size() == static_cast<std::size_t>(scenario.sentences));
        for (std::size_t i = 0; i < text.words.size(); ++i) {
            CAPTURE(i);
            for (std::size_t k = 0; k < sentences.size(); ++k) {
                const json& shown = sentences[k]["words"][i];
                if (!text.words[i].row) {
                    CHECK(shown.is_null());
                    continue;
                }
                const auto paths =
                    engine::computePaths(engine::EllipticalSeries(*space, {noise}),
                                         {{*text.words[i].row}, 0, kDraws, scenario.seed, 1})
                        .value();
                const auto draw = static_cast<int>((k + i) % kDraws);
                CHECK(shown.get<std::string>() ==
                      vocabulary.word(paths.output(0, draw, scenario.epsilon)));
            }
        }
    }
}
