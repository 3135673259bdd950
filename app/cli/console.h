#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/job_context.h"

namespace epsilens::cli {

/// Messages and progress on standard error, one line each.
class Console {
public:
    /// Notes, warnings and progress are left out; alarms and errors are not.
    void setQuiet(bool quiet) { m_quiet = quiet; }
    /// Shows progress although standard error is no terminal.
    void forceProgress(bool force) { m_forceProgress = force; }

    void note(std::string_view message);
    void warning(std::string_view message);
    /// A warning of what is left unprotected, which nothing silences. Fails with ioFailed when it
    /// cannot be written: nobody has read it then.
    [[nodiscard]] Result<void> alarm(std::string_view message);
    void error(std::string_view message);

    /// Context of a job: its progress is shown, its stop token is the given one.
    [[nodiscard]] JobContext job(std::stop_token stop);
    /// Ends the progress display of a job.
    void finishProgress();

private:
    [[nodiscard]] Result<void> line(std::string_view prefix, std::string_view message);
    void showProgress(const Progress& progress);

    bool m_quiet = false;
    bool m_forceProgress = false;
    bool m_progressOnScreen = false;  ///< the cursor stands behind an unfinished line
    int m_lastPercent = -1;
    std::string m_lastStage{};
    std::chrono::steady_clock::time_point m_jobStart{};
};

}  // namespace epsilens::cli
