// How exact the exact statistics of TEM are on real vectors, and what each part of a run costs.
//
// usage: tem-bench EMBEDDING [METRIC [ROWS]]
//
// Compares distances, N_w and S_w of 200 words with float64, at 5 epsilons around the critical one
// and beta = 0.001; then times the parts of a run over all words on one thread.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/calibration/tem_run.h"
#include "core/embedding/open_embedding.h"
#include "core/statistics/exact_statistics.h"

using namespace epsilens;
using mechanism::TruncatedExponential;

namespace {

constexpr std::int64_t kRows = 28596;
constexpr double kBeta = 0.001;
constexpr double kLambda = 0.5;
constexpr int kDraws = 100;

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
    double load = 0.0;
    double finish = 0.0;
    double sums = 0.0;
    for (std::size_t first = 0; first < words.size(); first += atOnce) {
        const auto block = std::span(words).subspan(first, std::min(atOnce, words.size() - first));
        load += seconds([&] { rows.load(space, block); });
        for (std::size_t i = 0; i < block.size(); ++i) {
            engine::MetricRow row;
            finish += seconds([&] { row = rows.finish(static_cast<std::int64_t>(i), 100); });
            sums += seconds([&] {
                for (const TruncatedExponential& setting : settings) {
                    static_cast<void>(statistics.compute(row, setting));
                }
            });
        }
    }
    fmt::print(
        "{} words on one thread: products {:.2f} s, distances and neighbours {:.2f} s, sums "
        "of {} epsilons {:.2f} s\n",
        formatCount(space.wordCount()), load, finish, settings.size(), sums);
}

}  // namespace

int main(int argumentCount, char** arguments) {
    if (argumentCount < 2) {
        fmt::print(stderr, "usage: tem-bench EMBEDDING [METRIC [ROWS]]\n");
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
