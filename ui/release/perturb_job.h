#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"
#include "core/release/policies.h"
#include "core/release/word_replacer.h"
#include "core/report/release_report.h"

namespace epsilens::ui {

class AnalysisState;

/// Everything that releasing a file takes; copied into the job.
struct PerturbRequest {
    engine::SearchSpaceHandle space{};
    release::ReleaseMechanism mechanism{};
    std::string inputPath{};
    std::string outputPath{};
    release::ReleasePolicies policies{};
    std::string stopWordsPath{};  ///< empty: none
    std::string sidecarPath{};    ///< empty: none
};

/// Releases a file as `epsilens-cli sanitize` does. A stopped job leaves no file: what is not whole
/// was not asked for. Fails as the parts of core/release do, and with cancelled.
[[nodiscard]] Result<report::ReleaseReport> perturbFile(const PerturbRequest& request,
                                                        const JobContext& job);

/// The mechanism at the one setting that the window stands at.
[[nodiscard]] release::ReleaseMechanism releaseMechanism(const AnalysisState& state);

}  // namespace epsilens::ui
