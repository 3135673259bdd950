#include "ui/shell/setting_bar.h"

#include <algorithm>

#include <QFontMetrics>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStringList>
#include <QToolButton>

#include "ui/setup/load_summary.h"
#include "ui/setup/mechanism_bar.h"
#include "ui/state/analysis_state.h"
#include "ui/state/limit_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {
constexpr int kEpsilonDigits = 3;
constexpr int kPartSpacing = 6;
/// The name of own texts and a pin give way before that of the embedding does: so large beside the
/// others that they get only what it does not need. The share of the texts that is known stays.
constexpr int kEmbeddingStretch = 1000;
/// Before either of them gets more than it cannot do without.
constexpr int kLimitsStretch = 100 * kEmbeddingStretch;

/// Both ends of a name are to be seen, whatever stands beside it.
constexpr int kLeastNameCharacters = 10;

/// A text that gives way takes no more room than it needs.
void limitToText(QLabel& label, const QFontMetrics& metrics) {
    label.setMaximumWidth(metrics.horizontalAdvance(label.text()) + kPartSpacing);
}

void openFrom(QToolButton& button, QMenu& menu) {
    // As its own menu it would bring a second arrow.
    QObject::connect(&button, &QToolButton::clicked, &menu, [&button, &menu] {
        menu.popup(button.mapToGlobal(QPoint(0, button.height())));
    });
}

}  // namespace

SettingBar::SettingBar(AnalysisState& state, QWidget* parent) : QWidget(parent), m_state(state) {
    setObjectName(QStringLiteral("settingBar"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 4, 12, 4);
    layout->setSpacing(kPartSpacing);
    addEmbedding();
    addLine();
    m_mechanism = new MechanismBar(state, this);
    layout->addWidget(m_mechanism);
    addData();
    m_limitsLine = addLine();
    m_limits = new ElidedLabel({}, this);
    m_limits->setObjectName(QStringLiteral("summaryLimitsLabel"));
    m_limits->setElideMode(Qt::ElideRight);
    layout->addWidget(m_limits, kLimitsStretch);
    addPin();
    layout->addStretch();
    addDetails();
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SettingBar::refresh);
    connect(&m_state, &AnalysisState::changed, this, &SettingBar::refresh);
    m_state.onChange(&AnalysisSettings::pin, this, &SettingBar::showPin);
    showLimits({});
    showPin();
    for (QLabel* part : {static_cast<QLabel*>(m_embedding), static_cast<QLabel*>(m_data), m_pin}) {
        followFont(part, [part](const QFontMetrics& metrics) { limitToText(*part, metrics); });
    }
    followFont(m_embedding, [this](const QFontMetrics& /*metrics*/) { keepNameInSight(); });
    followFont(m_limits, [this](const QFontMetrics& /*metrics*/) { keepVerdictInSight(); });
    followFont(m_data, [data = m_data](const QFontMetrics& /*metrics*/) {
        data->setMinimumWidth(data->tailWidth());
    });
}

void SettingBar::addEmbedding() {
    // The one part whose length nobody knows gives way to the others.
    m_embedding = new ElidedLabel({}, this);
    m_embedding->setObjectName(QStringLiteral("summaryEmbeddingLabel"));
    QFont strong = m_embedding->font();
    strong.setWeight(QFont::DemiBold);
    m_embedding->setFont(strong);
    m_open = addMenuButton("embeddingMenuButton", tr("Open another embedding"),
                           tr("Open another embedding."));
    addWithMenu(m_embedding, m_open, kEmbeddingStretch);
}

QToolButton* SettingBar::addMenuButton(const char* objectName, const QString& name,
                                       const QString& description) {
    auto* button = described(new QToolButton(this), objectName, name, description);
    button->setText(QStringLiteral("▾"));
    button->setAutoRaise(true);
    button->setMinimumSize(kLeastTarget, kLeastTarget);
    return button;
}

/// stretch  of the room that is left, the text's share
void SettingBar::addWithMenu(ElidedLabel* text, QToolButton* button, int stretch) {
    // The text is what people point at, not the small arrow.
    text->setCursor(Qt::PointingHandCursor);
    connect(text, &ElidedLabel::clicked, button, &QToolButton::click);
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    row->addWidget(text, 1);
    row->addWidget(button);
    static_cast<QHBoxLayout*>(layout())->addLayout(row, stretch);
}

void SettingBar::addData() {
    m_dataLine = addLine();
    m_data = new ElidedLabel({}, this);
    m_data->setObjectName(QStringLiteral("summaryDataLabel"));
    m_dataMenu = addMenuButton("dataMenuButton", {}, {});
    addWithMenu(m_data, m_dataMenu, 1);
    showData({});
}

void SettingBar::showData(const QString& text, const QString& unknown) {
    const QString whole = text.isEmpty() ? tr("my data: none") : tr("my data: %1").arg(text);
    // What it is can be told from the name, for which the room is short.
    const QString shown = text.isEmpty() ? whole : text;
    m_data->setText(shown);
    // Names may be long, and how much of the texts is known stands behind them.
    const qsizetype comma = shown.lastIndexOf(QLatin1String(", "));
    m_data->keepTail(comma < 0 ? 0 : shown.size() - comma);
    const QString explained = unknown.isEmpty() ? whole : whole + QLatin1Char('\n') + unknown;
    m_data->setToolTip(explained);
    limitToText(*m_data, m_data->fontMetrics());
    m_data->setMinimumWidth(m_data->tailWidth());
    m_dataMenu->setAccessibleName(whole);
    m_dataMenu->setAccessibleDescription(
        tr("Your own texts: choose them, weight the dial by their words, measure them in Texts "
           "or drop them."));
    // Where there is no room for the text, this says it.
    m_dataMenu->setToolTip(explained + QLatin1Char('\n') + m_dataMenu->accessibleDescription());
}

void SettingBar::addDetails() {
    m_details = new QToolButton(this);
    m_details->setObjectName(QStringLiteral("detailsButton"));
    // Not of the width, for the text is not to give way.
    m_details->setMinimumHeight(kLeastTarget);
    layout()->addWidget(m_details);
}

void SettingBar::offer(QMenu& menu) {
    openFrom(*m_open, menu);
}

void SettingBar::offerData(QMenu& menu) {
    openFrom(*m_dataMenu, menu);
}

void SettingBar::offer(QAction* details) {
    m_details->setDefaultAction(details);
}

void SettingBar::focusLambda() {
    m_mechanism->focusLambda();
}

void SettingBar::addPin() {
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

void SettingBar::showPin() {
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

QFrame* SettingBar::addLine() {
    auto* line = new QFrame(this);
    line->setFrameShape(QFrame::VLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    layout()->addWidget(line);
    return line;
}

void SettingBar::showLimits(const document::LimitCounts& status, const QStringList& lines) {
    const QString text = limitStatusText(status);
    m_limitsLine->setVisible(!text.isEmpty());
    m_limits->setVisible(!text.isEmpty());
    m_limits->setText(text);
    keepVerdictInSight();
    m_spokenLimits = text.isEmpty() ? QString() : limitStatusSentence(status);
    m_limits->setAccessibleName(m_spokenLimits);
    m_limits->setToolTip(lines.isEmpty() ? m_spokenLimits : lines.join(QLatin1Char('\n')));
    m_limits->setAccessibleDescription(lines.join(QStringLiteral("; ")));
    refresh();
}

/// How many of the limits on single texts there are gives way, which the tooltip says.
void SettingBar::keepVerdictInSight() {
    const QFontMetrics metrics = m_limits->fontMetrics();
    limitToText(*m_limits, metrics);
    const QString verdict = m_limits->text().section(QLatin1Char(','), 0, 0) + QChar(0x2026);
    m_limits->setMinimumWidth(
        std::min(metrics.horizontalAdvance(verdict), metrics.horizontalAdvance(m_limits->text())));
}

void SettingBar::keepNameInSight() {
    const QFontMetrics metrics = m_embedding->fontMetrics();
    m_embedding->setMinimumWidth(std::min(kLeastNameCharacters * metrics.averageCharWidth(),
                                          metrics.horizontalAdvance(m_embedding->text())));
}

void SettingBar::refresh() {
    const auto& embedding = m_state.embedding();
    m_embedding->setText(embedding ? embeddingTitle(*embedding) : tr("No embedding open"));
    m_embedding->setToolTip(m_embedding->text());
    for (QWidget* part : {static_cast<QWidget*>(m_dataLine), static_cast<QWidget*>(m_data),
                          static_cast<QWidget*>(m_dataMenu)}) {
        part->setVisible(embedding != nullptr);
    }
    limitToText(*m_embedding, m_embedding->fontMetrics());
    keepNameInSight();
    QStringList parts{m_embedding->text(), shortTitle(m_state.mechanism()),
                      tr("ε %1").arg(significant(m_state.epsilon(), kEpsilonDigits)),
                      tr("R %1").arg(counted(m_state.draws())), tr("seed %1").arg(m_state.seed())};
    if (!m_spokenLimits.isEmpty()) {
        parts.append(m_spokenLimits);
    }
    if (m_state.pin()) {
        parts.append(m_pin->text());
    }
    setAccessibleName(tr("Setting: %1").arg(parts.join(QStringLiteral(", "))));
}

}  // namespace epsilens::ui
