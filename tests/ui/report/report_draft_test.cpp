#include "ui/report/report_draft.h"

#include <cmath>
#include <limits>

#include <QDate>
#include <QSignalSpy>

#include <nlohmann/json.hpp>

#include "core/calibration/recommend.h"
#include "core/report/report_json.h"
#include "tests/ui/report/report_fixture.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using test::kPatienceMs;

namespace {

struct ReportDraftFixture : test::DraftFixture {
    ReportDraftFixture() {
        state.edit(&ui::AnalysisSettings::chooseEpsilon, 7);
        state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.4});
    }
    void takeRun() { draft.setRun(run); }
};

}  // namespace

class ReportDraftTest : public QObject {
    Q_OBJECT

    using Fixture = ReportDraftFixture;

private Q_SLOTS:
    void aRunBecomesAPreview() {
        Fixture f;
        QSignalSpy previews(&f.draft, &ui::ReportDraft::previewReady);
        f.draft.setPreviewed(true);
        f.takeRun();
        QTRY_VERIFY_WITH_TIMEOUT(previews.count() > 0, kPatienceMs);
        QCOMPARE(f.draft.choices().size(), 4);
        QCOMPARE(f.draft.choices().at(3), QStringLiteral("ε = 8, λ = 0.5"));
        // The calibrated setting nearest to epsilon 7, lambda 0.4.
        QCOMPARE(f.draft.chosenCell(), 3);
        QCOMPARE(f.draft.run()->worstWords.size(), std::size_t{4});
    }

    void aPreviewIsComposedOnlyWhileItIsLookedAt() {
        Fixture f;
        QSignalSpy previews(&f.draft, &ui::ReportDraft::previewReady);
        f.draft.setPreviewed(false);
        f.takeRun();
        f.state.edit(&ui::AnalysisSettings::limits, {});
        QVERIFY(!f.draft.composer().isRunning());
        QCOMPARE(previews.count(), 0);
        f.draft.setPreviewed(true);
        QTRY_COMPARE_WITH_TIMEOUT(previews.count(), 1, kPatienceMs);
        // Nothing changed since.
        f.draft.setPreviewed(false);
        f.draft.setPreviewed(true);
        QVERIFY(!f.draft.composer().isRunning());
        QCOMPARE(previews.count(), 1);
    }

    void everyFormatIsWritten() {
        Fixture f;
        f.takeRun();
        QVERIFY(f.exported("r.pdf").startsWith("%PDF-"));
        QVERIFY(f.exported("r.html").startsWith("<!DOCTYPE html>"));
        QVERIFY(f.exported("r.md").startsWith("# Privacy calibration"));
        const auto read = document::readReport(f.exported("r.json").toStdString());
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->run.summary->cells.size(), std::size_t{4});
        QSignalSpy failures(&f.draft, &ui::ReportDraft::failed);
        f.draft.exportTo(f.folder.filePath(QStringLiteral("r.xyz")));
        QTRY_COMPARE_WITH_TIMEOUT(failures.count(), 1, kPatienceMs);
    }

    void sentencesAppearOnlyWhileTheyAreIncluded() {
        Fixture f;
        f.state.lookAt(QStringLiteral("my secret sentence"));
        f.takeRun();
        QVERIFY(!f.exported("a.json").contains("secret"));
        f.draft.setIncludesSentence(true);
        QVERIFY(f.exported("b.json").contains("my secret sentence"));
        QVERIFY(f.exported("b.html").contains("my secret sentence"));
        f.draft.setIncludesSentence(false);
        QVERIFY(!f.exported("c.html").contains("secret"));
    }

    void limitsAreThoseOfTheSetUp() {
        Fixture f;
        f.takeRun();
        QVERIFY(f.draft.settings().limits == calibration::defaultLimits());
        const auto stricter = *calibration::parseLimit("nw.p95<=45%");
        f.state.edit(&ui::AnalysisSettings::limits, {stricter});
        QCOMPARE(f.draft.limitSentences().size(), 1);
        QVERIFY(f.draft.settings().limits == std::vector{stricter});
        QVERIFY(f.exported("r.json").contains("nw.p95<=45%"));
        // A session brings its own.
        document::ReportSettings restored;
        restored.limits = calibration::defaultLimits();
        f.draft.setSettings(restored);
        QVERIFY(f.state.limits() == calibration::defaultLimits());
    }

    void theDateIsTodayUnlessAnotherIsGiven() {
        Fixture f;
        const std::string today = QDate::currentDate().toString(Qt::ISODate).toStdString();
        QCOMPARE(f.draft.settings().date, today);
        document::ReportSettings settings = f.draft.settings();
        settings.date = "2026-01-31";
        f.draft.setSettings(settings);
        QCOMPARE(f.draft.settings().date, std::string("2026-01-31"));
        settings.date.clear();
        f.draft.setSettings(settings);
        QCOMPARE(f.draft.settings().date, today);
    }

    // The toy's distances by the definition: the smallest distance to any other row.
    void theDensityProfileStandsInTheReportOnceComputed() {
        Fixture f;
        f.takeRun();
        QVERIFY(f.exported("a.md").contains("not computed"));
        QSignalSpy done(&f.results, &ui::SessionResults::densityChanged);
        f.results.computeDensity();
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs);
        const auto& vectors = f.state.embedding()->vectors();
        double largest = 0.0;
        for (Eigen::Index a = 0; a < vectors.rows(); ++a) {
            double nearest = std::numeric_limits<double>::infinity();
            for (Eigen::Index b = 0; b < vectors.rows(); ++b) {
                const double distance =
                    (vectors.row(a).cast<double>() - vectors.row(b).cast<double>()).norm();
                nearest = a == b ? nearest : std::min(nearest, distance);
            }
            largest = std::max(largest, nearest);
        }
        // Figures are kept in single precision.
        QVERIFY(std::abs(f.draft.settings().density->distances.max - largest) < 1e-6 * largest);
        QVERIFY(!f.exported("b.md").contains("not computed"));
        f.state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(!f.draft.settings().density);
    }

    void anotherEmbeddingTakesTheResultsAway() {
        Fixture f;
        f.takeRun();
        f.state.setEmbedding(nullptr, nullptr);
        QVERIFY(f.draft.run() == nullptr);
        QVERIFY(f.draft.choices().isEmpty());
    }

    void noneCanBeChosen() {
        Fixture f;
        f.takeRun();
        f.draft.setChosenCell(-1);
        QCOMPARE(f.draft.chosenCell(), -1);
        f.draft.setChosenCell(1);
        QCOMPARE(f.draft.settings().choice->epsilon, 8.0);
        QCOMPARE(*f.draft.settings().choice->lambda, 0.0);
    }

    void whatIsExportedNamesNoSettingThatNobodyChose() {
        Fixture f;
        f.takeRun();
        f.state.edit(&ui::AnalysisSettings::limits, {*calibration::parseLimit("nw.mean<=100%")});
        f.draft.setChosenCell(-1);
        const auto document = nlohmann::json::parse(f.exported("r.json").toStdString());
        QVERIFY(document["report"]["choice"].is_null());
        QVERIFY(document["findings"]["cell"].is_null());
        QCOMPARE(document["findings"]["withinLimits"].size(), std::size_t{4});
    }

    void noneChosenOutlivesAnotherRun() {
        Fixture f;
        f.takeRun();
        f.draft.setChosenCell(-1);
        f.takeRun();
        QCOMPARE(f.draft.chosenCell(), -1);
        QVERIFY(!f.draft.settings().choice);
        // A choice that the analyst did make stays too, and one that is no more gives way.
        f.draft.setChosenCell(0);
        f.takeRun();
        QCOMPARE(f.draft.chosenCell(), 0);
        document::ReportSettings settings = f.draft.settings();
        settings.choice = calibration::Choice{123.0, 0.5, std::nullopt};
        f.draft.setSettings(settings);
        f.takeRun();
        QCOMPARE(f.draft.chosenCell(), 3);
    }

    void aSessionKeepsItsChoiceBeItNone() {
        Fixture f;
        f.takeRun();
        const calibration::RunHandle kept = f.draft.run();
        ui::ReportDraft reopened(f.state, f.results);
        document::ReportSettings settings = f.draft.settings();
        settings.choice.reset();
        reopened.setSettings(settings);
        reopened.restoreRun(kept);
        QCOMPARE(reopened.chosenCell(), -1);
        QVERIFY(!reopened.settings().choice);
        // It said so; a run after it does not choose either.
        reopened.setRun(f.run);
        QCOMPARE(reopened.chosenCell(), -1);
        settings.choice = calibration::Choice{8.0, 0.0, std::nullopt};
        reopened.setSettings(settings);
        reopened.restoreRun(kept);
        QCOMPARE(reopened.chosenCell(), 1);
    }

    void aSessionWithoutResultsHasDecidedNothing() {
        Fixture f;
        f.takeRun();
        f.draft.setChosenCell(-1);
        f.draft.restoreRun(nullptr);
        f.takeRun();
        QCOMPARE(f.draft.chosenCell(), 3);
    }
};

EPSILENS_UI_TEST(ReportDraftTest)
#include "report_draft_test.moc"
