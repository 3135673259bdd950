#include "core/calibration/epsilon_defaults.h"
#include "core/embedding/load.h"
#include "ui/setup/embedding_loader.h"

namespace epsilens::ui {

LoadFunctions coreLoadFunctions() {
    LoadFunctions functions;
    functions.open = embedding::openAndPrepare;
    functions.arrange = [](const embedding::EmbeddingHandle& embedding) {
        return std::make_shared<const engine::SearchSpace>(embedding);
    };
    functions.epsilonRange = calibration::estimateRange;
    return functions;
}

}  // namespace epsilens::ui
