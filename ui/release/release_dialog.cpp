#include "ui/release/release_dialog.h"

#include <cmath>

#include <QCheckBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QShowEvent>
#include <QVBoxLayout>

#include "ui/release/release_form.h"
#include "ui/release/release_outcome.h"
#include "ui/release/release_text.h"
#include "ui/state/analysis_state.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_board.h"
#include "ui/state/limit_state.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/column_scroll_area.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr QSize kUsualSize{680, 740};
constexpr double kMostOfScreen = 0.9;
// Names are typed letter by letter.
constexpr int kSurveyRestMs = 200;
// As many as can be common.
constexpr std::size_t kMostUnknown = 100;

/// A text that cannot be read leaves nothing known: its release says why.
Result<std::optional<release::TextSurvey>> survey(const ReleaseRequest& request,
                                                  const JobContext& job) {
    auto found = surveyRelease(request, kMostUnknown, job);
    return found ? std::optional(std::move(*found)) : std::nullopt;
}

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
      m_limits(limits),
      m_scroll(new ColumnScrollArea(this)),
      m_setting(wrapped(new QLabel(m_scroll), "releaseSettingLabel")),
      m_form(new ReleaseForm(state, m_scroll)),
      m_unprotected(wrapped(hintLabel({}, m_scroll), "unprotectedLabel")),
      m_promise(new PromiseBox(
          state, guarantee != nullptr ? *guarantee : *new GuaranteeModel(state, this), this)),
      m_met(wrapped(new QLabel(this), "limitsMetLabel")),
      m_outsideLimits(described(
          new QCheckBox(this), "outsideLimitsCheckBox", tr("Release outside the limits"),
          tr("The setting of the dial does not meet the limits, or it is not known yet whether "
             "it does."))),
      m_outcome(new ReleaseOutcome(this)),
      m_progress(described(new QProgressBar(this), "releaseProgressBar", tr("Progress"),
                           tr("How much of the text is done."))),
      m_cancel(described(new QPushButton(tr("Cancel"), this), "cancelReleasePushButton",
                         tr("Cancel"), tr("Stops; no file is written."))),
      m_start(described(new QPushButton(tr("&Release"), this), "releasePushButton", tr("Release"),
                        tr("Processes the words and writes the result."))),
      m_close(described(new QPushButton(tr("Close"), this), "closePushButton", tr("Close"),
                        tr("Closes this dialog and stops the work in progress."))),
      m_survey({.title = tr("Reading the text to release"),
                .key = [this] { return surveyKey(); },
                .make = [](const SurveyKey& key,
                           const JobContext& job) { return survey(key.request, job); },
                .restMs = kSurveyRestMs}),
      m_runner(tr("Releasing a text"),
               [this](const Result<report::ReleaseReport>& result) { finish(result); }) {
    setObjectName(QStringLiteral("releaseDialog"));
    setWindowTitle(tr("Release text"));
    jobs.watch(&m_runner);
    jobs.watch(&m_survey.job());
    auto* page = new QWidget(m_scroll);
    columnIn(page, kRowSpacing, {m_setting, m_form, m_unprotected})->addStretch();
    m_scroll->setWidget(page);
    auto* layout = columnIn(this, kRowSpacing,
                            {m_scroll, m_promise, m_met, m_outsideLimits, m_outcome}, kPanelMargin);
    layout->setStretch(0, 1);
    layout->addLayout(buildButtons());
    connectControls();
    followLimits();
    describeSetting();
}

QHBoxLayout* ReleaseDialog::buildButtons() {
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
    connect(m_outsideLimits, &QCheckBox::toggled, this, &ReleaseDialog::followRequest);
    connect(&m_limits, &LimitState::statusChanged, this, &ReleaseDialog::followLimits);
    connect(&m_limits, &LimitState::checksChanged, this, &ReleaseDialog::showLimits);
    connect(&m_survey, &QueryBase::changed, this, &ReleaseDialog::followRequest);
    connect(&m_survey.job(), &JobRunnerBase::progressChanged, this, &ReleaseDialog::showSurvey);
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

/// As high as the content asks for, as far as the screen goes; the fields scroll then.
void ReleaseDialog::showEvent(QShowEvent* event) {
    if (!event->spontaneous()) {
        const QSize room = screen()->availableGeometry().size() * kMostOfScreen;
        const QSize usual{scaledToText(kUsualSize.width(), fontMetrics()),
                          scaledToText(kUsualSize.height(), fontMetrics())};
        resize(usual.boundedTo(room));
        followRequest();
    }
    QDialog::showEvent(event);
}

void ReleaseDialog::describeSetting() {
    const QString setting = releaseSettingText(m_state);
    // What runs keeps the setting that it was started with.
    if (setting.isEmpty() || m_runner.isRunning()) {
        return;
    }
    if (setting != m_setting->text()) {
        m_outcome->forgetResult();
        // Ticked for one setting, it is not meant for another.
        m_outsideLimits->setChecked(false);
    }
    m_setting->setText(setting);
    describeUnprotected();
}

void ReleaseDialog::describeUnprotected() {
    m_unprotected->setText(releaseUnprotectedText(m_state.textPolicies(), m_form->hasStopWords(),
                                                  m_form->isWholeTable()));
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
}

void ReleaseDialog::followRequest() {
    if (!m_runner.isRunning()) {
        m_survey.setWanted(true);
        showSurvey();
        showRemark();
    }
    updateControls();
}

void ReleaseDialog::followLimits() {
    const document::LimitCounts& status = m_limits.status();
    const bool areMet = status.areAllMet();
    if (areMet) {
        m_outsideLimits->setChecked(false);
    }
    m_outsideLimits->setVisible(!areMet);
    m_outsideLimits->setText(
        status.missed > 0
            ? tr("Release it although the limits are not met: %1").arg(limitStatusSentence(status))
            : tr("Release it although it is not known whether the limits are met"));
    showLimits();
    followRequest();
}

void ReleaseDialog::showLimits() {
    const QStringList lines = m_limits.lines();
    m_met->setText(lines.join(QLatin1Char('\n')));
    m_met->setVisible(!lines.isEmpty());
}

bool ReleaseDialog::hasConsent() const {
    return m_outsideLimits->isHidden() || m_outsideLimits->isChecked();
}

QString ReleaseDialog::consent() const {
    return m_outsideLimits->isHidden() || !m_outsideLimits->isChecked()
               ? QString()
               : tr("Ticked before the release: “%1”.").arg(m_outsideLimits->text());
}

bool ReleaseDialog::SurveyKey::operator==(const SurveyKey& other) const {
    const ReleaseRequest& one = request;
    const ReleaseRequest& two = other.request;
    return modified == other.modified && one.space == two.space && one.inputPath == two.inputPath &&
           one.decoding.encoding == two.decoding.encoding &&
           one.decoding.invalid == two.decoding.invalid && one.table.columns == two.table.columns &&
           one.table.format == two.table.format && one.policies.unknown == two.policies.unknown &&
           one.policies.mask == two.policies.mask &&
           one.policies.letterCase == two.policies.letterCase &&
           one.stopWordsPath == two.stopWordsPath;
}

std::optional<ReleaseDialog::SurveyKey> ReleaseDialog::surveyKey() const {
    const ReleaseRequest asked = request();
    const QFileInfo file(toQString(asked.inputPath));
    // Reading from anything but a file would take away what it has.
    return asked.space && file.isFile() ? std::optional(SurveyKey{asked, file.lastModified()})
                                        : std::nullopt;
}

/// Whether the text is being read, or about to be.
bool ReleaseDialog::isReading() const {
    return m_survey.current() == nullptr && surveyKey();
}

/// How far it is read, or what was found; empty without a file, and where it cannot be read.
QString ReleaseDialog::surveyLine() const {
    if (const auto* found = m_survey.current()) {
        return *found ? surveyText(**found, m_state.textPolicies().unknownWords,
                                   !request().table.columns.empty())
                      : QString();
    }
    constexpr double kHundred = 100.0;
    const JobRunnerBase& job = m_survey.job();
    return isReading() ? tr("Reading the whole text: %1%")
                             .arg(job.isRunning() ? std::lround(kHundred * job.fraction()) : 0L)
                       : QString();
}

void ReleaseDialog::showSurvey() {
    const auto* found = m_survey.current();
    const bool isKnown = found != nullptr && *found;
    m_promise->setLine(isKnown ? (*found)->counts.mostReplacedInLine : 0);
    QStringList parts{surveyLine(), isKnown ? m_promise->ofLine() : QString()};
    parts.removeAll(QString());
    m_outcome->showSurvey(parts.join(QLatin1Char('\n')));
}

/// Nothing is replaced while those files are named that the last run wrote.
void ReleaseDialog::showRemark() {
    QString remark;
    if (!m_runner.isRunning()) {
        remark = m_outcome->hasResult() ? QString() : releaseReplacementText(m_form->written());
    } else if (const auto left = m_runner.secondsLeft()) {
        remark = tr("%1 left").arg(estimatedDuration(*left));
    }
    m_outcome->showRemark(remark);
    m_start->setAccessibleDescription((m_start->toolTip() + QLatin1Char(' ') + remark).trimmed());
}

void ReleaseDialog::updateControls() {
    const bool running = m_runner.isRunning();
    m_form->setEnabled(!running);
    m_outsideLimits->setEnabled(!running);
    // Which words are unknown is to be seen before the start.
    const bool waits = !running && isReading();
    m_start->setEnabled(!running && m_form->isComplete() && m_state.searchSpace() != nullptr &&
                        hasConsent() && !waits);
    m_start->setToolTip(waits ? tr("Starts once the whole text has been read.")
                              : tr("Processes the words and writes the result."));
    m_cancel->setVisible(running);
    m_progress->setVisible(running);
}

ReleaseRequest ReleaseDialog::request() const {
    ReleaseRequest request;
    request.space = m_state.searchSpace();
    request.setting = m_state.setting();
    request.agreed = toStd(consent());
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
    m_survey.setWanted(false);
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
    m_survey.setWanted(false);
    m_runner.cancel();
    QDialog::done(result);
}

}  // namespace epsilens::ui
