#include "ui/present/presentation.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/dial/dial_model.h"
#include "ui/dial/dial_panel.h"
#include "ui/live/attacker_guesses.h"
#include "ui/live/live_model.h"
#include "ui/state/analysis_state.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

namespace {

constexpr int kMargin = 32;
constexpr double kTitleMagnification = 1.5;
constexpr double kTextMagnification = 1.3;

}  // namespace

Presentation::Presentation(DialModel& dial, const live::LiveModel& live,
                           const live::AttackerGuesses& guesses, QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_dial(dial),
      m_live(live),
      m_guesses(guesses),
      m_usualFont(font()),
      m_title(new QLabel(this)),
      m_text(new QLabel(this)),
      m_dialPanel(new DialPanel(m_dial, this)),
      m_keys(
          hintLabel(tr("Right and Left, or Page Down and Page Up, go through the steps."), this)),
      m_back(addStepButton("presentationBackButton", tr("Back"), -1)),
      m_next(addStepButton("presentationNextButton", tr("Next"), 1)) {
    setObjectName(QStringLiteral("presentation"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Presentation – Epsilens"));
    setFocusPolicy(Qt::StrongFocus);
    m_title->setObjectName(QStringLiteral("presentationTitle"));
    m_text->setObjectName(QStringLiteral("presentationText"));
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* scroll = new ColumnScrollArea(this);
    scroll->setObjectName(QStringLiteral("presentationArea"));
    scroll->setAccessibleName(tr("The step"));
    scroll->setWidget(m_text);

    auto* buttons = new QHBoxLayout;
    auto* close = described(new QPushButton(tr("Close"), this), "presentationCloseButton",
                            tr("Close the presentation"), tr("Back to the window (Esc)."));
    connect(close, &QPushButton::clicked, this, &QWidget::close);
    m_keys->setWordWrap(true);
    buttons->addWidget(m_keys, 1);
    buttons->addStretch();
    buttons->addWidget(m_back);
    buttons->addWidget(m_next);
    buttons->addWidget(close);
    auto* column = new QVBoxLayout(this);
    // What has no room in a small window is fitted to it, which must not grow instead.
    column->setSizeConstraint(QLayout::SetNoConstraint);
    column->setContentsMargins(kMargin, kMargin, kMargin, kPanelMargin);
    column->setSpacing(kPanelMargin);
    column->addWidget(m_title);
    column->addWidget(scroll, 1);
    column->addWidget(m_dialPanel);
    column->addLayout(buttons);

    connect(&m_dial, &DialModel::readingChanged, this, &Presentation::showText);
    connect(&m_live, &live::LiveModel::valuesChanged, this, &Presentation::showText);
    connect(&m_live, &live::LiveModel::outputChanged, this, &Presentation::showText);
    connect(&m_guesses, &live::AttackerGuesses::changed, this, &Presentation::showText);
    fit();
    showStep(0);
}

void Presentation::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void Presentation::fit() {
    constexpr double kSideShare = 0.55;  // of the width, beside the dial
    constexpr int kRoomyHeight = 480;    // for text of the usual size
    const double room =
        kSideShare * width() / scaledToText(DialPanel::kSideWidth, QFontMetrics(m_usualFont));
    const auto magnified = [&](double by) {
        QFont larger = m_usualFont;
        larger.setPointSizeF(by * std::clamp(room, 1.0, kMagnification) * larger.pointSizeF());
        return larger;
    };
    setFont(magnified(1.0));
    QFont title = magnified(kTitleMagnification);
    title.setBold(true);
    m_title->setFont(title);
    m_text->setFont(magnified(kTextMagnification));
    const bool isRoomy = height() >= scaledToText(kRoomyHeight, fontMetrics());
    m_dialPanel->keepLarge(isRoomy);
    m_keys->setVisible(isRoomy);
}

QPushButton* Presentation::addStepButton(const char* name, const QString& text, int by) {
    auto* button = described(new QPushButton(text, this), name, text,
                             by < 0 ? tr("The previous step.") : tr("The next step."));
    connect(button, &QPushButton::clicked, this, [this, by] { showStep(m_step + by); });
    return button;
}

void Presentation::showStep(int step) {
    const int count = static_cast<int>(kPresentationSteps.size());
    if (step < 0 || step >= count) {
        return;
    }
    m_step = step;
    m_title->setText(
        tr("%1 of %2: %3")
            .arg(m_step + 1)
            .arg(count)
            .arg(presentationTitle(kPresentationSteps.at(static_cast<std::size_t>(m_step)))));
    m_back->setEnabled(m_step > 0);
    m_next->setEnabled(m_step + 1 < count);
    showText();
}

void Presentation::showText() {
    const PresentationStep step = kPresentationSteps.at(static_cast<std::size_t>(m_step));
    m_text->setText(presentationText(step, m_dial, m_live, m_guesses));
}

void Presentation::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Right:
        case Qt::Key_PageDown:
            showStep(m_step + 1);
            break;
        case Qt::Key_Left:
        case Qt::Key_PageUp:
            showStep(m_step - 1);
            break;
        case Qt::Key_Escape:
            close();
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace epsilens::ui
