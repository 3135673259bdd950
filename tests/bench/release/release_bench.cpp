// How fast text is released, beside what the matrix product itself allows on the same machine at
// the same time.
//
// usage: release-bench EMBEDDING TEXT [ROWS [THREADS [NAME]]]
//
// NAME  only settings that hold it, such as mahalanobis
//
// Noise mechanisms need one product of the vector of every word occurrence with all vectors: its
// rate, without noise and without looking for the least score, is the yardstick. Product and
// mechanism take turns, and the medians of the turns are compared. Text goes in and comes out:
// finding words, noise, search and rendering all count. Run as `chrt -r 10 release-bench …` when
// other programs compete for the processors.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/parallel.h"
#include "core/embedding/load.h"
#include "core/engine/point_search.h"
#include "core/numeric/matrix_product.h"
#include "core/release/sanitizer.h"

using namespace epsilens;
using release::Sanitizer;

namespace {

constexpr std::int64_t kRows = 28596;
constexpr std::size_t kBatchBytes = std::size_t{64} << 10;
constexpr int kTurns = 5;

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Products of blocks of points with all vectors, as the search forms them: points per second.
double productRate(const engine::SearchSpace& space, std::int64_t points, int threads) {
    const RowMatrixF& vectors = space.vectors();
    const std::int64_t blocks = (points + engine::kPointBlock - 1) / engine::kPointBlock;
    const double taken = seconds([&] {
        parallelFor(blocks, threads, [&](std::int64_t) {
            const RowMatrixF block =
                RowMatrixF::Constant(engine::kPointBlock, vectors.cols(), 0.01F);
            engine::AlignedMatrix products(engine::kPointBlock, engine::kPointSlab);
            for (std::int64_t first = 0; first < vectors.rows(); first += engine::kPointSlab) {
                numeric::multiplyTransposed(block.data(), block.rows(), vectors.row(first).data(),
                                            std::min(engine::kPointSlab, vectors.rows() - first),
                                            vectors.cols(), 1.0F, products.row(0),
                                            products.stride());
            }
        });
    });
    return static_cast<double>(blocks * engine::kPointBlock) / taken;
}

/// Whole lines of about the size of a batch, round and round through the text.
class Batches {
public:
    explicit Batches(std::string text) : m_text(std::move(text)) {}

    std::string_view next() {
        if (m_at >= m_text.size()) {
            m_at = 0;
        }
        const std::size_t end = m_text.find('\n', std::min(m_at + kBatchBytes, m_text.size() - 1));
        const std::size_t size = end == std::string::npos ? m_text.size() - m_at : end + 1 - m_at;
        m_at += size;
        return std::string_view(m_text).substr(m_at - size, size);
    }

private:
    std::string m_text;
    std::size_t m_at = 0;
};

struct Setting {
    std::string name;
    mechanism::Setting mechanism;
};

/// Words that the mechanism replaced per second, over one turn.
double releaseRate(Sanitizer& sanitizer, Batches& batches, std::int64_t words, int threads) {
    const std::int64_t before = sanitizer.counts().replaced;
    const double taken = seconds([&] {
        while (sanitizer.counts().replaced - before < words) {
            if (!sanitizer.sanitize(batches.next(), threads, {})) {
                std::abort();
            }
        }
    });
    return static_cast<double>(sanitizer.counts().replaced - before) / taken;
}

void measureNoise(const engine::SearchSpaceHandle& space, const Setting& setting,
                  const std::string& text, int threads) {
    const auto replacer = release::createReplacer(space, setting.mechanism, threads).value();
    Sanitizer sanitizer = Sanitizer::create(space, *replacer, {}).value();
    Batches batches(text);
    std::vector<double> products;
    std::vector<double> releases;
    for (int turn = 0; turn < kTurns; ++turn) {
        products.push_back(productRate(*space, 8'000, threads));
        releases.push_back(releaseRate(sanitizer, batches, 8'000, threads));
    }
    fmt::print("{:<28} {:>9.0f} words/s, product alone {:>9.0f}/s: {:.0f}%\n", setting.name,
               median(releases), median(products), 100.0 * median(releases) / median(products));
}

void measureSelection(const engine::SearchSpaceHandle& space, const Setting& setting,
                      const std::string& text, int threads) {
    const auto replacer = release::createReplacer(space, setting.mechanism, threads).value();
    Sanitizer sanitizer = Sanitizer::create(space, *replacer, {}).value();
    Batches batches(text);
    const double first = releaseRate(sanitizer, batches, 60'000, threads);
    std::vector<double> releases(kTurns);
    for (double& release : releases) {
        release = releaseRate(sanitizer, batches, 200'000, threads);
    }
    fmt::print("{:<28} {:>9.0f} words/s, first {:.0f}/s while tables are made\n", setting.name,
               median(releases), first);
}

}  // namespace

int main(int argumentCount, char** arguments) {
    if (argumentCount < 3) {
        fmt::print(stderr, "usage: release-bench EMBEDDING TEXT [ROWS [THREADS [NAME]]]\n");
        return 2;
    }
    embedding::LoadOptions options;
    options.path = arguments[1];
    options.limitRows = argumentCount > 3 ? std::atoll(arguments[3]) : kRows;
    const int threads = argumentCount > 4 ? std::atoi(arguments[4]) : 0;
    const auto opened = embedding::openAndPrepare(options);
    std::ifstream file(arguments[2], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!opened || text.empty()) {
        fmt::print(stderr, "{}\n", opened ? "the text is empty" : opened.error().message);
        return 1;
    }
    const auto space = std::make_shared<const engine::SearchSpace>(*opened);
    std::vector<Setting> noise;
    for (const double epsilon : {2.0, 10.0, 40.0, 160.0}) {
        noise.push_back(
            {fmt::format("laplace, epsilon {}", epsilon), {mechanism::Laplace{}, epsilon}});
    }
    noise.push_back({"mahalanobis 0.5, epsilon 40", {mechanism::Mahalanobis{0.5}, 40.0}});
    std::vector<Setting> selection;
    for (const double epsilon : {5.0, 20.0, 80.0}) {
        selection.push_back({fmt::format("tem, epsilon {}", epsilon), {mechanism::Tem{}, epsilon}});
    }
    const std::string_view wanted = argumentCount > 5 ? arguments[5] : "";
    for (const Setting& setting : noise) {
        if (setting.name.find(wanted) != std::string::npos) {
            measureNoise(space, setting, text, threads);
        }
    }
    for (const Setting& setting : selection) {
        if (setting.name.find(wanted) != std::string::npos) {
            measureSelection(space, setting, text, threads);
        }
    }
    return 0;
}
