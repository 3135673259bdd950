#pragma once

#include <string>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/engine/search_space.h"
#include "core/io/text_decoder.h"
#include "core/mechanism/mechanism.h"
#include "core/release/policies.h"
#include "core/release/table_text.h"
#include "core/release/text_survey.h"
#include "core/report/release_report.h"

namespace epsilens::ui {

/// Everything that releasing a file takes; copied into the job.
struct ReleaseRequest {
    engine::SearchSpaceHandle space{};
    mechanism::Setting setting{};
    std::string inputPath{};
    io::TextDecoding decoding{};
    release::TableOptions table{};  ///< no columns: all of the file is text
    std::string outputPath{};
    release::ReleasePolicies policies{};
    std::string stopWordsPath{};  ///< empty: none
    std::string sidecarPath{};    ///< empty: none
    std::string agreed{};         ///< to what, as ReleaseReport
};

/// Reads all of a file as its release will, and writes nothing. Only for a regular file.
/// Fails as releaseFile does.
[[nodiscard]] Result<release::TextSurvey> surveyRelease(const ReleaseRequest& request,
                                                        const JobContext& job);

/// Releases a file as `epsilens-cli sanitize` does. A stopped job leaves no file: what is not whole
/// was not asked for. Fails as the parts of core/release do, and with cancelled.
[[nodiscard]] Result<report::ReleaseReport> releaseFile(const ReleaseRequest& request,
                                                        const JobContext& job);

}  // namespace epsilens::ui
