#include "ui/report/report_subject.h"

#include <span>
#include <utility>
#include <vector>

#include "core/base/pass_on.h"
#include "core/calibration/run_curves.h"
#include "core/calibration/run_with.h"
#include "core/report/memo_figures.h"

namespace epsilens::ui {

bool isMeasured(const ReportSubject& subject) {
    return calibration::cellOf(subject.run->summary->grid, subject.setting).has_value();
}

Result<document::Report> reportOf(const ReportSubject& subject, calibration::RunHandle& run,
                                  const JobContext& job) {
    ASSIGN_OR_RETURN(run, calibration::runWith(subject.run, subject.setting, *subject.space, job));
    document::Report report{subject.settings, *run};
    report.hidesPair = subject.hidesPair;
    if (subject.pair) {
        ASSIGN_OR_RETURN(report.run.pairs,
                         calibration::pairDistances(*subject.space, run->summary->grid,
                                                    calibration::pairsWith(*run, *subject.pair)));
    }
    if (const auto cell = calibration::cellOf(run->summary->grid, subject.setting)) {
        report.settings.choice = calibration::choiceOf(run->summary->cells[*cell]);
        ASSIGN_OR_RETURN(
            report.examples,
            document::examplesOfChoice(report, report.settings.sentences, *subject.space, job));
        ASSIGN_OR_RETURN(const auto findings, document::findingsOf(report));
        ASSIGN_OR_RETURN(report.alongAxis, calibration::familyAlongAxis(
                                               *run, subject.setting.mechanism, *subject.space,
                                               report::memoAxis(report, findings).low, job));
    }
    for (const auto& evaluation : subject.evaluations) {
        if (document::checkBelongs(*evaluation, *run)) {
            report.evaluations.push_back(*evaluation);
        }
    }
    return report;
}

}  // namespace epsilens::ui
