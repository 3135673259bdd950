#include "ui/state/limit_state.h"

#include <array>
#include <cmath>

#include <QSignalSpy>

#include "core/calibration/recommend.h"
#include "core/evaluation/figure_limit.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/analysis_state.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

document::FigureFinding found(const evaluation::FigureLimit& limit,
                              const evaluation::FigureValue& value) {
    return {limit, evaluation::checkFigure(limit, value)};
}

}  // namespace

class LimitStateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void countsAreToldShortAndSpoken_data() {
        QTest::addColumn<document::LimitCounts>("counts");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const document::LimitCounts& counts, const char* text,
                            const char* sentence) {
            QTest::newRow(name) << counts << QString::fromUtf8(text) << QString::fromUtf8(sentence);
        };
        row("none", {0, 0, 0}, "", "no limits set");
        row("unknown", {2, 0, 0}, "limits –/2", "2 limits, not yet measured");
        row("met", {2, 2, 0}, "limits 2/2 ✓", "2 of 2 limits met");
        row("missed", {2, 1, 1}, "limits 1/2 ✗", "1 of 2 limits met");
        row("open", {2, 1, 0}, "limits 1/2, 1 open", "1 of 2 limits met, 1 open");
    }
    void countsAreToldShortAndSpoken() {
        QFETCH(const document::LimitCounts, counts);
        QTEST(limitStatusText(counts), "text");
        QTEST(limitStatusSentence(counts), "sentence");
    }

    void statusFollowsTheChecks() {
        AnalysisState settings;
        LimitState state(settings);
        QCOMPARE(state.status(), (document::LimitCounts{0, 0, 0}));
        settings.edit(&AnalysisSettings::limits, calibration::defaultLimits());
        QCOMPARE(state.status(), (document::LimitCounts{2, 0, 0}));
        QSignalSpy changes(&state, &LimitState::statusChanged);
        calibration::LimitCheck met;
        met.margin = 0.0;
        calibration::LimitCheck missed;
        missed.margin = -1.0;
        state.setChecks({met, missed});
        QCOMPARE(state.status(), (document::LimitCounts{2, 1, 1}));
        state.setChecks({met, missed});
        QCOMPARE(changes.count(), 1);
        // Of other limits nothing is known.
        settings.edit(&AnalysisSettings::limits, {calibration::defaultLimits().front()});
        QCOMPARE(state.status(), (document::LimitCounts{1, 0, 0}));
    }

    void valuesAreToldWithTheirIntervals() {
        AnalysisState settings;
        const auto kept = calibration::parseLimit("nw.p95<=50%").value();
        const auto gain = evaluation::parseFigureLimit("attack.gain<=5%").value();
        settings.edit(&AnalysisSettings::limits, {kept});
        settings.edit(&AnalysisSettings::figureLimits, {gain});
        LimitState state(settings);
        QVERIFY(state.lines().isEmpty());
        state.setChecks({{kept, 43.0, 50.0, 7.0}});
        state.setOnTexts({found(gain, {0.042, std::array{0.031, 0.053}})});
        const QStringList lines = state.lines();
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[0].startsWith(QStringLiteral("✓ ")) &&
                     lines[0].endsWith(QStringLiteral(": yes, 43")),
                 qPrintable(lines[0]));
        // 5.3 is beyond 5, though 4.2 is not.
        QCOMPARE(lines[1], QStringLiteral("✗ an attacker guesses at most 5 of 100 words more than "
                                          "without the release: NO, 4.2 (3.1 to 5.3)"));
    }

    /// What the words of the vocabulary meet says nothing of the analyst's texts.
    void limitsOnTextsCountWhereTheyAreMeasured() {
        AnalysisState settings;
        settings.edit(&AnalysisSettings::limits, {calibration::defaultLimits().front()});
        LimitState state(settings);
        calibration::LimitCheck met;
        met.margin = 0.0;
        state.setChecks({met});
        const auto gain = evaluation::parseFigureLimit("attack.gain<=5%").value();
        settings.edit(&AnalysisSettings::figureLimits, {gain});
        QCOMPARE(state.status(), (document::LimitCounts{2, 1, 0}));
        // What Texts measured there counts, unless there is no figure.
        state.setOnTexts({found(gain, {std::nan(""), {}})});
        QCOMPARE(state.status(), (document::LimitCounts{2, 1, 0}));
        state.setOnTexts({found(gain, {0.15, {}})});
        QCOMPARE(state.status(), (document::LimitCounts{2, 1, 1}));
        state.setOnTexts({found(gain, {0.05, {}})});
        QCOMPARE(state.status(), (document::LimitCounts{2, 2, 0}));
        settings.edit(&AnalysisSettings::limits, {});
        QCOMPARE(state.status(), (document::LimitCounts{1, 1, 0}));
        // Of other limits nothing is known.
        settings.edit(&AnalysisSettings::figureLimits,
                      {evaluation::parseFigureLimit("attack.gain<=4%").value()});
        QCOMPARE(state.status(), (document::LimitCounts{1, 0, 0}));
    }
};

EPSILENS_UI_TEST(LimitStateTest)
#include "limit_state_test.moc"
