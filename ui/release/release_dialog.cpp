#include "ui/release/release_dialog.h"

#include <cmath>

#include <QCheckBox>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QShowEvent>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/release/release_form.h"
#include "ui/release/release_text.h"
#include "ui/state/analysis_state.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_runner.h"
#include "ui/state/limits_model.h"
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

/// A part that keeps its place while it is hidden.
void keepPlace(QWidget* part) {
    QSizePolicy policy = part->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    part->setSizePolicy(policy);
    part->hide();
}

}  // namespace

ReleaseDialog::ReleaseDialog(AnalysisState& state, const LimitState& limits, JobBoard& jobs,
                             const GuaranteeModel& guarantee, QWidget* parent)
    : QDialog(parent),
      m_state(state),
      m_limits(limits),
      m_guarantee(guarantee),
      m_scroll(new ColumnScrollArea(this)),
      m_setting(selectable(new QLabel(m_scroll), "releaseSettingLabel")),
      m_form(new ReleaseForm(state, m_scroll)),
      m_unprotected(selectable(hintLabel({}, m_scroll), "unprotectedLabel")),
      m_met(selectable(new QLabel(this), "limitsMetLabel")),
      m_outsideLimits(described(
          new QCheckBox(this), "outsideLimitsCheckBox", tr("Release outside the limits"),
          tr("The setting of the dial does not meet the limits, or it is not known yet whether "
             "it does."))),
      m_progress(described(new QProgressBar(this), "releaseProgressBar", tr("Progress"),
                           tr("How much of the text is done."))),
      m_cancel(described(new QPushButton(tr("Cancel"), this), "cancelReleasePushButton",
                         tr("Cancel"), tr("Stops; no file is written."))),
      m_start(described(new QPushButton(tr("&Release"), this), "releasePushButton", tr("Release"),
                        tr("Processes the words and writes the result."))),
      m_close(described(new QPushButton(tr("Close"), this), "closePushButton", tr("Close"),
                        tr("Closes this dialog and stops the work in progress."))),
      m_query({.title = tr("Reading the text to release"),
               .key = [this] { return surveyKey(); },
               .make = [](const SurveyKey& key, const JobContext& job) -> Result<Survey> {
                   return Survey{surveyRelease(key.request, job)};
               },
               .restMs = kSurveyRestMs}),
      m_runner(tr("Releasing a text"),
               [this](const Result<report::ReleaseReport>& result) { finish(result); }) {
    setObjectName(QStringLiteral("releaseDialog"));
    setWindowTitle(tr("Release text"));
    jobs.watch(&m_runner);
    jobs.watch(&m_query.job());
    auto* page = new QWidget(m_scroll);
    columnIn(page, kRowSpacing, {m_setting, m_form, m_unprotected})->addStretch();
    m_scroll->setWidget(page);
    auto* layout = columnIn(this, kRowSpacing, {m_scroll, m_met, m_outsideLimits, buildOutcome()},
                            kPanelMargin);
    layout->setStretch(0, 1);
    layout->addLayout(buildButtons());
    connectControls();
    followLimits();
    describeSetting();
}

ColumnScrollArea* ReleaseDialog::buildOutcome() {
    // What is said of words and longest line; then the sentence, the file and some of the details.
    constexpr int kLines = 10;
    constexpr int kLinesOnLowScreen = 6;
    constexpr int kLowScreen = 720;
    auto* area = new ColumnScrollArea(this);
    auto* content = new QWidget(area);
    m_notice = new NoticeLine(content);
    m_survey = selectable(new QLabel(content), "releaseSurveyLabel");
    // The words are those of the text, whatever they look like.
    m_survey->setTextFormat(Qt::PlainText);
    m_result = selectable(new QLabel(content), "releaseResultLabel");
    m_result->setAccessibleName(tr("Result"));
    m_place = new QWidget(content);
    m_path = described(new QLineEdit(m_place), "writtenLineEdit", tr("Written to"),
                       tr("The file that the released text was written to."));
    m_path->setReadOnly(true);
    m_openFolder =
        described(new QPushButton(tr("Open &folder"), m_place), "openFolderPushButton",
                  tr("Open folder"), tr("Opens the folder of the file in the file manager."));
    m_openFolder->setAutoDefault(false);
    m_place->setLayout(rowOf({m_path, m_openFolder}, kRowSpacing));
    connect(m_openFolder, &QPushButton::clicked, this, [this] {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(m_path->text()).absolutePath()));
    });
    columnIn(content, kRowSpacing / 2, {m_notice, m_survey, m_place, m_result})->addStretch();
    area->setWidget(content);
    followFont(area, [area](const QFontMetrics& metrics) {
        const bool isLow = area->screen()->availableGeometry().height() < kLowScreen;
        area->setFixedHeight((isLow ? kLinesOnLowScreen : kLines) * metrics.lineSpacing());
    });
    showResult({});
    return area;
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
    connect(&m_query, &QueryBase::changed, this, &ReleaseDialog::followRequest);
    connect(&m_query.job(), &JobRunnerBase::progressChanged, this, &ReleaseDialog::showSurvey);
    connect(&m_guarantee, &GuaranteeModel::changed, this, &ReleaseDialog::showSurvey);
    connect(&m_guarantee, &GuaranteeModel::promiseChanged, this, &ReleaseDialog::showSurvey);
    takeDrops(*this, [this](const QString& path, QWidget* target) {
        if (!m_runner.isRunning()) {
            m_form->takeDropped(path, target);
        }
    });
    connect(m_start, &QPushButton::clicked, this, &ReleaseDialog::start);
    connect(m_cancel, &QPushButton::clicked, &m_runner, &JobRunnerBase::cancel);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(&m_runner, &JobRunnerBase::progressChanged, this, [this](double fraction) {
        m_progress->setValue(static_cast<int>(fraction * m_progress->maximum()));
        const auto left = m_runner.secondsLeft();
        m_progress->setFormat(left ? tr("%1 left").arg(duration(std::ceil(*left)))
                                   : QStringLiteral("%p%"));
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
        showResult({});
        // Ticked for one setting, it is not meant for another.
        m_outsideLimits->setChecked(false);
    }
    m_setting->setText(setting);
    followRequest();
}

void ReleaseDialog::followForm() {
    if (!m_runner.isRunning()) {
        // What was written is of other files than the fields name now.
        showResult({});
        m_notice->clear();
        followRequest();
    }
}

void ReleaseDialog::followRequest() {
    if (!m_runner.isRunning()) {
        m_unprotected->setText(releaseUnprotectedText(
            m_state.textPolicies(), m_form->hasStopWords(), m_form->isWholeTable()));
        m_query.setWanted(true);
        showSurvey();
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
    return m_query.current() == nullptr && surveyKey();
}

/// How far it is read, or what was found; empty without a file.
QString ReleaseDialog::surveyLine() const {
    if (const Survey* survey = m_query.current()) {
        return survey->found ? surveyText(*survey->found, m_state.textPolicies().unknownWords,
                                          !request().table.columns.empty())
                             : tr("✗ %1").arg(releaseRefusal(survey->found.error()).text);
    }
    constexpr double kHundred = 100.0;
    const JobRunnerBase& job = m_query.job();
    return isReading() ? tr("Reading the whole text: %1%")
                             .arg(job.isRunning() ? std::lround(kHundred * job.fraction()) : 0L)
                       : QString();
}

void ReleaseDialog::showSurvey() {
    if (m_runner.isRunning()) {
        return;
    }
    const Survey* survey = m_query.current();
    const bool isKnown = survey != nullptr && survey->found;
    const QString replaced = releaseReplacementText(m_form->written());
    QStringList parts{surveyLine(),
                      releasePromiseText(m_guarantee, m_state.epsilon(),
                                         isKnown ? survey->found->counts.mostReplacedInLine : 0),
                      replaced.isEmpty() ? replaced : tr("⚠ %1").arg(replaced)};
    parts.removeAll(QString());
    m_survey->setText(parts.join(QLatin1Char('\n')));
    m_start->setAccessibleDescription((m_start->toolTip() + QLatin1Char(' ') + replaced).trimmed());
}

void ReleaseDialog::updateControls() {
    const bool running = m_runner.isRunning();
    m_form->setEnabled(!running);
    m_outsideLimits->setEnabled(!running);
    // Which words are unknown is to be seen before the start.
    const bool waits = !running && isReading();
    m_start->setEnabled(!running && m_form->isComplete() && m_state.searchSpace() != nullptr &&
                        (m_outsideLimits->isHidden() || m_outsideLimits->isChecked()) && !waits);
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
    m_notice->present(notice);
    field.setFocus(Qt::OtherFocusReason);
    m_scroll->ensureWidgetVisible(&field);
}

void ReleaseDialog::start() {
    m_notice->clear();
    showResult({});
    if (const QString danger = inputInDanger(m_form->read(), m_form->written());
        !danger.isEmpty()) {
        refuse({Severity::error,
                tr("%1 would be written over: choose another file to write to.").arg(danger)},
               m_form->outputField());
        return;
    }
    m_focus = m_form->focusWidget();
    m_query.setWanted(false);
    m_progress->setValue(0);
    m_writing = m_form->outputField().text();
    m_runner.start(
        [request = request()](const JobContext& job) { return releaseFile(request, job); });
    updateControls();
    m_cancel->setFocus(Qt::OtherFocusReason);
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
        return;
    }
    std::vector<report::ReleaseRemark> remarks = report::releaseRemarks(*result);
    QString summary = toQString(remarks.front().text) + QLatin1Char('.');
    remarks.erase(remarks.begin());
    if (setting != m_setting->text()) {
        summary +=
            QLatin1Char('\n') + tr("The setting has changed since. This text: %1").arg(setting);
    }
    QStringList lines{summary};
    for (const bool isWarning : {true, false}) {
        for (const report::ReleaseRemark& remark : remarks) {
            if (remark.isWarning == isWarning) {
                lines << (isWarning ? QStringLiteral("⚠ ") : QString()) + toQString(remark.text);
            }
        }
    }
    showResult(lines.join(QLatin1Char('\n')));
    Q_EMIT released(
        tr("Text released to %1. %2 %3 %4")
            .arg(QFileInfo(m_writing).fileName(), setting, summary, toQString(result->agreed))
            .trimmed());
    m_close->setFocus(Qt::OtherFocusReason);
}

/// Empty: there is none.
void ReleaseDialog::showResult(const QString& text) {
    m_result->setText(text);
    m_result->setVisible(!text.isEmpty());
    m_place->setVisible(!text.isEmpty());
    m_survey->setVisible(text.isEmpty());
    m_path->setText(QFileInfo(m_writing).absoluteFilePath());
    m_path->setCursorPosition(0);
}

void ReleaseDialog::done(int result) {
    m_query.setWanted(false);
    m_runner.cancel();
    QDialog::done(result);
}

}  // namespace epsilens::ui
