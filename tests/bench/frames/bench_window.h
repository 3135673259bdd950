#pragma once

#include <memory>
#include <vector>

#include "ui/shell/window_factory.h"
#include "ui/widgets/value_slider.h"

namespace epsilens::bench {

/// The window at 1,200 x 800 pixels with an embedding open and all jobs done; null, with a message
/// on standard error, when it does not come to that.
///
/// file  to open; null generates 400,000 vectors of 300 dimensions
[[nodiscard]] std::unique_ptr<ui::MainWindow> openWindow(const char* file);

/// Milliseconds of frames while the slider goes to and fro around where it stands, by a factor of
/// up to `reach`.
[[nodiscard]] std::vector<double> sliderTimes(ui::ValueSlider& slider, int moves, double reach);

}  // namespace epsilens::bench
