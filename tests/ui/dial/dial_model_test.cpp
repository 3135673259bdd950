#include "ui/dial/dial_model.h"

#include <cmath>

#include "tests/ui/dial/dial_fixture.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::countsOf;
using test::DialParts;

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
                                "2.0) by at most <b>×165</b>, whatever readers know besides. "
                                "That is moderately strong evidence: who held both equally likely "
                                "could be 99.4% sure."));
        // 9.974 of 10.974; 22026.5 of 22027.5
        QVERIFY(said(2.3).contains(QStringLiteral("×9.98<")));
        QVERIFY(said(2.3).contains(" weak evidence: who held both equally likely could be 90.9%"));
        // 1 / 22027.5 = 0.00454%
        QVERIFY(said(10.0).contains(" very strong evidence: "));
        QVERIFY(said(10.0).contains(" 99.996% sure."));
        QVERIFY(said(10.0).contains(QStringLiteral("×22,100<")));
        QVERIFY(said(std::log(1e6)).contains(QStringLiteral("×1,000,000<")));
        const QString none = said(87.4);
        for (const char* part : {"Promised to anyone a text is about, per word: ",
                                 "no useful bound", "up to 10³⁸", "<a href"}) {
            QVERIFY2(none.contains(QString::fromUtf8(part)), qPrintable(none));
        }
        QCOMPARE(shortPromise(5.1), QStringLiteral("odds change by at most ×165"));
        QCOMPARE(shortPromise(std::log(1.1e6)), QStringLiteral("no useful bound: up to 10⁷"));
    }

    void whatIsSaidFollowsTheCursorAndTheMeasurement() {
        DialParts f;
        QVERIFY(f.picture().shares.epsilons.empty());
        f.open(test::toyEmbedding());
        QCOMPARE(f.reading().survive, QStringLiteral("Measuring…"));
        QTRY_VERIFY(f.measurement.isCurrent());
        for (const double epsilon : {0.5, 2.0, 8.0}) {
            f.chooseEpsilon(epsilon);
            const auto counts = countsOf(*f.measurement.result(), epsilon);
            QCOMPARE(f.reading().survive,
                     QStringLiteral("%1 of 100 words survive").arg(counts.kept));
            QCOMPARE(f.reading().replaced,
                     QStringLiteral("%1 become a near word, %2 a far one; each word of the "
                                    "vocabulary counts once")
                         .arg(counts.near)
                         .arg(counts.far));
            QVERIFY(f.reading().spoken.startsWith(f.reading().survive));
            QVERIFY(f.reading().line.contains(
                QStringLiteral("<br>Promised to anyone a text is about, per word: ")));
        }
    }

    /// Own texts come first, as long as they are wanted.
    void ownTextsAreShownInPlaceOfTheVocabulary() {
        DialParts f;
        f.measure();
        const QString before = f.reading().survive;
        const std::vector<double> ofVocabulary = f.picture().shares.kept;
        const auto measured = f.measureRows({0});
        f.model.setOwnText(MeasuredText{measured, QStringLiteral("mine.tsv"), 200});
        QCOMPARE(f.reading().survive, QStringLiteral("%1 of 100 words of mine.tsv survive")
                                          .arg(countsOf(*measured, f.state.epsilon()).kept));
        QVERIFY(f.reading().line.contains(QStringLiteral("mine.tsv")));
        QVERIFY(f.reading().other.contains(QStringLiteral("vocabulary")));
        QVERIFY(f.picture().shares.kept != ofVocabulary);
        QCOMPARE(f.picture().halfKept.size(), std::size_t{1});
        f.model.showOwnText(false);
        QCOMPARE(f.reading().survive, before);
        QVERIFY(f.picture().shares.kept == ofVocabulary);
        // What is so different that another ε would be chosen is not overlooked.
        int notable = 0;
        const std::vector<double> epsilons{0.1, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 1e6};
        for (const double epsilon : epsilons) {
            f.chooseEpsilon(epsilon);
            const bool isNotable = std::abs(countsOf(*measured, epsilon).kept -
                                            countsOf(*f.measurement.result(), epsilon).kept) >= 10;
            notable += isNotable ? 1 : 0;
            QVERIFY(f.reading().other.contains(QStringLiteral("Of mine.tsv ")));
            QCOMPARE(f.reading().other.startsWith(QStringLiteral("<b>⚠ ")), isNotable);
        }
        QVERIFY(notable > 0 && notable < static_cast<int>(epsilons.size()));
        f.model.setOwnText(std::nullopt);
        QVERIFY(f.reading().other.isEmpty());
    }

    /// Against a measurement of the pinned setting made without the dial.
    void thePinnedSettingIsMeasuredOnTheWordsThatAreShown() {
        DialParts f;
        f.choose(mechanism::Mahalanobis());
        f.measure();
        QVERIFY(!f.picture().pin && f.reading().pinned.isEmpty());
        f.state.edit(&AnalysisSettings::pin, mechanism::Setting{mechanism::Laplace(), 6.0});
        const auto checkAgainst = [&f](const calibration::MeasurementHandle& own) {
            QVERIFY(f.picture().pin->shares.kept.empty());
            QVERIFY(f.reading().pinned.contains(QStringLiteral("ε 6, not measured")));
            QTRY_VERIFY(!f.picture().pin->shares.kept.empty());
            const DialShares& drawn = f.picture().pin->shares;
            for (std::size_t i = 0; i < drawn.epsilons.size(); i += 100) {
                QCOMPARE(drawn.kept[i], own->sharesAt(drawn.epsilons[i]).kept);
            }
            QCOMPARE(f.reading().pinned,
                     QStringLiteral("Grey and dashed, the pinned setting A: ε 6, %1 of 100 words "
                                    "survive")
                         .arg(countsOf(*own, 6.0).kept));
        };
        calibration::MeasurementOptions options = f.measurement.result()->options();
        options.mechanism = mechanism::Laplace();
        checkAgainst(calibration::measure(*f.state.searchSpace(), options).value());
        QCOMPARE(f.picture().pin->name, QStringLiteral("pinned A"));
        // Beside own texts it is of their words.
        f.model.setOwnText(MeasuredText{f.measureRows({0, 3}), QStringLiteral("mine.tsv"), 200});
        checkAgainst(f.measureRows({0, 3}, mechanism::Laplace()));
        // The same mechanism at another epsilon is measured already.
        f.state.edit(&AnalysisSettings::pin, f.state.setting());
        QVERIFY(f.picture().pin->shares.kept == f.picture().shares.kept);
        f.state.edit(&AnalysisSettings::pin, std::nullopt);
        QVERIFY(!f.picture().pin && f.reading().pinned.isEmpty());
    }

    /// The ruler of Laplace: the odds of two words at distance d change by at most e^(epsilon d).
    void theRulerMarksWhereTheOddsAre() {
        DialParts f;
        f.choose(mechanism::Laplace{});
        f.open(test::toyEmbedding());
        const RowMatrixF& vectors = f.state.embedding()->vectors();
        const double distance = (vectors.row(0) - vectors.row(1)).norm();
        const auto& marks = f.picture().marks;
        QCOMPARE(marks.size(), std::size_t{4});
        QCOMPARE(marks[1].text, QStringLiteral("×10"));
        QCOMPARE(marks[3].text, QStringLiteral("×10⁶"));
        QVERIFY(std::abs(marks[1].epsilon - std::log(10.0) / distance) < 1e-5);
        const double unbounded = *f.picture().unboundedFrom;
        QVERIFY(std::abs(unbounded - std::log(1e6) / distance) < 1e-5);
        // 10^(6 · 1.9) is at most 10¹².
        f.chooseEpsilon(1.9 * unbounded);
        QVERIFY(f.reading().promise.contains(QStringLiteral("up to 10¹²")));
        f.chooseEpsilon(0.5 * unbounded);
        QVERIFY(f.reading().promise.contains(QStringLiteral("by at most <b>×")));
    }

    /// Shares of an earlier setting stay, grey and without limits, until the new one is measured.
    void anEarlierSettingIsGreyAndHasNoLimits() {
        DialParts f;
        f.limit("nw.p95<=60%");
        f.open(test::toyEmbedding());
        QTRY_VERIFY(f.picture().largestWithin);
        QCOMPARE(f.picture().outside.front().low, *f.picture().largestWithin);
        f.choose(mechanism::Tem{});
        QVERIFY(f.picture().isOutdated && !f.picture().shares.epsilons.empty());
        QVERIFY(!f.picture().largestWithin && f.picture().outside.empty());
        QVERIFY(!f.reading().limits.contains(QStringLiteral("✓")));
        // In closed form they are drawn on another thread.
        QTRY_VERIFY(f.picture().largestWithin && !f.picture().isOutdated);
        const DialShares& drawn = f.picture().shares;
        for (const std::size_t i : {std::size_t{0}, drawn.epsilons.size() / 2}) {
            const auto there = f.measurement.result()->sharesAt(drawn.epsilons[i]);
            QVERIFY(std::abs(drawn.kept[i] - there.kept) < 1e-12);
            QVERIFY(std::abs(drawn.near[i] - there.near) < 1e-12);
        }
    }
};

EPSILENS_UI_TEST(DialModelTest)
#include "dial_model_test.moc"
