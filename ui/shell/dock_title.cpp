#include "ui/shell/dock_title.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/widgets/layout.h"

namespace epsilens::ui {

namespace {
constexpr int kButtonSize = 24;
}

DockTitle::DockTitle(QDockWidget* dock) : QWidget(dock) {
    auto* title = hintLabel(dock->windowTitle(), this);
    auto* hide = new QToolButton(this);
    hide->setObjectName(dock->objectName() + QStringLiteral("HideButton"));
    hide->setText(QStringLiteral("✕"));
    hide->setAutoRaise(true);
    followFont(hide, [hide](const QFontMetrics& metrics) {
        const int size = scaledToText(kButtonSize, metrics);
        hide->setFixedSize(size, size);
    });
    hide->setFocusPolicy(Qt::TabFocus);
    hide->setToolTip(tr("Hide; View → %1 brings it back").arg(dock->windowTitle()));
    hide->setAccessibleName(tr("Hide %1").arg(dock->windowTitle()));
    hide->setAccessibleDescription(hide->toolTip());
    connect(hide, &QToolButton::clicked, dock, &QDockWidget::close);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, 4, 6, 0);
    layout->addWidget(title);
    layout->addStretch();
    layout->addWidget(hide);
}

}  // namespace epsilens::ui
