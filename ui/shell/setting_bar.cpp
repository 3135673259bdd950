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
/// The names of texts give way first: they get only what the embedding does not need.
constexpr int kEmbeddingStretch = 1000;
/// Of a name, before the mechanism gets more than it cannot do without.
constexpr int kUsualNameCharacters = 12;
/// The beginning of a name is to be seen, whatever stands beside it.
constexpr int kLeastNameCharacters = 10;

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
    m_limits = new QLabel(this);
    m_limits->setObjectName(QStringLiteral("summaryLimitsLabel"));
    m_row->addWidget(m_limits);
    m_pinLine = addLine();
    m_unpin = addButton("unpinButton", tr("pinned A ✕"), tr("Unpin"), {});
    m_row->addWidget(m_unpin);
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
    for (QWidget* text : {m_embedding, m_data}) {
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
    m_row->addLayout(rowOf({text, button}, 2), stretch);
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
    m_embedding->setToolTip(
        embedding
            ? tr("%1\n%2 words, each a vector of %3 numbers")
                  .arg(toQString(embedding->embedding.path.empty() ? embedding->embedding.name
                                                                   : embedding->embedding.path),
                       counted(embedding->wordCount()), counted(embedding->dimensions()))
            : m_embedding->text());
    const QString pinned = pin ? tr("pinned: %1").arg(pinTitle(*pin)) : QString();
    m_unpin->setToolTip(tr("%1; grey and dashed. A click ends the comparison.").arg(pinned));
    for (QWidget* part : std::array<QWidget*, 3>{m_dataLine, m_data, m_dataMenu}) {
        part->setVisible(embedding != nullptr);
    }
    m_limitsLine->setVisible(!m_limits->text().isEmpty());
    m_limits->setVisible(!m_limits->text().isEmpty());
    m_pinLine->setVisible(pin.has_value());
    m_unpin->setVisible(pin.has_value());
    fitTexts();
    QStringList parts{m_embedding->text(),
                      shortTitle(m_state.mechanism()),
                      tr("ε %1").arg(significant(m_state.epsilon(), kEpsilonDigits)),
                      tr("R %1").arg(counted(m_state.draws())),
                      tr("seed %1").arg(m_state.seed()),
                      m_limits->accessibleName(),
                      pinned};
    parts.removeAll(QString());
    setAccessibleName(tr("Setting: %1").arg(parts.join(QStringLiteral(", "))));
}

void SettingBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitTexts();
}

void SettingBar::fitTexts() {
    const auto widthOf = [](const ElidedLabel& label, const QString& text) {
        return label.fontMetrics().horizontalAdvance(text) + kPartSpacing;
    };
    for (ElidedLabel* label : {m_embedding, m_data}) {
        label->setMaximumWidth(widthOf(*label, label->text()));
    }
    m_embedding->setMinimumWidth(
        std::min(kLeastNameCharacters * m_embedding->fontMetrics().averageCharWidth(),
                 widthOf(*m_embedding, m_embedding->text())));
    // Names may be long, and how much of the texts is known stands before them.
    const qsizetype name = m_data->text().indexOf(tr(" of "));
    const QString head = m_data->text().left(name) + QChar(0x2026);
    m_data->setMinimumWidth(name < 0 ? 0 : widthOf(*m_data, head));
    int left = width() - minimumSizeHint().width();
    for (const ElidedLabel* label : {m_embedding, m_data}) {
        const int usual = kUsualNameCharacters * label->fontMetrics().averageCharWidth();
        left -= label->isHidden()
                    ? 0
                    : std::max(0, std::min(usual, label->maximumWidth()) - label->minimumWidth());
    }
    m_mechanism->setMaximumWidth(m_mechanism->minimumSizeHint().width() + std::max(0, left));
}

}  // namespace epsilens::ui
