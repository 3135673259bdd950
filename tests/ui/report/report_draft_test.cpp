#include "ui/report/report_draft.h"

#include <QDate>
#include <QSignalSpy>

#include <nlohmann/json.hpp>

#include "core/calibration/recommend.h"
#include "core/document/report_document.h"
#include "core/document/verification.h"
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
        draft.setRun(run);
    }
};

}  // namespace

class ReportDraftTest : public QObject {
    Q_OBJECT

    using Fixture = ReportDraftFixture;

private Q_SLOTS:
    /// Whether the run has it or not.
    void aReportIsAboutThePresentSetting() {
        Fixture f;
        QSignalSpy previews(&f.draft, &ui::ReportDraft::previewReady);
        f.draft.setPreviewed(true);
        QVERIFY(!f.draft.settings().choice);
        QTRY_COMPARE_WITH_TIMEOUT(previews.count(), 1, kPatienceMs);
        QCOMPARE(f.draft.settings().choice->epsilon, 7.0);
        QCOMPARE(*f.draft.settings().choice->lambda, 0.4);
        // Three epsilons and three lambdas; the run itself stays as it was.
        QCOMPARE(f.draft.reportedRun()->summary->cells.size(), std::size_t{9});
        QCOMPARE(f.draft.run()->summary->cells.size(), std::size_t{4});
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 8);
        f.state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.5});
        QCOMPARE(f.draft.settings().choice->epsilon, 8.0);
        QTRY_COMPARE_WITH_TIMEOUT(previews.count(), 2, kPatienceMs);
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 3);
        const auto document = nlohmann::json::parse(f.exported("r.json").toStdString());
        QCOMPARE(document["report"]["choice"]["epsilon"].get<double>(), 3.0);
    }

    void resultsOfOtherSettingsMakeNoReport() {
        Fixture f;
        QVERIFY(!f.draft.isOutdated());
        f.state.edit(&ui::AnalysisSettings::draws, 11);
        QVERIFY(f.draft.isOutdated());
        QVERIFY(!f.draft.settings().choice);
        f.draft.exportTo(f.folder.filePath(QStringLiteral("r.html")));
        QVERIFY(!f.draft.exporter().isRunning());
        f.state.edit(&ui::AnalysisSettings::draws, 10);
        QVERIFY(!f.draft.isOutdated());
        // Fewer settings than there are results of.
        f.state.edit([](ui::AnalysisSettings& settings) { settings.grid.epsilons = {8}; });
        QVERIFY(!f.draft.isOutdated());
    }

    void theEndingChoosesTheFormat() {
        Fixture f;
        QVERIFY(f.exported("r.pdf").startsWith("%PDF-"));
        QVERIFY(f.exported("r.html").startsWith("<!DOCTYPE html>"));
        QSignalSpy failures(&f.draft, &ui::ReportDraft::failed);
        f.draft.exportTo(f.folder.filePath(QStringLiteral("r.xyz")));
        QTRY_COMPARE_WITH_TIMEOUT(failures.count(), 1, kPatienceMs);
    }

    void thePinIsAmongTheAlternatives() {
        Fixture f;
        QVERIFY(!f.exported("a.html").contains("pinned A"));
        f.state.edit(&ui::AnalysisSettings::pin, std::optional(f.state.setting()));
        QVERIFY2(!f.exported("b.html").contains("pinned A"), "It is the setting reported.");
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 9);
        const QByteArray text = f.exported("c.html");
        QVERIFY2(text.contains("pinned A: Mahalanobis λ 0.40, ε 7.00"), text.constData());
        QVERIFY(f.draft.settings().alternatives.empty());
    }

    void sentencesAppearOnlyWhileTheyAreIncluded() {
        Fixture f;
        f.state.lookAt(QStringLiteral("my secret sentence"));
        QVERIFY(!f.exported("a.json").contains("secret"));
        f.draft.setIncludesSentence(true);
        QVERIFY(!f.exported("b.json").contains("secret"));  // no word of it is known
        f.state.lookAt(QStringLiteral("Paris is secret"));
        QVERIFY(f.exported("c.json").contains("\"Paris is secret\""));
        QVERIFY(f.exported("b.html").contains("“Paris is secret” could become any of"));
        f.draft.setIncludesSentence(false);
        QVERIFY(!f.exported("c.html").contains("secret"));
    }

    void thePairOfTheDetailsAppearsOnlyWhileItIsIncluded() {
        Fixture f;
        const embedding::Vocabulary& vocabulary = test::toySpace()->embedding().vocabulary();
        const calibration::NamedPair pair(vocabulary.word(5), vocabulary.word(9));
        const QByteArray said = QByteArray::fromStdString(pair.first + " against " + pair.second);
        const auto isAs = [&](bool isShown, bool isHidden) {
            const QByteArray text = f.exported("r.html");
            return !text.isEmpty() && text.contains(said) == isShown &&
                   text.contains("looked at a further pair of words") == isHidden &&
                   f.draft.hidesPair() == isHidden;
        };
        QVERIFY(isAs(false, false));
        f.draft.setPair(pair);
        QVERIFY(isAs(false, true));
        f.draft.setIncludesPair(true);
        QVERIFY(isAs(true, false));
        const auto read = document::readReport(f.exported("r.json").toStdString());
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(read->run.pairs.front().second, pair.second);
        // A well-known pair is shown anyway, and none cannot be.
        f.draft.setIncludesPair(false);
        f.draft.setPair(calibration::NamedPair("london", "paris"));
        QVERIFY(isAs(false, false));
        f.draft.setPair(std::nullopt);
        QVERIFY(isAs(false, false));
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

    /// With all that the window puts into it.
    void whatIsExportedAsJsonCanBeVerified() {
        Fixture f;
        const QByteArray before = f.exported("a.html");
        QVERIFY(before.contains("not computed") && before.contains("No limits were set."));
        const QSignalSpy computed(&f.results, &ui::SessionResults::densityChanged);
        f.results.computeDensity();
        QTRY_COMPARE_WITH_TIMEOUT(computed.count(), 1, kPatienceMs);
        QCOMPARE(f.draft.settings().density->distances.max,
                 f.results.density()->figures.distances.max);
        f.state.lookAt(QStringLiteral("paris london"));
        f.draft.setIncludesSentence(true);
        // As a session brings them.
        document::ReportSettings settings = f.draft.settings();
        settings.limits = calibration::defaultLimits();
        f.draft.setSettings(settings);
        QVERIFY(f.state.limits() == settings.limits);
        const QByteArray json = f.exported("r.json");
        QVERIFY(json.contains("\"density\"") && json.contains("nw.p95<=50%"));
        const auto differences =
            document::openDocument(f.folder.filePath(QStringLiteral("r.json")).toStdString())
                .and_then([](const document::KeptDocument& document) {
                    return document::repeatRun(document, *test::toySpace(), 1)
                        .and_then([&document](const nlohmann::ordered_json& again) {
                            return document::compareWith(document, again);
                        });
                });
        QVERIFY2(differences, differences ? "" : differences.error().message.c_str());
        QCOMPARE(differences->size(), std::size_t{0});
        f.state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(!f.draft.settings().density && f.draft.run() == nullptr);
    }

    /// What attackers learn of texts over other vectors says nothing about these.
    void anEvaluationOfOtherVectorsIsNotReported() {
        Fixture f;
        document::EvaluationRecord evaluation{f.run->provenance, {}, {}, {}};
        ++evaluation.provenance.embedding.words;
        evaluation.summary.data.file = "elsewhere";
        f.draft.setEvaluations({std::make_shared<const document::EvaluationRecord>(evaluation)});
        const QByteArray report = f.exported("r.json");
        QVERIFY(report.contains("\"calibration\""));
        QVERIFY(!report.contains("elsewhere"));
    }
};

EPSILENS_UI_TEST(ReportDraftTest)
#include "report_draft_test.moc"
