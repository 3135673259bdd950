#include "ui/setup/embedding_loader.h"

namespace epsilens::ui {

LoadFunctions coreLoadFunctions() {
    LoadFunctions functions;
    functions.open = embedding::openAndPrepare;
    return functions;
}

}  // namespace epsilens::ui
