#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/job_context.h"
#include "core/calibration/run.h"
#include "core/document/report_document.h"
#include "core/engine/search_space.h"
#include "core/mechanism/mechanism.h"

namespace epsilens::ui {

/// What a report about a setting is made of, for another thread.
struct ReportSubject {
    document::ReportSettings settings{};
    calibration::RunHandle run{};
    mechanism::Setting setting{};
    engine::SearchSpaceHandle space{};
    std::vector<std::shared_ptr<const document::StoredEvaluation>> evaluations{};
    std::optional<calibration::NamedPair> pair{};  ///< to show beside the well-known ones
    bool hidesPair = false;                        ///< as in document::Report
};

/// The report about the setting, which is measured first where the run lacks it. Fails as
/// calibration::runWith.
///
/// run  becomes the one that has the setting
[[nodiscard]] Result<document::Report> reportOf(const ReportSubject& subject,
                                                calibration::RunHandle& run, const JobContext& job);

}  // namespace epsilens::ui
