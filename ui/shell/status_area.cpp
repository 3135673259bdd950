#include "ui/shell/status_area.h"

#include <utility>

#include <QtWidgets>

#include "ui/state/job_runner.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {
constexpr int kShowAfterMs = 250;
constexpr int kForgetAfterMs = 15'000;  ///< what was said is old then
constexpr int kThousand = 1000;
constexpr int kQuarterPercent = 25;
}  // namespace

StatusArea::StatusArea(JobBoard& jobs, QWidget* parent)
    : QWidget(parent),
      m_jobs(jobs),
      m_text(new QLabel(this)),
      m_bar(described(new QProgressBar(this), "jobProgressBar", tr("Progress"),
                      tr("Share of the running computation that is done"))),
      m_timeLeft(hintLabel({}, this)),
      m_besides(new ElidedLabel({}, this)),
      m_cancel(described(new QPushButton(tr("Cancel"), this), "cancelButton", tr("Cancel"),
                         tr("Stop the running computation (Esc). Of a measurement, what is "
                            "finished is kept."))) {
    m_text->setObjectName(QStringLiteral("statusLabel"));
    m_text->setTextFormat(Qt::PlainText);
    m_bar->setRange(0, kThousand);
    m_bar->setTextVisible(false);
    m_bar->setFixedSize(180, 10);
    m_timeLeft->setObjectName(QStringLiteral("timeLeftLabel"));
    connect(m_cancel, &QPushButton::clicked, &m_jobs, &JobBoard::cancelAll);
    QHBoxLayout* layout = rowOf({m_text, m_bar, m_timeLeft, m_cancel}, 10);
    layout->setContentsMargins(8, 1, 8, 1);
    layout->setStretch(0, 0);
    m_besides->setObjectName(QStringLiteral("messageBesideJobLabel"));
    layout->insertWidget(3, m_besides, 1);
    setLayout(layout);
    m_delay.setSingleShot(true);
    connect(&m_delay, &QTimer::timeout, this, &StatusArea::refresh);
    m_forget.setSingleShot(true);
    m_forget.setInterval(kForgetAfterMs);
    connect(&m_forget, &QTimer::timeout, this, [this] {
        m_message.clear();
        refresh();
    });
    connect(&m_jobs, &JobBoard::changed, this, &StatusArea::refresh);
    setMinimumHeight(m_cancel->sizeHint().height() + 2);
    refresh();
}

void StatusArea::showMessage(const QString& message) {
    m_message = message;
    m_forget.start();
    refresh();
}

void StatusArea::askToCancel(double longSeconds) {
    if (mayStop(longSeconds)) {
        m_jobs.cancelAll();
    }
}

bool StatusArea::mayStop(double longSeconds) {
    const JobRunnerBase* job = m_jobs.foremost();
    if (job == nullptr || job->elapsedSeconds() < longSeconds) {
        return true;
    }
    const QString question =
        tr("Stop this: %1? It has run for %2.").arg(job->title(), duration(job->elapsedSeconds()));
    return dialogs::ask(window(), tr("Epsilens"), question, {tr("&Stop")}, tr("&Go on"))
        .has_value();
}

void StatusArea::refresh() {
    const JobRunnerBase* job = m_jobs.foremost();
    const bool visible = job != nullptr && job->elapsedSeconds() * kThousand >= kShowAfterMs;
    if (job != nullptr && !m_delay.isActive()) {
        m_delay.start(visible ? kThousand : kShowAfterMs);
    }
    m_bar->setVisible(visible);
    m_timeLeft->setVisible(visible);
    m_cancel->setVisible(visible);
    m_besides->setText(visible ? m_message : QString());
    if (visible) {
        showJob(*job);
        return;
    }
    m_text->setText(m_message);
    if (std::exchange(m_announced, nullptr) != nullptr) {
        m_text->setAccessibleName({});
    }
}

void StatusArea::showJob(const JobRunnerBase& job) {
    // "Guessing words" says it already.
    m_text->setText(job.stage().isEmpty() || job.title().startsWith(job.stage())
                        ? tr("%1…").arg(job.title())
                        : tr("%1: %2").arg(job.title(), job.stage()));
    const double fraction = job.fraction();
    m_bar->setValue(static_cast<int>(fraction * kThousand));
    const auto seconds = job.secondsLeft();
    m_timeLeft->setText(seconds ? tr("%1 left").arg(duration(*seconds)) : QString());
    announce(job, static_cast<int>(fraction * 100.0));
}

// A new name is an event for screen readers; while there is one, new text is none.
void StatusArea::announce(const JobRunnerBase& job, int percent) {
    const int quarter = percent / kQuarterPercent;
    if (m_announced == &job && quarter == m_lastQuarter) {
        return;
    }
    m_announced = &job;
    m_lastQuarter = quarter;
    m_text->setAccessibleName(tr("%1, %2%").arg(m_text->text()).arg(quarter * kQuarterPercent));
}

LogDialog::LogDialog(QWidget* parent)
    : QDialog(parent),
      m_text(described(new QPlainTextEdit(this), "logText", tr("Log"),
                       tr("Messages since the start with their times"))),
      m_button(described(new QToolButton(parent), "logButton", {},
                         tr("Show or hide the log of messages"))) {
    constexpr QSize kUsualSize{640, 320};
    setObjectName(QStringLiteral("logDialog"));
    setWindowTitle(tr("Log"));
    resize(kUsualSize);
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setMaximumBlockCount(kMost);
    auto* buttons = new QDialogButtonBox(this);
    const auto add = [buttons](const char* name, const QString& text, const QString& description) {
        return described(buttons->addButton(text, QDialogButtonBox::ActionRole), name, text,
                         description);
    };
    connect(add("copyLogButton", tr("Copy"), tr("Copies all messages with their times")),
            &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_text->toPlainText()); });
    connect(add("clearLogButton", tr("Clear"), tr("Forgets all messages")), &QPushButton::clicked,
            m_text, &QPlainTextEdit::clear);
    columnIn(this, kRowSpacing, {m_text, buttons}, kPanelMargin);
    m_button->setAutoRaise(true);
    m_button->setFocusPolicy(Qt::TabFocus);
    connect(m_button, &QToolButton::clicked, this, [this] { setVisible(!isVisible()); });
    setUnseen(0);
}

void LogDialog::add(Severity severity, const QString& text) {
    m_text->appendPlainText(
        QStringLiteral("%1 %2: %3")
            .arg(QDateTime::currentDateTime().toString(Qt::ISODate), severityName(severity), text));
    if (severity != Severity::info && !isVisible()) {
        setUnseen(m_unseen + 1);
    }
}

void LogDialog::setUnseen(int unseen) {
    m_unseen = unseen;
    m_button->setText(unseen > 0 ? tr("log ⚠ %1").arg(unseen) : tr("log"));
    m_button->setAccessibleName(unseen > 0 ? tr("Log, unseen warnings and errors: %1").arg(unseen)
                                           : tr("Log"));
}

void LogDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    setUnseen(0);
}

}  // namespace epsilens::ui
