#include <cmath>

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

#include "core/document/report_document.h"
#include "tests/ui/shell/whole_window.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

/// What Texts measured is said on the dial and in the report, while it is of the present
/// settings and texts.
class TradeOffWindowTest : public QObject, private test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        load();
        state().edit([](AnalysisSettings& settings) {
            settings.grid.epsilons = {0.5, 2.0};
            settings.grid.lambdas = {0.5};
            settings.chooseEpsilon(2.0);
        });
    }
    void cleanup() { clean(); }

    void theDialSaysWhatHappensToOwnTexts() {
        const auto& own = find<QLabel>("surviveLabel");
        QVERIFY(!find<QLabel>("otherWordsLabel").isVisible());
        state().edit(&AnalysisSettings::chooseEpsilon, 1e6);
        openTexts(texts("first.csv", 40));
        QTRY_VERIFY_WITH_TIMEOUT(own.text().contains(QStringLiteral("first.csv")), kPatienceMs);
        const QString said = own.text();
        QVERIFY2(said.endsWith(QStringLiteral(" of 100 words of first.csv survive")),
                 qPrintable(said));
        QVERIFY(text("replacedLabel").contains(QStringLiteral("measured on 160 known words")));
        // Measured on its own, after the texts or before them.
        QTRY_VERIFY_WITH_TIMEOUT(text("otherWordsLabel")
                                     .startsWith(QStringLiteral("Of the vocabulary, each word "
                                                                "once")),
                                 kPatienceMs);
        // Without noise a word survives unless an earlier one has the same vector.
        const double survive = said.split(QLatin1Char(' '))[0].toDouble();
        QVERIFY2(std::fabs(survive - 100.0 * shareOfFirstVectors(40)) < 1.0, qPrintable(said));
        state().edit(&AnalysisSettings::chooseEpsilon, 1e-6);
        QVERIFY2(own.text() != said, qPrintable(own.text()));
        m_window->open(test::writeFile(path("other.txt"), test::vectors(2)));
        QTRY_VERIFY_WITH_TIMEOUT(!own.text().contains(QStringLiteral("first.csv")), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(own.text().contains(QStringLiteral("first.csv")), kPatienceMs);
    }

    void theBarNamesOwnTextsAndDropsThem() {
        const auto& weigh = find<QAction>("weighDialAction");
        const auto& drop = find<QAction>("dropDataAction");
        QCOMPARE(text("summaryDataLabel"), QStringLiteral("my data: none"));
        QVERIFY(!weigh.isEnabled() && !weigh.isChecked() && !drop.isEnabled());
        dialogs::presetOpenFile(texts("first.csv", 40));
        trigger("openDataAction");
        QTRY_COMPARE_WITH_TIMEOUT(text("summaryDataLabel"), QStringLiteral("first.csv, 100% known"),
                                  kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(text("surviveLabel").contains(QStringLiteral("first.csv")),
                                 kPatienceMs);
        // The tab in front stays.
        QVERIFY(m_window->tabs().currentWidget() != &tradeOff());
        QVERIFY(weigh.isEnabled() && weigh.isChecked() && drop.isEnabled());
        trigger("weighDialAction");
        QVERIFY(!text("surviveLabel").contains(QStringLiteral("first.csv")));
        trigger("showTradeOffAction");
        QCOMPARE(m_window->tabs().currentWidget(), &tradeOff());
        trigger("dropDataAction");
        QCOMPARE(text("summaryDataLabel"), QStringLiteral("my data: none"));
        QVERIFY(tradeOff().model().source().texts() == nullptr);
        QVERIFY(!text("otherWordsLabel").contains(QStringLiteral("first.csv")));
    }

    /// What is wrong with them is said there.
    void textsThatCannotBeReadLeadToTradeOff() {
        dialogs::presetOpenFile(path("missing.csv"));
        trigger("openDataAction");
        QTRY_COMPARE_WITH_TIMEOUT(m_window->tabs().currentWidget(), &tradeOff(), kPatienceMs);
    }

    void dialAndReportSayWhatTheAttackerGuesses() {
        const QString question = QStringLiteral("What would an attacker still guess?");
        QVERIFY(text("attackerLabel").contains(question));
        Q_EMIT find<QLabel>("attackerLabel").linkActivated(QStringLiteral("#"));
        QCOMPARE(m_window->tabs().currentWidget(), &tradeOff());
        measure("first.csv", 120);
        for (const char* epsilon : {"2", "0.5"}) {
            state().edit(&AnalysisSettings::chooseEpsilon, QByteArray(epsilon).toDouble());
            QVERIFY2(text("attackerLabel")
                         .startsWith(QStringLiteral("At ε %1, λ 0.5 the best attacker")
                                         .arg(QLatin1String(epsilon))),
                     qPrintable(text("attackerLabel")));
        }
        run();
        QCOMPARE(evaluationsOfReport("with.json"), 1);
        openTexts(texts("other.csv", 60));
        QTRY_VERIFY_WITH_TIMEOUT(!tradeOff().model().staleness().isEmpty(), kPatienceMs);
        QVERIFY(text("attackerLabel").contains(question));
        QCOMPARE(evaluationsOfReport("without.json"), 0);
    }

    /// As where a search has just found ε, and what its memo tells of is being measured.
    void aMemoTellsOfLimitsThatAreNotMeasuredYet() {
        run();
        limitGain();
        TradeOffModel& model = tradeOff().model();
        openTexts(texts("first.csv", 400));
        model.measure();
        QVERIFY(model.isRunning());
        const QSignalSpy exported(&report().draft(), &ReportDraft::exported);
        report().draft().exportTo(path("early.html"));
        QTRY_COMPARE_WITH_TIMEOUT(exported.count(), 1, kPatienceMs);
        const QByteArray early = test::contentOf(path("early.html"));
        QVERIFY2(early.contains("1 of 1 limit was not measured at this setting"),
                 early.left(600).constData());
        QTRY_VERIFY_WITH_TIMEOUT(!model.isRunning(), kPatienceMs);
        exportTo("late.html");
        const QByteArray late = test::contentOf(path("late.html"));
        QVERIFY2(late.contains("Verdict: within the limit."), late.left(600).constData());
    }

    void findOnTheDialSearchesOnTheTexts() {
        run();
        limitGain();
        openTexts(texts("first.csv", 400));
        QTRY_VERIFY_WITH_TIMEOUT(find<QPushButton>("findEpsilonButton").isEnabled(), kPatienceMs);
        click("findEpsilonButton");
        QVERIFY(tradeOff().isVisible());
        QVERIFY(tradeOff().goals().isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!tradeOff().goals().isRunning(), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(tradeOff().goals().findings().front().met(), kPatienceMs);
    }

    /// Also of another mechanism than the one chosen since, and while that is being measured.
    void aSessionKeepsWhatIsShownWhateverIsChosenAfter() {
        measure("first.csv", 120);
        state().edit(&AnalysisSettings::choose, mechanism::Tem());
        const auto kept = [this](const char* name) {
            saveTo(name);
            const auto& evaluation = saved(name).evaluation;
            return evaluation ? evaluation->summary.options.grid.mechanism.name()
                              : std::string_view("nothing");
        };
        QCOMPARE(kept("switched.epsilens"), std::string_view("mahalanobis"));
        TradeOffModel& model = tradeOff().model();
        constexpr int kManyRepeats = 500;
        model.setChoice({model.choice().classifiers, model.choice().attacks, kManyRepeats});
        model.measure();
        QVERIFY(model.isRunning());
        QCOMPARE(kept("running.epsilens"), std::string_view("mahalanobis"));
        model.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!model.isRunning(), kPatienceMs);
        openWindow();
        m_window->open(path("switched.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(tradeOff().model().result() != nullptr, kPatienceMs);
        QVERIFY(!tradeOff().model().staleness().isEmpty());
    }

    /// A grid and the setting beside it, as long as its texts are there.
    void aSessionKeepsWhatWasMeasured() {
        measure("first.csv", 120);
        state().edit(&AnalysisSettings::chooseEpsilon, 1.0);
        tradeOff().model().measurePresent();
        QTRY_VERIFY_WITH_TIMEOUT(
            !tradeOff().model().isRunning() && tradeOff().model().isPresentMeasured(), kPatienceMs);
        QTRY_VERIFY(m_window->isWindowModified());
        const QString said = tradeOff().model().sentence();
        saveTo("work.epsilens");
        QTRY_VERIFY(!m_window->isWindowModified());
        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(tradeOff().model().result() && tradeOff().model().source().texts(),
                                 kPatienceMs);
        TradeOffModel& model = tradeOff().model();
        QTRY_VERIFY2(model.staleness().isEmpty(), qPrintable(model.staleness()));
        // The names of classes are kept only where the text of Choose is.
        QCOMPARE(model.sentence(), QString(said).replace(QStringLiteral("\"first\""),
                                                         QStringLiteral("the commonest class")));
        QCOMPARE(model.result()->summary().options.grid.epsilons, (std::vector{0.5, 2.0}));
        QVERIFY(model.isPresentMeasured());
        test::letPass(300);  // beyond the pause before settings are compared with the file
        QVERIFY(!m_window->isWindowModified());
        run();
        QVERIFY(evaluationsOfReport("with.json") > 0);
        QVERIFY(QFile::remove(path("first.csv")));
        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY_WITH_TIMEOUT(
            tradeOff().model().staleness().contains(QStringLiteral("first.csv is gone")),
            kPatienceMs);
        run();
        QCOMPARE(evaluationsOfReport("without.json"), 0);
    }

private:
    /// Of the words of these texts, those whose vector no word before them has.
    [[nodiscard]] double shareOfFirstVectors(int count) const {
        const auto& vectors = state().embedding()->vectors();
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

    void limitGain() const {
        state().edit(&AnalysisSettings::figureLimits,
                     {evaluation::parseFigureLimit("attack.gain<=99%").value()});
    }

    void measure(const char* name, int count) {
        openTexts(texts(name, count));
        TradeOffModel& model = tradeOff().model();
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
