#pragma once

#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/calibration/calibrate.h"

namespace epsilens::calibration {

/// Epsilons between which a search looks; steps are even in ln(epsilon - origin).
struct EpsilonInterval {
    double origin = 0.0;  ///< epsilon exceeds it: m - 1 for riemannian noise, else 0
    double low = 0.0;     ///< > origin
    double high = 0.0;    ///< > low
    /// Whether statistics may still change outside, so that a search may look there.
    bool canGrow = false;
};

/// What a cell must hold.
struct CellNeeds {
    bool outputs = true;  ///< more than N_w and the kept share
    bool kw = false;      ///< K_w, of independent draws
};

/// A setting (lambda, gamma or beta) as its limits see it: cells at any epsilon, all under the same
/// draws.
class SettingStatistics {
public:
    SettingStatistics() = default;
    SettingStatistics(const SettingStatistics&) = delete;
    SettingStatistics& operator=(const SettingStatistics&) = delete;
    virtual ~SettingStatistics() = default;

    [[nodiscard]] virtual EpsilonInterval interval() const = 0;
    /// Whether N_w of every word rises with epsilon.
    [[nodiscard]] virtual bool keptRises() const = 0;
    /// Whether the far share falls with epsilon.
    [[nodiscard]] virtual bool farFalls() const = 0;
    /// How close a search comes to where a limit begins to fail, relative to epsilon - origin.
    [[nodiscard]] virtual double tolerance() const = 0;
    /// How many epsilons are best asked for together.
    [[nodiscard]] virtual int epsilonsAtOnce() const = 0;
    /// One cell per epsilon with the values that limits look at, as far as they are needed.
    [[nodiscard]] virtual Result<std::vector<Cell>> cells(std::span<const double> epsilons,
                                                          CellNeeds needs,
                                                          const JobContext& job) = 0;
};

}  // namespace epsilens::calibration
