#include "ui/shell/log_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/shell/notice_log.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {
constexpr int kButtonHeight = 28;
}

LogDialog::LogDialog(NoticeLog& log, QWidget* parent) : QDialog(parent), m_log(log) {
    setObjectName(QStringLiteral("logDialog"));
    setWindowTitle(tr("Log"));
    build();
    connect(&m_log, &NoticeLog::rowsInserted, this, [this] {
        m_view->scrollToBottom();
        if (isVisible()) {
            m_log.markSeen();
        }
    });
}

void LogDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    m_log.markSeen();
}

void LogDialog::build() {
    constexpr QSize kUsualSize{640, 320};
    resize(kUsualSize);
    m_view = new QTableView(this);
    m_view->setObjectName(QStringLiteral("logTableView"));
    m_view->setAccessibleName(tr("Log"));
    m_view->setModel(&m_log);
    describeRows(*m_view, [](int rows) {
        return rows == 0 ? tr("No messages yet")
                         : tr("Messages since the start with their times: %1").arg(counted(rows));
    });
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setTabKeyNavigation(false);
    m_view->setShowGrid(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_view->horizontalHeader()->setStretchLastSection(true);
    auto* copy = new QPushButton(tr("Copy"), this);
    copy->setObjectName(QStringLiteral("copyLogButton"));
    copy->setAccessibleDescription(tr("Copies all messages with their times"));
    auto* clear = new QPushButton(tr("Clear"), this);
    clear->setObjectName(QStringLiteral("clearLogButton"));
    clear->setAccessibleDescription(tr("Forgets all messages"));
    connect(copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_log.toText()); });
    connect(clear, &QPushButton::clicked, &m_log, &NoticeLog::clear);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(copy);
    buttons->addWidget(clear);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(m_view, 1);
    layout->addLayout(buttons);
}

QToolButton* LogDialog::makeButton(QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(QStringLiteral("logButton"));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setMinimumHeight(kButtonHeight);
    button->setToolTip(tr("Show or hide the log of messages"));
    button->setAccessibleDescription(button->toolTip());
    const auto show = [button](int unseen) {
        button->setText(unseen > 0 ? tr("log ⚠ %1").arg(unseen) : tr("log"));
        button->setAccessibleName(unseen > 0 ? tr("Log, unseen warnings and errors: %1").arg(unseen)
                                             : tr("Log"));
    };
    show(m_log.unseen());
    connect(&m_log, &NoticeLog::unseenChanged, button, show);
    connect(button, &QToolButton::clicked, this, [this] { setVisible(!isVisible()); });
    return button;
}

}  // namespace epsilens::ui
