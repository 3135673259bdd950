#include "ui/state/limits_model.h"

#include <cmath>
#include <memory>

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"
#include "ui/state/limit_state.h"
#include "ui/state/quick_measurement.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

std::vector<calibration::Limit> limits(const char* text) {
    return {calibration::parseLimit(text).value()};
}

}  // namespace

class LimitsModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_state = std::make_unique<AnalysisState>();
        m_limits = std::make_unique<LimitState>(*m_state);
        m_jobs = std::make_unique<JobBoard>();
        m_measurement = std::make_unique<QuickMeasurement>(*m_state, *m_jobs);
        m_model = std::make_unique<LimitsModel>(*m_state, *m_limits, *m_measurement);
    }
    void cleanup() {
        m_model.reset();
        m_measurement.reset();
    }

    void needsAMeasurementAndSaysThatALimitIsMissing() {
        QVERIFY(m_model->obstacle().contains(QStringLiteral("embedding")));
        m_model->findEpsilon();
        openToy();
        m_state->edit(&AnalysisSettings::limits, limits("nw.p95<=60%"));
        QTRY_VERIFY(m_model->spans() != nullptr);
        m_state->edit(&AnalysisSettings::limits, {});
        QVERIFY(m_model->obstacle().isEmpty());
        QVERIFY(m_model->spans() == nullptr);
        const double before = m_state->epsilon();
        m_model->findEpsilon();
        QVERIFY(m_model->message().startsWith(QStringLiteral("No limit is set yet: fill in")));
        QCOMPARE(m_state->epsilon(), before);
        m_state->edit(&AnalysisSettings::figureLimits,
                      std::vector{*evaluation::parseFigureLimit("attack.gain<=5%")});
        QSignalSpy onTexts(m_model.get(), &LimitsModel::searchOnTextsRequested);
        m_model->findEpsilon();
        QCOMPARE(onTexts.size(), 1);
        QCOMPARE(m_state->epsilon(), before);
        m_state->edit(&AnalysisSettings::limits, limits("nw.p95<=60%"));
        QVERIFY(m_model->message().isEmpty());
        // One on words beside it changes nothing: all are to be kept to.
        m_model->findEpsilon();
        QCOMPARE(onTexts.size(), 2);
        QCOMPARE(m_state->epsilon(), before);
    }

    /// The epsilon that is set is the one shown as the largest, and it is judged at once: nothing
    /// else is measured in between that could say otherwise.
    void theEpsilonFoundIsTheOneShownAndJudged() {
        openToy();
        m_state->edit(&AnalysisSettings::limits, limits("nw.p95<=60%"));
        QTRY_VERIFY(m_model->spans() != nullptr);
        const double largest = *m_model->spans()->largest.epsilon;
        m_model->findEpsilon();
        // Rounded down to the digits that are said: typed again, the value meets the limit.
        QVERIFY(m_state->epsilon() <= largest && m_state->epsilon() > 0.999 * largest);
        QVERIFY2(m_model->message().startsWith(
                     QStringLiteral("ε = %1 is").arg(ui::shortest(m_state->epsilon()))),
                 qPrintable(m_model->message()));
        QVERIFY2(m_model->message().contains(QStringLiteral("measured on 40 words")),
                 qPrintable(m_model->message()));
        QVERIFY2(m_model->message().contains(QStringLiteral("largest value within your limit")),
                 qPrintable(m_model->message()));
        QCOMPARE(m_limits->status(), (document::LimitCounts{1, 1, 0}));
        // The same on the counts of the run that has the same draws, and one draw more above it.
        calibration::CalibrationOptions run = m_measurement->result()->options().calibration();
        run.grid.epsilons = {largest, 1.02 * *m_model->spans()->largest.above};
        const auto cells = calibration::calibrate(*m_state->searchSpace(), run).value().cells;
        QVERIFY(cells[0].nw.p95 <= 24.0);
        QVERIFY(cells[1].nw.p95 > 24.0);
        // Another epsilon: what was found is no longer said, and judged at once.
        m_state->edit(&AnalysisSettings::chooseEpsilon, 2.0 * largest);
        QVERIFY(m_model->message().isEmpty());
        QCOMPARE(m_limits->status(), (document::LimitCounts{1, 0, 1}));
    }

    /// Verdicts are of the setting that was measured, and of no other.
    void anotherSettingHasNoVerdictUntilItIsMeasured() {
        openToy();
        m_state->edit(&AnalysisSettings::limits, limits("nw.p95<=60%"));
        QTRY_VERIFY(m_model->spans() != nullptr);
        for (const mechanism::Mechanism& mechanism :
             {mechanism::Mechanism(mechanism::Tem{}),
              mechanism::Mechanism(mechanism::Mahalanobis{})}) {
            m_state->edit(&AnalysisSettings::choose, mechanism);
            QVERIFY(!m_measurement->isCurrent());
            QVERIFY(m_model->spans() == nullptr);
            QCOMPARE(m_limits->status().open(), std::size_t{1});
            QTRY_VERIFY(m_model->spans() != nullptr);
            QCOMPARE(m_limits->status().open(), std::size_t{0});
        }
        openToy();
        QVERIFY(m_model->spans() == nullptr);
        QCOMPARE(m_limits->status().open(), std::size_t{1});
    }

    void saysWhichLimitFailsAndByHowMuch() {
        openToy();
        const double before = m_state->epsilon();
        m_state->edit(&AnalysisSettings::limits, limits("sw.mean>=41"));
        m_model->findEpsilon();
        QTRY_VERIFY(!m_model->isSearching());
        QVERIFY(m_model->isFailure());
        QVERIFY(m_model->message().contains(QStringLiteral("No ε meets all limits")));
        QVERIFY(m_model->message().contains(QStringLiteral("S_w, mean: at least 41; is ")));
        QCOMPARE(m_state->epsilon(), before);
        QCOMPARE(m_model->spans()->outside.size(), std::size_t{1});
    }

    /// A run, of which the memo tells, measures the words of the details.
    void itIsFoundOnTheWordsOfRuns() {
        openToy();
        calibration::WordSelection few;
        few.count = 20;
        m_state->edit(&AnalysisSettings::words, few);
        m_state->edit(&AnalysisSettings::limits, limits("nw.p95<=60%"));
        QTRY_VERIFY(m_model->spans() != nullptr);
        QCOMPARE(m_measurement->wordsText(), QStringLiteral("40 words"));
        QCOMPARE(m_state->epsilonOrigin(),
                 QStringLiteral("ε is the default of the program for this embedding: nobody has "
                                "chosen it."));
        m_model->findEpsilon();
        QTRY_VERIFY2(m_model->message().contains(QStringLiteral("measured on 20 words")),
                     qPrintable(m_model->message()));
        QVERIFY2(m_state->epsilonOrigin().startsWith(QStringLiteral(
                     "The program found ε by its search “Find ε”: it is the largest value within "
                     "the limit: 95 of 100 words are kept in at most 24 of 40 draws. Searched on "
                     "20 words with 40 draws each, seed 1.")),
                 qPrintable(m_state->epsilonOrigin()));
        const double found = m_state->epsilon();
        m_state->edit(&AnalysisSettings::chooseEpsilon, 0.9 * found);
        QCOMPARE(m_state->epsilonOrigin(),
                 QStringLiteral("ε was set by hand, not found by a search under limits."));
        m_state->edit(&AnalysisSettings::chooseEpsilon, found);
        QVERIFY(m_state->epsilonOrigin().startsWith(QStringLiteral("The program found")));
        // It remains what the search found, under limits of which it says that they are others now.
        const QString origin = m_state->epsilonOrigin();
        m_state->edit(&AnalysisSettings::limits, {});
        QCOMPARE(m_state->epsilonOrigin(),
                 origin + QStringLiteral(" The limits were changed after that."));
        m_state->rememberOrigin(m_state->epsilonOrigin());
        m_state->edit(&AnalysisSettings::limits, limits("nw.p95<=70%"));
        QCOMPARE(m_state->epsilonOrigin().count(QStringLiteral("after that")), 1);
    }

private:
    void openToy() {
        const auto embedding = test::toyEmbedding();
        m_state->edit(&AnalysisSettings::draws, 40);
        m_state->setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
    }

    std::unique_ptr<AnalysisState> m_state;
    std::unique_ptr<LimitState> m_limits;
    std::unique_ptr<JobBoard> m_jobs;
    std::unique_ptr<QuickMeasurement> m_measurement;
    std::unique_ptr<LimitsModel> m_model;
};

EPSILENS_UI_TEST(LimitsModelTest)
#include "limits_model_test.moc"
