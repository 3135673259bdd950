#include "ui/state/limit_state.h"

#include <algorithm>

#include "ui/state/analysis_state.h"

namespace epsilens::ui {

QString limitStatusText(const LimitStatus& status) {
    if (status.all == 0) {
        return {};
    }
    if (!status.isKnown) {
        return LimitState::tr("limits –/%1").arg(status.all);
    }
    return LimitState::tr("limits %1/%2 %3")
        .arg(status.met)
        .arg(status.all)
        .arg(status.met == status.all ? QStringLiteral("✓") : QStringLiteral("✗"));
}

QString limitStatusSentence(const LimitStatus& status) {
    if (status.all == 0) {
        return LimitState::tr("no limits set");
    }
    return status.isKnown ? LimitState::tr("%1 of %2 limits met").arg(status.met).arg(status.all)
                          : LimitState::tr("%1 limits, not yet measured").arg(status.all);
}

LimitState::LimitState(const AnalysisState& state, QObject* parent)
    : QObject(parent), m_state(state), m_status{false, 0, static_cast<int>(state.limits().size())} {
    m_state.onChange(&AnalysisSettings::limits, this, &LimitState::forgetChecks);
}

void LimitState::setChecks(const std::vector<calibration::LimitCheck>& checks) {
    const auto met =
        std::count_if(checks.begin(), checks.end(), [](const auto& check) { return check.met(); });
    setStatus({true, static_cast<int>(met), static_cast<int>(checks.size())});
}

void LimitState::forgetChecks() {
    setStatus({false, 0, static_cast<int>(m_state.limits().size())});
}

void LimitState::setStatus(const LimitStatus& status) {
    if (status == m_status) {
        return;
    }
    m_status = status;
    Q_EMIT statusChanged();
}

}  // namespace epsilens::ui
