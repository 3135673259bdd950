#include "ui/state/run_options.h"

#include "core/calibration/recommend.h"

namespace epsilens::ui {

calibration::CalibrationOptions optionsUnder(const std::vector<calibration::Limit>& limits,
                                             calibration::CalibrationOptions options) {
    options.rerunWorst = !options.grid.mechanism.isExact() && calibration::holdMaximum(limits);
    return options;
}

}  // namespace epsilens::ui
