#include "ui/shell/limit_link.h"

#include "ui/common/limit_state.h"
#include "ui/report/report_draft.h"

namespace epsilens::ui {

void shareLimits(LimitState& limits, ReportDraft& draft) {
    const auto tellReport = [&limits, &draft] {
        report::ReportSettings settings = draft.settings();
        if (settings.limits != limits.limits()) {
            settings.limits = limits.limits();
            draft.setSettings(settings);
        }
    };
    QObject::connect(&limits, &LimitState::limitsChanged, &draft, tellReport);
    QObject::connect(&draft, &ReportDraft::edited, &limits,
                     [&limits, &draft] { limits.setLimits(draft.settings().limits); });
    tellReport();
}

}  // namespace epsilens::ui
