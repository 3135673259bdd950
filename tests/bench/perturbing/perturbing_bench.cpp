// How fast an evaluation perturbs texts, beside how fast the same texts are released.
//
// usage: perturbing-bench EMBEDDING DATA EPSILON EPSILON...
//
// Five repeats of a classification at lambda = 0, 0.25, 0.5, 0.75, 1 and the epsilons: known words
// of the training texts x settings x repeats per second of processor time, one thread. The rival is
// the release path on the same texts, with Laplace noise and with lambda = 0.5 at every epsilon.
// Both take turns in one process, so that they have the same kernels and neighbours, and the
// medians of the turns are compared.

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/embedding/load.h"
#include "core/evaluation/evaluation_parts.h"
#include "core/release/sanitizer.h"

using namespace epsilens;

namespace {

constexpr int kTurns = 3;
constexpr std::int64_t kReleasedWords = 2'000;

double processorSeconds(const std::function<void()>& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

std::int64_t replacedWords(const evaluation::EvaluationParts& parts) {
    std::int64_t count = 0;
    for (const corpus::DocumentSplit& split : parts.splits) {
        for (const std::int64_t document : split.training) {
            for (std::size_t i = parts.words.begin(document); i < parts.words.end(document); ++i) {
                count += parts.words.isReplaced(i) ? 1 : 0;
            }
        }
    }
    return count;
}

/// Words, settings and repeats per second: perturbs what a classification perturbs.
double perturbingRate(const evaluation::EvaluationParts& parts) {
    const evaluation::EvaluationOptions& options = parts.options;
    const double taken = processorSeconds([&] {
        const auto perturber =
            corpus::Perturber::create(parts.space, parts.words, options.policies, options.grid,
                                      options.seed, options.threads)
                .value();
        for (int repeat = 0; repeat < options.repeats;) {
            const int end = repeat + parts.groupOf(repeat).size;
            std::vector<corpus::DrawPool> pools;
            for (; repeat < end; ++repeat) {
                pools.push_back({evaluation::poolNumber(repeat, evaluation::Role::training),
                                 parts.splits[static_cast<std::size_t>(repeat)].training});
            }
            if (!perturber->perturb(pools, options.grid.epsilons)) {
                std::abort();
            }
        }
    });
    return static_cast<double>(replacedWords(parts) * static_cast<std::int64_t>(parts.cells())) /
           taken;
}

/// Known words per second of the release path.
double releaseRate(const engine::SearchSpaceHandle& space, const mechanism::Setting& setting,
                   std::string_view text) {
    const auto replacer = release::createReplacer(space, setting, 1).value();
    auto sanitizer = release::Sanitizer::create(space, *replacer, {}).value();
    const double taken = processorSeconds([&] {
        if (!sanitizer.sanitize(text, 1, {})) {
            std::abort();
        }
    });
    return static_cast<double>(sanitizer.counts().replaced) / taken;
}

/// Whole texts from the first on, with about so many words that are replaced.
std::string someTexts(const evaluation::EvaluationParts& parts) {
    std::string text;
    std::int64_t words = 0;
    for (std::size_t i = 0; i < parts.data.documents.size() && words < kReleasedWords; ++i) {
        const auto document = static_cast<std::int64_t>(i);
        words += static_cast<std::int64_t>(parts.words.end(document) - parts.words.begin(document));
        text += parts.data.documents[i].text + "\n";
    }
    return text;
}

evaluation::EvaluationOptions optionsFor(std::vector<double> epsilons) {
    evaluation::EvaluationOptions options;
    options.grid.mechanism = mechanism::Mahalanobis{};
    options.grid.lambdas = {0.0, 0.25, 0.5, 0.75, 1.0};
    options.grid.epsilons = std::move(epsilons);
    options.threads = 1;
    return options;
}

void compare(const engine::SearchSpaceHandle& space, const corpus::DataSet& data,
             const evaluation::EvaluationOptions& options) {
    const auto evaluation = evaluation::Evaluation::create(*space, data, options).value();
    const evaluation::EvaluationParts& parts = evaluation.parts();
    const std::string text = someTexts(parts);
    std::vector<mechanism::Setting> settings;
    for (const double epsilon : options.grid.epsilons) {
        settings.push_back({mechanism::Laplace{}, epsilon});
        settings.push_back({mechanism::Mahalanobis{0.5}, epsilon});
    }
    std::vector<double> perturbing;
    std::vector<std::vector<double>> releases(settings.size());
    for (int turn = 0; turn < kTurns; ++turn) {
        perturbing.push_back(perturbingRate(parts));
        for (std::size_t i = 0; i < settings.size(); ++i) {
            releases[i].push_back(releaseRate(space, settings[i], text));
        }
    }
    fmt::print("{}: {} words, {} settings, {} repeats: perturbing {:.0f} a second\n", data.file,
               replacedWords(parts) / options.repeats, parts.cells(), options.repeats,
               median(perturbing));
    for (std::size_t i = 0; i < settings.size(); ++i) {
        fmt::print("  release, {} at epsilon {}: {:.0f} a second, ratio {:.0f}\n",
                   settings[i].mechanism.name(), settings[i].epsilon, median(releases[i]),
                   median(perturbing) / median(releases[i]));
    }
}

}  // namespace

int main(int argumentCount, char** arguments) {
    if (argumentCount < 4) {
        fmt::print(stderr, "usage: perturbing-bench EMBEDDING DATA EPSILON EPSILON...\n");
        return 2;
    }
    std::vector<double> epsilons;
    for (int i = 3; i < argumentCount; ++i) {
        epsilons.push_back(std::strtod(arguments[i], nullptr));
    }
    embedding::LoadOptions options;
    options.path = arguments[1];
    corpus::DataSetOptions source;
    source.path = arguments[2];
    const auto opened = embedding::openAndPrepare(options);
    const auto data = corpus::readDataSet(source);
    if (!opened || !data) {
        fmt::print(stderr, "{}\n", opened ? data.error().message : opened.error().message);
        return 1;
    }
    compare(std::make_shared<const engine::SearchSpace>(*opened), *data,
            optionsFor(std::move(epsilons)));
    return 0;
}
