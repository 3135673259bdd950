#include <cmath>

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

#include "core/document/report_document.h"
#include "core/document/session_file.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

/// What Texts measured is said on the dial and in the report, while it is of the present
/// settings and texts.
class TradeOffWindowTest : public QObject, private test::SessionWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        load();
        AnalysisState& state = m_window->state();
        state.edit([](AnalysisSettings& settings) {
            settings.grid.epsilons = {0.5, 2.0};
            settings.grid.lambdas = {0.5};
        });
        state.edit(&AnalysisSettings::chooseEpsilon, 2.0);
    }
    void cleanup() { clean(); }

    void beforeMeasuringTheDialLeadsThere() {
        auto* attacker = findControl<QLabel>(*m_window, "attackerLabel");
        QVERIFY(attacker->text().contains(QStringLiteral("What would an attacker still guess?")));
        Q_EMIT attacker->linkActivated(QStringLiteral("#"));
        QCOMPARE(findControl<QTabWidget>(*m_window, "tabs")->currentWidget(), &panel());
    }

    void theDialSaysWhatHappensToOwnTexts() {
        auto* own = findControl<QLabel>(*m_window, "surviveLabel");
        auto* vocabulary = findControl<QLabel>(*m_window, "otherWordsLabel");
        QVERIFY(!vocabulary->isVisible());
        m_window->state().edit(&AnalysisSettings::chooseEpsilon, 1e6);
        panel().model().source().open(texts("first.csv", 40));
        QTRY_VERIFY_WITH_TIMEOUT(own->text().contains(QStringLiteral("first.csv")), kPatienceMs);
        const QString said = own->text();
        QVERIFY2(said.endsWith(QStringLiteral(" of 100 words of first.csv survive")),
                 qPrintable(said));
        QVERIFY(findControl<QLabel>(*m_window, "replacedLabel")
                    ->text()
                    .contains(QStringLiteral("measured on 160 known words")));
        // Measured on its own, after the texts or before them.
        QTRY_VERIFY_WITH_TIMEOUT(
            vocabulary->text().startsWith(QStringLiteral("Of the vocabulary, each word once")),
            kPatienceMs);
        // Without noise a word survives unless an earlier one has the same vector.
        const double survive = said.split(QLatin1Char(' '))[0].toDouble();
        QVERIFY2(std::fabs(survive - 100.0 * shareOfFirstVectors(40)) < 1.0, qPrintable(said));
        m_window->state().edit(&AnalysisSettings::chooseEpsilon, 1e-6);
        QVERIFY2(own->text() != said, qPrintable(own->text()));
        m_window->open(test::writeFile(path("other.txt"), test::vectors(2)));
        QTRY_VERIFY_WITH_TIMEOUT(!own->text().contains(QStringLiteral("first.csv")), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(own->text().contains(QStringLiteral("first.csv")), kPatienceMs);
    }

    void theShareKnownStaysInASmallWindow() {
        m_window->resize(960, 640);
        const auto* data = findControl<ElidedLabel>(*m_window, "summaryDataLabel");
        const auto isShown = [data] {
            return data->textWithin(data->contentsRect().width())
                .endsWith(QStringLiteral("100% known"));
        };
        panel().model().source().open(
            texts("annotated-messages-and-answers-of-the-second-survey.csv", 40));
        QTRY_VERIFY2_WITH_TIMEOUT(isShown(), qPrintable(data->textWithin(data->width())),
                                  kPatienceMs);
        AnalysisState& state = m_window->state();
        state.edit(&AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=50%"),
                                               *calibration::parseLimit("far.mean<=5%")});
        state.edit(&AnalysisSettings::pin, state.setting());
        for (const auto& mechanism :
             {mechanism::Mechanism(mechanism::Mahalanobis()),
              mechanism::Mechanism(mechanism::Tem()), mechanism::Mechanism(mechanism::Laplace())}) {
            state.edit(&AnalysisSettings::choose, mechanism);
            QTRY_VERIFY2_WITH_TIMEOUT(isShown(), qPrintable(data->textWithin(data->width())), 3000);
        }
    }

    void theBarNamesOwnTextsAndDropsThem() {
        const auto* bar = findControl<QLabel>(*m_window, "summaryDataLabel");
        const auto* survive = findControl<QLabel>(*m_window, "surviveLabel");
        auto* weigh = m_window->findChild<QAction*>(QStringLiteral("weighDialAction"));
        auto* drop = m_window->findChild<QAction*>(QStringLiteral("dropDataAction"));
        QCOMPARE(bar->text(), QStringLiteral("my data: none"));
        QVERIFY(!weigh->isEnabled() && !weigh->isChecked() && !drop->isEnabled());
        dialogs::presetOpenFile(texts("first.csv", 40));
        m_window->findChild<QAction*>(QStringLiteral("openDataAction"))->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(bar->text(), QStringLiteral("first.csv, 100% known"),
                                  kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(survive->text().contains(QStringLiteral("first.csv")),
                                 kPatienceMs);
        // The tab in front stays.
        QVERIFY(findControl<QTabWidget>(*m_window, "tabs")->currentWidget() != &panel());
        QVERIFY(weigh->isEnabled() && weigh->isChecked() && drop->isEnabled());
        weigh->trigger();
        QVERIFY(!survive->text().contains(QStringLiteral("first.csv")));
        m_window->findChild<QAction*>(QStringLiteral("showTradeOffAction"))->trigger();
        QCOMPARE(findControl<QTabWidget>(*m_window, "tabs")->currentWidget(), &panel());
        drop->trigger();
        QCOMPARE(bar->text(), QStringLiteral("my data: none"));
        QVERIFY(panel().model().source().texts() == nullptr);
        QVERIFY(!findControl<QLabel>(*m_window, "otherWordsLabel")
                     ->text()
                     .contains(QStringLiteral("first.csv")));
    }

    /// What is wrong with them is said there.
    void textsThatCannotBeReadLeadToTradeOff() {
        dialogs::presetOpenFile(path("missing.csv"));
        m_window->findChild<QAction*>(QStringLiteral("openDataAction"))->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(findControl<QTabWidget>(*m_window, "tabs")->currentWidget(),
                                  &panel(), kPatienceMs);
    }

    void dialAndReportSayWhatTheAttackerGuesses() {
        measure("first.csv", 120);
        auto* attacker = findControl<QLabel>(*m_window, "attackerLabel");
        QVERIFY2(attacker->text().startsWith(QStringLiteral("At ε 2, λ 0.5 the best attacker")),
                 qPrintable(attacker->text()));
        m_window->state().edit(&AnalysisSettings::chooseEpsilon, 0.5);
        QVERIFY(attacker->text().startsWith(QStringLiteral("At ε 0.5, λ 0.5 the best attacker")));
        run();
        QCOMPARE(evaluationsOfReport("with.json"), 1);
        panel().model().source().open(texts("other.csv", 60));
        QTRY_VERIFY_WITH_TIMEOUT(!panel().model().staleness().isEmpty(), kPatienceMs);
        QVERIFY(attacker->text().contains(QStringLiteral("What would an attacker still guess?")));
        QCOMPARE(evaluationsOfReport("without.json"), 0);
    }

    /// As where a search has just found ε, and what its memo tells of is being measured.
    void aMemoTellsOfLimitsThatAreNotMeasuredYet() {
        run();
        m_window->state().edit(&AnalysisSettings::figureLimits,
                               {experiment::parseFigureLimit("attack.gain<=99%").value()});
        TradeOffModel& model = panel().model();
        model.source().open(texts("first.csv", 400));
        QTRY_VERIFY_WITH_TIMEOUT(model.source().texts() != nullptr, kPatienceMs);
        model.measure();
        QVERIFY(model.isRunning());
        const QSignalSpy exported(&report()->draft(), &ReportDraft::exported);
        report()->draft().exportTo(path("early.html"));
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, kPatienceMs);
        const auto content = [this](const char* name) {
            QFile file(path(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY2(content("early.html").contains("1 of 1 limit was not measured at this setting"),
                 content("early.html").left(600).constData());
        QTRY_VERIFY_WITH_TIMEOUT(!model.isRunning(), kPatienceMs);
        exportTo("late.html");
        QVERIFY2(content("late.html").contains("Verdict: within the limit."),
                 content("late.html").left(600).constData());
    }

    void findOnTheDialSearchesOnTheTexts() {
        run();
        m_window->state().edit(&AnalysisSettings::figureLimits,
                               {experiment::parseFigureLimit("attack.gain<=99%").value()});
        panel().model().source().open(texts("first.csv", 400));
        QTRY_VERIFY_WITH_TIMEOUT(panel().model().source().texts() != nullptr, kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(
            findControl<QPushButton>(*m_window, "findEpsilonButton")->isEnabled(), kPatienceMs);
        findControl<QPushButton>(*m_window, "findEpsilonButton")->click();
        QVERIFY(panel().isVisible());
        QVERIFY(panel().goals().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!panel().goals().isRunning(), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(panel().goals().findings().front().met(), kPatienceMs);
    }

    /// Also of another mechanism than the one chosen since, and while that is being measured.
    void aSessionKeepsWhatIsShownWhateverIsChosenAfter() {
        measure("first.csv", 120);
        m_window->state().edit(
            [](AnalysisSettings& settings) { settings.choose(mechanism::Tem()); });
        const auto kept = [this](const char* name) {
            saveTo(name);
            const auto session = document::openSession(toStdPath(path(name)));
            return session && session->evaluation
                       ? session->evaluation->results.options.grid.mechanism.name()
                       : std::string_view("nothing");
        };
        QCOMPARE(kept("switched.epsilens"), std::string_view("mahalanobis"));
        TradeOffModel& model = panel().model();
        constexpr int kManyRepeats = 500;
        model.setChoice({model.choice().classifiers, model.choice().attacks, kManyRepeats});
        model.measure();
        QVERIFY(model.isRunning());
        QCOMPARE(kept("running.epsilens"), std::string_view("mahalanobis"));
        model.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!model.isRunning(), kPatienceMs);
        openWindow();
        m_window->open(path("switched.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(panel().model().result() != nullptr, kPatienceMs);
        QVERIFY(!panel().model().staleness().isEmpty());
    }

    void aSessionKeepsAGridAndTheSettingBesideIt() {
        measure("first.csv", 120);
        m_window->state().edit(&AnalysisSettings::chooseEpsilon, 1.0);
        panel().model().measurePresent();
        QTRY_VERIFY_WITH_TIMEOUT(
            !panel().model().isRunning() && panel().model().isPresentMeasured(), kPatienceMs);
        report()->draft().setIncludesSentence(true);
        const QString said = panel().model().sentence();
        saveTo("work.epsilens");
        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_COMPARE_WITH_TIMEOUT(panel().model().sentence(), said, kPatienceMs);
        QCOMPARE(panel().model().result()->summary().options.grid.epsilons,
                 (std::vector{0.5, 2.0}));
        QVERIFY(panel().model().isPresentMeasured());
        test::letPass(300);  // beyond the pause before settings are compared with the file
        QVERIFY(!m_window->isWindowModified());
    }

    void aSessionKeepsWhatWasMeasured() {
        measure("first.csv", 120);
        const QString said = panel().model().sentence();
        QTRY_VERIFY(m_window->isWindowModified());
        saveTo("work.epsilens");
        QTRY_VERIFY(!m_window->isWindowModified());
        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(
            panel().model().result() != nullptr && panel().model().source().texts() != nullptr,
            kPatienceMs);
        QTRY_VERIFY2(panel().model().staleness().isEmpty(),
                     qPrintable(panel().model().staleness()));
        // The names of classes are kept only where the text of Choose is.
        QCOMPARE(panel().model().sentence(),
                 QString(said).replace(QStringLiteral("\"first\""),
                                       QStringLiteral("the commonest class")));
        test::letPass(300);  // beyond the pause before settings are compared with the file
        QVERIFY(!m_window->isWindowModified());
        run();
        QCOMPARE(evaluationsOfReport("with.json"), 1);
        QVERIFY(QFile::remove(path("first.csv")));
        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(
            panel().model().staleness().contains(QStringLiteral("first.csv is gone")), kPatienceMs);
        run();
        QCOMPARE(evaluationsOfReport("without.json"), 0);
    }

private:
    [[nodiscard]] TradeOffPanel& panel() const {
        return *m_window->findChild<TradeOffPanel*>(QStringLiteral("tradeOffPanel"));
    }

    /// Of the words of these texts, those whose vector no word before them has.
    [[nodiscard]] double shareOfFirstVectors(int count) const {
        const auto& vectors = m_window->state().embedding()->vectors();
        int first = 0;
        for (int text = 0; text < count; ++text) {
            for (int place = 0; place < 4; ++place) {
                const int row = test::rowOfLabelled(text, place);
                bool isFirst = true;
                for (int before = 0; before < row; ++before) {
                    isFirst = isFirst && vectors.row(before) != vectors.row(row);
                }
                first += isFirst ? 1 : 0;
            }
        }
        return first / (4.0 * count);
    }

    void measure(const char* name, int count) {
        TradeOffModel& model = panel().model();
        model.source().open(texts(name, count));
        QTRY_VERIFY_WITH_TIMEOUT(model.source().texts() != nullptr, kPatienceMs);
        model.measure();
        QTRY_VERIFY_WITH_TIMEOUT(model.result() != nullptr && !model.isRunning(), kPatienceMs);
    }

    /// Evaluations in an exported report; -1 where it is none.
    [[nodiscard]] int evaluationsOfReport(const char* name) {
        exportTo(name);
        const auto read = document::readReport(test::contentOf(path(name)).toStdString());
        return read ? static_cast<int>(read->evaluations.size()) : -1;
    }
};

EPSILENS_UI_TEST(TradeOffWindowTest)
#include "trade_off_window_test.moc"
