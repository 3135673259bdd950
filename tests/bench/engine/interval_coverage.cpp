// How often the 95% interval of the mean holds the true mean, over many seeds.
//
// usage: interval-coverage [SEEDS]
//
// Words lie on a line, where output probabilities are known in closed form, so the true means of
// N_w and S_w over the vocabulary are exact. Words of a block share draws, which correlates them
// more strongly in one dimension than in any other.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "core/base/random_stream.h"
#include "core/calibration/block_run.h"
#include "core/calibration/calibrate.h"
#include "tests/support/toy_embedding.h"

using namespace epsilens;

namespace {

constexpr Eigen::Index kWords = 4000;
constexpr int kDraws = 100;

std::vector<double> sortedPlaces() {
    SeededStream stream(StreamKey{1, StreamPurpose{2000}, 0, 0});
    std::vector<double> places;
    for (Eigen::Index i = 0; i < kWords; ++i) {
        places.push_back(static_cast<double>(static_cast<float>(stream.normal())));
    }
    std::sort(places.begin(), places.end());
    return places;
}

double laplaceProbability(double low, double high, double epsilon) {
    if (high <= 0.0) {
        return laplaceProbability(-high, -low, epsilon);
    }
    if (low >= 0.0) {
        return 0.5 * std::exp(-epsilon * low) * -std::expm1(-epsilon * (high - low));
    }
    return 1.0 - 0.5 * std::exp(epsilon * low) - 0.5 * std::exp(-epsilon * high);
}

struct Means {
    double nw = 0.0;
    double sw = 0.0;
};

Means trueMeans(const std::vector<double>& places, double epsilon) {
    const double infinity = std::numeric_limits<double>::infinity();
    Means means;
    for (std::size_t w = 0; w < places.size(); ++w) {
        for (std::size_t u = 0; u < places.size(); ++u) {
            const double low = u == 0 ? -infinity : 0.5 * (places[u - 1] + places[u]);
            const double high =
                u + 1 == places.size() ? infinity : 0.5 * (places[u] + places[u + 1]);
            const double p = laplaceProbability(low - places[w], high - places[w], epsilon);
            means.sw += -std::expm1(kDraws * std::log1p(-p));
            means.nw += u == w ? kDraws * p : 0.0;
        }
    }
    means.nw /= static_cast<double>(places.size());
    means.sw /= static_cast<double>(places.size());
    return means;
}

bool holds(const statistics::Summary& summary, double value) {
    return (*summary.ci95)[0] <= value && value <= (*summary.ci95)[1];
}

}  // namespace

int main(int argumentCount, char** arguments) {
    const int seeds = argumentCount > 1 ? std::atoi(arguments[1]) : 1000;
    const std::vector<double> places = sortedPlaces();
    RowMatrixF vectors(kWords, 1);
    for (Eigen::Index i = 0; i < kWords; ++i) {
        vectors(i, 0) = static_cast<float>(places[static_cast<std::size_t>(i)]);
    }
    const engine::SearchSpace space(test::toyEmbedding(vectors));
    calibration::CalibrationOptions options;
    options.grid.epsilons = {300.0};
    options.draws = kDraws;
    const Means truth = trueMeans(places, options.grid.epsilons.front());
    fmt::print("{} words on a line, epsilon {}, R {}: true mean N_w {:.3f}, S_w {:.3f}\n", kWords,
               options.grid.epsilons.front(), kDraws, truth.nw, truth.sw);
    for (const std::int64_t words : {64, 500, 1280}) {
        options.words.count = words;
        int nw = 0;
        int sw = 0;
        for (int seed = 1; seed <= seeds; ++seed) {
            options.seed = static_cast<std::uint64_t>(seed);
            const auto summary = calibration::calibrate(space, options).value();
            nw += holds(summary.cells.front().nw, truth.nw) ? 1 : 0;
            sw += holds(summary.cells.front().sw, truth.sw) ? 1 : 0;
        }
        const std::int64_t size = calibration::blockSize(words);
        fmt::print("{:5} words, {:2} blocks, {} seeds: coverage N_w {:.1f}%, S_w {:.1f}%\n", words,
                   (words + size - 1) / size, seeds, 100.0 * nw / seeds, 100.0 * sw / seeds);
    }
    return 0;
}
