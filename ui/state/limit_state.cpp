#include "ui/state/limit_state.h"

#include <string>
#include <utility>

#include <QChar>

#include "core/report/limit_words.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

QString limitStatusText(const document::LimitCounts& status) {
    if (status.all == 0) {
        return {};
    }
    const QString counts =
        LimitState::tr("limits %1/%2")
            .arg(status.open() == status.all ? QStringLiteral("–") : QString::number(status.met))
            .arg(status.all);
    return status.missed > 0    ? counts + QStringLiteral(" ✗")
           : status.areAllMet() ? counts + QStringLiteral(" ✓")
           : status.open() > 0 && status.open() < status.all
               ? LimitState::tr("%1, %2 open").arg(counts).arg(status.open())
               : counts;
}

QString limitStatusSentence(const document::LimitCounts& status) {
    if (status.all == 0) {
        return LimitState::tr("no limits set");
    }
    if (status.open() == status.all) {
        return LimitState::tr("%1 limits, not yet measured").arg(status.all);
    }
    const QString counts = LimitState::tr("%1 of %2 limits met").arg(status.met).arg(status.all);
    return status.open() > 0 ? LimitState::tr("%1, %2 open").arg(counts).arg(status.open())
                             : counts;
}

LimitState::LimitState(const AnalysisState& state, QObject* parent)
    : QObject(parent), m_state(state) {
    m_state.onChange(&AnalysisSettings::limits, this, [this] { setChecks({}); });
    m_state.onChange(&AnalysisSettings::figureLimits, this, [this] { setOnTexts({}); });
    refresh();
}

void LimitState::setChecks(const std::vector<calibration::LimitCheck>& checks) {
    m_checks = checks;
    refresh();
    Q_EMIT checksChanged();
}

void LimitState::setOnTexts(std::vector<document::FigureFinding> findings) {
    const bool areOther = !findings.empty() || !m_onTexts.empty();
    m_onTexts = std::move(findings);
    refresh();
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
    for (const document::FigureFinding& finding : m_onTexts) {
        if (finding.check) {
            add(finding.met(), report::checkWords(*finding.check));
        }
    }
    return lines;
}

void LimitState::refresh() {
    document::LimitCounts status = document::countLimits(m_checks, m_onTexts);
    status.all = m_state.limits().size() + m_state.settings().figureLimits.size();
    if (status != m_status) {
        m_status = status;
        Q_EMIT statusChanged();
    }
}

}  // namespace epsilens::ui
