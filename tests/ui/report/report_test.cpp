#include <functional>

#include <QPrintPreviewWidget>
#include <nlohmann/json.hpp>

#include "core/calibration/recommend.h"
#include "core/calibration/run_curves.h"
#include "core/document/kept_document.h"
#include "core/document/report_document.h"
#include "tests/ui/report/report_fixture.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/report/report_draft.h"
#include "ui/report/report_panel.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;

namespace {

struct ReportFixture : test::DraftFixture {
    ReportFixture() {
        state.edit(&ui::AnalysisSettings::chooseEpsilon, 7);
        state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.4});
        draft.setRun(run);
    }
};

}  // namespace

class ReportDraftTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aReportIsAboutThePresentSetting() {
        ReportFixture f;
        QSignalSpy previews(&f.draft, &ui::ReportDraft::previewReady);
        f.draft.setPreviewed(true);
        QVERIFY(!f.draft.settings().choice);
        QTRY_COMPARE(previews.count(), 1);
        QCOMPARE(f.draft.settings().choice->epsilon, 7.0);
        QCOMPARE(*f.draft.settings().choice->lambda, 0.4);
        // Three epsilons and three lambdas; the run itself stays as it was.
        QCOMPARE(f.draft.reportedRun()->summary->cells.size(), 9);
        QCOMPARE(f.draft.run()->summary->cells.size(), 4);
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 8);
        f.state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.5});
        QCOMPARE(f.draft.settings().choice->epsilon, 8.0);
        QTRY_COMPARE(previews.count(), 2);
        calibration::MeasurementOptions options;
        options.mechanism = f.state.mechanism();
        options.words = {calibration::WordSelection::Kind::list, 0, {0}};
        options.draws = 20;
        const auto measured = calibration::measure(*test::toySpace(), options).value();
        f.draft.setOwnText(ui::MeasuredText{measured, "mine.tsv", 1});
        QTRY_COMPARE(previews.count(), 3);
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 3);
        const auto document = nlohmann::json::parse(f.exported("r.json").toStdString());
        QCOMPARE(document["report"]["choice"]["epsilon"].get<double>(), 3.0);
    }

    void resultsOfOtherSettingsMakeNoReport() {
        ReportFixture f;
        QVERIFY(!f.draft.isOutdated());
        f.state.edit(&ui::AnalysisSettings::draws, 11);
        QVERIFY(f.draft.isOutdated());
        QVERIFY(!f.draft.settings().choice);
        f.draft.exportTo(f.folder.filePath("r.html"));
        QVERIFY(!f.draft.exporter().isRunning());
        f.state.edit(&ui::AnalysisSettings::draws, 10);
        QVERIFY(!f.draft.isOutdated());
        // Fewer settings than there are results of.
        f.state.edit([](ui::AnalysisSettings& settings) { settings.grid.epsilons = {8}; });
        QVERIFY(!f.draft.isOutdated());
    }

    void theEndingChoosesTheFormat() {
        ReportFixture f;
        QVERIFY(f.exported("r.pdf").startsWith("%PDF-"));
        QVERIFY(f.exported("r.html").startsWith("<!DOCTYPE html>"));
        QSignalSpy failures(&f.draft, &ui::ReportDraft::failed);
        f.draft.exportTo(f.folder.filePath("r.xyz"));
        QTRY_COMPARE(failures.count(), 1);
    }

    void thePinIsAmongTheAlternatives() {
        ReportFixture f;
        QVERIFY(!f.exported("a.html").contains("pinned A"));
        f.state.edit(&ui::AnalysisSettings::pin, std::optional(f.state.setting()));
        QVERIFY2(!f.exported("b.html").contains("pinned A"), "It is the setting reported.");
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 9);
        const QByteArray text = f.exported("c.html");
        QVERIFY2(text.contains("pinned A: Mahalanobis λ 0.40, ε 7.00"), text.constData());
        QVERIFY(f.draft.settings().alternatives.empty());
    }

    void sentencesAppearOnlyWhileTheyAreIncluded() {
        ReportFixture f;
        f.state.setSentence("my secret sentence");
        QVERIFY(!f.exported("a.json").contains("secret"));
        f.draft.setIncludesSentence(true);
        QVERIFY(!f.exported("b.json").contains("secret"));  // no word of it is known
        f.state.setSentence("Paris is secret");
        QVERIFY(f.exported("c.json").contains("\"Paris is secret\""));
        QVERIFY(f.exported("b.html").contains("“Paris is secret” could become any of"));
        f.draft.setIncludesSentence(false);
        QVERIFY(!f.exported("c.html").contains("secret"));
    }

    /// Little noise keeps every word, much of it none.
    void ownWordsBeyondTheLimitAreCounted() {
        ReportFixture f;
        f.state.edit(&ui::AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=50%")});
        f.draft.setTypedWords({0, 3, 5});
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 1e6);
        QVERIFY(f.exported("a.html").contains("often: 3 of 3 words of the typed text."));
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 1e-3);
        QVERIFY(!f.exported("b.html").contains("typed text"));
    }

    void thePairOfTheDetailsAppearsOnlyWhileItIsIncluded() {
        ReportFixture f;
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
        ReportFixture f;
        const std::string today = QDate::currentDate().toString(Qt::ISODate).toStdString();
        QCOMPARE(f.draft.settings().date, today);
        document::ReportSettings settings = f.draft.settings();
        settings.date = "2026-01-31";
        f.draft.setSettings(settings);
        QCOMPARE(f.draft.settings().date, "2026-01-31");
        settings.date.clear();
        f.draft.setSettings(settings);
        QCOMPARE(f.draft.settings().date, today);
    }

    /// With all that the window puts into it.
    void whatIsExportedAsJsonCanBeVerified() {
        ReportFixture f;
        const QByteArray before = f.exported("a.html");
        QVERIFY(before.contains("not computed") && before.contains("No limits were set."));
        const QSignalSpy computed(&f.results, &ui::SessionResults::densityChanged);
        f.results.computeDensity();
        QTRY_COMPARE(computed.count(), 1);
        QCOMPARE(f.draft.settings().density->distances.max,
                 f.results.density()->figures.distances.max);
        f.state.setSentence("paris london");
        f.draft.setIncludesSentence(true);
        // As a session brings them.
        document::ReportSettings settings = f.draft.settings();
        settings.limits = calibration::defaultLimits();
        f.draft.setSettings(settings);
        QVERIFY(f.state.limits() == settings.limits);
        const QByteArray json = f.exported("r.json");
        QVERIFY(json.contains("\"density\"") && json.contains("nw.p95<=50%"));
        const auto differences =
            document::openDocument(f.folder.filePath("r.json").toStdString())
                .and_then([](const document::KeptDocument& document) {
                    return document::repeatRun(document, *test::toySpace(), 1)
                        .and_then([&document](const nlohmann::ordered_json& again) {
                            return document::compareWith(document, again);
                        });
                });
        QVERIFY2(differences, differences ? "" : differences.error().message.c_str());
        QCOMPARE(differences->size(), 0);
        f.state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(!f.draft.settings().density && f.draft.run() == nullptr);
    }

    void whatIsStatedIsOfOneEmbedding() {
        ReportFixture f;
        document::ReportSettings settings = f.draft.settings();
        settings.purpose = "for a study";
        settings.author = "A. Nalyst";
        f.draft.setSettings(settings);
        f.state.setEmbedding(f.state.embedding(), nullptr);
        QCOMPARE(f.draft.settings().purpose, "for a study");
        f.state.setEmbedding(test::toyBall(40, 3), nullptr);
        QCOMPARE(f.draft.settings().purpose, "");
        QCOMPARE(f.draft.settings().author, "A. Nalyst");
    }

    void anEvaluationOfOtherVectorsIsNotReported() {
        ReportFixture f;
        document::EvaluationRecord evaluation{f.run->provenance, {}, {}, {}};
        ++evaluation.provenance.embedding.words;
        evaluation.summary.data.file = "elsewhere";
        f.draft.setEvaluations({std::make_shared<const document::EvaluationRecord>(evaluation)});
        const QByteArray report = f.exported("r.json");
        QVERIFY(report.contains("\"calibration\""));
        QVERIFY(!report.contains("elsewhere"));
    }
};

namespace {

struct PanelFixture : test::Driver {
    PanelFixture() {
        QSettings().clear();
        state.setEmbedding(test::toySpace()->handle(), test::toySpace());
        test::askForToyRun(state);
        panel.resize(880, 640);
        panel.show();
    }
    /// What the preview waits for, once it has come to rest.
    void waitFor(const QString& words) {
        QTRY_VERIFY(shownText().contains(words) && !panel.draft().composer().isRunning());
    }
    void takeRun() {
        panel.draft().setRun(test::toyRun());
        waitFor("Sign-off");
    }
    void edit(const std::function<void(document::ReportSettings&)>& change) {
        document::ReportSettings settings = panel.draft().settings();
        change(settings);
        panel.draft().setSettings(settings);
    }
    [[nodiscard]] QTextBrowser& preview() const { return find<QTextBrowser>("reportPreview"); }
    [[nodiscard]] QString shownText() const { return text("reportPreview"); }
    [[nodiscard]] QString notice() const { return find<ui::NoticeLine>("noticeLine").text(); }
    [[nodiscard]] const QObject& root() const override { return panel; }

    ui::AnalysisState state;
    ui::SessionResults results{state};
    std::unique_ptr<ui::ReportPanel> made{ui::newReportPanel(state, results)};
    ui::ReportPanel& panel = *made;
};

}  // namespace

class ReportPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        // A preview is made on another thread; a timer of it must not be left there.
        QTest::failOnWarning(QRegularExpression("another thread|different thread"));
    }

    void withoutResultsItOffersTheRun() {
        PanelFixture f;
        const QWidget& run = f.find("reportRunPushButton");
        QVERIFY(run.isVisible() && run.isEnabled());
        // Once each time that it is shown, so that a run that was cancelled does not begin again.
        QSignalSpy requests(&f.panel, &ui::ReportPanel::runRequested);
        QTRY_COMPARE(requests.count(), 1);
        f.panel.setRunState({}, true);
        f.panel.setRunState({}, false);
        test::letPass(10);
        QCOMPARE(requests.count(), 1);
        QTest::mouseClick(&f.find("reportRunPushButton"), Qt::LeftButton);
        QCOMPARE(requests.count(), 2);
        f.panel.hide();
        f.panel.show();
        QTRY_COMPARE(requests.count(), 3);
        f.panel.setRunState("Open an embedding first", false);
        QVERIFY(!run.isEnabled());
        QCOMPARE(f.text("reportEmptyLabel"), "Open an embedding first");
    }

    void whileItIsMeasuredNobodyIsToldToStartIt() {
        PanelFixture f;
        const QWidget& line = f.find("noticeLine");
        const QWidget& run = f.find("reportRunPushButton");
        f.panel.chooseExport();
        QVERIFY(f.notice().contains("press F5"));
        f.panel.setRunState({}, true);
        QVERIFY(line.isHidden() && !run.isVisible());
        f.panel.chooseExport();
        for (const QString& text : {f.notice(), f.text("reportEmptyLabel")}) {
            QVERIFY2(!text.contains("F5") && text.endsWith("The report follows by itself."),
                     qPrintable(text));
        }
        // It is cancelled.
        f.panel.setRunState({}, false);
        QVERIFY(line.isHidden() && run.isVisible());
    }

    void theMemoOfAnotherEmbeddingGoesAtOnce() {
        PanelFixture f;
        f.takeRun();
        const QWidget& button = f.find("reportExportPushButton");
        const auto other = test::toyEmbedding(60, 4);
        test::open(f.state, other);
        QVERIFY(f.shownText().isEmpty() && f.panel.draft().run() == nullptr);
        QVERIFY(!button.isEnabled());
        test::askForToyRun(f.state);
        const auto run =
            calibration::runCurves(*f.state.searchSpace(), f.state.calibrationOptions());
        QVERIFY(run.has_value());
        f.panel.draft().setRun((*run)->run);
        QVERIFY(!button.isEnabled());
        QTRY_VERIFY(f.panel.draft().composer().isRunning());
        QVERIFY(!button.isEnabled());
        QCOMPARE(f.preview().placeholderText(), "Composing the report…");
        QVERIFY(!f.preview().viewport()->graphicsEffect()->isEnabled());
        f.waitFor("Sign-off");
        QVERIFY(button.isEnabled());
    }

    /// An edit keeps the place that is read; a report that changed meanwhile is read from its
    /// start. Laying one out takes longer than a frame, which the tab in front would miss.
    void aPreviewOpensAtItsBeginning() {
        PanelFixture f;
        f.takeRun();
        QScrollBar* place = f.preview().verticalScrollBar();
        QVERIFY(place->maximum() > 500);
        place->setValue(400);
        f.edit([](auto& settings) { settings.author = "Ada Example"; });
        f.waitFor("Ada Example");
        QCOMPARE(place->value(), 400);
        f.panel.hide();
        f.panel.show();
        QVERIFY(!f.panel.draft().composer().isRunning());
        QCOMPARE(place->value(), 400);
        f.panel.hide();
        f.edit([](auto& settings) { settings.author = "Bob Example"; });
        test::letPass(300);
        test::letJobsEnd();
        QVERIFY(!f.shownText().contains("Bob Example"));
        f.panel.show();
        f.waitFor("Bob Example");
        QCOMPARE(place->value(), 0);
    }

    void fieldsSettingAndLimitsShowInThePreview() {
        PanelFixture f;
        f.takeRun();
        f.type("reportAuthorLineEdit", "Ada");
        f.type("reportPurposeEdit", "To show");
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 7.37882);
        f.state.edit(&ui::AnalysisSettings::limits, {*calibration::parseLimit("far.mean<=12%")});
        f.waitFor("at most 12% of the outputs are words far from the original");
        for (const char* shown : {"Ada", "To show", "7.37882"}) {
            f.waitFor(shown);
        }
    }

    void tickingTheOddsMovesNothing() {
        PanelFixture f;
        f.takeRun();
        const embedding::Vocabulary& vocabulary = test::toySpace()->embedding().vocabulary();
        f.panel.draft().setPair(calibration::NamedPair(vocabulary.word(5), vocabulary.word(9)));
        QVERIFY(f.panel.draft().hidesPair());
        const QRect before = f.find("reportPairCheckBox").geometry();
        f.click("reportPairCheckBox");
        test::letPass(1);
        QVERIFY(!f.panel.draft().hidesPair());
        QCOMPARE(f.find("reportPairCheckBox").geometry(), before);
    }

    // Within the rest that typing waits for, before it is taken.
    void aTextBeingTypedOutlastsAChoice() {
        PanelFixture f;
        f.takeRun();
        f.type("reportReasonEdit", "As asked for");
        QVERIFY(f.panel.draft().settings().reason.empty());
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 7.5);
        QCOMPARE(f.text("reportReasonEdit"), "As asked for");
        QTest::mouseClick(&f.find("reportSentenceCheckBox"), Qt::LeftButton, {}, QPoint(8, 8));
        QCOMPARE(f.text("reportReasonEdit"), "As asked for");
        QVERIFY(f.panel.draft().includesSentence());
        QCOMPARE(f.panel.draft().settings().reason, "As asked for");
    }

    void thePagesAreThoseOfThePdfAndOutdatedResultsHaveNone() {
        PanelFixture f;
        f.takeRun();
        QWidget& pagesButton = f.find("reportPagesPushButton");
        QTRY_VERIFY(pagesButton.isEnabled());
        const QTemporaryDir folder;
        // The dialog adds the ending.
        ui::dialogs::presetSaveFile(folder.filePath("out"));
        f.panel.chooseExport();
        QTRY_VERIFY(f.notice().contains("out.pdf"));
        QCOMPARE(ui::remembered::outputFolder(), folder.path());
        const qsizetype pages = test::contentOf(folder.filePath("out.pdf")).count("/Type /Page\n");
        QVERIFY(pages >= 3);
        QTest::mouseClick(&pagesButton, Qt::LeftButton);
        auto& dialog = f.find<QDialog>("reportPagesDialog");
        auto* preview = dialog.findChild<QPrintPreviewWidget*>();
        QVERIFY(preview != nullptr);
        QTRY_COMPARE(preview->pageCount(), static_cast<int>(pages));
        dialog.reject();
        const QWidget& exportButton = f.find("reportExportPushButton");
        const QGraphicsEffect* dimming = f.preview().viewport()->graphicsEffect();
        QVERIFY(f.preview().isEnabled() && exportButton.isEnabled() && !dimming->isEnabled());
        f.state.edit(&ui::AnalysisSettings::chooseMechanism,
                     mechanism::Mechanism(mechanism::Tem()));
        QVERIFY(!f.preview().isEnabled() && dimming->isEnabled());
        QVERIFY(!exportButton.isEnabled() && !pagesButton.isEnabled());
        QVERIFY(exportButton.toolTip().contains("previous settings"));
        QVERIFY(f.isShown("reportStalenessLine"));
    }
};

EPSILENS_UI_TEST(ReportDraftTest)
EPSILENS_UI_TEST(ReportPanelTest)
#include "report_test.moc"
