#include "ui/release/release_consent.h"

#include <QCheckBox>
#include <QLabel>
#include <QStringList>
#include <QVBoxLayout>

#include "ui/release/dialog_rows.h"
#include "ui/state/limit_state.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

ReleaseConsent::ReleaseConsent(const LimitState& limits, QWidget* parent)
    : QWidget(parent),
      m_limits(limits),
      m_met(wrapped(new QLabel(this), "limitsMetLabel")),
      m_outsideLimits(new QCheckBox(this)) {
    describe(*m_outsideLimits, "outsideLimitsCheckBox", tr("Release outside the limits"),
             tr("The setting of the dial does not meet the limits, or it is not known yet whether "
                "it does."));
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addWidget(m_met);
    m_outsideLimits->hide();
    rows->addWidget(m_outsideLimits);
    connect(m_outsideLimits, &QCheckBox::toggled, this, &ReleaseConsent::changed);
    connect(&m_limits, &LimitState::statusChanged, this, &ReleaseConsent::followLimits);
    connect(&m_limits, &LimitState::checksChanged, this, &ReleaseConsent::showLimits);
    follow(true);
}

bool ReleaseConsent::isGiven() const {
    return m_outsideLimits->isHidden() || m_outsideLimits->isChecked();
}

QString ReleaseConsent::given() const {
    return m_outsideLimits->isHidden() || !m_outsideLimits->isChecked()
               ? QString()
               : tr("Ticked before the release: “%1”.").arg(m_outsideLimits->text());
}

void ReleaseConsent::follow(bool isOtherSetting) {
    if (isOtherSetting) {
        m_outsideLimits->setChecked(false);
    }
    followLimits();
}

void ReleaseConsent::followLimits() {
    const document::LimitCounts& status = m_limits.status();
    const bool areMet = status.areAllMet();
    if (areMet) {
        m_outsideLimits->setChecked(false);
    }
    m_outsideLimits->setVisible(!areMet);
    m_outsideLimits->setText(
        status.missed > 0
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
