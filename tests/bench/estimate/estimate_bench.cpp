// How well the cost of a run is foretold: the estimate beside what the run then takes, by the
// clock.
//
// usage: estimate-bench EMBEDDING [THREADS [made-up | DATA...]]
//
// Without a third argument: runs on the embedding and on made-up vectors; made-up: the latter only;
// DATA: evaluations of these data sets, each with the tasks that it has labels or authors for.
// Every case is estimated and run three times, and the medians are compared; what else the machine
// does disturbs both.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/calibration/recommend.h"
#include "core/embedding/open_embedding.h"
#include "core/experiment/evaluation.h"
#include "core/experiment/task.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;
using calibration::CalibrationOptions;

namespace {

constexpr int kRepeats = 3;

double secondsOf(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::array<double, kRepeats> values) {
    std::sort(values.begin(), values.end());
    return values[kRepeats / 2];
}

/// estimate  returns seconds
template <typename Estimate, typename Run>
void compare(const std::string& name, const Estimate& estimate, const Run& run) {
    std::array<double, kRepeats> estimates{};
    std::array<double, kRepeats> costs{};
    std::array<double, kRepeats> truths{};
    for (std::size_t i = 0; i < kRepeats; ++i) {
        costs[i] = secondsOf([&] { estimates[i] = estimate(); });
        truths[i] = secondsOf(run);
    }
    fmt::print(
        "{:52} estimated {:8.2f} s, took {:8.2f} s, ratio {:.2f}; estimating took {:.2f} s\n", name,
        median(estimates), median(truths), median(estimates) / median(truths), median(costs));
    std::fflush(stdout);
}

void calibrateCase(const std::string& name, const engine::SearchSpace& space,
                   const CalibrationOptions& options) {
    compare(
        name, [&] { return calibration::estimateCost(space, options).value().seconds; },
        [&] { static_cast<void>(calibration::calibrate(space, options).value()); });
}

CalibrationOptions noiseGrid(int threads, std::int64_t words) {
    CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.lambdas = {0.0, 0.25, 0.5, 0.75, 1.0};
    options.grid.epsilons = {6.0, 30.0, 60.0, 120.0, 240.0};
    options.words.count = words;
    options.threads = threads;
    return options;
}

engine::SearchSpace opened(const char* name) {
    embedding::LoadOptions options;
    options.path = name;
    return engine::SearchSpace(embedding::openAndPrepare(options).value());
}

void realVectors(const char* path, int threads) {
    const engine::SearchSpace space = opened(path);
    calibrateCase("mahalanobis, 5 x 5, 500 words", space, noiseGrid(threads, 500));
    calibrateCase("mahalanobis, 5 x 5, 5,000 words", space, noiseGrid(threads, 5000));
    CalibrationOptions laplace = noiseGrid(threads, 20000);
    laplace.grid.mechanism = mechanism::Laplace{};
    laplace.criticalEpsilons = true;
    calibrateCase("laplace, 5 epsilons, critical ones, 20,000 words", space, laplace);
    CalibrationOptions worst = noiseGrid(threads, 500);
    worst.grid.lambdas = {0.5};
    worst.rerunWorst = true;
    calibrateCase("mahalanobis, worst words again, 500 words", space, worst);
    CalibrationOptions apart = noiseGrid(threads, 100);
    apart.grid.lambdas = {0.5};
    apart.independentDraws = true;
    calibrateCase("mahalanobis, independent draws, 100 words", space, apart);
    CalibrationOptions tem = noiseGrid(threads, 2000);
    tem.grid.mechanism = mechanism::Tem{};
    tem.grid.betas = {0.001};
    calibrateCase("tem, 5 epsilons, 2,000 words", space, tem);
    tem.words.kind = calibration::WordSelection::Kind::all;
    calibrateCase("tem, 5 epsilons, all words", space, tem);
    calibration::RecommendationOptions search;
    search.calibration = noiseGrid(threads, 1000);
    search.calibration.grid.lambdas = {0.0, 0.5};
    search.calibration.grid.epsilons.clear();
    search.limits = calibration::defaultLimits();
    compare(
        "recommend, mahalanobis, 2 lambdas, 1,000 words",
        [&] { return calibration::estimateCost(space, search).value().seconds; },
        [&] { static_cast<void>(calibration::recommend(space, search).value()); });
}

void madeUpVectors(int threads) {
    const engine::SearchSpace large(test::toyEmbedding(test::clusteredVectors(400'000, 100, 1)));
    CalibrationOptions few = noiseGrid(threads, 300);
    few.grid.lambdas = {0.0, 0.5};
    few.grid.epsilons = {5.0, 10.0, 20.0};
    calibrateCase("mahalanobis, V = 400,000, 300 words", large, few);
    const engine::SearchSpace small(test::toyEmbedding(test::clusteredVectors(8000, 100, 1)));
    CalibrationOptions deniable = noiseGrid(threads, 200);
    deniable.grid.mechanism = mechanism::Tem{};
    deniable.grid.betas = {0.001};
    deniable.grid.epsilons = {2.0, 8.0};
    deniable.deniabilityOdds = 2.0;
    calibrateCase("tem, deniability, V = 8,000", small, deniable);
    const engine::SearchSpace ball = opened("sample-poincare");
    CalibrationOptions hyperbolic = noiseGrid(threads, 2000);
    hyperbolic.grid.mechanism = mechanism::Hyperbolic{};
    hyperbolic.grid.lambdas.clear();
    hyperbolic.grid.epsilons = {12.0, 20.0, 50.0, 100.0};
    hyperbolic.draws = 1000;
    calibrateCase("hyperbolic, sample-poincare, 2,000 words", ball, hyperbolic);
}

void evaluateCase(const engine::SearchSpace& space, const experiment::DataSet& data,
                  const experiment::EvaluationOptions& options, const std::string& more = "") {
    const auto evaluation = experiment::Evaluation::create(space, data, options).value();
    compare(
        fmt::format("{}, {}, {}{}", data.file, taskName(options.tasks.front()),
                    options.grid.mechanism.name(), more),
        [&] { return evaluation.cost().value().seconds; },
        [&] { static_cast<void>(evaluation.run().value()); });
}

void labelledData(const char* embedding, int threads, const char* file) {
    const engine::SearchSpace space = opened(embedding);
    experiment::DataSetOptions source;
    source.path = file;
    const experiment::DataSet data = experiment::readDataSet(source).value();
    experiment::EvaluationOptions noise;
    noise.threads = threads;
    noise.grid = noiseGrid(threads, 1).grid;
    noise.grid.lambdas = {0.0, 0.5};
    noise.grid.epsilons = {20.0, 40.0, 60.0};
    experiment::EvaluationOptions tem = noise;
    tem.grid.mechanism = mechanism::Tem{};
    tem.grid.lambdas.clear();
    tem.grid.betas = {0.001};
    tem.grid.epsilons = {8.0, 10.0};
    const auto asked = [&](experiment::Task task) {
        experiment::EvaluationOptions options = noise;
        options.tasks = {task};
        return options;
    };
    if (data.classes.size() > 1) {
        evaluateCase(space, data, asked(experiment::Task::classify));
        experiment::EvaluationOptions models = asked(experiment::Task::classify);
        models.classifiers = {experiment::ClassifierKind::fasttext,
                              experiment::ClassifierKind::vectors};
        evaluateCase(space, data, models, ", fasttext and vectors");
        evaluateCase(space, data, asked(experiment::Task::membership));
    }
    if (data.authors.size() > 1) {
        evaluateCase(space, data, asked(experiment::Task::authorship));
        evaluateCase(space, data, asked(experiment::Task::audit));
    }
    for (experiment::EvaluationOptions options : {noise, tem}) {
        options.tasks = {experiment::Task::reconstruct};
        options.grid.epsilons.resize(2);
        evaluateCase(space, data, options, ", 2,000 words");
    }
}

}  // namespace

int main(int argumentCount, char** arguments) {
    if (argumentCount < 2) {
        fmt::print(stderr, "usage: estimate-bench EMBEDDING [THREADS [made-up | DATA...]]\n");
        return 2;
    }
    const int threads = argumentCount > 2 ? std::atoi(arguments[2]) : 0;
    const bool isMadeUp = argumentCount > 3 && std::string_view(arguments[3]) == "made-up";
    for (int i = 3; i < argumentCount && !isMadeUp; ++i) {
        labelledData(arguments[1], threads, arguments[i]);
    }
    if (argumentCount <= 3) {
        realVectors(arguments[1], threads);
    }
    if (argumentCount <= 3 || isMadeUp) {
        madeUpVectors(threads);
    }
    return 0;
}
