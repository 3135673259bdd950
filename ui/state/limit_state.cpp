#include "ui/state/limit_state.h"

#include <algorithm>
#include <string>
#include <utility>

#include <QChar>

#include "core/report/limit_words.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

/// With the limits on texts among the others where all are known.
LimitStatus joined(const LimitStatus& status) {
    return status.isAllKnown() && status.metOnTexts
               ? LimitStatus{true, status.met + *status.metOnTexts, status.all + status.onTexts}
               : status;
}

}  // namespace

QString limitStatusText(const LimitStatus& own) {
    const LimitStatus status = joined(own);
    QStringList parts;
    if (status.all > 0) {
        const bool misses = status.isKnown && status.met < status.all;
        parts.append((status.isKnown ? LimitState::tr("%1/%2").arg(status.met).arg(status.all)
                                     : LimitState::tr("–/%1").arg(status.all)) +
                     (misses               ? QStringLiteral(" ✗")
                      : status.areAllMet() ? QStringLiteral(" ✓")
                                           : QString()));
    }
    if (status.onTexts > 0) {
        parts.append(LimitState::tr("%1 on texts").arg(status.onTexts));
    }
    return parts.isEmpty() ? QString()
                           : LimitState::tr("limits %1").arg(parts.join(QStringLiteral(", ")));
}

QString limitStatusSentence(const LimitStatus& own) {
    const LimitStatus status = joined(own);
    QStringList parts;
    if (status.all > 0) {
        parts.append(status.isKnown
                         ? LimitState::tr("%1 of %2 limits met").arg(status.met).arg(status.all)
                         : LimitState::tr("%1 limits, not yet measured").arg(status.all));
    }
    if (status.onTexts > 0) {
        parts.append(LimitState::tr("limits on texts: %1, see Trade-off").arg(status.onTexts));
    }
    return parts.isEmpty() ? LimitState::tr("no limits set") : parts.join(QStringLiteral("; "));
}

LimitState::LimitState(const AnalysisState& state, QObject* parent)
    : QObject(parent), m_state(state), m_status(unknown()) {
    m_state.onChange(&AnalysisSettings::limits, this, &LimitState::forgetChecks);
    m_state.onChange(&AnalysisSettings::figureLimits, this, [this] { setTextChecks({}); });
}

void LimitState::setChecks(const std::vector<calibration::LimitCheck>& checks) {
    m_checks = checks;
    const auto met =
        std::count_if(checks.begin(), checks.end(), [](const auto& check) { return check.met(); });
    LimitStatus status = unknown();
    status.isKnown = true;
    status.met = static_cast<int>(met);
    status.all = static_cast<int>(checks.size());
    setStatus(status);
    Q_EMIT checksChanged();
}

void LimitState::setTextChecks(std::vector<experiment::FigureCheck> checks) {
    const bool areOther = !checks.empty() || !m_textChecks.empty();
    m_textChecks = std::move(checks);
    LimitStatus status = m_status;
    status.onTexts = unknown().onTexts;
    status.metOnTexts = unknown().metOnTexts;
    setStatus(status);
    if (areOther) {
        Q_EMIT checksChanged();
    }
}

QStringList LimitState::lines() const {
    QStringList lines;
    const auto add = [&lines](bool isMet, const std::string& words) {
        lines.append(
            QStringLiteral("%1 %2").arg(isMet ? QChar(0x2713) : QChar(0x2717), toQString(words)));
    };
    for (const calibration::LimitCheck& check : m_checks) {
        add(check.met(), report::checkWords(check, m_state.draws()));
    }
    for (const experiment::FigureCheck& check : m_textChecks) {
        add(check.met(), report::checkWords(check));
    }
    return lines;
}

void LimitState::forgetChecks() {
    m_checks.clear();
    setStatus(unknown());
    Q_EMIT checksChanged();
}

LimitStatus LimitState::unknown() const {
    LimitStatus status{false, 0, static_cast<int>(m_state.limits().size()),
                       static_cast<int>(m_state.settings().figureLimits.size())};
    if (!m_textChecks.empty()) {
        status.metOnTexts =
            static_cast<int>(std::count_if(m_textChecks.begin(), m_textChecks.end(),
                                           [](const auto& check) { return check.met(); }));
    }
    return status;
}

void LimitState::setStatus(const LimitStatus& status) {
    if (status == m_status) {
        return;
    }
    m_status = status;
    Q_EMIT statusChanged();
}

}  // namespace epsilens::ui
