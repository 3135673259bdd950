// Figures of the engine on real vectors.
//
// usage: engine-bench shares EMBEDDING [ROWS]   where the time of a block of the grid goes
//        engine-bench steps EMBEDDING [ROWS]    N_w and S_w of all words at every epsilon, beside
//                                               the grid
//        engine-bench grid EMBEDDING [ROWS [THREADS]]   the whole grid of all words
//        engine-bench tem EMBEDDING [ROWS]      TEM: rows per second and epsilon of a whole run
//
// WITHOUT_AVX512=1 in the environment leaves those instructions out; OPENBLAS_CORETYPE=Haswell does
// so for the matrix products.

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <hwy/targets.h>

#include "core/calibration/calibrate.h"
#include "core/calibration/measurement.h"
#include "core/calibration/word_steps.h"
#include "core/embedding/load.h"
#include "core/engine/neighbours.h"
#include "core/engine/noise_series.h"
#include "core/engine/sorted_search.h"
#include "core/mechanism/unit_draws.h"
#include "core/numeric/matrix_product.h"

using namespace epsilens;

namespace {

double peakMebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

mechanism::EllipticalNoise noiseOf(const engine::SearchSpace& space, double lambda) {
    return mechanism::EllipticalNoise::create({space.handle(), &space.handle()->basis}, lambda)
        .value();
}

engine::SearchSpaceHandle open(const char* path, std::int64_t rows = 0) {
    embedding::LoadOptions options;
    options.path = path;
    options.limitRows = rows;
    return std::make_shared<engine::SearchSpace>(embedding::openAndPrepare(options).value());
}

std::vector<engine::Row> spreadWords(const engine::SearchSpace& space, std::int64_t count) {
    std::vector<engine::Row> words;
    for (std::int64_t i = 0; i < count; ++i) {
        words.push_back(static_cast<engine::Row>(i * space.embedding().wordCount() / count));
    }
    return words;
}

double processorSeconds(const std::function<void()>& work) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double start = now();
    work();
    return now() - start;
}

// The products of a block as the engine forms them, over slabs of 256 positions.
void multiplyAll(const engine::SearchSpace& space, const RowMatrixF& columns) {
    constexpr std::int64_t kSlab = 256;
    static std::vector<float> products;
    products.resize(static_cast<std::size_t>(kSlab * columns.rows()));
    for (std::int64_t first = 0; first < space.positions(); first += kSlab) {
        numeric::multiplyTransposed(
            space.vectors().row(first).data(), std::min(kSlab, space.positions() - first),
            columns.data(), columns.rows(), columns.cols(), 1.0F, products.data(), columns.rows());
    }
}

// Where the time of a block of the grid goes, in processor seconds of one thread.
void shares(const engine::SearchSpace& space) {
    const std::vector<double> lambdas{0, 0.25, 0.5, 0.75, 1};
    constexpr std::int64_t kDraws = 100;
    const std::int64_t words = calibration::blockSize(space.embedding().wordCount());
    const std::vector<engine::Row> rows = spreadWords(space, words);
    const Eigen::Index m = space.vectors().cols();
    RowMatrixF noise(kDraws * static_cast<Eigen::Index>(lambdas.size()), m);
    const auto units = mechanism::unitDraws(5, StreamPurpose::unitDraws, 0, 0, kDraws, m);
    for (std::size_t k = 0; k < lambdas.size(); ++k) {
        noise.middleRows(static_cast<Eigen::Index>(k) * kDraws, kDraws) =
            mechanism::noiseAtUnitEpsilon(units, noiseOf(space, lambdas[k]));
    }
    std::vector<engine::ScoreWeights> weights;
    for (const double epsilon : {6.0, 30.0, 60.0, 120.0, 240.0}) {
        weights.push_back(engine::ScoreWeights::atEpsilon(epsilon));
    }
    const RowMatrixF wordVectors =
        RowMatrixF::NullaryExpr(words, m, [&](Eigen::Index row, Eigen::Index column) {
            return space.embedding().vectors()(rows[static_cast<std::size_t>(row)], column);
        });
    engine::ScoreColumns wordColumns;
    engine::ScoreColumns drawColumns;
    wordColumns.setWords(space, rows, 1, {});
    drawColumns.setDraws(space, noise, 1, {});
    const double products = processorSeconds([&] {
        multiplyAll(space, wordVectors);
        multiplyAll(space, noise);
    });
    const double columns = processorSeconds([&] {
        wordColumns.setWords(space, rows, 1, {});
        drawColumns.setDraws(space, noise, 1, {});
    });
    engine::SortedSearch search(space);
    std::vector<std::int32_t> outputs(static_cast<std::size_t>(words * noise.rows()) *
                                      weights.size());
    std::vector<std::int32_t> found(weights.size());
    const VectorD norms = noise.cast<double>().rowwise().norm();
    const double walking = processorSeconds([&] {
        for (std::int64_t some = 0; some < words; some += engine::kColumnGroup) {
            for (Eigen::Index draws = 0; draws < noise.rows(); draws += engine::kColumnGroup) {
                const std::int64_t endWord = std::min(some + engine::kColumnGroup, words);
                const Eigen::Index endDraw = std::min(draws + engine::kColumnGroup, noise.rows());
                for (std::int64_t word = some; word < endWord; ++word) {
                    search.setWord(rows[static_cast<std::size_t>(word)], wordColumns, word);
                    for (Eigen::Index draw = draws; draw < endDraw; ++draw) {
                        search.setDraw(noise.row(draw).data(), norms[draw], drawColumns, draw);
                        search.nearest(weights, found);
                        for (std::size_t e = 0; e < weights.size(); ++e) {
                            const std::int64_t cell = draw / kDraws * 5 + static_cast<int>(e);
                            outputs[static_cast<std::size_t>((word * 25 + cell) * kDraws +
                                                             draw % kDraws)] = found[e];
                        }
                    }
                }
            }
        }
    });
    const auto series = engine::createSeries(space, mechanism::Mahalanobis{}, lambdas).value();
    const calibration::CountLogs logs(kDraws);
    calibration::StepMaker maker(*series);
    calibration::DrawSums sums(kDraws);
    const double counting = processorSeconds([&] {
        for (std::int64_t word = 0; word < words; ++word) {
            const engine::Row row = rows[static_cast<std::size_t>(word)];
            std::vector<calibration::PositionChanges> changes(lambdas.size());
            for (std::size_t i = 0; i < 25 * kDraws; ++i) {
                const std::size_t cell = i / kDraws;
                changes[cell / 5].push_back(
                    {1.0 / (240.0 - 40.0 * static_cast<double>(cell % 5)),
                     static_cast<std::uint32_t>(i % kDraws),
                     outputs[static_cast<std::size_t>(word) * 25 * kDraws + i]});
            }
            const calibration::WordSteps steps = maker.make(
                row, engine::neighboursOf(space, row, wordColumns.list(word), 100), changes);
            for (std::size_t variant = 0; variant < lambdas.size(); ++variant) {
                calibration::StepTally tally(steps, logs, variant);
                while (!tally.isAtEnd()) {
                    for (int draw = 0; draw < kDraws; ++draw) {
                        tally.advance();
                    }
                    tally.addTo(sums);
                }
            }
        }
    });
    const double all = columns + walking + counting;
    const auto walks = static_cast<double>(words * noise.rows());
    const double multiplyAdds = static_cast<double>((words + noise.rows()) * space.positions() * m);
    fmt::print(
        "{} words, 500 draws: products {:.0f}% ({:.1f} Gflop/s), sorting {:.0f}%, walking and "
        "deciding {:.0f}% ({:.0f} ns and {:.0f} entries of either list a walk, {} of {:.0f} walks "
        "looked at all words, {:.2f}% of outputs decided in float64), statistics {:.0f}% ({:.0f} "
        "ns "
        "an output); {:.3f} s, {:.0f} substitutions/s\n",
        words, 100.0 * products / all, 2e-9 * multiplyAdds / products,
        100.0 * (columns - products) / all, 100.0 * walking / all, 1e9 * walking / walks,
        static_cast<double>(search.walked()) / walks, search.scans(), walks,
        100.0 * static_cast<double>(search.rechecked()) / (5.0 * walks), 100.0 * counting / all,
        1e9 * counting / (5.0 * walks), all, 5.0 * walks / all);
}

/// All words with the grid of Xu et al. 2020.
calibration::CalibrationOptions gridOfAllWords(std::vector<double> lambdas, int threads) {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = {6, 30, 60, 120, 240};
    options.grid.lambdas = std::move(lambdas);
    options.words.kind = calibration::WordSelection::Kind::all;
    options.threads = threads;
    return options;
}

// What it costs to know N_w and S_w at every epsilon instead of five, in processor seconds of one
// thread.
void steps(const engine::SearchSpace& space) {
    const calibration::CalibrationOptions options = gridOfAllWords({0.5}, 1);
    const double grid =
        processorSeconds([&] { (void)calibration::calibrate(space, options).value(); });
    const double all = processorSeconds([&] {
        (void)calibration::measure(
            space, calibration::MeasurementOptions{options, options.grid.mechanisms().front()})
            .value();
    });
    fmt::print(
        "{} words x 100 draws: {:.2f} s at 5 epsilons, {:.2f} s for every step, {:.2f} together; "
        "peak {:.0f} MiB\n",
        space.embedding().wordCount(), grid, all, (grid + all) / grid, peakMebibytes());
}

void grid(const engine::SearchSpace& space, int threads) {
    const auto options = gridOfAllWords({0, 0.25, 0.5, 0.75, 1}, threads);
    double took = 0.0;
    std::int64_t substitutions = 0;
    const double processor = processorSeconds([&] {
        const auto summary = calibration::calibrate(space, options).value();
        took = summary.seconds;
        substitutions = summary.substitutions;
    });
    fmt::print(
        "{:.0f} substitutions per processor second; all words x 100 draws x 5 x 5 on {} threads: "
        "{:.2f} s, {:.2f} s of processor time, peak memory {:.0f} MiB\n",
        static_cast<double>(substitutions) / processor, threads, took, processor, peakMebibytes());
}

// What tem/compare.sh sets beside numpy: all words at 5 epsilons by one thread, the embedding
// loaded. Prints rows per second and epsilon, then the means of N_w and S_w at epsilon 16.
void tem(const engine::SearchSpace& space) {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Tem{};
    options.grid.epsilons = {8.0, 12.0, 16.0, 20.0, 30.0};
    options.grid.betas = {0.001};
    options.words.kind = calibration::WordSelection::Kind::all;
    options.threads = 1;
    std::optional<calibration::CalibrationSummary> summary;
    const double taken =
        processorSeconds([&] { summary = calibration::calibrate(space, options).value(); });
    const auto rows = options.grid.epsilons.size() * static_cast<std::size_t>(summary->words);
    const calibration::Cell& cell = summary->cells[2];
    fmt::print("{:.1f} {:.4f} {:.4f}\n", static_cast<double>(rows) / taken, cell.nw.mean,
               cell.sw.mean);
}

}  // namespace

int main(int argumentCount, char** arguments) {
    // Before any thread begins.
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    if (std::getenv("WITHOUT_AVX512") != nullptr) {
        hwy::DisableTargets(HWY_AVX3 | HWY_AVX3_DL);
    }
    const std::string_view what = argumentCount > 2 ? arguments[1] : "";
    if (what != "shares" && what != "steps" && what != "grid" && what != "tem") {
        fmt::print(stderr, "usage: engine-bench shares|steps|grid|tem EMBEDDING [ROWS]\n");
        return 2;
    }
    const auto space = open(arguments[2], argumentCount > 3 ? std::atoll(arguments[3]) : 0);
    if (what == "shares") {
        shares(*space);
    } else if (what == "steps") {
        steps(*space);
    } else if (what == "tem") {
        tem(*space);
    } else {
        grid(*space, argumentCount > 4 ? std::atoi(arguments[4]) : 1);
    }
    return 0;
}
