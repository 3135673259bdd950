// How exact the exact statistics of TEM are on real vectors, and what each part of a run costs.
//
// usage: tem-bench EMBEDDING [METRIC [ROWS]]
//        tem-bench rate EMBEDDING [ROWS]      rows per second and epsilon of a whole run
//
// WITHOUT_AVX512=1 in the environment leaves those instructions out; OPENBLAS_CORETYPE=Haswell does
// so for the matrix products.
//
// Compares distances, N_w and S_w of 200 words with float64, at 5 epsilons around the critical one
// and beta = 0.001; then times the parts of a run over all words on one thread.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <hwy/targets.h>

#include "core/base/numbers.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/tem_run.h"
#include "core/embedding/load.h"
#include "core/statistics/exact_statistics.h"

using namespace epsilens;
using mechanism::TruncatedExponential;

namespace {

constexpr std::int64_t kRows = 28596;
constexpr double kBeta = 0.001;
constexpr double kLambda = 0.5;
constexpr int kDraws = 100;

/// Processor time, which other work on the machine disturbs less than the clock.
double seconds(const std::function<void()>& work) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double start = now();
    work();
    return now() - start;
}

Result<engine::MetricSpace> openSpace(const char* path, metric::Metric metric, std::int64_t rows) {
    embedding::LoadOptions options;
    options.path = path;
    options.limitRows = rows;
    return embedding::openAndPrepare(options)
        .and_then([&](embedding::EmbeddingHandle&& handle) {
            return metric::WordMetric::create(std::move(handle), metric, kLambda);
        })
        .and_then([](metric::WordMetric&& wordMetric) {
            return engine::MetricSpace::create(std::move(wordMetric));
        });
}

std::vector<TruncatedExponential> mechanisms(const metric::WordMetric& metric) {
    const engine::SearchSpace space(metric.handle());
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Tem{metric.metric()};
    options.grid.lambdas = {kLambda};
    const double critical = calibration::estimateTemRange(space, options)->suggested;
    const auto truncation =
        mechanism::Truncation::byErrorProbability(kBeta, space.embedding().wordCount()).value();
    std::vector<TruncatedExponential> result;
    for (const double factor : {0.5, 0.75, 1.0, 1.25, 2.0}) {
        result.push_back(truncation.at(factor * critical).value());
    }
    return result;
}

void errors(const engine::MetricSpace& space, const std::vector<TruncatedExponential>& settings) {
    constexpr engine::Row kWords = 200;
    std::vector<double> distanceErrors;
    std::vector<double> statisticErrors(settings.size());
    std::vector<double> bounds(settings.size());
    statistics::ExactStatisticsOfWords statistics(space, kDraws);
    engine::MetricRows rows(true);
    for (engine::Row i = 0; i < kWords; ++i) {
        const auto word =
            static_cast<engine::Row>(static_cast<std::int64_t>(i) * space.wordCount() / kWords);
        rows.load(space, std::vector<engine::Row>{word});
        const engine::MetricRow row = rows.finish(0, 100);
        std::vector<double> distances;
        for (engine::Row other = 0; other < space.wordCount(); ++other) {
            // The table of the metric in float64: for Mahalanobis far faster than from the vectors.
            distances.push_back(space.distance(word, other));
            distanceErrors.push_back(
                std::abs(static_cast<double>(row.distances[other]) - distances.back()));
        }
        for (std::size_t k = 0; k < settings.size(); ++k) {
            const std::vector<double> law = settings[k].probabilities(distances);
            double sw = 0.0;
            for (const double p : law) {
                sw -= std::expm1(kDraws * std::log1p(-p));
            }
            const statistics::ExactStatistics exact = statistics.compute(row, settings[k]);
            const double kept = law[static_cast<std::size_t>(word)];
            statisticErrors[k] = std::max({statisticErrors[k], std::abs(exact.kept / kept - 1.0),
                                           std::abs(exact.sw / sw - 1.0)});
            bounds[k] = std::max(bounds[k], exact.relativeError);
        }
    }
    fmt::print("distances of {} words off by at most {:.1e}\n", kWords,
               *std::max_element(distanceErrors.begin(), distanceErrors.end()));
    for (std::size_t k = 0; k < settings.size(); ++k) {
        fmt::print("epsilon {}: N_w and S_w off by at most {:.1e}, bound {:.1e}\n",
                   formatSignificant(settings[k].epsilon(), 3), statisticErrors[k], bounds[k]);
    }
}

void parts(const engine::MetricSpace& space, const std::vector<TruncatedExponential>& settings) {
    std::vector<engine::Row> words(static_cast<std::size_t>(space.wordCount()));
    std::iota(words.begin(), words.end(), 0);
    engine::MetricRows rows(true);
    statistics::ExactStatisticsOfWords statistics(space, kDraws);
    const auto atOnce = static_cast<std::size_t>(engine::MetricRows::wordsAtOnce(space));
    std::vector<statistics::ExactStatistics> results(settings.size());
    double load = 0.0;
    double finish = 0.0;
    double sums = 0.0;
    for (std::size_t first = 0; first < words.size(); first += atOnce) {
        const auto block = std::span(words).subspan(first, std::min(atOnce, words.size() - first));
        load += seconds([&] { rows.load(space, block); });
        for (std::size_t i = 0; i < block.size(); ++i) {
            engine::MetricRow row;
            finish += seconds([&] { row = rows.finish(static_cast<std::int64_t>(i), 100); });
            sums += seconds([&] { statistics.compute(row, settings, results); });
        }
    }
    fmt::print(
        "{} words on one thread: products {:.2f} s, distances and neighbours {:.2f} s, sums "
        "of {} epsilons {:.2f} s\n",
        formatCount(space.wordCount()), load, finish, settings.size(), sums);
}

/// What compare.sh sets beside numpy: all words at 5 epsilons by one thread, the embedding loaded.
/// Prints rows per second and epsilon, then the means of N_w and S_w at epsilon 16.
int rate(const char* path, std::int64_t rows) {
    embedding::LoadOptions options;
    options.path = path;
    options.limitRows = rows;
    const auto handle = embedding::openAndPrepare(options);
    if (!handle) {
        fmt::print(stderr, "{}\n", handle.error().message);
        return 1;
    }
    const engine::SearchSpace space(*handle);
    calibration::CalibrationOptions run;
    run.grid.mechanism = mechanism::Tem{metric::Metric::euclidean};
    run.grid.epsilons = {8.0, 12.0, 16.0, 20.0, 30.0};
    run.grid.betas = {kBeta};
    run.words.kind = calibration::WordSelection::Kind::all;
    run.draws = kDraws;
    run.threads = 1;
    std::optional<calibration::CalibrationSummary> summary;
    const double taken = seconds([&] { summary = calibration::calibrate(space, run).value(); });
    const calibration::Cell& cell = summary->cells[2];
    fmt::print("{:.1f} {:.4f} {:.4f}\n",
               static_cast<double>(run.grid.epsilons.size()) *
                   static_cast<double>(space.embedding().wordCount()) / taken,
               cell.nw.mean, cell.sw.mean);
    return 0;
}

}  // namespace

int main(int argumentCount, char** arguments) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing else runs yet
    if (std::getenv("WITHOUT_AVX512") != nullptr) {
        hwy::DisableTargets(HWY_AVX3 | HWY_AVX3_DL);
    }
    if (argumentCount > 2 && std::string_view(arguments[1]) == "rate") {
        return rate(arguments[2], argumentCount > 3 ? std::atoll(arguments[3]) : kRows);
    }
    if (argumentCount < 2) {
        fmt::print(stderr, "usage: tem-bench [rate] EMBEDDING [METRIC [ROWS]]\n");
        return 2;
    }
    const auto metric = metric::parseMetric(argumentCount > 2 ? arguments[2] : "euclidean");
    if (!metric) {
        fmt::print(stderr, "{}\n", metric.error().message);
        return 2;
    }
    const auto space =
        openSpace(arguments[1], *metric, argumentCount > 3 ? std::atoll(arguments[3]) : kRows);
    if (!space) {
        fmt::print(stderr, "{}\n", space.error().message);
        return 1;
    }
    const std::vector<TruncatedExponential> settings = mechanisms(space->metric());
    errors(*space, settings);
    parts(*space, settings);
    return 0;
}
