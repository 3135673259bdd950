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
    /// A verdict before anybody has asked for one would be about limits that nobody set.
    void beginsWithoutLimits() {
        AnalysisState settings;
        const LimitState state(settings);
        QVERIFY(limitStatusText(state.status()).isEmpty());
        settings.edit(&AnalysisSettings::limits, calibration::defaultLimits());
        QCOMPARE(limitStatusText(state.status()), QStringLiteral("limits –/2"));
        QCOMPARE(limitStatusSentence(state.status()), QStringLiteral("2 limits, not yet measured"));
    }

    void statusFollowsTheChecks() {
        AnalysisState settings;
        settings.edit(&AnalysisSettings::limits, calibration::defaultLimits());
        LimitState state(settings);
        QSignalSpy changes(&state, &LimitState::statusChanged);
        calibration::LimitCheck met;
        met.margin = 0.0;
        calibration::LimitCheck missed;
        missed.margin = -1.0;
        state.setChecks({met, missed});
        QCOMPARE(changes.count(), 1);
        QCOMPARE(limitStatusText(state.status()), QStringLiteral("limits 1/2 ✗"));
        QCOMPARE(limitStatusSentence(state.status()), QStringLiteral("1 of 2 limits met"));
        state.setChecks({met, missed});
        QCOMPARE(changes.count(), 1);
        state.setChecks({met, met});
        QCOMPARE(limitStatusText(state.status()), QStringLiteral("limits 2/2 ✓"));
        // Of other limits nothing is known.
        settings.edit(&AnalysisSettings::limits, {calibration::defaultLimits().front()});
        QCOMPARE(limitStatusText(state.status()), QStringLiteral("limits –/1"));
        settings.edit(&AnalysisSettings::limits, {});
        QVERIFY(limitStatusText(state.status()).isEmpty());
        QCOMPARE(limitStatusSentence(state.status()), QStringLiteral("no limits set"));
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
        QVERIFY(state.status().areAllMet());
        const auto gain = evaluation::parseFigureLimit("attack.gain<=5%").value();
        settings.edit(&AnalysisSettings::figureLimits, {gain});
        QVERIFY(!state.status().areAllMet());
        QCOMPARE(limitStatusText(state.status()), QStringLiteral("limits 1/2, 1 open"));
        QCOMPARE(limitStatusSentence(state.status()), QStringLiteral("1 of 2 limits met, 1 open"));
        // What Texts measured there counts, unless there is no figure.
        state.setOnTexts({found(gain, {std::nan(""), {}})});
        QCOMPARE(limitStatusText(state.status()), QStringLiteral("limits 1/2, 1 open"));
        state.setOnTexts({found(gain, {0.15, {}})});
        QVERIFY(!state.status().areAllMet());
        QCOMPARE(limitStatusText(state.status()), QStringLiteral("limits 1/2 ✗"));
        state.setOnTexts({found(gain, {0.05, {}})});
        QVERIFY(state.status().areAllMet());
        QCOMPARE(limitStatusText(state.status()), QStringLiteral("limits 2/2 ✓"));
        QCOMPARE(limitStatusSentence(state.status()), QStringLiteral("2 of 2 limits met"));
        settings.edit(&AnalysisSettings::limits, {});
        QCOMPARE(limitStatusText(state.status()), QStringLiteral("limits 1/1 ✓"));
        // Of other limits nothing is known.
        settings.edit(&AnalysisSettings::figureLimits,
                      {evaluation::parseFigureLimit("attack.gain<=4%").value()});
        QVERIFY(!state.status().areAllMet());
        QCOMPARE(limitStatusText(state.status()), QStringLiteral("limits –/1"));
        settings.edit(&AnalysisSettings::figureLimits, {});
        QVERIFY(limitStatusText(state.status()).isEmpty());
    }
};

EPSILENS_UI_TEST(LimitStateTest)
#include "limit_state_test.moc"
