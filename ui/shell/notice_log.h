#pragma once

#include <QDialog>
#include <QStandardItemModel>

#include "ui/widgets/notice_line.h"

class QTableView;
class QToolButton;

namespace epsilens::ui {

/// Every notice the window has shown, with its time, newest last; never anything typed into the
/// sentence. Kept for the session only, in memory.
class NoticeLog : public QStandardItemModel {
    Q_OBJECT

public:
    enum Column { timeColumn, severityColumn, textColumn, columnEnd };
    static constexpr int kMost = 1000;

    explicit NoticeLog(QObject* parent = nullptr);

    void add(Severity severity, const QString& text);
    void forget();
    /// Warnings and errors since they were last looked at.
    [[nodiscard]] int unseen() const { return m_unseen; }
    void markSeen() { setUnseen(0); }
    /// A line per notice, for the clipboard.
    [[nodiscard]] QString toText() const;

Q_SIGNALS:
    void unseenChanged(int unseen);

private:
    void setUnseen(int unseen);

    int m_unseen = 0;
};

/// The log, beside the window and hidden until asked for.
class LogDialog : public QDialog {
    Q_OBJECT

public:
    /// log  must outlive the dialog
    explicit LogDialog(NoticeLog& log, QWidget* parent = nullptr);

    /// The button of the status bar that shows and hides it: "log", with "⚠ 1" while warnings
    /// or errors have not been looked at.
    [[nodiscard]] QToolButton* makeButton(QWidget* parent);

protected:
    void showEvent(QShowEvent* event) override;

private:
    NoticeLog& m_log;
};

}  // namespace epsilens::ui
