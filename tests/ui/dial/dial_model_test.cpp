#include "ui/dial/dial_model.h"

#include <cmath>

#include "core/report/memo_words.h"
#include "tests/ui/dial/dial_fixture.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;

class DialModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// e^5.1 = 164.02; e^87.4 = 9.03 × 10^37, beyond what is worth naming. exp(2.3) = 9.974 and
    /// exp(10) = 22026.5 (tables of the exponential) are rounded up.
    void promisesAreSaidInWords() {
        const auto said = [](double loss) {
            return promiseText(loss, 2.04, QStringLiteral("a<b"), QStringLiteral("heart"));
        };
        QCOMPARE(said(5.1),
                 QStringLiteral("Promised to anyone a text is about, per word: seeing the output "
                                "changes the odds of <i>a&lt;b</i> against <i>heart</i> (distance "
                                "2.0) by at most <b>×165</b>, whatever readers know besides."));
        QVERIFY(said(2.3).contains(QStringLiteral("×9.98<")));
        QVERIFY(said(10.0).contains(QStringLiteral("×22,100<")));
        QVERIFY(said(std::log(1e6)).contains(QStringLiteral("×1,000,000<")));
        const QString none = said(87.4);
        QVERIFY(none.startsWith(QStringLiteral("Promised to anyone a text is about, per word: ")));
        QVERIFY(none.contains(QStringLiteral("no useful bound")));
        QVERIFY(none.contains(QStringLiteral("up to 10³⁸")));
        QVERIFY(none.contains(QStringLiteral("<a href")));
        QCOMPARE(shortPromise(5.1), QStringLiteral("odds change by at most ×165"));
        QCOMPARE(shortPromise(std::log(1.1e6)), QStringLiteral("no useful bound: up to 10⁷"));
        test::DialParts parts;
        parts.open(test::toyEmbedding());
        QTRY_VERIFY(parts.measurement.isCurrent());
        QVERIFY(parts.model.reading().line.contains(
            QStringLiteral("<br>Promised to anyone a text is about, per word: ")));
    }

    void whatIsSaidFollowsTheCursorAndTheMeasurement() {
        test::DialParts parts;
        QVERIFY(parts.model.picture().shares.epsilons.empty());
        parts.open(test::toyEmbedding());
        QCOMPARE(parts.model.reading().survive, QStringLiteral("Measuring…"));
        QTRY_VERIFY(parts.measurement.isCurrent());
        for (const double epsilon : {0.5, 2.0, 8.0}) {
            parts.state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
            const auto shares = parts.measurement.result()->sharesAt(epsilon);
            const report::Hundredths counts =
                report::hundredthsOf(shares.kept, shares.near, shares.far);
            const DialReading& reading = parts.model.reading();
            QCOMPARE(reading.survive, QStringLiteral("%1 of 100 words survive").arg(counts.kept));
            QCOMPARE(reading.replaced, QStringLiteral("%1 become a near word, %2 a far one; each "
                                                      "word of the vocabulary counts once")
                                           .arg(counts.near)
                                           .arg(counts.far));
            QVERIFY(reading.spoken.startsWith(reading.survive));
        }
    }

    /// Own texts come first, as long as they are wanted.
    void ownTextsAreShownInPlaceOfTheVocabulary() {
        test::DialParts parts;
        parts.open(test::toyEmbedding());
        QTRY_VERIFY(parts.measurement.isCurrent());
        const DialReading before = parts.model.reading();
        const std::vector<double> ofVocabulary = parts.model.picture().shares.kept;
        calibration::MeasurementOptions options = parts.measurement.result()->options();
        options.words = calibration::WordSelection{};
        options.words.kind = calibration::WordSelection::Kind::list;
        options.words.rows = {0};
        const auto measured = calibration::measure(*parts.state.searchSpace(), options).value();
        parts.model.setOwnText(MeasuredText{measured, QStringLiteral("mine.tsv"), 200});
        const auto shares = measured->sharesAt(parts.state.epsilon());
        const int kept = report::hundredthsOf(shares.kept, shares.near, shares.far).kept;
        QCOMPARE(parts.model.reading().survive,
                 QStringLiteral("%1 of 100 words of mine.tsv survive").arg(kept));
        QVERIFY(parts.model.reading().line.contains(QStringLiteral("mine.tsv")));
        QVERIFY(parts.model.reading().other.contains(QStringLiteral("vocabulary")));
        QVERIFY(parts.model.picture().shares.kept != ofVocabulary);
        QCOMPARE(parts.model.picture().halfKept.size(), std::size_t{1});
        parts.model.showOwnText(false);
        QCOMPARE(parts.model.reading().survive, before.survive);
        QVERIFY(parts.model.reading().other.contains(QStringLiteral("mine.tsv")));
        QVERIFY(parts.model.picture().shares.kept == ofVocabulary);
        // What is so different that another ε would be chosen is not overlooked.
        int notable = 0;
        const std::vector<double> epsilons{0.1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 1e6};
        for (const double epsilon : epsilons) {
            parts.state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
            const auto countIn = [epsilon](const calibration::Measurement& of) {
                const auto found = of.sharesAt(epsilon);
                return report::hundredthsOf(found.kept, found.near, found.far).kept;
            };
            const int own = countIn(*measured);
            const bool isNotable = std::abs(own - countIn(*parts.measurement.result())) >= 10;
            notable += isNotable ? 1 : 0;
            const DialReading& reading = parts.model.reading();
            QCOMPARE(reading.other.startsWith(QStringLiteral("<b>⚠ Of mine.tsv ")), isNotable);
        }
        QVERIFY(notable > 0 && notable < static_cast<int>(epsilons.size()));
        parts.model.setOwnText(std::nullopt);
        QVERIFY(parts.model.reading().other.isEmpty());
    }

    /// Against a measurement of the pinned setting made without the dial.
    void thePinnedSettingIsMeasuredOnTheWordsThatAreShown() {
        test::DialParts parts;
        parts.open(test::toyEmbedding());
        parts.state.edit(&AnalysisSettings::choose, mechanism::Mahalanobis());
        parts.state.edit(&AnalysisSettings::setParameters, {.lambda = 0.8});
        QTRY_VERIFY(parts.measurement.isCurrent());
        QVERIFY(!parts.model.picture().pin && parts.model.reading().pinned.isEmpty());
        calibration::MeasurementOptions options = parts.measurement.result()->options();
        options.mechanism = mechanism::Laplace();
        parts.state.edit(&AnalysisSettings::pin, mechanism::Setting{options.mechanism, 6.0});
        QVERIFY(parts.model.picture().pin);
        QVERIFY(parts.model.reading().pinned.contains(QStringLiteral("ε 6, not measured")));
        QTRY_VERIFY(!parts.model.picture().pin->shares.kept.empty());
        const auto checkAgainst = [&](const calibration::MeasurementOptions& asked) {
            const auto own = calibration::measure(*parts.state.searchSpace(), asked).value();
            const DialShares& drawn = parts.model.picture().pin->shares;
            for (std::size_t i = 0; i < drawn.epsilons.size(); i += 100) {
                QCOMPARE(drawn.kept[i], own->sharesAt(drawn.epsilons[i]).kept);
            }
            const auto shares = own->sharesAt(6.0);
            QCOMPARE(parts.model.reading().pinned,
                     QStringLiteral("Grey and dashed, the pinned setting A: ε 6, %1 of 100 words "
                                    "survive")
                         .arg(report::hundredthsOf(shares.kept, shares.near, shares.far).kept));
        };
        checkAgainst(options);
        QCOMPARE(parts.model.picture().pin->name, QStringLiteral("pinned A"));
        // Beside own texts it is of their words.
        options.words = {calibration::WordSelection::Kind::list, 0, {0, 3}};
        calibration::MeasurementOptions shown = options;
        shown.mechanism = parts.state.mechanism();
        const auto measured = calibration::measure(*parts.state.searchSpace(), shown).value();
        parts.model.setOwnText(MeasuredText{measured, QStringLiteral("mine.tsv"), 200});
        QVERIFY(parts.model.picture().pin->shares.kept.empty());
        QTRY_VERIFY(!parts.model.picture().pin->shares.kept.empty());
        checkAgainst(options);
        parts.state.edit(&AnalysisSettings::pin, std::nullopt);
        QVERIFY(!parts.model.picture().pin && parts.model.reading().pinned.isEmpty());
    }

    /// The same mechanism at another epsilon is measured already.
    void aPinOfTheShownMechanismIsTheSameMeasurement() {
        test::DialParts parts;
        parts.open(test::toyEmbedding());
        QTRY_VERIFY(parts.measurement.isCurrent());
        parts.state.edit(&AnalysisSettings::pin, parts.state.setting());
        QTRY_VERIFY(!parts.model.picture().pin->shares.kept.empty());
        QVERIFY(parts.model.picture().pin->shares.kept == parts.model.picture().shares.kept);
    }

    /// The ruler of Laplace: the odds of two words at distance d change by at most e^(epsilon d).
    void theRulerMarksWhereTheOddsAre() {
        test::DialParts parts;
        parts.state.edit(&AnalysisSettings::choose, mechanism::Laplace{});
        const auto embedding = test::toyEmbedding();
        parts.open(embedding);
        const double distance =
            (embedding->embedding.vectors.row(0) - embedding->embedding.vectors.row(1)).norm();
        const DialPicture& picture = parts.model.picture();
        QCOMPARE(picture.marks.size(), std::size_t{4});
        QCOMPARE(picture.marks[1].text, QStringLiteral("×10"));
        QCOMPARE(picture.marks[2].text, QStringLiteral("×10³"));
        QCOMPARE(picture.marks[3].text, QStringLiteral("×10⁶"));
        QVERIFY(std::abs(picture.marks[1].epsilon - std::log(10.0) / distance) < 1e-5);
        QVERIFY(std::abs(*picture.unboundedFrom - std::log(1e6) / distance) < 1e-5);
        // 10^(6 · 1.9) is at most 10¹².
        parts.state.edit(&AnalysisSettings::chooseEpsilon, 1.9 * *picture.unboundedFrom);
        QVERIFY(parts.model.reading().promise.contains(QStringLiteral("up to 10¹²")));
        parts.state.edit(&AnalysisSettings::chooseEpsilon, 0.5 * *picture.unboundedFrom);
        QVERIFY(parts.model.reading().promise.contains(QStringLiteral("by at most <b>×")));
    }

    /// Shares of an earlier setting stay, grey and without limits, until the new one is measured.
    void anEarlierSettingIsGreyAndHasNoLimits() {
        test::DialParts parts;
        parts.state.edit(&AnalysisSettings::limits,
                         {calibration::parseLimit("nw.p95<=60%").value()});
        parts.open(test::toyEmbedding());
        QTRY_VERIFY(parts.model.picture().largestWithin);
        QVERIFY(!parts.model.picture().outside.empty());
        QCOMPARE(parts.model.picture().outside.front().low, *parts.model.picture().largestWithin);
        parts.state.edit(&AnalysisSettings::choose, mechanism::Tem{});
        QVERIFY(parts.model.picture().isOutdated);
        QVERIFY(!parts.model.picture().shares.epsilons.empty());
        QVERIFY(!parts.model.picture().largestWithin);
        QVERIFY(parts.model.picture().outside.empty());
        QVERIFY(!parts.model.reading().limits.contains(QStringLiteral("✓")));
        QTRY_VERIFY(parts.model.picture().largestWithin);
        // In closed form they are drawn on another thread.
        QTRY_VERIFY(!parts.model.picture().isOutdated);
        const DialShares& drawn = parts.model.picture().shares;
        for (const std::size_t i : {std::size_t{0}, drawn.epsilons.size() / 2}) {
            const auto there = parts.measurement.result()->sharesAt(drawn.epsilons[i]);
            QVERIFY(std::abs(drawn.kept[i] - there.kept) < 1e-12);
            QVERIFY(std::abs(drawn.near[i] - there.near) < 1e-12);
        }
    }
};

EPSILENS_UI_TEST(DialModelTest)
#include "dial_model_test.moc"
