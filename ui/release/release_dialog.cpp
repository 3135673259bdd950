#include "ui/release/release_dialog.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QShowEvent>
#include <QVBoxLayout>

#include "ui/release/dialog_rows.h"
#include "ui/release/promise_box.h"
#include "ui/release/release_consent.h"
#include "ui/release/release_form.h"
#include "ui/release/release_outcome.h"
#include "ui/release/release_text.h"
#include "ui/state/analysis_state.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_board.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr QSize kUsualSize{680, 740};
constexpr double kMostOfScreen = 0.9;

/// A part that keeps its place while it is hidden.
void keepPlace(QWidget* part) {
    QSizePolicy policy = part->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    part->setSizePolicy(policy);
    part->hide();
}

}  // namespace

ReleaseDialog::ReleaseDialog(AnalysisState& state, const LimitState& limits, JobBoard& jobs,
                             QWidget* parent, const GuaranteeModel* guarantee)
    : QDialog(parent),
      m_state(state),
      m_scroll(new ColumnScrollArea(this)),
      m_setting(wrapped(new QLabel(m_scroll), "releaseSettingLabel")),
      m_form(new ReleaseForm(state, m_scroll)),
      m_unprotected(wrapped(hintLabel({}, m_scroll), "unprotectedLabel")),
      m_promise(new PromiseBox(
          state, guarantee != nullptr ? *guarantee : *new GuaranteeModel(state, this), this)),
      m_consent(new ReleaseConsent(limits, this)),
      m_outcome(new ReleaseOutcome(this)),
      m_progress(described(new QProgressBar(this), "releaseProgressBar", tr("Progress"),
                           tr("How much of the text is done."))),
      m_cancel(described(new QPushButton(tr("Cancel"), this), "cancelReleasePushButton",
                         tr("Cancel"), tr("Stops; no file is written."))),
      m_start(described(new QPushButton(tr("&Release"), this), "releasePushButton", tr("Release"),
                        tr("Processes the words and writes the result."))),
      m_close(described(new QPushButton(tr("Close"), this), "closePushButton", tr("Close"),
                        tr("Closes this dialog and stops the work in progress."))),
      m_runner(tr("Releasing a text"),
               [this](const Result<report::ReleaseReport>& result) { finish(result); }) {
    setObjectName(QStringLiteral("releaseDialog"));
    setWindowTitle(tr("Release text"));
    jobs.watch(&m_runner);
    jobs.watch(&m_survey.job());
    buildPage();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPanelMargin, kPanelMargin, kPanelMargin, kPanelMargin);
    layout->setSpacing(kRowSpacing);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_promise);
    layout->addWidget(m_consent);
    layout->addWidget(m_outcome);
    layout->addLayout(buildButtons());
    connectControls();
    describeSetting();
}

void ReleaseDialog::buildPage() {
    auto* page = new QWidget(m_scroll);
    auto* rows = new QVBoxLayout(page);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kRowSpacing);
    rows->addWidget(m_setting);
    rows->addWidget(m_form);
    rows->addWidget(m_unprotected);
    rows->addStretch();
    m_scroll->setWidget(page);
}

QLayout* ReleaseDialog::buildButtons() {
    constexpr int kFinest = 1000;
    m_progress->setRange(0, kFinest);
    keepPlace(m_progress);
    keepPlace(m_cancel);
    m_cancel->setAutoDefault(false);
    m_start->setDefault(true);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_progress, 1);
    buttons->addWidget(m_cancel);
    buttons->addSpacing(kGroupSpacing);
    buttons->addWidget(m_start);
    buttons->addWidget(m_close);
    return buttons;
}

void ReleaseDialog::connectControls() {
    connect(m_form, &ReleaseForm::changed, this, &ReleaseDialog::followForm);
    connect(m_consent, &ReleaseConsent::changed, this, [this] {
        updateControls();
        followRequest();
    });
    connect(&m_survey, &ReleaseSurvey::changed, this, [this] {
        showSurvey();
        updateControls();
    });
    connect(m_promise, &PromiseBox::changed, this, &ReleaseDialog::showSurvey);
    connect(&m_drop, &FileDrop::dropped, this, [this](const QString& path, QWidget* target) {
        if (!m_runner.isRunning()) {
            m_form->takeDropped(path, target);
        }
    });
    connect(m_start, &QPushButton::clicked, this, &ReleaseDialog::start);
    connect(m_cancel, &QPushButton::clicked, &m_runner, &JobRunnerBase::cancel);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(&m_runner, &JobRunnerBase::progressChanged, this, [this](double fraction) {
        m_progress->setValue(static_cast<int>(fraction * m_progress->maximum()));
        showRemark();
    });
    connect(&m_state, &AnalysisState::embeddingChanged, this, &ReleaseDialog::describeSetting);
    m_state.onChange(&AnalysisSettings::setting, this, &ReleaseDialog::describeSetting);
}

void ReleaseDialog::offer(const QString& path, const QString& column) {
    if (!m_runner.isRunning()) {
        m_form->offer(path, column);
    }
}

void ReleaseDialog::showEvent(QShowEvent* event) {
    if (!event->spontaneous()) {
        fitToScreen();
    }
    QDialog::showEvent(event);
}

/// As high as the content asks for, as far as the screen goes; the fields scroll then.
void ReleaseDialog::fitToScreen() {
    const QSize room = screen()->availableGeometry().size() * kMostOfScreen;
    const QSize usual{scaledToText(kUsualSize.width(), fontMetrics()),
                      scaledToText(kUsualSize.height(), fontMetrics())};
    resize(usual.boundedTo(room));
}

void ReleaseDialog::describeSetting() {
    const QString setting = releaseSettingText(m_state);
    // What runs keeps the setting that it was started with.
    if (setting.isEmpty() || m_runner.isRunning()) {
        return;
    }
    const bool isOther = setting != m_setting->text();
    if (isOther) {
        m_outcome->forgetResult();
    }
    // Ticked for one setting, it is not meant for another.
    m_consent->follow(isOther);
    m_setting->setText(setting);
    describeUnprotected();
    updateControls();
}

void ReleaseDialog::describeUnprotected() {
    m_unprotected->setText(
        releaseUnprotectedText(m_form->policies(), m_form->hasStopWords(), m_form->isWholeTable()));
    followRequest();
}

void ReleaseDialog::followForm() {
    if (m_runner.isRunning()) {
        return;
    }
    // What was written is of other files than the fields name now.
    m_outcome->forgetResult();
    if (!m_isColumnRefused || m_form->columnProblem().isEmpty()) {
        m_outcome->clearNotice();
        m_isColumnRefused = false;
    }
    describeUnprotected();
    updateControls();
}

void ReleaseDialog::followRequest() {
    if (!m_runner.isRunning()) {
        m_survey.follow(request());
        showRemark();
    }
}

void ReleaseDialog::showSurvey() {
    const auto& found = m_survey.found();
    m_promise->setLine(found ? found->counts.mostReplacedInLine : 0);
    QStringList parts{m_survey.text(), found ? m_promise->ofLine() : QString()};
    parts.removeAll(QString());
    m_outcome->showSurvey(parts.join(QLatin1Char('\n')));
}

/// Nothing while those files are named that the last run wrote.
QString ReleaseDialog::replacementText() const {
    return m_outcome->hasResult() ? QString() : releaseReplacementText(m_form->written());
}

void ReleaseDialog::showRemark() {
    QStringList parts;
    if (m_runner.isRunning()) {
        if (const auto left = m_runner.secondsLeft()) {
            parts << tr("%1 left").arg(estimatedDuration(*left));
        }
    } else {
        parts << replacementText();
        parts.removeAll(QString());
    }
    m_outcome->showRemark(parts.join(tr(" · ")));
    m_start->setAccessibleDescription(
        (QStringList{m_start->toolTip()} + parts).join(QLatin1Char(' ')));
}

void ReleaseDialog::updateControls() {
    const bool running = m_runner.isRunning();
    m_form->setEnabled(!running);
    m_consent->setEnabled(!running);
    // Which words are unknown is to be seen before the start.
    const bool isReading = m_survey.isReading();
    m_start->setEnabled(!running && m_form->isComplete() && m_state.searchSpace() != nullptr &&
                        m_consent->isGiven() && !isReading);
    m_start->setToolTip(isReading ? tr("Starts once the whole text has been read.")
                                  : tr("Processes the words and writes the result."));
    m_cancel->setVisible(running);
    m_progress->setVisible(running);
}

ReleaseRequest ReleaseDialog::request() const {
    ReleaseRequest request;
    request.space = m_state.searchSpace();
    request.setting = m_state.setting();
    request.agreed = toStd(m_consent->given());
    m_form->fillIn(request);
    return request;
}

/// Says why, and leads to the field that is to be corrected.
void ReleaseDialog::refuse(const Notice& notice, QWidget& field) {
    m_outcome->present(notice);
    field.setFocus(Qt::OtherFocusReason);
    m_scroll->ensureWidgetVisible(&field);
}

bool ReleaseDialog::refuses() {
    if (const QString danger = inputInDanger(m_form->read(), m_form->written());
        !danger.isEmpty()) {
        refuse({Severity::error,
                tr("%1 would be written over: choose another file to write to.").arg(danger)},
               m_form->outputField());
        return true;
    }
    if (const QString problem = m_form->columnProblem(); !problem.isEmpty()) {
        refuse({Severity::error, problem}, m_form->columnsField());
        m_isColumnRefused = true;
        return true;
    }
    return false;
}

void ReleaseDialog::start() {
    m_outcome->clearNotice();
    m_outcome->forgetResult();
    if (refuses()) {
        return;
    }
    m_focus = m_form->focusWidget();
    m_survey.stop();
    m_progress->setValue(0);
    m_writing = m_form->outputField().text();
    m_runner.start(
        [request = request()](const JobContext& job) { return releaseFile(request, job); });
    updateControls();
    m_cancel->setFocus(Qt::OtherFocusReason);
    showRemark();
}

void ReleaseDialog::finish(const Result<report::ReleaseReport>& result) {
    const QString setting = m_setting->text();
    describeSetting();
    updateControls();
    if (!result) {
        const bool isCancelled = result.error().code == ErrorCode::cancelled;
        refuse(isCancelled ? Notice{Severity::info, tr("Cancelled: no file was written.")}
                           : releaseRefusal(result.error()),
               m_focus ? *m_focus : m_form->inputField());
        showRemark();
        return;
    }
    ReleaseOutcomeText text = releaseOutcomeText(*result);
    if (setting != m_setting->text()) {
        text.summary +=
            QLatin1Char('\n') + tr("The setting has changed since. This text: %1").arg(setting);
    }
    m_outcome->showResult(text, m_writing);
    Q_EMIT released(
        tr("Text released to %1. %2 %3 %4")
            .arg(QFileInfo(m_writing).fileName(), setting, text.summary, toQString(result->agreed))
            .trimmed());
    m_close->setFocus(Qt::OtherFocusReason);
    showRemark();
}

void ReleaseDialog::done(int result) {
    m_survey.stop();
    m_runner.cancel();
    QDialog::done(result);
}

}  // namespace epsilens::ui
