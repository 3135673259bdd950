#include "ui/release/release_consent.h"

#include <array>

#include <QCheckBox>
#include <QLabel>
#include <QStringList>
#include <QVBoxLayout>

#include "ui/release/dialog_rows.h"
#include "ui/release/release_job.h"
#include "ui/state/analysis_state.h"
#include "ui/state/limit_state.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

ReleaseConsent::ReleaseConsent(const AnalysisState& state, const LimitState& limits,
                               QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_limits(limits),
      m_met(wrapped(new QLabel(this), "limitsMetLabel")),
      m_withoutGuarantee(new QCheckBox(tr("Release it &anyway, without a guarantee"), this)),
      m_outsideLimits(new QCheckBox(this)) {
    describe(*m_withoutGuarantee, "withoutGuaranteeCheckBox", tr("Release without a guarantee"),
             tr("The mechanism guarantees nothing: some outputs give the word away."));
    describe(*m_outsideLimits, "outsideLimitsCheckBox", tr("Release outside the limits"),
             tr("The setting of the dial does not meet the limits, or it is not known yet whether "
                "it does."));
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(m_met);
    for (QCheckBox* box : {m_withoutGuarantee, m_outsideLimits}) {
        box->hide();
        rows->addWidget(box);
        connect(box, &QCheckBox::toggled, this, &ReleaseConsent::changed);
    }
    connect(&m_limits, &LimitState::statusChanged, this, &ReleaseConsent::followLimits);
    connect(&m_limits, &LimitState::checksChanged, this, &ReleaseConsent::showLimits);
    follow(true);
}

bool ReleaseConsent::isGiven() const {
    return (m_withoutGuarantee->isHidden() || m_withoutGuarantee->isChecked()) &&
           (m_outsideLimits->isHidden() || m_outsideLimits->isChecked());
}

bool ReleaseConsent::isWithoutGuarantee() const {
    return m_withoutGuarantee->isChecked();
}

QString ReleaseConsent::given() const {
    QStringList ticked;
    for (const QCheckBox* box : std::array{m_withoutGuarantee, m_outsideLimits}) {
        if (!box->isHidden() && box->isChecked()) {
            ticked.append(
                tr("Ticked before the release: “%1”.").arg(box->text().remove(QLatin1Char('&'))));
        }
    }
    return ticked.join(QLatin1Char(' '));
}

void ReleaseConsent::follow(bool isOtherSetting) {
    if (isOtherSetting) {
        m_withoutGuarantee->setChecked(false);
        m_outsideLimits->setChecked(false);
    }
    m_withoutGuarantee->setVisible(guaranteesNothing(m_state));
    followLimits();
}

void ReleaseConsent::followLimits() {
    const LimitStatus& status = m_limits.status();
    const bool areMet = status.areAllMet();
    if (areMet) {
        m_outsideLimits->setChecked(false);
    }
    m_outsideLimits->setVisible(status.all + status.onTexts > 0 && !areMet);
    m_outsideLimits->setText(
        (status.isKnown && status.met < status.all) ||
                (status.metOnTexts && *status.metOnTexts < status.onTexts)
            ? tr("Release it although the limits are not met: %1").arg(limitStatusSentence(status))
            : tr("Release it although it is not known whether the limits are met"));
    showLimits();
    Q_EMIT changed();
}

void ReleaseConsent::showLimits() {
    const QStringList lines = m_limits.lines();
    m_met->setText(lines.join(QLatin1Char('\n')));
    m_met->setVisible(!lines.isEmpty());
}

}  // namespace epsilens::ui
