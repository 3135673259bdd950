#include "ui/release/release_dialog.h"

#include <cmath>
#include <optional>
#include <tuple>

#include <QtWidgets>

#include "core/base/numbers.h"
#include "core/mechanism/guarantee.h"
#include "core/report/memo_words.h"
#include "ui/state/analysis_state.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_runner.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/query.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

constexpr QSize kUsualSize{720, 860};
constexpr double kMostOfScreen = 0.9;
// Names are typed letter by letter.
constexpr int kSurveyRestMs = 200;

void keepPlace(QWidget* part) {
    QSizePolicy policy = part->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    part->setSizePolicy(policy);
    part->hide();
}

QString outOf100(std::int64_t part, std::int64_t all) {
    const double share = static_cast<double>(part) / static_cast<double>(all);
    return toQString(report::outOf100(report::percentUnknown(share), share));
}

QString wordsText(std::int64_t words) {
    return words == 1 ? tr("1 word") : tr("%1 words").arg(counted(words));
}

QString sizeOf(const release::TextSurvey& survey, bool isTable) {
    const std::int64_t parts = isTable ? survey.records : survey.counts.lines;
    const QString of = isTable && parts == 1 ? tr("1 row")
                       : isTable             ? tr("%1 rows").arg(counted(parts))
                       : parts == 1          ? tr("1 line")
                                             : tr("%1 lines").arg(counted(parts));
    return tr("%1 in %2").arg(wordsText(survey.counts.words), of);
}

QString releaseSettingText(const AnalysisState& state) {
    if (state.embedding() == nullptr) {
        return {};
    }
    return tr("Each word is replaced by a random word of %1: %2, ε = %3. The random numbers come "
              "from the operating system, fresh for every word, so that nobody can repeat it.")
        .arg(toQString(state.embedding()->embedding.name), shortTitle(state.mechanism()),
             shortest(state.epsilon()));
}

QString releaseReplacementText(const QStringList& paths) {
    QStringList there;
    for (const QString& path : paths) {
        if (const QFileInfo file(path); file.isFile()) {
            there << file.fileName();
        }
    }
    return there.isEmpty() ? QString()
                           : tr("replaces the existing file %1").arg(there.join(tr(" and ")));
}

/// Whether the sidecar of an output file tells of a release.
bool isRelease(const QString& output) {
    constexpr qint64 kBeginning = 256;
    QFile sidecar(output + QStringLiteral(".json"));
    return QFileInfo(sidecar).isFile() && sidecar.open(QIODevice::ReadOnly) &&
           sidecar.read(kBeginning).contains("epsilens.sanitize/");
}

/// What is promised for the longest line, and for the two words where that is of no use; empty
/// without two words.
///
/// lineWords    that the mechanism replaces in the longest line known; 0: none is known
/// medianWords  likewise in the median line
QString releasePromiseText(const GuaranteeModel& guarantee, double epsilon, std::int64_t lineWords,
                           std::int64_t medianWords) {
    const auto loss = guarantee.lossAt(epsilon);
    if (!loss) {
        return {};
    }
    constexpr int kDigits = 3;
    const auto isUseful = [](double of) { return std::exp(of) <= mechanism::kLargestUsefulFactor; };
    QStringList lines;
    if (!isUseful(*loss)) {
        const auto reach =
            mechanism::protectionRadius(guarantee.guarantee().value_or(mechanism::Guarantee{}),
                                        mechanism::kLargestUsefulFactor);
        lines << tr("⚠ No useful bound for %1 against %2: the odds could change by up to %3. For "
                    "words at most %4 apart they change by at most ×%5.")
                     .arg(guarantee.firstWord(), guarantee.secondWord(),
                          toQString(report::powerOfTen(*loss)),
                          toQString(formatAtLeast(reach.value_or(0.0), kDigits)),
                          toQString(report::factorAtMost(mechanism::kLargestUsefulFactor)));
    }
    const auto add = [&](const QString& line, std::int64_t words) {
        const double ofLine = *loss * static_cast<double>(words);
        lines
            << (isUseful(ofLine)
                    ? tr("%1, %2, against one that differs in each as %3 from %4: odds at most %5.")
                    : tr("⚠ %1, %2, against one that differs in each as %3 from %4: no useful "
                         "bound, up to %5."))
                   .arg(line, wordsText(words), guarantee.firstWord(), guarantee.secondWord(),
                        toQString(isUseful(ofLine) ? report::oddsAtMost(ofLine)
                                                   : report::powerOfTen(ofLine)));
    };
    if (lineWords > 0) {
        add(tr("Longest line"), lineWords);
    }
    if (medianWords < lineWords) {
        add(tr("Median line"), medianWords);
    }
    return lines.join(QLatin1Char('\n'));
}

Notice releaseRefusal(const Error& error) {
    Notice notice = noticeFor(error);
    notice.text.replace(QStringLiteral("--data-format"), tr("the table format"));
    if (error.remedy == Remedy::givenFormat) {
        notice.text += tr(" (or choose another encoding above, or replace damaged places)");
    }
    return notice;
}

struct SurveyKey {
    ReleaseRequest request{};
    QDateTime modified{};                         ///< the file of the request
    std::optional<mechanism::Setting> drawnAt{};  ///< nothing: no word is replaced

    [[nodiscard]] bool operator==(const SurveyKey& other) const {
        const auto parts = [](const SurveyKey& key) {
            const ReleaseRequest& of = key.request;
            return std::tie(key.modified, key.drawnAt, of.space, of.inputPath, of.decoding.encoding,
                            of.decoding.invalid, of.table.columns, of.table.format,
                            of.policies.unknown, of.policies.mask, of.policies.letterCase,
                            of.stopWordsPath);
        };
        return parts(*this) == parts(other);
    }
};

/// What is found by reading all of a text before it is asked for. It holds words of the text: it is
/// shown and forgotten, and goes nowhere else.
struct Survey {
    Result<release::TextSurvey> found{};  ///< or why the text cannot be released
};

class Release final : public ReleaseDialog {
public:
    Release(AnalysisState& state, const LimitVerdicts& limits, JobBoard& jobs,
            const GuaranteeModel& guarantee, QWidget* parent)
        : ReleaseDialog(parent),
          m_state(state),
          m_limits(limits),
          m_guarantee(guarantee),
          m_scroll(new ColumnScrollArea(this)),
          m_setting(selectable(wrapped(new QLabel(m_scroll), "releaseSettingLabel"))),
          m_form(new ReleaseForm(state, m_scroll)),
          m_example(selectable(wrapped(new QLabel(m_scroll), "exampleLabel"))),
          m_unprotected(selectable(wrapped(hintLabel({}, m_scroll), "unprotectedLabel"))),
          m_met(selectable(wrapped(new QLabel(this), "limitsMetLabel"))),
          m_outsideLimits(described(
              new QCheckBox(this), "outsideLimitsCheckBox", tr("Release outside the limits"),
              tr("The setting of the dial does not meet the limits, or it is not known yet whether "
                 "it does."))),
          m_progress(described(new QProgressBar(this), "releaseProgressBar", tr("Progress"),
                               tr("How much of the text is done."))),
          m_cancel(described(new QPushButton(tr("Cancel"), this), "cancelReleasePushButton",
                             tr("Cancel"), tr("Stops; no file is written."))),
          m_start(described(new QPushButton(tr("&Release"), this), "releasePushButton",
                            tr("Release"), tr("Processes the words and writes the result."))),
          m_close(described(new QPushButton(tr("Close"), this), "closePushButton", tr("Close"),
                            tr("Closes this dialog and stops the work in progress."))),
          m_query({.title = tr("Reading the text to release"),
                   .key = [this] { return surveyKey(); },
                   .make = [](const SurveyKey& key, const JobContext& job) -> Result<Survey> {
                       return Survey{surveyRelease(key.request, job)};
                   },
                   .restMs = kSurveyRestMs}),
          m_examples({.title = tr("Drawing an example"),
                      .key = [this] { return surveyKey(m_state.setting()); },
                      .make = [](const SurveyKey& key,
                                 const JobContext& job) { return exampleOf(key.request, job); },
                      .restMs = kSurveyRestMs}),
          m_runner(tr("Releasing a text"),
                   [this](const Result<report::ReleaseReport>& result) { finish(result); }) {
        setObjectName(QStringLiteral("releaseDialog"));
        setWindowTitle(tr("Release text"));
        jobs.watch(&m_runner);
        jobs.watch(&m_query.job());
        auto* page = new QWidget(m_scroll);
        columnIn(page, kRowSpacing, {m_setting, m_form, m_example, m_unprotected})->addStretch();
        m_scroll->setWidget(page);
        auto* layout = columnIn(this, kRowSpacing,
                                {m_scroll, m_met, m_outsideLimits, buildOutcome()}, kPanelMargin);
        layout->setStretch(0, 1);
        layout->addLayout(buildButtons());
        connectControls();
        followLimits();
        describeSetting();
    }

    void suggestFile(const QString& path, const QString& column) override {
        if (!m_runner.isRunning()) {
            m_form->suggestFile(path, column);
        }
    }
    void done(int result) override {
        m_query.setWanted(false);
        m_examples.setWanted(false);
        m_runner.cancel();
        ReleaseDialog::done(result);
    }

protected:
    void showEvent(QShowEvent* event) override {
        if (!event->spontaneous()) {
            const QSize room = screen()->availableGeometry().size() * kMostOfScreen;
            const QSize usual{scaledToText(kUsualSize.width(), fontMetrics()),
                              scaledToText(kUsualSize.height(), fontMetrics())};
            resize(usual.boundedTo(room));
            showResult({});
            followRequest();
        }
        ReleaseDialog::showEvent(event);
    }

private:
    [[nodiscard]] QHBoxLayout* buildButtons() {
        constexpr int kFinest = 1000;
        m_progress->setRange(0, kFinest);
        keepPlace(m_progress);
        keepPlace(m_cancel);
        m_cancel->setAutoDefault(false);
        m_start->setDefault(true);
        auto* buttons = rowOf({m_progress, m_cancel, m_start, m_close}, kRowSpacing);
        buttons->insertSpacing(2, kGroupSpacing);
        return buttons;
    }
    /// The place for what is said before a release, for why it did not start, and for what came of
    /// it. The form gets what room it leaves; beyond some lines it scrolls.
    [[nodiscard]] ColumnScrollArea* buildOutcome() {
        constexpr int kLines = 10;
        constexpr int kLinesOnLowScreen = 6;
        constexpr int kLowScreen = 720;
        auto* area = new ColumnScrollArea(this);
        auto* content = new QWidget(area);
        m_notice = new NoticeLine(content);
        m_survey = selectable(wrapped(new QLabel(content), "releaseSurveyLabel"));
        m_survey->setTextFormat(Qt::PlainText);
        m_result = selectable(wrapped(new QLabel(content), "releaseResultLabel"));
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
            QDesktopServices::openUrl(
                QUrl::fromLocalFile(QFileInfo(m_path->text()).absolutePath()));
        });
        columnIn(content, kRowSpacing / 2, {m_notice, m_survey, m_place, m_result})->addStretch();
        area->setWidget(content);
        filterEvents(content, area, [area, content](QObject*, const QEvent& event) {
            if (event.type() == QEvent::LayoutRequest || event.type() == QEvent::Resize) {
                const bool isLow = area->screen()->availableGeometry().height() < kLowScreen;
                const int most =
                    (isLow ? kLinesOnLowScreen : kLines) * area->fontMetrics().lineSpacing();
                area->setFixedHeight(
                    std::min(most, content->layout()->totalHeightForWidth(content->width())));
            }
            return false;
        });
        showResult({});
        return area;
    }
    void connectControls() {
        connect(m_form, &ReleaseForm::changed, this, &Release::followForm);
        connect(m_outsideLimits, &QCheckBox::toggled, this, &Release::followRequest);
        connect(&m_limits, &LimitVerdicts::statusChanged, this, &Release::followLimits);
        connect(&m_limits, &LimitVerdicts::checksChanged, this, &Release::showLimits);
        connect(&m_query, &QueryBase::changed, this, &Release::followRequest);
        connect(&m_examples, &QueryBase::changed, this, &Release::showExample);
        connect(&m_query.job(), &JobRunnerBase::progressChanged, this, &Release::showSurvey);
        connect(m_notice, &NoticeLine::changed, this, &Release::showSurvey);
        connect(&m_guarantee, &GuaranteeModel::changed, this, &Release::showSurvey);
        connect(&m_guarantee, &GuaranteeModel::promiseChanged, this, &Release::showSurvey);
        takeDrops(*this, [this](const QString& path, QWidget* target) {
            if (!m_runner.isRunning()) {
                m_form->takeDropped(path, target);
            }
        });
        connect(m_start, &QPushButton::clicked, this, &Release::start);
        connect(m_cancel, &QPushButton::clicked, &m_runner, &JobRunnerBase::cancel);
        connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
        connect(&m_runner, &JobRunnerBase::progressChanged, this, [this](double fraction) {
            m_progress->setValue(static_cast<int>(fraction * m_progress->maximum()));
            const auto left = m_runner.secondsLeft();
            m_progress->setFormat(left ? tr("%1 left").arg(duration(std::ceil(*left)))
                                       : QStringLiteral("%p%"));
        });
        connect(&m_state, &AnalysisState::embeddingChanged, this, &Release::describeSetting);
        m_state.onChange(&AnalysisSettings::setting, this, &Release::describeSetting);
    }
    void describeSetting() {
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
    void followForm() {
        if (!m_runner.isRunning()) {
            showResult({});
            m_notice->clear();
            followRequest();
        }
    }
    void followRequest() {
        if (!m_runner.isRunning()) {
            m_unprotected->setText(m_form->unprotectedText());
            m_query.setWanted(true);
            m_examples.setWanted(true);
            showSurvey();
            showExample();
        }
        updateControls();
    }
    void showExample() {
        const std::vector<release::ExampleLine>* rows = m_examples.current();
        m_example->setText(rows != nullptr ? exampleText(*rows) : QString());
        m_example->setVisible(!m_example->text().isEmpty());
    }
    void showSurvey() {
        if (m_runner.isRunning()) {
            return;
        }
        const Survey* survey = m_query.current();
        const bool isKnown = survey != nullptr && survey->found;
        const QString replaced = releaseReplacementText(m_form->written());
        QStringList parts{
            surveyLine(),
            releasePromiseText(m_guarantee, m_state.epsilon(),
                               isKnown ? survey->found->counts.mostReplacedInLine : 0,
                               isKnown ? survey->found->medianReplacedInLine : 0),
            replaced.isEmpty() ? replaced : tr("⚠ %1").arg(replaced),
            releasedInputs.contains(toQString(request().inputPath)) ||
                    isRelease(m_form->outputField().text())
                ? tr("⚠ Releasing the same text again adds another loss: who has both releases "
                     "learns more than from one (composition).")
                : QString()};
        parts.removeAll(QString());
        m_survey->setText(parts.join(QLatin1Char('\n')));
        m_start->setAccessibleDescription(
            (m_start->toolTip() + QLatin1Char(' ') + replaced).trimmed());
    }
    [[nodiscard]] QString surveyLine() const {
        const Survey* survey = m_query.current();
        if (survey != nullptr && survey->found) {
            return surveyText(*survey->found, m_state.textPolicies().unknownWords,
                              !request().table.columns.empty());
        }
        if (survey != nullptr) {
            const QString refusal = releaseRefusal(survey->found.error()).text;
            return refusal == m_notice->text() ? QString() : tr("✗ %1").arg(refusal);
        }
        constexpr double kHundred = 100.0;
        const JobRunnerBase& job = m_query.job();
        return isReading() ? tr("Reading the whole text: %1%")
                                 .arg(job.isRunning() ? std::lround(kHundred * job.fraction()) : 0L)
                           : QString();
    }
    [[nodiscard]] bool isReading() const { return m_query.current() == nullptr && surveyKey(); }
    void followLimits() {
        const document::LimitCounts& status = m_limits.status();
        const bool areMet = status.areAllMet();
        if (areMet) {
            m_outsideLimits->setChecked(false);
        }
        m_outsideLimits->setVisible(!areMet);
        m_outsideLimits->setText(
            status.missed > 0
                ? tr("Release it although the limits are not met: %1")
                      .arg(toQString(report::limitCountWords(status)))
                : tr("Release it although it is not known whether the limits are met"));
        showLimits();
        followRequest();
    }
    void showLimits() {
        const QStringList lines = m_limits.lines();
        m_met->setText(lines.join(QLatin1Char('\n')));
        m_met->setVisible(!lines.isEmpty());
    }
    [[nodiscard]] QString consent() const {
        return m_outsideLimits->isHidden() || !m_outsideLimits->isChecked()
                   ? QString()
                   : tr("Ticked before the release: “%1”.").arg(m_outsideLimits->text());
    }
    void updateControls() {
        const bool running = m_runner.isRunning();
        m_form->setEnabled(!running);
        m_outsideLimits->setEnabled(!running);
        const bool waits = !running && isReading();
        // Each further release of a text adds its own loss: not by a second click.
        const bool isReleased = !m_result->isHidden();
        m_start->setEnabled(
            !running && !isReleased && !m_form->inputField().text().isEmpty() &&
            !m_form->outputField().text().isEmpty() && m_state.searchSpace() != nullptr &&
            (m_outsideLimits->isHidden() || m_outsideLimits->isChecked()) && !waits);
        m_start->setToolTip(isReleased
                                ? tr("Released. Each further release of a text adds its own loss; "
                                     "another file or setting can be released.")
                            : waits ? tr("Starts once the whole text has been read.")
                                    : tr("Processes the words and writes the result."));
        m_cancel->setVisible(running);
        m_progress->setVisible(running);
    }
    void start() {
        m_notice->clear();
        showResult({});
        m_focus = m_form->focusWidget();
        m_query.setWanted(false);
        m_progress->setValue(0);
        m_writing = m_form->outputField().text();
        m_runner.start(
            [request = request()](const JobContext& job) { return releaseFile(request, job); });
        updateControls();
        m_cancel->setFocus(Qt::OtherFocusReason);
    }
    void finish(const Result<report::ReleaseReport>& result) {
        const QString setting = m_setting->text();
        describeSetting();
        updateControls();
        if (!result) {
            const bool isCancelled = result.error().code == ErrorCode::cancelled;
            m_notice->present(isCancelled
                                  ? Notice{Severity::info, tr("Cancelled: no file was written.")}
                                  : releaseRefusal(result.error()));
            const std::string& file = result.error().file;
            const ReleaseRequest asked = request();
            const bool isOutput =
                !file.empty() && (file == asked.outputPath || file == asked.sidecarPath);
            QWidget& field = m_focus && !isOutput ? *m_focus
                             : isOutput           ? m_form->outputField()
                                                  : m_form->inputField();
            field.setFocus(Qt::OtherFocusReason);
            m_scroll->ensureWidgetVisible(&field);
            return;
        }
        releasedInputs.insert(toQString(request().inputPath));
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
                    lines << (isWarning ? QStringLiteral("⚠ ") : QString()) +
                                 toQString(remark.text);
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
    void showResult(const QString& text) {
        m_result->setText(text);
        m_result->setVisible(!text.isEmpty());
        m_place->setVisible(!text.isEmpty());
        m_survey->setVisible(text.isEmpty());
        m_path->setText(QFileInfo(m_writing).absoluteFilePath());
        m_path->setCursorPosition(0);
        updateControls();
    }
    [[nodiscard]] ReleaseRequest request() const {
        ReleaseRequest request;
        request.space = m_state.searchSpace();
        request.setting = m_state.setting();
        request.agreed = toStd(consent());
        m_form->fillIn(request);
        return request;
    }
    [[nodiscard]] std::optional<SurveyKey> surveyKey(
        const std::optional<mechanism::Setting>& drawnAt = {}) const {
        const ReleaseRequest asked = request();
        const QFileInfo file(toQString(asked.inputPath));
        // Reading from anything but a file would take away what it has.
        return asked.space && file.isFile()
                   ? std::optional(SurveyKey{asked, file.lastModified(), drawnAt})
                   : std::nullopt;
    }

    static inline QSet<QString> releasedInputs{};  ///< input files since the start; in memory only
    AnalysisState& m_state;
    const LimitVerdicts& m_limits;
    const GuaranteeModel& m_guarantee;
    ColumnScrollArea* m_scroll;
    QLabel* m_setting;
    ReleaseForm* m_form;
    QLabel* m_example;
    QLabel* m_unprotected;
    QLabel* m_met;               ///< which limits are met, a line each
    QCheckBox* m_outsideLimits;  ///< to be ticked where a setting is not known to meet them
    NoticeLine* m_notice = nullptr;
    QLabel* m_survey = nullptr;
    QLabel* m_result = nullptr;
    QWidget* m_place = nullptr;  ///< around the next two
    QLineEdit* m_path = nullptr;
    QPushButton* m_openFolder = nullptr;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QPushButton* m_start;
    QPushButton* m_close;
    QString m_writing;          ///< output file of the run, the last or the one now
    QPointer<QWidget> m_focus;  ///< of the form when the run began
    Query<SurveyKey, Survey> m_query;
    Query<SurveyKey, std::vector<release::ExampleLine>> m_examples;
    JobRunner<report::ReleaseReport> m_runner;
};

}  // namespace

QString surveyText(const release::TextSurvey& survey, release::UnknownPolicy unknown,
                   bool isTable) {
    const release::ReleaseCounts& counts = survey.counts;
    const QString size = sizeOf(survey, isTable);
    const std::int64_t unknownWords = counts.words - counts.replaced - counts.stopWords;
    if (counts.words == 0) {
        return tr("%1: nothing to release.").arg(size);
    }
    QString text = tr("%1, none of them unknown.").arg(size);
    if (unknownWords > 0) {
        text = tr("%1. %2 words are unknown and %3, most often: %4%5.")
                   .arg(size, outOf100(unknownWords, counts.words), fateOfUnknown(unknown),
                        mostUnknownText(survey),
                        survey.isUnknownPartial ? tr(" (among the first %1 different ones)")
                                                      .arg(counted(survey.differentUnknown))
                                                : QString());
    }
    if (counts.stopWords > 0) {
        text += tr(" Stop words that would stay as they are: %1.")
                    .arg(outOf100(counts.stopWords, counts.words));
    }
    if (const QString warning = commonUnknownWarning(survey, unknown); !warning.isEmpty()) {
        text += QLatin1Char('\n') + warning;
    }
    return text;
}

ReleaseDialog* newReleaseDialog(AnalysisState& state, const LimitVerdicts& limits, JobBoard& jobs,
                                const GuaranteeModel& guarantee, QWidget* parent) {
    return new Release(state, limits, jobs, guarantee, parent);
}

}  // namespace epsilens::ui
