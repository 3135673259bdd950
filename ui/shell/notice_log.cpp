#include "ui/shell/notice_log.h"

#include <QApplication>
#include <QClipboard>
#include <QDateTime>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QStringList>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr int kTimesRole = Qt::UserRole + 1;  ///< of a text: how often it was told in a row
constexpr int kWhenRole = Qt::UserRole + 2;   ///< of a time: the date, too

}  // namespace

NoticeLog::NoticeLog(QObject* parent) : QStandardItemModel(0, columnEnd, parent) {
    setHorizontalHeaderLabels({tr("Time"), tr("Kind"), tr("Message")});
}

void NoticeLog::add(Severity severity, const QString& text) {
    // The whole text is its tooltip.
    const bool again = rowCount() > 0 && item(rowCount() - 1, textColumn)->toolTip() == text;
    if (!again) {
        if (rowCount() == kMost) {
            removeRow(0);
        }
        appendRow({new QStandardItem,
                   new QStandardItem(severityIcon(severity), severityName(severity)),
                   new QStandardItem(text)});
    }
    const auto now = QDateTime::currentDateTime();
    QStandardItem& time = *item(rowCount() - 1, timeColumn);
    time.setText(now.toString(QStringLiteral("HH:mm:ss")));
    time.setData(now.toString(Qt::ISODate), kWhenRole);
    QStandardItem& message = *item(rowCount() - 1, textColumn);
    const int times = message.data(kTimesRole).toInt() + 1;
    message.setData(times, kTimesRole);
    message.setToolTip(text);
    message.setText(times > 1 ? tr("%1 (%2 times)").arg(text).arg(times) : text);
    if (severity != Severity::info && (!again || m_unseen == 0)) {
        setUnseen(m_unseen + 1);
    }
}

void NoticeLog::forget() {
    setRowCount(0);
    markSeen();
}

void NoticeLog::setUnseen(int unseen) {
    if (unseen != m_unseen) {
        m_unseen = unseen;
        Q_EMIT unseenChanged(m_unseen);
    }
}

QString NoticeLog::toText() const {
    QStringList lines;
    for (int row = 0; row < rowCount(); ++row) {
        lines.append(QStringLiteral("%1 %2: %3")
                         .arg(item(row, timeColumn)->data(kWhenRole).toString(),
                              item(row, severityColumn)->text(), item(row, textColumn)->text()));
    }
    return lines.join(QLatin1Char('\n'));
}

LogDialog::LogDialog(NoticeLog& log, QWidget* parent) : QDialog(parent), m_log(log) {
    constexpr QSize kUsualSize{640, 320};
    setObjectName(QStringLiteral("logDialog"));
    setWindowTitle(tr("Log"));
    resize(kUsualSize);
    auto* view = new QTableView(this);
    view->setObjectName(QStringLiteral("logTableView"));
    view->setAccessibleName(tr("Log"));
    view->setModel(&m_log);
    describeRows(*view, [](int rows) {
        return rows == 0 ? tr("No messages yet")
                         : tr("Messages since the start with their times: %1").arg(counted(rows));
    });
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setTabKeyNavigation(false);
    view->setShowGrid(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view->horizontalHeader()->setStretchLastSection(true);
    connect(&m_log, &NoticeLog::rowsInserted, this, [this, view] {
        view->scrollToBottom();
        if (isVisible()) {
            m_log.markSeen();
        }
    });
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    const auto add = [&](const char* name, const QString& text, const QString& description) {
        auto* button = new QPushButton(text, this);
        describe(*button, name, text, description);
        buttons->addWidget(button);
        return button;
    };
    connect(add("copyLogButton", tr("Copy"), tr("Copies all messages with their times")),
            &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_log.toText()); });
    connect(add("clearLogButton", tr("Clear"), tr("Forgets all messages")), &QPushButton::clicked,
            &m_log, &NoticeLog::forget);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(view, 1);
    layout->addLayout(buttons);
}

void LogDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    m_log.markSeen();
}

QToolButton* LogDialog::makeButton(QWidget* parent) {
    constexpr int kButtonHeight = 28;
    auto* button =
        described(new QToolButton(parent), "logButton", {}, tr("Show or hide the log of messages"));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setMinimumHeight(kButtonHeight);
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
