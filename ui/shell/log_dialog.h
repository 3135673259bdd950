#pragma once

#include <QDialog>

class QTableView;
class QToolButton;

namespace epsilens::ui {

class NoticeLog;

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
    void build();

    NoticeLog& m_log;
    QTableView* m_view = nullptr;
};

}  // namespace epsilens::ui
