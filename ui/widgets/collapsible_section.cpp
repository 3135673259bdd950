#include "ui/widgets/collapsible_section.h"

#include <QToolButton>
#include <QVBoxLayout>

#include "ui/widgets/layout.h"

namespace epsilens::ui {

CollapsibleSection::CollapsibleSection(const QString& id, const QString& title, QWidget* content,
                                       QWidget* parent)
    : QWidget(parent), m_toggle(new QToolButton(this)), m_content(content) {
    setObjectName(id + QStringLiteral("Section"));
    m_toggle->setObjectName(id + QStringLiteral("ToggleButton"));
    setTitle(title);
    m_toggle->setAccessibleDescription(tr("Shows or hides this part of the settings."));
    m_toggle->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_toggle->setAutoRaise(true);
    m_toggle->setCheckable(true);
    m_toggle->setFocusPolicy(Qt::StrongFocus);
    QFont font = m_toggle->font();
    font.setWeight(QFont::DemiBold);
    m_toggle->setFont(font);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kRowSpacing / 2);
    layout->addWidget(m_toggle, 0, Qt::AlignLeft);
    layout->addWidget(m_content);
    connect(m_toggle, &QToolButton::toggled, this, &CollapsibleSection::show);
    show(false);
}

void CollapsibleSection::setTitle(const QString& title) {
    m_toggle->setText(title);
    m_toggle->setAccessibleName(title);
}

QString CollapsibleSection::title() const {
    return m_toggle->text();
}

bool CollapsibleSection::isOpen() const {
    return m_toggle->isChecked();
}

void CollapsibleSection::setOpen(bool open) {
    m_toggle->setChecked(open);
}

void CollapsibleSection::show(bool open) {
    m_toggle->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_content->setVisible(open);
}

}  // namespace epsilens::ui
