#include "ui/shell/setting_bar.h"

#include <algorithm>
#include <array>

#include <QtWidgets>

#include "ui/setup/setup_panel.h"
#include "ui/state/analysis_state.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/mechanism_view.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kEpsilonDigits = 3;
constexpr int kPartSpacing = 4;
/// Of texts and a pin the names give way first: they get only what the embedding does not need.
constexpr int kEmbeddingStretch = 1000;
/// Before either of them gets more than it cannot do without.
constexpr int kLimitsStretch = 100 * kEmbeddingStretch;
/// The beginning of a name is to be seen, whatever stands beside it; more without limits and a pin.
constexpr int kLeastNameCharacters = 10;
constexpr int kLeastNameAlone = 14;

}  // namespace

SettingBar::SettingBar(AnalysisState& state, QWidget* parent)
    : QWidget(parent),
      m_state(state),
      m_row(new QHBoxLayout(this)),
      m_open(addButton("embeddingMenuButton", QStringLiteral("▾"), tr("Open another embedding"),
                       tr("Open another embedding."))),
      m_embedding(addText("summaryEmbeddingLabel", m_open, kEmbeddingStretch)) {
    setObjectName(QStringLiteral("settingBar"));
    m_row->setContentsMargins(12, 4, 12, 4);
    m_row->setSpacing(kPartSpacing);
    (void)addLine();
    m_mechanism = mechanismBar(state, this);
    m_row->addWidget(m_mechanism);
    m_dataLine = addLine();
    m_dataMenu = addButton("dataMenuButton", QStringLiteral("▾"), {}, {});
    m_data = addText("summaryDataLabel", m_dataMenu, 1);
    m_embedding->setElideMode(Qt::ElideRight);
    m_data->setElideMode(Qt::ElideRight);
    m_limitsLine = addLine();
    m_limits = addText("summaryLimitsLabel", nullptr, kLimitsStretch);
    m_limits->setElideMode(Qt::ElideLeft);
    m_pinLine = addLine();
    m_unpin = addButton("unpinButton", QStringLiteral("✕"), tr("Unpin"),
                        tr("Ends the comparison with the pinned settings."));
    m_pin = addText("summaryPinLabel", m_unpin, 1);
    m_row->addStretch();
    for (const auto& [button, name] :
         {std::pair{&m_release, "releaseButton"}, {&m_details, "detailsButton"}}) {
        *button = new QToolButton(this);
        (*button)->setObjectName(QLatin1String(name));
        // Not of the width, for the text is not to give way.
        (*button)->setMinimumHeight(kLeastTarget);
        m_row->addWidget(*button);
    }

    QFont strong = m_embedding->font();
    strong.setWeight(QFont::DemiBold);
    m_embedding->setFont(strong);
    QFont quiet = m_pin->font();
    quiet.setItalic(true);
    m_pin->setFont(quiet);
    for (const auto& [text, button] :
         {std::pair{m_embedding, m_open}, std::pair{m_data, m_dataMenu}}) {
        // The text is what people point at, not the small arrow.
        text->setCursor(Qt::PointingHandCursor);
        connect(text, &ElidedLabel::clicked, button, &QToolButton::click);
    }
    connect(m_unpin, &QToolButton::clicked, this,
            [this] { m_state.edit(&AnalysisSettings::pin, std::nullopt); });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &SettingBar::refresh);
    connect(&m_state, &AnalysisState::changed, this, &SettingBar::refresh);
    showLimits({});
    showData({});
    for (QWidget* text : std::array<QWidget*, 4>{m_embedding, m_data, m_limits, m_pin}) {
        followFont(text, [this](const QFontMetrics& /*metrics*/) { fitTexts(); });
    }
}

QFrame* SettingBar::addLine() {
    auto* line = hairline(QFrame::VLine, this);
    m_row->addWidget(line);
    return line;
}

ElidedLabel* SettingBar::addText(const char* objectName, QToolButton* button, int stretch) {
    auto* text = new ElidedLabel({}, this);
    text->setObjectName(QLatin1String(objectName));
    auto* part = rowOf({text}, 2);
    if (button != nullptr) {
        part->addWidget(button);
    }
    m_row->addLayout(part, stretch);
    return text;
}

QToolButton* SettingBar::addButton(const char* objectName, const QString& text, const QString& name,
                                   const QString& description) {
    auto* button = described(new QToolButton(this), objectName, name, description);
    button->setText(text);
    button->setAutoRaise(true);
    button->setMinimumSize(kLeastTarget, kLeastTarget);
    return button;
}

void SettingBar::setEmbeddingMenu(QMenu& menu) {
    openFrom(*m_open, menu);
}

void SettingBar::setDataMenu(QMenu& menu) {
    openFrom(*m_dataMenu, menu);
}

void SettingBar::setActions(QAction* release, QAction* details) {
    m_release->setDefaultAction(release);
    m_details->setDefaultAction(details);
}

void SettingBar::focusLambda() {
    auto* field = m_mechanism->findChild<QLineEdit*>(QStringLiteral("lambdaField"));
    field->setFocus(Qt::ShortcutFocusReason);
    field->selectAll();
}

void SettingBar::showData(const QString& text, const QString& unknown) {
    const QString whole = text.isEmpty() ? tr("texts: none") : tr("texts: %1").arg(text);
    // What it is can be told from the name, for which the room is short.
    m_data->setText(text.isEmpty() ? whole : text);
    const QString explained = unknown.isEmpty() ? whole : whole + QLatin1Char('\n') + unknown;
    m_data->setToolTip(explained);
    const QString offered =
        tr("Your own texts: choose them, weight the dial by their words, measure them in Texts "
           "or drop them.");
    m_dataMenu->setAccessibleName(whole);
    m_dataMenu->setAccessibleDescription(offered);
    // Where there is no room for the text, this says it.
    m_dataMenu->setToolTip(explained + QLatin1Char('\n') + offered);
    fitTexts();
}

void SettingBar::showLimits(const document::LimitCounts& status, const QStringList& lines) {
    document::LimitCounts shown = status;
    if (status.missed > 0) {
        // What failed is all that matters then; what is not measured stands beside the dial.
        shown.met = status.all - status.missed;
    }
    m_limits->setText(limitStatusText(shown));
    m_limits->setAccessibleName(limitStatusText(status));
    m_limits->setToolTip(lines.isEmpty() ? limitStatusText(status) : lines.join(QLatin1Char('\n')));
    m_limits->setAccessibleDescription(lines.join(QStringLiteral("; ")));
    refresh();
}

void SettingBar::refresh() {
    const auto& embedding = m_state.embedding();
    const auto& pin = m_state.pin();
    m_embedding->setText(embedding ? tr("%1 %2 × %3")
                                         .arg(toQString(embedding->embedding.name),
                                              counted(embedding->wordCount()),
                                              counted(embedding->dimensions()))
                                   : tr("No embedding open"));
    m_embedding->setToolTip(embedding && !embedding->embedding.path.empty()
                                ? toQString(embedding->embedding.path)
                                : m_embedding->text());
    m_pin->setText(pin ? tr("pinned: %1").arg(pinTitle(*pin)) : QString());
    m_pin->setToolTip(
        pin ? tr("Grey and dashed in Choose, Curves and Space: %1").arg(pinTitle(*pin))
            : QString());
    for (QWidget* part : std::array<QWidget*, 3>{m_dataLine, m_data, m_dataMenu}) {
        part->setVisible(embedding != nullptr);
    }
    for (QWidget* part : std::array<QWidget*, 2>{m_limitsLine, m_limits}) {
        part->setVisible(!m_limits->text().isEmpty());
    }
    for (QWidget* part : std::array<QWidget*, 3>{m_pinLine, m_pin, m_unpin}) {
        part->setVisible(pin.has_value());
    }
    fitTexts();
    QStringList parts{m_embedding->text(),
                      shortTitle(m_state.mechanism()),
                      tr("ε %1").arg(significant(m_state.epsilon(), kEpsilonDigits)),
                      tr("R %1").arg(counted(m_state.draws())),
                      tr("seed %1").arg(m_state.seed()),
                      m_limits->accessibleName(),
                      m_pin->text()};
    parts.removeAll(QString());
    setAccessibleName(tr("Setting: %1").arg(parts.join(QStringLiteral(", "))));
}

void SettingBar::fitTexts() {
    const auto widthOf = [](const ElidedLabel& label, const QString& text) {
        return label.fontMetrics().horizontalAdvance(text) + kPartSpacing;
    };
    for (ElidedLabel* label : {m_embedding, m_data, m_limits, m_pin}) {
        label->setMaximumWidth(widthOf(*label, label->text()));
    }
    const bool isAlone = m_limits->text().isEmpty() && m_pin->text().isEmpty();
    m_embedding->setMinimumWidth(std::min((isAlone ? kLeastNameAlone : kLeastNameCharacters) *
                                              m_embedding->fontMetrics().averageCharWidth(),
                                          widthOf(*m_embedding, m_embedding->text())));
    // Names may be long, and how much of the texts is known stands before them.
    const qsizetype name = m_data->text().indexOf(tr(" of "));
    const QString head = m_data->text().left(name) + QChar(0x2026);
    m_data->setMinimumWidth(name < 0 ? 0 : widthOf(*m_data, head));
    // How many limits there are gives way, which the tooltip says.
    const QString verdict = QChar(0x2026) + m_limits->text().section(QLatin1Char(' '), -3);
    m_limits->setMinimumWidth(
        std::min(widthOf(*m_limits, verdict) + 2, widthOf(*m_limits, m_limits->text())));
}

}  // namespace epsilens::ui
