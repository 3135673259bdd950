#include "ui/live/first_limit.h"

#include <memory>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

#include "core/calibration/limits.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
#include "ui/state/settings_history.h"

using namespace epsilens;
using namespace epsilens::ui;
using epsilens::test::findControl;

namespace {
constexpr int kLongerThanAStepMs = 100;  // 70 ms where timers hurry
}  // namespace

class FirstLimitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_state = std::make_unique<AnalysisState>();
        m_history = std::make_unique<SettingsHistory>(*m_state);
        m_limit = std::make_unique<live::FirstLimit>(*m_state);
        m_limit->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_limit.get()));
        m_kept = findControl<QLineEdit>(*m_limit, "firstLimitField");
        m_words = findControl<QComboBox>(*m_limit, "firstLimitWordsComboBox");
    }
    void cleanup() { m_limit.reset(); }

    void whatIsGreySetsNothing() {
        QVERIFY(m_state->limits().empty());
        QVERIFY(m_kept->text().isEmpty());
        QCOMPARE(m_kept->placeholderText(), QStringLiteral("no limit"));
        QCOMPARE(m_words->currentIndex(), -1);
        QCOMPARE(m_words->placeholderText(), QStringLiteral("95"));
        QTest::keyClick(m_kept, Qt::Key_Return);
        QVERIFY(m_state->limits().empty());
    }

    void aNumberMakesTheLimitAndAnEmptiedFieldTakesItAway() {
        fillIn("40");
        QCOMPARE(m_state->limits(), limits({"nw.p95<=40%"}));
        QCOMPARE(m_words->currentText(), QStringLiteral("95"));
        choose("100");
        QCOMPARE(m_state->limits(), limits({"nw.max<=40%"}));
        fillIn("");
        QVERIFY(m_state->limits().empty());
        QCOMPARE(m_words->currentIndex(), -1);
        choose("99");
        // The words wait for a number.
        QVERIFY(m_state->limits().empty());
        QVERIFY(m_kept->text().isEmpty());
        fillIn("20");
        QCOMPARE(m_state->limits(), limits({"nw.p99<=20%"}));
    }

    /// The limit is about the vocabulary, and lets some of it be.
    void wordsOfTheTextBeyondItAreNamed() {
        const auto* said = findControl<QLabel>(*m_limit, "firstLimitExceptionsLabel");
        m_limit->judge({{QStringLiteral("with"), 0.6},
                        {QStringLiteral("pain"), 0.76},
                        {QStringLiteral("chest"), 0.4}});
        QVERIFY(!said->isVisible());
        fillIn("40");
        QCOMPARE(said->text(),
                 QStringLiteral("⚠ Your text is kept more than the limit says of the vocabulary: 2 "
                                "of 3 words exceed it, pain (76 of 100), with (60 of 100)."));
        QVERIFY(said->isVisible());
        // As large as what stands around it, and no darker nor lighter.
        QCOMPARE(said->font(), m_limit->font());
        QCOMPARE(said->palette().color(QPalette::WindowText),
                 m_limit->palette().color(QPalette::WindowText));
        // Of each two words the sentence lets one pass.
        choose("50");
        m_limit->judge({{QStringLiteral("pain"), 0.76}, {QStringLiteral("chest"), 0.4}});
        QVERIFY(said->text().startsWith(QStringLiteral("Kept more often in your text: 1 of 2")));
        m_limit->judge({{QStringLiteral("with"), 0.6},
                        {QStringLiteral("pain"), 0.76},
                        {QStringLiteral("chest"), 0.4}});
        fillIn("70");
        QCOMPARE(said->text(), QStringLiteral("Kept more often in your text: 1 of 3 words, pain "
                                              "(76 of 100)."));
        fillIn("80");
        QVERIFY(!said->isVisible());
    }

    void eachStepIsUndone() {
        fillIn("40");
        test::letPass(kLongerThanAStepMs);
        fillIn("30");
        m_history->stack().undo();
        QCOMPARE(m_kept->text(), QStringLiteral("40"));
        m_history->stack().undo();
        QVERIFY(m_kept->text().isEmpty());
        QVERIFY(m_state->limits().empty());
    }

    void whatIsNoNumberIsExplainedAndNotTaken() {
        const auto* problem = findControl<QLabel>(*m_limit, "firstLimitProblemLabel");
        for (const char* wrong : {"half", "101", "-3", "0,5"}) {
            fillIn(wrong);
            QVERIFY2(problem->isVisible(), wrong);
            QVERIFY(m_state->limits().empty());
        }
        fillIn("40");
        QVERIFY(!problem->isVisible());
    }

    /// Limits that the sentence cannot say stay where they are, and are counted.
    void otherLimitsAreLeftAlone() {
        auto* others = findControl<QPushButton>(*m_limit, "otherLimitsButton");
        QCOMPARE(others->text(), QStringLiteral("Add…"));
        m_state->edit(&AnalysisSettings::limits, limits({"sw.p5>=20", "nw.mean<=30%"}));
        QVERIFY(m_kept->text().isEmpty());
        QCOMPARE(others->text(), QStringLiteral("2 more…"));
        fillIn("40");
        QCOMPARE(m_state->limits(), limits({"sw.p5>=20", "nw.mean<=30%", "nw.p95<=40%"}));
        fillIn("");
        QCOMPARE(m_state->limits(), limits({"sw.p5>=20", "nw.mean<=30%"}));
        const QSignalSpy asked(m_limit.get(), &live::FirstLimit::othersRequested);
        others->click();
        QCOMPARE(asked.count(), 1);
    }

private:
    static std::vector<calibration::Limit> limits(std::initializer_list<const char*> texts) {
        std::vector<calibration::Limit> read;
        for (const char* text : texts) {
            read.push_back(calibration::parseLimit(text).value());
        }
        return read;
    }
    void fillIn(const char* text) {
        m_kept->selectAll();
        QTest::keyClick(m_kept, Qt::Key_Delete);
        QTest::keyClicks(m_kept, QLatin1String(text));
        QTest::keyClick(m_kept, Qt::Key_Return);
    }
    void choose(const char* words) {
        m_words->setCurrentText(QLatin1String(words));
        Q_EMIT m_words->activated(m_words->currentIndex());
    }

    std::unique_ptr<AnalysisState> m_state;
    std::unique_ptr<SettingsHistory> m_history;
    std::unique_ptr<live::FirstLimit> m_limit;
    QLineEdit* m_kept = nullptr;
    QComboBox* m_words = nullptr;
};

EPSILENS_UI_TEST(FirstLimitTest)
#include "first_limit_test.moc"
