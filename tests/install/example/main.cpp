// Calibrates two values of epsilon on the built-in sample, and releases a sentence.
#include <cstdio>
#include <memory>
#include <string>

#include "core/calibration/calibrate.h"
#include "core/embedding/load.h"
#include "core/engine/search_space.h"
#include "core/release/sanitizer.h"

namespace {

using epsilens::Result;
using epsilens::engine::SearchSpace;
using epsilens::engine::SearchSpaceHandle;

Result<SearchSpaceHandle> openSample() {
    epsilens::embedding::LoadOptions load;
    load.path = "sample";
    return epsilens::embedding::openAndPrepare(load).map(
        [](const epsilens::embedding::EmbeddingHandle& embedding) -> SearchSpaceHandle {
            return std::make_shared<const SearchSpace>(embedding);
        });
}

Result<void> calibrate(const SearchSpace& space) {
    epsilens::calibration::CalibrationOptions options;
    options.grid.epsilons = {1.0, 1000.0};
    options.words.count = 20;
    options.draws = 10;
    return epsilens::calibration::calibrate(space, options).map([](const auto& summary) {
        for (const auto& cell : summary.cells) {
            std::printf("epsilon %g: %g of %d draws keep a word\n", cell.epsilon, cell.nw.mean,
                        summary.draws);
        }
    });
}

Result<std::string> release(const SearchSpaceHandle& space, const std::string& text) {
    const epsilens::mechanism::Setting setting{epsilens::mechanism::Laplace{}, 1000.0};
    auto replacer = epsilens::release::createReplacer(space, setting, 1);
    if (!replacer) {
        return tl::unexpected(replacer.error());
    }
    auto sanitizer = epsilens::release::Sanitizer::create(space, **replacer, {});
    return sanitizer ? sanitizer->sanitize(text, 1, {}) : tl::unexpected(sanitizer.error());
}

}  // namespace

int main() {
    const auto released = openSample().and_then([](const SearchSpaceHandle& space) {
        return calibrate(*space).and_then([&] { return release(space, "The early train.\n"); });
    });
    std::fputs((released ? *released : released.error().message).c_str(), stdout);
    return released ? 0 : 1;
}
