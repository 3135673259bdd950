// The table of Feyisetan, Diethe and Drake 2019 (Fig. 5, Table IV) on other Poincaré vectors: how
// often words are kept (N_w of R = 1000) and how many words they turn into (S_w) under hyperbolic
// noise, and under Euclidean noise of the same vectors at the same worst-case N_w; and K_w, the
// least number of words that share an output of a word.
//
// usage: hyperbolic-report EMBEDDING [DRAWS]

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/calibration/block_run.h"
#include "core/calibration/calibrate.h"
#include "core/embedding/load.h"
#include "core/engine/elliptical_series.h"
#include "core/engine/hyperbolic_series.h"
#include "core/report/report_text.h"

using namespace epsilens;

namespace {

const std::vector<double> kPublishedEpsilons{0.125, 0.5, 1.0, 2.0, 8.0};
constexpr std::int64_t kMostKwWords = 2000;

/// Results of all words at some epsilons.
struct Figures {
    std::vector<std::vector<statistics::WordStatistics>> perEpsilon{};
    std::vector<std::vector<double>> critical{};  ///< per word, rising, when asked for
    double seconds = 0.0;
    std::int64_t rechecked = 0;
};

Figures run(const engine::NoiseSeries& series, std::vector<double> epsilons, int draws,
            bool withCritical) {
    calibration::CalibrationOptions options;
    options.grid.epsilons = std::move(epsilons);
    options.draws = draws;
    options.criticalEpsilons = withCritical;
    const std::int64_t words = series.space().embedding().wordCount();
    std::vector<engine::Row> rows(static_cast<std::size_t>(words));
    std::iota(rows.begin(), rows.end(), 0);
    const auto size = static_cast<std::size_t>(calibration::blockSize(words));
    Figures figures;
    figures.perEpsilon.resize(options.grid.epsilons.size());
    const JobContext job;
    const auto batch = series.batch(options.grid.epsilons, 0, job);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t first = 0; first < rows.size(); first += size) {
        const auto block = std::span(rows).subspan(first, std::min(size, rows.size() - first));
        auto results = calibration::runBlock({series, options, *batch},
                                             static_cast<std::uint32_t>(first / size), block, job,
                                             [](double) {});
        figures.rechecked += results.front().rechecked;
        for (std::size_t e = 0; e < options.grid.epsilons.size(); ++e) {
            const auto& statistics = results.front().statistics[e];
            figures.perEpsilon[e].insert(figures.perEpsilon[e].end(), statistics.begin(),
                                         statistics.end());
        }
        const std::vector<double>& critical = results.front().critical;
        for (std::size_t word = 0; withCritical && word < block.size(); ++word) {
            const auto from = critical.begin() + static_cast<std::ptrdiff_t>(word) * draws;
            figures.critical.emplace_back(from, from + draws);
            std::sort(figures.critical.back().begin(), figures.critical.back().end());
        }
    }
    figures.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return figures;
}

/// Mean and extremes of a count over words; the worst N_w is the largest, the worst S_w the least.
struct Spread {
    double mean = 0.0;
    int least = 0;
    int largest = 0;
};

Spread spreadOf(const std::vector<statistics::WordStatistics>& words,
                int statistics::WordStatistics::*count) {
    Spread spread{0.0, words.front().*count, words.front().*count};
    for (const auto& word : words) {
        spread.mean += word.*count;
        spread.least = std::min(spread.least, word.*count);
        spread.largest = std::max(spread.largest, word.*count);
    }
    spread.mean /= static_cast<double>(words.size());
    return spread;
}

/// Just above the smallest epsilon at which some word is kept `count` times, where the worst N_w is
/// count; close to 0 where it is larger at every epsilon.
double epsilonOfWorst(const Figures& figures, int count) {
    double epsilon = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& critical : figures.critical) {
        epsilon = std::min(epsilon, critical[static_cast<std::size_t>(count) - 1]);
    }
    return std::max(epsilon * (1.0 + 1e-9), 1e-6);
}

report::Table emptyTable() {
    return {{},
            {"ε", "N_w worst", "N_w mean", "S_w worst", "S_w mean", "bound of d_H",
             "Laplace ε, same worst N_w", "N_w mean", "S_w worst", "S_w mean"},
            {}};
}

void addRow(report::Table& table, double epsilon, const mechanism::Guarantee& guarantee,
            const std::vector<statistics::WordStatistics>& hyperbolic,
            const std::vector<statistics::WordStatistics>& laplace, double laplaceEpsilon) {
    const Spread nw = spreadOf(hyperbolic, &statistics::WordStatistics::kept);
    const Spread sw = spreadOf(hyperbolic, &statistics::WordStatistics::distinct);
    const Spread laplaceNw = spreadOf(laplace, &statistics::WordStatistics::kept);
    const Spread laplaceSw = spreadOf(laplace, &statistics::WordStatistics::distinct);
    table.rows.push_back({fmt::format("{:g}", epsilon), fmt::format("{}", nw.largest),
                          fmt::format("{:.2f}", nw.mean), fmt::format("{}", sw.least),
                          fmt::format("{:.1f}", sw.mean), fmt::format("{:g}", guarantee.bound),
                          fmt::format("{:.4g} ({})", laplaceEpsilon, laplaceNw.largest),
                          fmt::format("{:.2f}", laplaceNw.mean), fmt::format("{}", laplaceSw.least),
                          fmt::format("{:.1f}", laplaceSw.mean)});
}

std::string meanAndLeast(const std::optional<statistics::Summary>& over) {
    return over ? fmt::format("{:.1f} ({:g})", over->mean, over->min) : "–";
}

/// K_w, which compares words and so needs draws of its own for each: at most 2,000 words.
void printKw(const engine::SearchSpace& space, mechanism::RadialLaw law, int draws) {
    calibration::CalibrationOptions options;
    options.grid.mechanism = mechanism::Hyperbolic{law};
    options.grid.epsilons = kPublishedEpsilons;
    for (double& epsilon : options.grid.epsilons) {
        epsilon += numeric::epsilonBound(law, space.vectors().cols());
    }
    options.words.count = std::min<std::int64_t>(space.embedding().wordCount(), kMostKwWords);
    options.draws = draws;
    options.independentDraws = true;
    const auto summary = calibration::calibrate(space, options).value();
    report::Table table{{}, {"ε", "K_w mean (least)"}, {}};
    for (const calibration::Cell& cell : summary.cells) {
        table.rows.push_back({fmt::format("{:g}", cell.epsilon), meanAndLeast(cell.kw)});
    }
    fmt::print("K_w of {} words, independent draws: {:.1f} s\n{}\n", summary.words, summary.seconds,
               tableText(table));
}

void printTable(const engine::SearchSpace& space, mechanism::RadialLaw law,
                const engine::NoiseSeries& laplace, const Figures& laplaceFigures, int draws) {
    const auto series = engine::HyperbolicSeries::create(space, law).value();
    std::vector<double> epsilons = kPublishedEpsilons;
    for (double& epsilon : epsilons) {
        epsilon += numeric::epsilonBound(law, space.vectors().cols());
    }
    const Figures figures = run(*series, epsilons, draws, false);
    std::vector<double> matching;
    for (const auto& words : figures.perEpsilon) {
        matching.push_back(epsilonOfWorst(
            laplaceFigures,
            std::max(1, spreadOf(words, &statistics::WordStatistics::kept).largest)));
    }
    const Figures matched = run(laplace, matching, draws, false);
    report::Table table = emptyTable();
    for (std::size_t e = 0; e < epsilons.size(); ++e) {
        addRow(table, epsilons[e], series->guarantee(0, epsilons[e]), figures.perEpsilon[e],
               matched.perEpsilon[e], matching[e]);
    }
    const double decisions = static_cast<double>(figures.perEpsilon.front().size()) * draws *
                             static_cast<double>(epsilons.size());
    fmt::print("{} noise: {:.1f} s, {:.1e} of the decisions by the textbook formula\n",
               mechanism::radialLawName(law), figures.seconds,
               static_cast<double>(figures.rechecked) / decisions);
    const Figures critical = run(*series, {epsilons.back()}, draws, true);
    fmt::print("critical ε of every draw, with the last line of the table: {:.1f} s\n",
               critical.seconds);
    fmt::print("{}\n", tableText(table));
    printKw(space, law, draws);
}

}  // namespace

int main(int argumentCount, char** arguments) {
    if (argumentCount < 2) {
        fmt::print(stderr, "usage: hyperbolic-report EMBEDDING [DRAWS]\n");
        return 2;
    }
    const int draws = argumentCount > 2 ? std::atoi(arguments[2]) : 1000;
    embedding::LoadOptions options;
    options.path = arguments[1];
    const auto handle = embedding::openAndPrepare(options);
    if (!handle) {
        fmt::print(stderr, "{}\n", handle.error().message);
        return 1;
    }
    const engine::SearchSpace space(*handle);
    fmt::print("{}: {} words, {} dimensions, largest norm {:.6f}; R = {}\n\n",
               (*handle)->embedding.name, (*handle)->wordCount(), (*handle)->dimensions(),
               std::sqrt((*handle)->squaredNorms.maxCoeff()), draws);
    const double lambda = 0.0;
    const auto laplace = engine::EllipticalSeries::create(space, {&lambda, 1}).value();
    const Figures laplaceFigures = run(*laplace, {1.0}, draws, true);
    using mechanism::RadialLaw;
    printTable(space, RadialLaw::eq7, *laplace, laplaceFigures, draws);
    printTable(space, RadialLaw::riemannian, *laplace, laplaceFigures, draws);
    return 0;
}
