// Figures of the engine on real or generated vectors.
//
// usage: engine-bench exact EMBEDDING [CASES]   compares with float64 brute force
//        engine-bench paths EMBEDDING           paths of a 12-word sentence and look-ups in them
//        engine-bench large                     V = 400,000, m = 300: paths, 500 words on a grid
//        engine-bench shares EMBEDDING [ROWS]   where the time of a block of the grid goes
//        engine-bench steps EMBEDDING [ROWS]    N_w and S_w of all words at every epsilon, beside
//                                               the grid
//        engine-bench cancel EMBEDDING          how soon a stop request is answered
//        engine-bench grid EMBEDDING [ROWS [THREADS]]   the whole grid of all words
//
// WITHOUT_AVX512=1 in the environment leaves those instructions out; OPENBLAS_CORETYPE=Haswell does
// so for the matrix products.

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <hwy/targets.h>

#include "core/base/parallel.h"
#include "core/base/random_stream.h"
#include "core/calibration/block_run.h"
#include "core/calibration/calibrate.h"
#include "core/calibration/measurement.h"
#include "core/embedding/load.h"
#include "core/engine/elliptical_series.h"
#include "core/engine/neighbours.h"
#include "core/engine/paths.h"
#include "core/engine/sorted_search.h"
#include "core/mechanism/unit_draws.h"
#include "core/numeric/matrix_product.h"
#include "core/statistics/output_distribution.h"
#include "core/statistics/word_outputs.h"
#include "tests/support/brute_force.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;

namespace {

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

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

// Random (word, draw, epsilon, lambda): 64 words by 16 draws by 5 epsilons at a time.
void exact(const char* path, std::int64_t cases) {
    const auto space = open(path);
    const RowMatrixF& vectors = space->embedding().vectors();
    SeededStream stream(StreamKey{99, StreamPurpose{2001}, 0, 0});
    std::int64_t compared = 0;
    std::int64_t different = 0;
    std::int64_t rechecked = 0;
    for (std::uint32_t round = 0; compared < cases; ++round) {
        const auto noise = noiseOf(*space, 0.01 * static_cast<double>(stream.below(101)));
        const RowMatrixF z = mechanism::noiseAtUnitEpsilon(
            mechanism::unitDraws(5, StreamPurpose::unitDraws, round, 0, 16, vectors.cols()), noise);
        std::vector<engine::Row> words;
        words.reserve(64);
        for (int i = 0; i < 64; ++i) {
            words.push_back(
                static_cast<engine::Row>(stream.below(static_cast<std::uint64_t>(vectors.rows()))));
        }
        std::vector<double> epsilons;
        epsilons.reserve(5);
        for (int i = 0; i < 5; ++i) {
            epsilons.push_back(std::pow(10.0, 0.5 + 2.0 * stream.uniform()));
        }
        engine::ScoreColumns wordColumns;
        engine::ScoreColumns drawColumns;
        wordColumns.setWords(*space, words, 0, {});
        drawColumns.setDraws(*space, z, 0, {});
        std::vector<engine::ScoreWeights> weights;
        weights.reserve(epsilons.size());
        for (const double epsilon : epsilons) {
            weights.push_back(engine::ScoreWeights::atEpsilon(epsilon));
        }
        std::atomic<std::int64_t> wrong{0};
        std::atomic<std::int64_t> close{0};
        parallelFor(64, 0, [&](std::int64_t i) {
            engine::SortedSearch search(*space);
            std::vector<std::int32_t> found(epsilons.size());
            const engine::Row word = words[static_cast<std::size_t>(i)];
            search.setWord(word, wordColumns, i);
            for (Eigen::Index draw = 0; draw < z.rows(); ++draw) {
                search.setDraw(z.row(draw).data(), z.row(draw).cast<double>().norm(), drawColumns,
                               draw);
                search.nearest(weights, found);
                for (std::size_t e = 0; e < epsilons.size(); ++e) {
                    wrong += space->rowAt(found[e]) !=
                                     test::bruteForceNearest(vectors, word, z.row(draw).transpose(),
                                                             epsilons[e])
                                 ? 1
                                 : 0;
                }
            }
            close += search.rechecked();
        });
        compared += 64 * 16 * 5;
        different += wrong;
        rechecked += close;
    }
    fmt::print("{} decisions, {} differ from float64 brute force, {} ({:.2e}) decided in float64\n",
               compared, different, rechecked,
               static_cast<double>(rechecked) / static_cast<double>(compared));
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
    const auto series = engine::EllipticalSeries::create(space, lambdas).value();
    statistics::WordOutputs counter(*series, kDraws);
    statistics::DrawSums sums(kDraws);
    const double counting = processorSeconds([&] {
        for (std::int64_t word = 0; word < words; ++word) {
            const engine::Row row = rows[static_cast<std::size_t>(word)];
            counter.setWord(row, engine::neighboursOf(space, row, wordColumns.list(word), 100));
            for (std::int64_t cell = 0; cell < 25; ++cell) {
                (void)counter.count(
                    std::span(outputs).subspan(
                        static_cast<std::size_t>((word * 25 + cell) * kDraws), kDraws),
                    sums);
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

// What it costs to know N_w and S_w at every epsilon instead of five, in processor seconds of one
// thread.
void steps(const engine::SearchSpace& space) {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = {6, 30, 60, 120, 240};
    options.grid.lambdas = {0.5};
    options.words.kind = calibration::WordSelection::Kind::all;
    options.threads = 1;
    const double grid =
        processorSeconds([&] { (void)calibration::calibrate(space, options).value(); });
    const double all = processorSeconds([&] {
        (void)calibration::measure(
            space, calibration::MeasurementOptions::of(options, options.grid.mechanisms().front()))
            .value();
    });
    fmt::print(
        "{} words x 100 draws: {:.2f} s at 5 epsilons, {:.2f} s for every step, {:.2f} together; "
        "peak {:.0f} MiB\n",
        space.embedding().wordCount(), grid, all, (grid + all) / grid, peakMebibytes());
}

void paths(const engine::SearchSpace& space) {
    const engine::EllipticalSeries series(space, {noiseOf(space, 0.5)});
    engine::PathOptions options;
    options.words = spreadWords(space, 12);
    engine::PathOptions first = options;
    first.draws = 20;
    fmt::print("first 20 draws: {:.0f} ms\n",
               1e3 * seconds([&] { (void)engine::computePaths(series, first); }));
    const double whole = seconds([&] { (void)engine::computePaths(series, options).value(); });
    const auto table = engine::computePaths(series, options).value();
    const auto neighbours = engine::nearestNeighbours(space, options.words, 100).value();
    const int moves = 1000;
    const double look = seconds([&] {
        for (int move = 0; move < moves; ++move) {
            const double epsilon = std::pow(10.0, 0.5 + 2.0 * move / moves);
            for (std::size_t word = 0; word < options.words.size(); ++word) {
                (void)statistics::outputDistribution(table, word, epsilon, neighbours[word]);
            }
        }
    });
    fmt::print("paths of 12 words, 100 draws: {:.0f} ms; moving epsilon: {:.3f} ms\n", 1e3 * whole,
               1e3 * look / moves);
}

// The grid of Xu et al. 2020 of `words` words, or of all with words = 0.
void grid(const engine::SearchSpace& space, int threads, std::int64_t words) {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = {6, 30, 60, 120, 240};
    options.grid.lambdas = {0, 0.25, 0.5, 0.75, 1};
    options.words.count = words;
    if (words == 0) {
        options.words.kind = calibration::WordSelection::Kind::all;
    }
    options.threads = threads;
    double took = 0.0;
    std::int64_t substitutions = 0;
    double decided = 0.0;
    const double processor = processorSeconds([&] {
        const auto summary = calibration::calibrate(space, options).value();
        took = summary.seconds;
        substitutions = summary.substitutions;
        decided = static_cast<double>(summary.recheckedInFloat64);
    });
    fmt::print(
        "{:.0f} substitutions per processor second; {} x 100 draws x 5 x 5 on {} threads: {:.2f} "
        "s, "
        "{:.2f} s of processor time, decided in float64: {:.2e}, peak memory {:.0f} MiB\n",
        static_cast<double>(substitutions) / processor,
        words == 0 ? std::string("all words") : fmt::format("{} words", words), threads, took,
        processor, decided / static_cast<double>(substitutions), peakMebibytes());
}

// How long a calibration takes to answer a stop request, asked at moments spread over its run.
void cancel(const engine::SearchSpace& space) {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.epsilons = {6, 30, 60, 120, 240};
    options.grid.lambdas = {0, 0.25, 0.5, 0.75, 1};
    options.words.kind = calibration::WordSelection::Kind::all;
    std::vector<double> answers;
    for (int i = 1; i <= 40; ++i) {
        std::stop_source source;
        std::thread run([&] {
            (void)calibration::calibrate(space, options, JobContext{source.get_token(), {}});
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(37 * i));
        answers.push_back(seconds([&] {
            source.request_stop();
            run.join();
        }));
    }
    std::sort(answers.begin(), answers.end());
    fmt::print("answer to a stop request: median {:.1f} ms, longest of {} {:.1f} ms\n",
               1e3 * answers[answers.size() / 2], answers.size(), 1e3 * answers.back());
}

void large() {
    RowMatrixF vectors = test::clusteredVectors(400'000, 300, 7);
    const double bytes = static_cast<double>(vectors.size()) * 4.0 / 1048576.0;
    auto handle = test::toyEmbedding(std::move(vectors));
    fmt::print("principal axes and duplicates: {:.1f} s\n", handle->prepareSeconds);
    engine::SearchSpaceHandle space;
    fmt::print("search order: {:.1f} s\n",
               seconds([&] { space = std::make_shared<engine::SearchSpace>(handle); }));
    paths(*space);
    grid(*space, 2, 500);
    fmt::print("peak memory {:.0f} MiB, the vectors are {:.0f} MiB\n", peakMebibytes(), bytes);
    cancel(*space);
}

}  // namespace

int main(int argumentCount, char** arguments) {
    // Before any thread begins.
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    if (std::getenv("WITHOUT_AVX512") != nullptr) {
        hwy::DisableTargets(HWY_AVX3 | HWY_AVX3_DL);
    }
    const std::string_view what = argumentCount > 1 ? arguments[1] : "";
    if (what == "large") {
        large();
    } else if (what == "exact" && argumentCount > 2) {
        exact(arguments[2], argumentCount > 3 ? std::atoll(arguments[3]) : 1'000'000);
    } else if (what == "paths" && argumentCount > 2) {
        paths(*open(arguments[2]));
    } else if (what == "shares" && argumentCount > 2) {
        shares(*open(arguments[2], argumentCount > 3 ? std::atoll(arguments[3]) : 0));
    } else if (what == "steps" && argumentCount > 2) {
        steps(*open(arguments[2], argumentCount > 3 ? std::atoll(arguments[3]) : 0));
    } else if (what == "cancel" && argumentCount > 2) {
        cancel(*open(arguments[2]));
    } else if (what == "grid" && argumentCount > 2) {
        grid(*open(arguments[2], argumentCount > 3 ? std::atoll(arguments[3]) : 0),
             argumentCount > 4 ? std::atoi(arguments[4]) : 1, 0);
    } else {
        fmt::print(
            stderr,
            "usage: engine-bench exact|paths|shares|steps|cancel|grid EMBEDDING, engine-bench "
            "large\n");
        return 2;
    }
    return 0;
}
