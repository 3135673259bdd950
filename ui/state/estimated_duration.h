#pragma once

#include <QString>

namespace epsilens::ui {

/// "under 1 s", "about 3 s", "about 2 min 10 s": estimates are no better than whole seconds.
[[nodiscard]] QString estimatedDuration(double seconds);

}  // namespace epsilens::ui
