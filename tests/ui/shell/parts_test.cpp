// Parts of the window alone.

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "core/base/parallel.h"
#include "tests/ui/support/endless_job.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/shell/preferences.h"
#include "ui/shell/setting_bar.h"
#include "ui/shell/status_area.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

class SettingBarTest : public QObject, private test::Driver {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_state = std::make_unique<AnalysisState>();
        m_bar = std::make_unique<SettingBar>(*m_state);
        m_details.setCheckable(true);
    }
    void cleanup() { m_bar.reset(); }

    void followsTheSettings() {
        const auto hears = [this](const char* words) {
            return test::holds(m_bar->accessibleName(), words);
        };
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        m_state->edit(&AnalysisSettings::setParameters, {.lambda = 0.25});
        m_state->edit(&AnalysisSettings::chooseEpsilon, 12.0);
        QCOMPARE(text("summaryEmbeddingLabel"), "toy.txt 40 × 3");
        QVERIFY(hears("toy.txt 40 × 3, Mahalanobis λ 0.25, ε 12.0"));
        m_state->edit(&AnalysisSettings::chooseMechanism, mechanism::Laplace());
        QVERIFY(hears(", Laplace, "));
        const QWidget& limits = find("summaryLimitsLabel");
        QVERIFY(!limits.isVisibleTo(m_bar.get()));
        m_bar->showLimits({2, 1, 1});
        QVERIFY(hears("Limits: 1 of 2 not met ✗") && limits.isVisibleTo(m_bar.get()));
        QCOMPARE(text("summaryLimitsLabel"), "Limits: 1 of 2 not met ✗");
        QCOMPARE(limits.toolTip(), text("summaryLimitsLabel"));
        const QStringList lines{"✓ first: yes, 4.2 (3.9 to 4.5)", "✓ second: yes, 7"};
        m_bar->showLimits({2, 2, 0}, lines);
        QCOMPARE(limits.toolTip(), lines.join('\n'));
        QVERIFY(test::holds(limits.accessibleDescription(), lines.front()));
    }

    void offersMenusTheReleaseAndTheDetails() {
        QMenu embeddings;
        QMenu data;
        m_bar->setEmbeddingMenu(embeddings);
        m_bar->setDataMenu(data);
        m_bar->setActions(&m_release, &m_details);
        const QSignalSpy released(&m_release, &QAction::triggered);
        for (QMenu* menu : {&embeddings, &data}) {
            menu->addAction("Open…");
        }
        m_bar->resize(1200, 40);
        m_bar->show();
        QVERIFY(!isShown("summaryDataLabel"));
        m_state->setEmbedding(test::toyEmbedding(), nullptr);
        QCOMPARE(text("summaryDataLabel"), "texts: none");
        m_bar->showData("66% known of sms.tsv");
        QCOMPARE(text("summaryDataLabel"), "66% known of sms.tsv");
        // Its text gives way first; the button that says the same stays.
        const QWidget& button = find("dataMenuButton");
        QCOMPARE(button.accessibleName(), "texts: 66% known of sms.tsv");
        QVERIFY(test::begins(button.toolTip(), button.accessibleName()));
        QTRY_VERIFY(find("summaryDataLabel").width() > 0);
        for (const auto& [label, arrow, menu] :
             {std::tuple{"summaryDataLabel", "dataMenuButton", &data},
              std::tuple{"summaryEmbeddingLabel", "embeddingMenuButton", &embeddings}}) {
            QTest::mouseClick(&find(label), Qt::LeftButton);
            QVERIFY(menu->isVisible());
            menu->close();
            click(arrow);
            QVERIFY(menu->isVisible());
            menu->close();
        }
        click("releaseButton");
        QCOMPARE(released.count(), 1);
        click("detailsButton");
        QVERIFY(m_details.isChecked());
    }

    void whatMattersStaysInANarrowBar_data() {
        QTest::addColumn<QString>("embedding");
        QTest::addColumn<QString>("data");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("percent");
        QTest::addColumn<bool>("hasLimitsAndPin");
        const char* usual = "toy.txt";
        const char* longName = "a-long-name-of-an-embedding.txt";
        const QString longest(300, 'x');
        const char* texts = "66% known of a-collection-of-messages-and-answers.tsv";
        QTest::newRow("a long name of texts") << usual << longest << 850 << 100 << false;
        QTest::newRow("a long name of vectors") << longest << texts << 850 << 100 << false;
        QTest::newRow("no texts") << longest << QString() << 700 << 100 << false;
        QTest::newRow("limits and a pin") << longName << texts << 960 << 100 << true;
        QTest::newRow("large text") << longName << "66% known of sms.tsv" << 960 << 160 << false;
    }
    void whatMattersStaysInANarrowBar() {
        QFETCH(const QString, embedding);
        QFETCH(const QString, data);
        QFETCH(const int, width);
        QFETCH(const int, percent);
        QFETCH(const bool, hasLimitsAndPin);
        applyTextSize(percent);
        const auto back = qScopeGuard([] { applyTextSize(Preferences().textPercent); });
        if (!data.isEmpty()) {
            m_bar->setActions(&m_release, &m_details);
        }
        auto named = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding());
        named->embedding.name = embedding.toStdString();
        m_state->setEmbedding(named, nullptr);
        m_bar->showData(data);
        m_bar->resize(width, 60);
        m_bar->show();
        std::vector<mechanism::Mechanism> mechanisms{mechanism::Mahalanobis()};
        if (hasLimitsAndPin) {
            m_bar->showLimits({3, 1, 1});  // one more is not measured
            m_state->edit(&AnalysisSettings::pin, m_state->setting());
            mechanisms.emplace_back(mechanism::Tem());
        }
        for (const mechanism::Mechanism& mechanism : mechanisms) {
            m_state->edit(&AnalysisSettings::chooseMechanism, mechanism);
            QVERIFY(m_bar->minimumSizeHint().width() <= width);
            const auto shown = [this](const char* name) {
                const auto& label = find<ElidedLabel>(name);
                return label.textWithin(label.width());
            };
            QTRY_VERIFY(!data.contains('%') || shown("summaryDataLabel").startsWith("66% known"));
            const QString name = shown("summaryEmbeddingLabel");
            QVERIFY2(name.startsWith(embedding.left(2)) && name.size() >= 5, qPrintable(name));
            const QWidget& limits = find("summaryLimitsLabel");
            QVERIFY(!hasLimitsAndPin || limits.width() >= limits.sizeHint().width());
            for (const char* button : {"releaseButton", "detailsButton"}) {
                QVERIFY(find(button).geometry().right() <= m_bar->width());
                QVERIFY(find(button).width() >=
                        find(button).fontMetrics().horizontalAdvance(text(button)));
            }
        }
    }

private:
    [[nodiscard]] const QObject& root() const override { return *m_bar; }

    std::unique_ptr<AnalysisState> m_state;
    std::unique_ptr<SettingBar> m_bar;
    QAction m_release{"Release…"};
    QAction m_details{"&Details"};
};

namespace {

/// A job that is as far as it is told, and ends when it is all done. Qt passes on progress only
/// that moves, and not every one: it creeps within the percent.
void startStepped(JobRunner<int>& runner, const std::atomic<int>& percent) {
    runner.start([&percent](const JobContext& job) -> Result<int> {
        int told = 0;
        int creep = 0;
        while (percent < 100 && !job.stopRequested()) {
            const int now = percent;
            creep = now == told ? std::min(creep + 1, 9) : 0;
            told = now;
            job.progress(now / 100.0 + creep / 1000.0, fmt::format("word {}", now));
            QThread::msleep(10);
        }
        return 0;
    });
}

/// One that tells its progress once.
}  // namespace

class StatusAreaTest : public QObject, private test::Driver {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_jobs = std::make_unique<JobBoard>();
        m_area = std::make_unique<StatusArea>(*m_jobs);
        m_area->show();
        m_first = makeRunner("Calibrating");
    }
    void cleanup() {
        m_first.reset();
        m_area.reset();
    }

    void showsAJobAndCancelsIt() {
        m_percent = 30;
        startStepped(*m_first, m_percent);
        QVERIFY(!isShown("jobProgressBar"));  // jobs of a moment show nothing
        QTRY_VERIFY(isShown("jobProgressBar"));
        QVERIFY(says("statusLabel", "Calibrating: word 30") && says("timeLeftLabel", " left"));
        QTRY_VERIFY(find<QProgressBar>("jobProgressBar").value() >= 300);
        QTest::mouseClick(&find("cancelButton"), Qt::LeftButton);
        QTRY_VERIFY(!m_first->isRunning() && !isShown("jobProgressBar"));
    }

    void theKeyAsksBeforeItEndsALongJobOnly() {
        constexpr double kEveryJobIsLong = 0.0;
        m_first->start(test::untilStopped);
        dialogs::presetAnswer(std::nullopt);
        m_area->askToCancel(kEveryJobIsLong);
        QVERIFY(test::begins(dialogs::lastQuestion(), "Stop this: Calibrating?"));
        test::letPass(30);
        QVERIFY(m_first->isRunning());
        dialogs::presetAnswer(0);
        m_area->askToCancel(kEveryJobIsLong);
        QTRY_VERIFY(!m_first->isRunning());
        m_first->start(test::untilStopped);
        m_area->askToCancel();
        QTRY_VERIFY(!m_first->isRunning());
    }

    void theTimeLeftGrowsWhileNothingIsDone() {
        m_first->start([](const JobContext& job) -> Result<int> {
            job.progress(0.25, "Calib");
            return test::untilStopped(job);
        });
        QVERIFY(says("timeLeftLabel", "left"));
        const QString first = text("timeLeftLabel");
        QTRY_VERIFY(text("timeLeftLabel") != first);
        // What is said meanwhile stands beside the job.
        m_area->showMessage("Text size 120%");
        QVERIFY(isShown("jobProgressBar"));
        QCOMPARE(text("statusLabel"), "Calibrating…");
        QCOMPARE(text("messageBesideJobLabel"), "Text size 120%");
    }

    /// Every other accessible name is an event for screen readers; other text is none beside one.
    void quartersAreAnnouncedOnceAndGoWithTheirJob() {
        const QWidget& label = find("statusLabel");
        m_percent = 5;
        startStepped(*m_first, m_percent);
        QStringList spoken{QString()};
        for (const int step : {5, 10, 24, 30, 49, 51, 80, 90}) {
            m_percent = step;
            QTRY_COMPARE(text("statusLabel"), QString("Calibrating: word %1").arg(step));
            if (label.accessibleName() != spoken.last()) {
                spoken.append(label.accessibleName());
            }
        }
        QCOMPARE(spoken.join(" | "),
                 " | Calibrating: word 5, 0% | Calibrating: word 30, 25% | "
                 "Calibrating: word 51, 50% | Calibrating: word 80, 75%");
        // A second job is announced at its start.
        std::atomic<int> ofSecond = 30;
        const auto second = makeRunner("Loading");
        startStepped(*second, ofSecond);
        m_percent = 100;
        QTRY_COMPARE(label.accessibleName(), "Loading: word 30, 25%");
        ofSecond = 100;
        QTRY_VERIFY(!isShown("jobProgressBar"));
        m_area->showMessage("Command copied.");
        QCOMPARE(text("statusLabel"), "Command copied.");
        QVERIFY(label.accessibleName().isEmpty());
    }

    void theLogKeepsTheNewestAndCountsWhatWasNotSeen() {
        LogDialog log(m_area.get());
        auto* button = log.button();
        const auto kept = [&log] {
            return findControl<QPlainTextEdit>(log, "logText")->toPlainText();
        };
        QCOMPARE(button->text(), "log");
        log.add(Severity::info, "a note");
        log.add(Severity::error, "an error");
        QCOMPARE(button->text(), "log ⚠ 1");
        QVERIFY(button->accessibleName().contains('1'));
        button->click();
        QVERIFY(log.isVisible());
        QCOMPARE(button->text(), "log");
        QCOMPARE(kept().count('\n'), 1);
        const QString time = kept().section('\n', 1).section(' ', 0, 0);
        QVERIFY(QDateTime::fromString(time, Qt::ISODate).isValid());
        QVERIFY(test::ends(kept(), time + " Error: an error"));
        for (int i = 0; i < LogDialog::kMost; ++i) {
            log.add(Severity::info, QString::number(i));
        }
        QVERIFY(!kept().contains("an error") && kept().contains("Note: 0\n"));
        findControl<QPushButton>(log, "clearLogButton")->click();
        QVERIFY(kept().isEmpty());
    }

private:
    std::unique_ptr<JobRunner<int>> makeRunner(const char* title) {
        auto runner = std::make_unique<JobRunner<int>>(title, [](const Result<int>&) {});
        m_jobs->watch(runner.get());
        return runner;
    }
    [[nodiscard]] const QObject& root() const override { return *m_area; }

    std::atomic<int> m_percent = 0;
    std::unique_ptr<JobBoard> m_jobs;
    std::unique_ptr<StatusArea> m_area;
    std::unique_ptr<JobRunner<int>> m_first;
};

class PreferencesTest : public QObject, private test::Driver {
    Q_OBJECT

private Q_SLOTS:
    void init() { QSettings().clear(); }
    void cleanup() {
        m_dialog.reset();
        Preferences usual;
        usual.theme = ThemeChoice::light;
        usual.apply();
    }

    void valuesOutOfRangeCountAsNotSet() {
        QSettings settings;
        settings.setValue("window/theme", 17);
        settings.setValue("preferences/textPercent", 4000);
        settings.setValue("preferences/threads", -2);
        settings.setValue("preferences/memoryGiB", "much");
        QVERIFY(Preferences::load() == Preferences());
    }

    void tenRecentFilesAreKeptNewestFirst() {
        const auto name = [](int i) { return QString("/data/%1.txt").arg(i); };
        for (int i = 0; i < 12; ++i) {
            remembered::addRecentFile(name(i));
        }
        remembered::addRecentFile(name(5));
        QStringList expected;
        for (const int i : {5, 11, 10, 9, 8, 7, 6, 4, 3, 2}) {
            expected.append(name(i));
        }
        QCOMPARE(remembered::recentFiles(), expected);
        remembered::clearRecentFiles();
        QVERIFY(remembered::recentFiles().isEmpty());
    }

    void filesAreNotWrittenWhereTheyWereOpened() {
        const QTemporaryDir texts;
        remembered::setFolder(texts.path());
        QVERIFY(remembered::outputFolder() != texts.path());
        QVERIFY(QDir(remembered::outputFolder()).exists());
        const QTemporaryDir exports;
        remembered::setOutputFolder(exports.path());
        QCOMPARE(remembered::outputFolder(), exports.path());
        QCOMPARE(remembered::folder(), texts.path());
    }

    void rememberingNothingForgetsAndKeepsForgetting() {
        const auto remember = [] {
            remembered::addRecentFile("/data/a.txt");
            remembered::setFolder("/data");
            remembered::setOutputFolder("/data");
        };
        remember();
        for (const char* key : {"window/layout", "window/tab", "window/open/textSection"}) {
            QSettings().setValue(key, "/data");
        }
        Preferences preferences;
        preferences.theme = ThemeChoice::dark;
        preferences.rememberNothing = true;
        preferences.save();
        remember();
        for (const QString& key : QSettings().allKeys()) {
            const QStringList kept = QSettings().value(key).toStringList();
            QVERIFY2(kept.filter("/data").isEmpty(), qPrintable(key));
        }
        // The preferences themselves were asked for.
        QVERIFY(Preferences::load().theme == ThemeChoice::dark);
    }

    /// Tables keep their heights; fonts with a size of their own keep their share.
    void textGrowsInWhatIsShownAlready() {
        QWidget window;
        const QLabel* hint = hintLabel("hint", &window);
        const double hintSize = hint->font().pointSizeF();
        NoticeLine notice(&window);
        notice.present({Severity::info, "text"});
        QTableView table(&window);
        keepRowHeight(&table, 4);
        window.show();
        const auto* text = findControl<QLabel>(notice, "noticeTextLabel");
        const auto sizes = [&] {
            return std::vector<double>{text->font().pointSizeF(), table.font().pointSizeF()};
        };
        const int rowHeight = table.verticalHeader()->defaultSectionSize();
        const std::vector<double> before = sizes();
        applyTextSize(200);
        QTRY_COMPARE(sizes(), (std::vector<double>(2, 2.0 * before.front())));
        QVERIFY(table.verticalHeader()->defaultSectionSize() > rowHeight + 6);
        QCOMPARE(hint->font().pointSizeF(), 2.0 * hintSize);
        applyTextSize(100);
        QTRY_COMPARE(sizes(), before);
        QCOMPARE(table.verticalHeader()->defaultSectionSize(), rowHeight);
    }

    void theDialogCutsNothingAtLargeText() {
        openDialog();
        const auto isWhole = [this] {
            const QList<QLabel*> labels = m_dialog->findChildren<QLabel*>();
            return std::ranges::all_of(labels, [](const QLabel* label) {
                return !label->isVisible() || !label->wordWrap() ||
                       label->height() >= label->heightForWidth(label->width());
            });
        };
        QVERIFY(isWhole());
        applyTextSize(160);
        QTRY_VERIFY(isWhole());
    }

    void theDialogKeepsWhatIsAccepted() {
        const Preferences before = Preferences::load();
        openDialog();
        find<QComboBox>("themeComboBox").setCurrentIndex(2);
        find<NumberField>("textSizeField").setValue(130);
        find<NumberField>("threadsField").setValue(1);
        find<NumberField>("memoryField").setValue(1.5);
        find<QCheckBox>("rememberNothingCheckBox").setChecked(true);
        QVERIFY(Preferences::load() == before);
        m_dialog->accept();
        const Preferences expected{ThemeChoice::dark, 130, 1, 1.5, true};
        QVERIFY(Preferences::load() == expected);
        QCOMPARE(defaultThreadCount(), 1);
        QCOMPARE(remembered::memoryLimitBytes(), 1'610'612'736);
    }

    void numbersThatAreNoneAreSeenBeforeTheDialogCloses_data() {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("kept");
        QTest::addColumn<QString>("problem");
        const QByteArray memory = "memoryField";
        QTest::newRow("point") << memory << "0.5" << 0.5 << "";
        QTest::newRow("nothing set") << memory << "0" << 0.0 << "";
        QTest::newRow("too much") << memory << "5000" << 2.0 << "from 0 to 4096";
        QTest::newRow("threads") << QByteArray("threadsField") << "1,5" << 2.0 << "a whole number";
    }
    void numbersThatAreNoneAreSeenBeforeTheDialogCloses() {
        QFETCH(const QByteArray, field);
        QFETCH(const QString, text);
        QFETCH(const double, kept);
        QFETCH(const QString, problem);
        Preferences before;
        before.memoryGiB = 2.0;
        before.save();
        openDialog();
        enter(field, text);
        QCOMPARE(m_dialog->isVisible(), !problem.isEmpty());
        const QString said = this->text("preferencesProblemLabel");
        QVERIFY(test::holds(said, problem) && said.isEmpty() == problem.isEmpty());
        QCOMPARE(Preferences::load().memoryGiB, kept);
        QCOMPARE(Preferences::load().threads, 0);
    }

private:
    void openDialog() {
        m_dialog.reset(newPreferencesDialog());
        m_dialog->show();
    }
    [[nodiscard]] const QObject& root() const override { return *m_dialog; }

    std::unique_ptr<QDialog> m_dialog;
};

EPSILENS_UI_TEST(SettingBarTest)
EPSILENS_UI_TEST(StatusAreaTest)
EPSILENS_UI_TEST(PreferencesTest)
#include "parts_test.moc"
