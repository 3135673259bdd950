#include <algorithm>
#include <cmath>

#include "core/document/report_document.h"
#include "tests/ui/shell/whole_window.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;

/// What Texts measured is said on the dial and in the report, while it is of the present
/// settings and texts.
class OwnDataTest : public QObject, private test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepareLoaded();
        set([](AnalysisSettings& settings) {
            settings.grid.epsilons = {0.5, 2.0};
            settings.grid.lambdas = {0.5};
            settings.chooseEpsilon(2.0);
        });
    }
    void cleanup() { clean(); }

    void theDialSaysWhatHappensToOwnTexts() {
        QVERIFY(!isShown("otherWordsLabel"));
        set(&AnalysisSettings::chooseEpsilon, 1e6);
        openTexts(texts("first.csv", 40));
        QVERIFY(says("surviveLabel", " of 100 words of first.csv survive"));
        const QString said = text("surviveLabel");
        QVERIFY(says("replacedLabel", "measured on 160 known words"));
        // Measured on its own, after the texts or before them.
        QVERIFY(says("otherWordsLabel", "Of the vocabulary, each word once"));
        // Without noise a word survives unless an earlier one has the same vector.
        const double survive = said.split(' ')[0].toDouble();
        QVERIFY2(std::fabs(survive - 100.0 * shareOfFirstVectors(40)) < 1.0, qPrintable(said));
        set(&AnalysisSettings::chooseEpsilon, 1e-6);
        QVERIFY(text("surviveLabel") != said);
        m_window->open(write("other.txt", test::vectors(2)));
        QTRY_VERIFY(!text("surviveLabel").contains("first.csv"));
        QVERIFY(says("surviveLabel", "first.csv"));
    }

    void theBarNamesOwnTextsAndDropsThem() {
        const auto& weigh = find<QAction>("weighDialAction");
        const auto& drop = find<QAction>("dropDataAction");
        QCOMPARE(text("summaryDataLabel"), "texts: none");
        QVERIFY(!weigh.isEnabled() && !weigh.isChecked() && !drop.isEnabled());
        dialogs::presetOpenFile(texts("first.csv", 40));
        click("openDataAction");
        QVERIFY(says("summaryDataLabel", "100% known of first.csv"));
        QVERIFY(says("surviveLabel", "first.csv"));
        // The tab in front stays.
        QVERIFY(tabs().currentWidget() != &tradeOff());
        QVERIFY(weigh.isEnabled() && weigh.isChecked() && drop.isEnabled());
        click("weighDialAction");
        QVERIFY(!text("surviveLabel").contains("first.csv"));
        m_window->showPanel(&tradeOff());
        click("runAction");
        QCOMPARE(tabs().currentWidget(), &tradeOff());
        QVERIFY(tradeOff().model().isRunning());
        click("dropDataAction");
        QCOMPARE(text("summaryDataLabel"), "texts: none");
        QVERIFY(!text("otherWordsLabel").contains("first.csv"));
    }

    void textsThatCannotBeReadLeadToTexts() {
        dialogs::presetOpenFile(path("missing.csv"));
        click("openDataAction");
        QTRY_COMPARE(tabs().currentWidget(), &tradeOff());
    }

    void textsAndVectorsTakenForEachOtherAreOpenedAsWhatTheyAre() {
        m_window->open(texts("mails.csv", 40));
        QVERIFY(isTold("mails.csv"));
        answer("Open it as texts");
        QVERIFY(says("summaryDataLabel", "mails.csv"));
        dialogs::presetOpenFile(write("other.jsonl", test::vectors(2)));
        click("openDataAction");
        QVERIFY(isTold("other.jsonl"));
        answer("Open it as an embedding");
        QTRY_COMPARE(state().embedding()->embedding.name, "other.jsonl");
    }

    void dialAndReportSayWhatTheAttackerGuesses() {
        const QString question = "What would an attacker still guess?";
        QVERIFY(says("attackerLabel", question));
        Q_EMIT find<QLabel>("attackerLabel").linkActivated("#");
        QCOMPARE(tabs().currentWidget(), &tradeOff());
        measure(120);
        for (const double epsilon : {2.0, 0.5}) {
            set(&AnalysisSettings::chooseEpsilon, epsilon);
            QVERIFY(test::begins(text("attackerLabel"),
                                 QString("At ε %1, λ 0.5: the best attacker").arg(epsilon)));
        }
        run();
        QCOMPARE(evaluationsOfReport("with.json"), 1);
        openTexts(texts("other.csv", 60));
        QTRY_VERIFY(!tradeOff().model().staleness().isEmpty());
        QVERIFY(says("attackerLabel", question));
        QCOMPARE(evaluationsOfReport("without.json"), 0);
    }

    void everyPageSaysWhatIsOfEarlierSettings() {
        measure(40);
        run();
        for (const char* name : {"tradeOffPanel", "reportPanel", "curvesPanel", "wordsPanel"}) {
            auto& page = find(name);
            tabs().setCurrentWidget(&page);
            QTRY_VERIFY(isIdle());
            QVERIFY(!isOfEarlierSettings(page));
            set(&AnalysisSettings::seed, state().seed() + 1);
            QTRY_VERIFY2(isOfEarlierSettings(page), name);
            click("undoAction");
        }
    }

    /// As where a search has just found ε, and what its memo tells of is being measured.
    void aMemoTellsOfLimitsThatAreNotMeasuredYet() {
        run();
        limitGain();
        TradeOffModel& model = tradeOff().model();
        openTexts(texts("first.csv", 400));
        const TradeOffChoice usual = model.choice();
        model.setChoice({usual.classifiers, usual.attacks, 500});
        model.measure();
        QVERIFY(model.isRunning());
        QVERIFY(exportTo("early.html").contains("limits: 1 of 1 not measured"));
        m_window->jobs().cancelAll();
        QTRY_VERIFY(!model.isRunning());
        model.setChoice(usual);
        model.measure();
        QTRY_VERIFY(!model.isRunning());
        QVERIFY(exportTo("late.html").contains("limits: 1 of 1 met"));
    }

    void findOnTheDialSearchesOnTheTexts() {
        run();
        limitGain();
        openTexts(texts("first.csv", 400));
        QTRY_VERIFY(isEnabled("findEpsilonButton"));
        click("findEpsilonButton");
        QCOMPARE(tabs().currentWidget(), &tradeOff());
        QVERIFY(tradeOff().goals().isRunning());
        QTRY_VERIFY(!tradeOff().goals().isRunning());
        QTRY_VERIFY(tradeOff().goals().findings().front().met());
    }

    /// Also of another mechanism than the one chosen since, and while that is being measured.
    void aSessionKeepsWhatIsShownWhateverIsChosenAfter() {
        measure(120);
        set(&AnalysisSettings::chooseMechanism, mechanism::Tem());
        const auto kept = [this](const char* name) {
            saveTo(name);
            const auto& evaluation = saved(name).evaluation;
            return evaluation ? evaluation->summary.options.grid.mechanism.name() : "nothing";
        };
        QCOMPARE(kept("switched.epsilens"), std::string_view("mahalanobis"));
        TradeOffModel& model = tradeOff().model();
        constexpr int kManyRepeats = 500;
        model.setChoice({model.choice().classifiers, model.choice().attacks, kManyRepeats});
        model.measure();
        QVERIFY(model.isRunning());
        QCOMPARE(kept("running.epsilens"), std::string_view("mahalanobis"));
        m_window->jobs().cancelAll();
        QTRY_VERIFY(!model.isRunning());
        openWindow();
        m_window->open(path("switched.epsilens"));
        QTRY_VERIFY(tradeOff().model().result() != nullptr);
        QVERIFY(!tradeOff().model().staleness().isEmpty());
    }

    void aSessionKeepsWhatWasMeasured() {
        measure(120);
        set(&AnalysisSettings::chooseEpsilon, 1.0);
        tradeOff().model().measurePresent();
        QTRY_VERIFY(!tradeOff().model().isRunning() && tradeOff().model().isPresentMeasured());
        QTRY_VERIFY(m_window->isWindowModified());
        const QString said = tradeOff().model().sentence();
        saveTo("work.epsilens");
        QTRY_VERIFY(!m_window->isWindowModified());
        openWindow();
        m_window->open(path("work.epsilens"));
        TradeOffModel& model = tradeOff().model();
        QTRY_VERIFY(model.result() && model.source().texts() && model.staleness().isEmpty());
        // The names of classes are kept only where the text of Choose is.
        QCOMPARE(model.sentence(), QString(said).replace("\"first\"", "the commonest class"));
        QVERIFY(model.result()->summary().options.grid.epsilons.size() >= 6);
        QVERIFY(model.isPresentMeasured());
        test::letPass(300);  // beyond the pause before settings are compared with the file
        QVERIFY(!m_window->isWindowModified());
        run();
        QVERIFY(evaluationsOfReport("with.json") > 0);
        QVERIFY(QFile::remove(path("first.csv")));
        openWindow();
        m_window->open(path("work.epsilens"));
        QTRY_VERIFY(tradeOff().model().staleness().contains("first.csv is gone"));
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

    [[nodiscard]] static bool isOfEarlierSettings(const QWidget& page) {
        const auto labels = page.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [](const QLabel* label) {
            return label->isVisible() && label->text().contains("previous settings");
        });
    }

    void limitGain() const {
        set(&AnalysisSettings::figureLimits,
            {evaluation::parseFigureLimit("attack.gain<=99%").value()});
    }

    void measure(int count) {
        openTexts(texts("first.csv", count));
        TradeOffModel& model = tradeOff().model();
        model.measure();
        QTRY_VERIFY(model.result() != nullptr && !model.isRunning());
    }

    /// Evaluations in an exported report; -1 where it is none.
    [[nodiscard]] int evaluationsOfReport(const char* name) {
        const auto read = document::readReport(exportTo(name).toStdString());
        return read ? static_cast<int>(read->evaluations.size()) : -1;
    }
};

EPSILENS_UI_TEST(OwnDataTest)
#include "own_data_test.moc"
