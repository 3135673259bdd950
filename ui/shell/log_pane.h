#pragma once

#include <QDockWidget>

class QTableView;
class QToolButton;

namespace epsilens::ui {

class NoticeLog;

/// The log as a pane at the bottom of the window, hidden until asked for.
class LogPane : public QDockWidget {
    Q_OBJECT

public:
    /// log  must outlive the pane
    explicit LogPane(NoticeLog& log, QWidget* parent = nullptr);

    /// The button of the status bar that shows and hides the pane: "log", with "⚠ 1" while warnings
    /// or errors have not been looked at.
    [[nodiscard]] QToolButton* makeButton(QWidget* parent);
    [[nodiscard]] QWidget* firstControl() const;

private:
    [[nodiscard]] QWidget* buildContent();

    NoticeLog& m_log;
    QTableView* m_view = nullptr;
};

}  // namespace epsilens::ui
