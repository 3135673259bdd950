#include "core/embedding/open_embedding.h"
#include "core/engine/elliptical_series.h"
#include "core/engine/epsilon_range.h"
#include "ui/setup/embedding_loader.h"

namespace epsilens::ui {

namespace {
constexpr int kAllThreads = 0;
}

LoadFunctions coreLoadFunctions() {
    LoadFunctions functions;
    functions.open = embedding::openAndPrepare;
    functions.arrange = [](const embedding::EmbeddingHandle& embedding) {
        return std::make_shared<const engine::SearchSpace>(embedding);
    };
    functions.epsilonRange = [](const engine::SearchSpace& space,
                                const mechanism::EllipticalNoise& noise, std::uint64_t seed,
                                const JobContext& job) {
        return engine::estimateEpsilonRange(engine::EllipticalSeries(space, {noise}), seed,
                                            kAllThreads, job);
    };
    return functions;
}

}  // namespace epsilens::ui
