// How well the cost of a run is foretold: the estimate beside what the run then takes, by the
// clock.
//
// usage: estimate-bench EMBEDDING [THREADS [made-up]]
//
// The last argument leaves out the cases on the embedding.
// Every case is estimated and run three times, and the medians are compared; what else the machine
// does disturbs both.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/calibration/recommend.h"
#include "core/embedding/open_embedding.h"
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

template <typename Options, typename Run>
void compare(const std::string& name, const engine::SearchSpace& space, const Options& options,
             const Run& run) {
    std::array<double, kRepeats> estimates{};
    std::array<double, kRepeats> costs{};
    std::array<double, kRepeats> truths{};
    for (std::size_t i = 0; i < kRepeats; ++i) {
        costs[i] = secondsOf([&] { estimates[i] = estimateCost(space, options).value().seconds; });
        truths[i] = secondsOf([&] { static_cast<void>(run(space, options).value()); });
    }
    fmt::print(
        "{:52} estimated {:8.2f} s, took {:8.2f} s, ratio {:.2f}; estimating took {:.2f} s\n", name,
        median(estimates), median(truths), median(estimates) / median(truths), median(costs));
}

void calibrateCase(const std::string& name, const engine::SearchSpace& space,
                   const CalibrationOptions& options) {
    compare(name, space, options, [](const auto& where, const auto& what) {
        return calibration::calibrate(where, what);
    });
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
    calibration::RecommendationOptions search;
    search.calibration = noiseGrid(threads, 1000);
    search.calibration.grid.lambdas = {0.0, 0.5};
    search.calibration.grid.epsilons.clear();
    search.limits = calibration::defaultLimits();
    compare(
        "recommend, mahalanobis, 2 lambdas, 1,000 words", space, search,
        [](const auto& where, const auto& what) { return calibration::recommend(where, what); });
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

}  // namespace

int main(int argumentCount, char** arguments) {
    if (argumentCount < 2) {
        fmt::print(stderr, "usage: estimate-bench EMBEDDING [THREADS [made-up]]\n");
        return 2;
    }
    const int threads = argumentCount > 2 ? std::atoi(arguments[2]) : 0;
    if (argumentCount <= 3) {
        realVectors(arguments[1], threads);
    }
    madeUpVectors(threads);
    return 0;
}
