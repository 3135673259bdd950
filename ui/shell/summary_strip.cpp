#include "ui/shell/summary_strip.h"

#include <QFontMetrics>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QStringList>
#include <QToolButton>

#include "ui/setup/load_summary.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {
constexpr int kEpsilonDigits = 3;
constexpr int kPartSpacing = 12;

/// A text that gives way takes no more room than it needs.
void limitToText(QLabel& label, const QFontMetrics& metrics) {
    label.setMaximumWidth(metrics.horizontalAdvance(label.text()) + kPartSpacing);
}

}  // namespace

SummaryStrip::SummaryStrip(AnalysisState& state, QWidget* parent)
    : QWidget(parent), m_state(state) {
    setObjectName(QStringLiteral("summaryStrip"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(kPartSpacing);
    // The one part whose length nobody knows gives way to the others.
    m_embedding = new ElidedLabel({}, this);
    m_embedding->setObjectName(QStringLiteral("summaryEmbeddingLabel"));
    QFont strong = m_embedding->font();
    strong.setWeight(QFont::DemiBold);
    m_embedding->setFont(strong);
    layout->addWidget(m_embedding, 1);
    addLine();
    m_mechanism = addPart(QStringLiteral("summaryMechanismLabel"));
    addLine();
    m_epsilon = addPart(QStringLiteral("summaryEpsilonLabel"));
    addLine();
    m_draws = addPart(QStringLiteral("summaryDrawsLabel"));
    addLine();
    m_seed = addPart(QStringLiteral("summarySeedLabel"));
    m_limitsLine = addLine();
    m_limits = addPart(QStringLiteral("summaryLimitsLabel"));
    addPin();
    layout->addStretch();
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SummaryStrip::refresh);
    connect(&m_state, &AnalysisState::changed, this, &SummaryStrip::refresh);
    m_state.onChange(&AnalysisSettings::pin, this, &SummaryStrip::showPin);
    showLimits(std::nullopt, 0);
    showPin();
    for (QLabel* part : {m_embedding, m_pin}) {
        followFont(part, [part](const QFontMetrics& metrics) { limitToText(*part, metrics); });
    }
}

void SummaryStrip::addPin() {
    m_pinLine = addLine();
    auto* pin = new ElidedLabel({}, this);
    pin->setObjectName(QStringLiteral("summaryPinLabel"));
    QFont quiet = pin->font();
    quiet.setItalic(true);
    pin->setFont(quiet);
    // Like that of the embedding, its text takes the room there is.
    static_cast<QHBoxLayout*>(layout())->addWidget(pin, 1);
    m_pin = pin;
    m_unpin = new QToolButton(this);
    m_unpin->setObjectName(QStringLiteral("unpinButton"));
    m_unpin->setText(QStringLiteral("✕"));
    m_unpin->setAutoRaise(true);
    m_unpin->setMinimumSize(kLeastTarget, kLeastTarget);
    m_unpin->setAccessibleName(tr("Unpin"));
    m_unpin->setAccessibleDescription(tr("Ends the comparison with the pinned settings."));
    m_unpin->setToolTip(m_unpin->accessibleDescription());
    layout()->addWidget(m_unpin);
    connect(m_unpin, &QToolButton::clicked, this,
            [this] { m_state.edit(&AnalysisSettings::pin, std::nullopt); });
}

void SummaryStrip::showPin() {
    const auto& pin = m_state.pin();
    for (QWidget* part : {static_cast<QWidget*>(m_pinLine), static_cast<QWidget*>(m_pin),
                          static_cast<QWidget*>(m_unpin)}) {
        part->setVisible(pin.has_value());
    }
    m_pin->setText(pin ? tr("pinned: %1").arg(pinTitle(*pin)) : QString());
    m_pin->setToolTip(
        pin ? tr("Grey and dashed in Choose, Curves and Space: %1").arg(pinTitle(*pin))
            : QString());
    limitToText(*m_pin, m_pin->fontMetrics());
    refresh();
}

QFrame* SummaryStrip::addLine() {
    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::VLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    layout()->addWidget(line);
    return line;
}

QLabel* SummaryStrip::addPart(const QString& objectName) {
    auto* label = new QLabel(this);
    label->setObjectName(objectName);
    label->setTextFormat(Qt::PlainText);
    layout()->addWidget(label);
    return label;
}

void SummaryStrip::showLimits(std::optional<int> met, int total) {
    m_limitsLine->setVisible(total > 0);
    m_limits->setVisible(total > 0);
    const QString count = met ? tr("%1/%2").arg(*met).arg(total) : tr("–/%1").arg(total);
    const QString sign = !met ? QString() : *met == total ? tr(" ✓") : tr(" ✗");
    m_limits->setText(tr("limits %1%2").arg(count, sign));
    m_spokenLimits = total == 0 ? QString()
                     : met      ? tr("limits met: %1 of %2").arg(*met).arg(total)
                                : tr("limits not judged yet");
    m_limits->setAccessibleName(m_spokenLimits);
    refresh();
}

void SummaryStrip::refresh() {
    const auto& embedding = m_state.embedding();
    m_embedding->setText(embedding ? embeddingTitle(*embedding) : tr("No embedding open"));
    m_embedding->setToolTip(m_embedding->text());
    limitToText(*m_embedding, m_embedding->fontMetrics());
    m_mechanism->setText(shortTitle(m_state.mechanism()));
    m_epsilon->setText(tr("ε %1").arg(significant(m_state.epsilon(), kEpsilonDigits)));
    m_draws->setText(tr("R %1").arg(counted(m_state.draws())));
    m_seed->setText(tr("seed %1").arg(m_state.seed()));
    QStringList parts{m_embedding->text(), m_mechanism->text(), m_epsilon->text(), m_draws->text(),
                      m_seed->text()};
    if (!m_spokenLimits.isEmpty()) {
        parts.append(m_spokenLimits);
    }
    if (m_state.pin()) {
        parts.append(m_pin->text());
    }
    setAccessibleName(tr("Summary: %1").arg(parts.join(QStringLiteral(", "))));
}

}  // namespace epsilens::ui
