#pragma once

#include <QDialog>
#include <QTimer>
#include <QWidget>

#include "ui/widgets/notice_line.h"

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace epsilens::ui {

class JobBoard;
class JobRunnerBase;
class ElidedLabel;

/// The line at the bottom of the window: the job that began first, how far it is and how long it
/// will take, with Cancel; else the last message.
class StatusArea : public QWidget {
    Q_OBJECT

public:
    explicit StatusArea(JobBoard& jobs, QWidget* parent = nullptr);

    void showMessage(const QString& message);
    /// As the key does, which may have been meant for something else: asks if a job has run long.
    ///
    /// longSeconds  from which on it is asked about
    void askToCancel(double longSeconds = kLongSeconds);
    [[nodiscard]] bool mayStop(double longSeconds = kLongSeconds);

private:
    static constexpr double kLongSeconds = 20.0;

    void refresh();
    void showJob(const JobRunnerBase& job);
    void announce(const JobRunnerBase& job, int percent);

    JobBoard& m_jobs;
    QLabel* m_text;
    QProgressBar* m_bar;
    QLabel* m_timeLeft;
    ElidedLabel* m_besides;  ///< what was said while a job has the line
    QPushButton* m_cancel;
    /// Short jobs show nothing; of long ones the time left grows while they make no progress.
    QTimer m_delay;
    QTimer m_forget;
    QString m_message;
    const JobRunnerBase* m_announced = nullptr;  ///< the job that the label speaks of
    int m_lastQuarter = 0;
};

/// Every notice the window has shown, with its time; never anything typed into the sentence. In
/// memory only, and hidden until asked for.
class LogDialog : public QDialog {
    Q_OBJECT

public:
    static constexpr int kMost = 1000;

    explicit LogDialog(QWidget* parent = nullptr);

    void add(Severity severity, const QString& text);
    /// Shows and hides it: "log", with "⚠ 1" while warnings or errors have not been looked at.
    [[nodiscard]] QToolButton* button() { return m_button; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void setUnseen(int unseen);

    QPlainTextEdit* m_text;
    QToolButton* m_button;
    int m_unseen = 0;  ///< warnings and errors since they were last looked at
};

}  // namespace epsilens::ui
