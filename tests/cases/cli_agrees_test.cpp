#include <string>
#include <vector>

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/base/numbers.h"
#include "core/calibration/run.h"
#include "core/document/calibration_document.h"
#include "core/document/csv_rows.h"
#include "core/embedding/load.h"
#include "core/engine/draw_sweep.h"
#include "core/engine/noise_series.h"
#include "core/text/tokenised_text.h"
#include "tests/support/run_cli.h"

// Expected values are those of the core called directly; the command line must show the same
// doubles, because its numbers read back exactly.

using namespace epsilens;
using nlohmann::json;

namespace {

using calibration::CalibrationOptions;
using calibration::WordSelection;

struct CalibrationScenario {
    std::string name{};
    std::string file{};  ///< content of an embedding file
    CalibrationOptions options{};
};

struct SampleScenario {
    std::string name{};
    std::string file{};  ///< content of an embedding file
    std::string text{};
    mechanism::Mechanism mechanism{mechanism::Laplace{}};
    double lambda = 0.0;
    double epsilon = 1.0;
    int sentences = 5;
    std::uint64_t seed = 1;
};

CalibrationOptions grid(const mechanism::Mechanism& kind, std::vector<double> epsilons,
                        std::vector<double> lambdas, WordSelection words, int draws,
                        std::uint64_t seed) {
    CalibrationOptions options;
    options.grid.mechanism = kind;
    options.grid.epsilons = std::move(epsilons);
    options.grid.lambdas = std::move(lambdas);
    options.words = std::move(words);
    options.draws = draws;
    options.seed = seed;
    options.criticalEpsilons = true;
    return options;
}

CalibrationOptions temGrid(metric::Metric metric, CalibrationOptions options,
                           std::vector<double> gammas) {
    options.grid.mechanism = mechanism::Tem{metric};
    options.grid.gammas = std::move(gammas);
    return options;
}

WordSelection random(std::int64_t count) {
    return {WordSelection::Kind::random, count, {}};
}

WordSelection listed(std::vector<embedding::Row> rows) {
    return {WordSelection::Kind::list, 0, std::move(rows)};
}

const WordSelection kAll{WordSelection::Kind::all, 0, {}};

/// Between them: the mechanisms, one and several parameters, random words, all and a list, one
/// draw and many, one word, identical rows, more and fewer words than dimensions.
std::vector<CalibrationScenario> calibrationScenarios() {
    const std::string wide = test::madeUpGlove(300, 20, 1);
    const std::string few = test::madeUpGlove(8, 12, 2);
    const std::string line = "a 0 0\nb 1 0\nc 1 0\nd 3 1\ne 9 2\n";
    return {
        {"laplace", wide, grid(mechanism::Laplace{}, {0.5, 5, 50}, {0.0}, random(150), 60, 1)},
        {"mahalanobis grid", wide,
         grid(mechanism::Mahalanobis{}, {2, 6.25, 18}, {0, 0.3, 1}, random(200), 40, 42)},
        {"all words", wide, grid(mechanism::Mahalanobis{}, {7.5}, {0.5}, kAll, 25, 3)},
        {"a list", wide,
         grid(mechanism::Mahalanobis{}, {0.1, 9}, {0.75}, listed({299, 0, 17}), 200, 4)},
        {"one word, one draw", wide, grid(mechanism::Laplace{}, {4}, {0.0}, listed({5}), 1, 5)},
        {"identical rows", line, grid(mechanism::Mahalanobis{}, {0.3, 3}, {0, 0.9}, kAll, 100, 6)},
        {"fewer words than dimensions", few,
         grid(mechanism::Mahalanobis{}, {3}, {0.99}, kAll, 50, 7)},
        {"tem", wide,
         temGrid(metric::Metric::euclidean,
                 grid(mechanism::Tem{}, {2, 9}, {0.0}, random(90), 60, 8), {})},
        {"tem in a Mahalanobis metric", wide,
         temGrid(metric::Metric::mahalanobis,
                 grid(mechanism::Tem{}, {1, 3, 20}, {0, 0.75}, random(40), 7, 9), {0, 1.5})},
        {"tem by angle, identical rows", few,
         temGrid(metric::Metric::angular, grid(mechanism::Tem{}, {5}, {0.0}, kAll, 1, 10), {0.5})},
        {"large seed", few,
         grid(mechanism::Laplace{}, {3}, {0.0}, kAll, 50, 9'000'000'000'000'000'000U)},
    };
}

std::vector<SampleScenario> sampleScenarios() {
    const std::string wide = test::madeUpGlove(300, 20, 1);
    return {
        {"laplace", wide, "W1, w2 and w3: blorp w1.", mechanism::Laplace{}, 0.0, 6.5, 4, 1},
        {"mahalanobis", wide, "w10 w11 w12", mechanism::Mahalanobis{}, 0.6, 12, 7, 99},
    };
}

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

}  // namespace

TEST_CASE("The command line calibrates as the core does") {
    for (const CalibrationScenario& scenario : calibrationScenarios()) {
        CAPTURE(scenario.name);
        const test::TemporaryFolder folder;
        const std::string path = folder.file("vectors.txt", scenario.file);
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
        const json wanted = document::calibrationDocument(
            calibration::describeRun(*space, expected,
                                     calibration::keptRequest({.path = path}, options))
                .value());
        CHECK(shown["cells"] == wanted["cells"]);
        CHECK(shown["guarantee"] == wanted["guarantee"]);
        for (const char* field : {"words", "blockSize", "seed"}) {
            CHECK(shown["run"][field] == wanted["run"][field]);
        }
        CHECK(test::contentOf(folder.path("words.csv")) ==
              document::perWordCsv(expected, space->embedding().vocabulary()));
    }
}

TEST_CASE("The command line samples as the core does") {
    // Draw (k + i) mod R for word i of sentence k, R = 100 for these short texts.
    constexpr int kDraws = 100;
    for (const SampleScenario& scenario : sampleScenarios()) {
        CAPTURE(scenario.name);
        const test::TemporaryFolder folder;
        const std::string path = folder.file("vectors.txt", scenario.file);
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
                    engine::computePaths(*engine::ellipticalSeries(*space, {noise}),
                                         std::vector{*text.words[i].row}, {kDraws, scenario.seed})
                        .value();
                CHECK(shown.get<std::string>() ==
                      vocabulary.word(paths.front()[(k + i) % kDraws].output(scenario.epsilon)));
            }
        }
    }
}
