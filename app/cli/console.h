#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/base/job_context.h"

namespace epsilens::cli {

/// Messages and progress on standard error, one line each.
class Console {
public:
    /// Suppresses notes, warnings and progress, but not errors.
    void setQuiet(bool quiet) { m_quiet = quiet; }
    /// Shows progress even if standard error is not a terminal.
    void forceProgress(bool force) { m_forceProgress = force; }

    void note(std::string_view message);
    void warning(std::string_view message);
    void error(std::string_view message);

    /// Context of a job that shows its progress here and stops by the given token.
    [[nodiscard]] JobContext job(std::stop_token stop);
    /// Ends the progress display of a job.
    void finishProgress();

private:
    void line(std::string_view prefix, std::string_view message);
    void showProgress(const Progress& progress);

    bool m_quiet = false;
    bool m_forceProgress = false;
    bool m_progressOnScreen = false;  ///< the cursor is after an unfinished line
    int m_lastPercent = -1;
    std::string m_lastStage{};
    std::chrono::steady_clock::time_point m_jobStart{};
};

}  // namespace epsilens::cli
