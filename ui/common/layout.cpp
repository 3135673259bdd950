#include "ui/common/layout.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/common/theme.h"

namespace epsilens::ui {

namespace {

/// A label in the muted colour of the current theme.
class MutedLabel final : public QLabel {
public:
    MutedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) { recolour(); }

protected:
    void changeEvent(QEvent* event) override {
        QLabel::changeEvent(event);
        if (event->type() == QEvent::PaletteChange && !m_recolouring) {
            recolour();
        }
    }

private:
    void recolour() {
        m_recolouring = true;
        QPalette own = palette();
        own.setColor(QPalette::WindowText, themeFor(own).mutedText);
        setPalette(own);
        m_recolouring = false;
    }

    bool m_recolouring = false;
};

}  // namespace

QLabel* headingLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

QLabel* hintLabel(const QString& text, QWidget* parent) {
    auto* label = new MutedLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 0.92);
    label->setFont(font);
    return label;
}

QLabel* emptyStateLabel(const QString& text, QWidget* parent) {
    auto* label = new MutedLabel(text, parent);
    label->setAlignment(Qt::AlignCenter);
    label->setWordWrap(true);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 1.1);
    label->setFont(font);
    return label;
}

QWidget* emptyStatePage(QLabel* statement, QPushButton* action, QWidget* parent) {
    auto* page = new QWidget(parent);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    column->addStretch();
    column->addWidget(statement);
    column->addSpacing(kRowSpacing);
    column->addWidget(action, 0, Qt::AlignHCenter);
    column->addStretch();
    return page;
}

}  // namespace epsilens::ui
