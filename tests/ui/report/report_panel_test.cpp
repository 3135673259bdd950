#include "ui/report/report_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QGraphicsEffect>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPrintPreviewWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTextBrowser>

#include "core/calibration/run_curves.h"
#include "core/report/limit_words.h"
#include "tests/ui/report/report_fixture.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using test::findControl;
using test::kPatienceMs;

namespace {

struct ReportPanelFixture {
    ReportPanelFixture() {
        QSettings().clear();
        state.setEmbedding(test::toySpace()->handle(), test::toySpace());
        test::askForToyRun(state);
        panel.resize(880, 640);
        panel.show();
    }
    void takeRun() {
        panel.draft().setRun(run);
        QTRY_VERIFY_WITH_TIMEOUT(shownText().contains(QStringLiteral("Sign-off")), kPatienceMs);
    }
    QString shownText() { return findControl<QTextBrowser>(panel, "reportPreview")->toPlainText(); }

    calibration::RunHandle run = test::toyRun();
    ui::AnalysisState state;
    ui::SessionResults results{state};
    ui::ReportPanel panel{state, results};
};

}  // namespace

class ReportPanelTest : public QObject {
    Q_OBJECT

    using Fixture = ReportPanelFixture;

private Q_SLOTS:
    void init() {
        // A preview is made on another thread; a timer of it must not be left there.
        QTest::failOnWarning(QRegularExpression(QStringLiteral("another thread|different thread")));
    }

    void withoutResultsItOffersTheRun() {
        Fixture f;
        auto* run = findControl<QPushButton>(f.panel, "reportRunPushButton");
        f.panel.setRunState({});
        QVERIFY(run->isVisible() && run->isEnabled());
        QSignalSpy requests(&f.panel, &ui::ReportPanel::runRequested);
        QTest::mouseClick(run, Qt::LeftButton);
        QCOMPARE(requests.count(), 1);
        // F5 in front of this tab runs, and stays here.
        QVERIFY(f.panel.handles(ui::PanelCommand::run));
        f.panel.execute(ui::PanelCommand::run);
        QCOMPARE(requests.count(), 2);
        f.panel.setRunState({QStringLiteral("Open an embedding first"), {}});
        QVERIFY(!run->isEnabled());
        auto* text = findControl<QLabel>(f.panel, "reportEmptyLabel");
        QCOMPARE(text->text(), QStringLiteral("Open an embedding first"));
        f.panel.setRunState({{}, QStringLiteral("3 of 40 words"), true});
        QVERIFY(!run->isVisible());
        QVERIFY(text->text().contains(QStringLiteral("3 of 40 words")));
    }

    /// Once each time that it is shown, so that a run that was cancelled does not begin again.
    void aRunStartsByItself() {
        Fixture f;
        QSignalSpy requests(&f.panel, &ui::ReportPanel::runRequested);
        f.panel.setRunState({});
        QTRY_COMPARE(requests.count(), 1);
        f.panel.setRunState({{}, QStringLiteral("3 of 40 words"), true});
        f.panel.setRunState({});
        QTest::qWait(10);
        QCOMPARE(requests.count(), 1);
        f.panel.hide();
        f.panel.show();
        QTRY_COMPARE(requests.count(), 2);
    }

    void whileItIsMeasuredNobodyIsToldToStartIt() {
        Fixture f;
        auto* notice = findControl<ui::NoticeLine>(f.panel, "noticeLine");
        f.panel.execute(ui::PanelCommand::exportReport);
        QVERIFY(notice->text().contains(QStringLiteral("press F5")));
        f.panel.setRunState({{}, {}, true});
        QVERIFY(notice->isHidden());
        f.panel.execute(ui::PanelCommand::exportReport);
        QVERIFY(!notice->text().contains(QStringLiteral("F5")));
        for (const QString& text :
             {notice->text(), findControl<QLabel>(f.panel, "reportEmptyLabel")->text()}) {
            QVERIFY2(text.contains(QStringLiteral("being measured")) ||
                         text.startsWith(QStringLiteral("Measuring what the report is about")),
                     qPrintable(text));
            QVERIFY2(text.endsWith(QStringLiteral("The report follows by itself.")),
                     qPrintable(text));
        }
        // It is cancelled.
        f.panel.setRunState({});
        QVERIFY(notice->isHidden());
        QVERIFY(findControl<QPushButton>(f.panel, "reportRunPushButton")->isVisible());
    }

    void theMemoOfAnotherEmbeddingGoesAtOnce() {
        Fixture f;
        f.takeRun();
        auto* preview = findControl<QTextBrowser>(f.panel, "reportPreview");
        auto* button = findControl<QPushButton>(f.panel, "reportExportPushButton");
        QTRY_VERIFY_WITH_TIMEOUT(!f.panel.draft().composer().isRunning(), kPatienceMs);
        const auto other = test::toyEmbedding(60, 4);
        f.state.setEmbedding(other, std::make_shared<const engine::SearchSpace>(other));
        QVERIFY(f.shownText().isEmpty());
        QVERIFY(!button->isEnabled());
        test::askForToyRun(f.state);
        const auto run =
            calibration::runCurves(*f.state.searchSpace(), f.state.calibrationOptions());
        QVERIFY(run.has_value());
        f.panel.draft().setRun((*run)->run);
        QVERIFY(f.panel.draft().composer().isRunning());
        QVERIFY(!button->isEnabled());
        QCOMPARE(
            preview->placeholderText(),
            QStringLiteral("Composing the report about %1 on %2…")
                .arg(f.panel.draft().settingText(), QString::fromStdString(other->embedding.name)));
        QVERIFY(!preview->viewport()->graphicsEffect()->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), kPatienceMs);
        QVERIFY(f.shownText().contains(QStringLiteral("Sign-off")));
    }

    // Laying it out takes longer than a frame, which the tab in front would miss.
    void aPreviewThatNobodySeesIsMadeLater() {
        Fixture f;
        f.takeRun();
        f.panel.hide();
        document::ReportSettings settings = f.panel.draft().settings();
        settings.author = "Ada Example";
        f.panel.draft().setSettings(settings);
        QVERIFY(!f.shownText().contains(QStringLiteral("Ada Example")));
        f.panel.show();
        QTRY_VERIFY_WITH_TIMEOUT(f.shownText().contains(QStringLiteral("Ada Example")),
                                 kPatienceMs);
    }

    /// An edit keeps the place that is read; a report that changed meanwhile is read from its
    /// start.
    void aPreviewOpensAtItsBeginning() {
        Fixture f;
        f.takeRun();
        QScrollBar* place =
            findControl<QTextBrowser>(f.panel, "reportPreview")->verticalScrollBar();
        QVERIFY(place->maximum() > 500);
        place->setValue(400);
        const auto changeAuthor = [&](const char* author) {
            document::ReportSettings settings = f.panel.draft().settings();
            settings.author = author;
            f.panel.draft().setSettings(settings);
        };
        changeAuthor("Ada Example");
        QTRY_VERIFY_WITH_TIMEOUT(f.shownText().contains(QStringLiteral("Ada Example")),
                                 kPatienceMs);
        QCOMPARE(place->value(), 400);
        f.panel.hide();
        f.panel.show();
        QCOMPARE(place->value(), 400);
        f.panel.hide();
        changeAuthor("Bob Example");
        f.panel.show();
        QTRY_VERIFY_WITH_TIMEOUT(f.shownText().contains(QStringLiteral("Bob Example")),
                                 kPatienceMs);
        QCOMPARE(place->value(), 0);
    }

    void wordsOfADataSetAreNamedAndWarnedOf() {
        Fixture f;
        calibration::Run run = *f.run;
        run.request.options.words = {calibration::WordSelection::Kind::list, 0, {0, 1}};
        f.state.edit(&ui::AnalysisSettings::words, run.request.options.words);
        run.provenance.selection = calibration::SelectionDescription{"2", "letters.csv", "text", 7};
        f.run = std::make_shared<const calibration::Run>(std::move(run));
        f.takeRun();
        QVERIFY(f.shownText().contains(QStringLiteral("letters.csv")));
        QVERIFY(f.shownText().contains(QStringLiteral("which words occur in it")));
        QVERIFY(!f.shownText().contains(QStringLiteral("words.txt")));
    }

    void fieldsShowInThePreview() {
        Fixture f;
        f.takeRun();
        QTest::keyClicks(findControl<QLineEdit>(f.panel, "reportAuthorLineEdit"),
                         QStringLiteral("Ada"));
        findControl<QPlainTextEdit>(f.panel, "reportPurposeEdit")
            ->setPlainText(QStringLiteral("To show"));
        QTRY_VERIFY_WITH_TIMEOUT(f.shownText().contains(QStringLiteral("Ada")) &&
                                     f.shownText().contains(QStringLiteral("To show")),
                                 kPatienceMs);
    }

    void emptyFieldsAreAskedFor() {
        Fixture f;
        f.takeRun();
        auto* missing = findControl<QLabel>(f.panel, "reportMissingLabel");
        QVERIFY(missing->text().contains(QStringLiteral(">Purpose</a>")));
        QVERIFY(missing->text().contains(QStringLiteral(">Author</a>")));
        auto* author = findControl<QLineEdit>(f.panel, "reportAuthorLineEdit");
        Q_EMIT missing->linkActivated(QStringLiteral("reportAuthorLineEdit"));
        QCOMPARE(f.panel.focusWidget(), author);
        QTest::keyClicks(author, QStringLiteral("Ada\r"));
        QVERIFY(!missing->text().contains(QStringLiteral("Author")));
        document::ReportSettings settings = f.panel.draft().settings();
        settings.purpose = settings.reason = settings.textSource = "stated";
        f.panel.draft().setSettings(settings);
        QVERIFY(!missing->isVisible());
    }

    void aPairThatIsLeftOutIsAskedFor() {
        Fixture f;
        f.takeRun();
        document::ReportSettings settings = f.panel.draft().settings();
        settings.purpose = settings.reason = settings.textSource = settings.author = "stated";
        f.panel.draft().setSettings(settings);
        auto* missing = findControl<QLabel>(f.panel, "reportMissingLabel");
        QVERIFY(!missing->isVisible());
        const embedding::Vocabulary& vocabulary = test::toySpace()->embedding().vocabulary();
        const std::string first(vocabulary.word(5));
        const std::string second(vocabulary.word(9));
        f.panel.draft().setPair(calibration::NamedPair(first, second));
        QVERIFY(missing->isVisible());
        QCOMPARE(missing->text(),
                 QStringLiteral("Left out as confidential: <a href=\"reportPairCheckBox\">The odds "
                                "of %1 against %2</a>.")
                     .arg(QString::fromStdString(first), QString::fromStdString(second)));
        Q_EMIT missing->linkActivated(QStringLiteral("reportPairCheckBox"));
        auto* box = findControl<QCheckBox>(f.panel, "reportPairCheckBox");
        QCOMPARE(f.panel.focusWidget(), box);
        box->click();
        QVERIFY(!missing->isVisible());
    }

    void theFormNamesTheSettingOfTheDial() {
        Fixture f;
        f.takeRun();
        auto* setting = findControl<QLabel>(f.panel, "reportSettingLabel");
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 7.37882);
        QCOMPARE(setting->text(), QStringLiteral("ε = 7.37882, λ = 0.5"));
        QTRY_VERIFY_WITH_TIMEOUT(f.shownText().contains(QStringLiteral("7.37882")), kPatienceMs);
    }

    void resultsOfOtherSettingsAreGreyAndStayHere() {
        Fixture f;
        f.takeRun();
        auto* preview = findControl<QTextBrowser>(f.panel, "reportPreview");
        auto* button = findControl<QPushButton>(f.panel, "reportExportPushButton");
        QVERIFY(preview->isEnabled() && button->isEnabled());
        const QGraphicsEffect* dimming = preview->viewport()->graphicsEffect();
        QTRY_VERIFY_WITH_TIMEOUT(!dimming->isEnabled(), kPatienceMs);
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Mechanism(mechanism::Tem()));
        QVERIFY(!preview->isEnabled() && !button->isEnabled() && dimming->isEnabled());
        QVERIFY(button->toolTip().contains(QStringLiteral("previous settings")));
        auto* line = findControl<QWidget>(f.panel, "reportStalenessLine");
        QVERIFY(line->isVisible());
    }

    void thePagesAreThoseOfThePdf() {
        Fixture f;
        f.takeRun();
        auto* button = findControl<QPushButton>(f.panel, "reportPagesPushButton");
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), kPatienceMs);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("report.pdf"));
        QSignalSpy exported(&f.panel.draft(), &ui::ReportDraft::exported);
        f.panel.draft().exportTo(path);
        QTRY_VERIFY_WITH_TIMEOUT(!exported.isEmpty(), kPatienceMs);
        const qsizetype pages = test::contentOf(path).count("/Type /Page\n");
        QVERIFY(pages >= 3);
        QTest::mouseClick(button, Qt::LeftButton);
        auto* dialog = findControl<QDialog>(f.panel, "reportPagesDialog");
        auto* preview = dialog->findChild<QPrintPreviewWidget*>();
        QVERIFY(preview != nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(preview->pageCount(), static_cast<int>(pages), kPatienceMs);
        dialog->reject();
        // What is outdated has no pages either.
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Mechanism(mechanism::Tem()));
        QVERIFY(!button->isEnabled());
    }

    // Within the rest that typing waits for, before it is taken.
    void aTextBeingTypedOutlastsAChoice() {
        Fixture f;
        f.takeRun();
        auto* reason = findControl<QPlainTextEdit>(f.panel, "reportReasonEdit");
        QTest::keyClicks(reason, QStringLiteral("As asked"));
        QVERIFY(f.panel.draft().settings().reason.empty());
        QTest::keyClicks(reason, QStringLiteral(" for"));
        auto* sentence = findControl<QCheckBox>(f.panel, "reportSentenceCheckBox");
        QTest::mouseClick(sentence, Qt::LeftButton, {}, QPoint(8, 8));
        QCOMPARE(reason->toPlainText(), QStringLiteral("As asked for"));
        QVERIFY(f.panel.draft().includesSentence());
        QVERIFY(sentence->isChecked());
        QCOMPARE(f.panel.draft().settings().reason, std::string("As asked for"));
    }

    void theLimitsOfTheSetUpStandInFormAndPreview() {
        Fixture f;
        f.takeRun();
        auto* shown = findControl<QLabel>(f.panel, "reportLimitsLabel");
        f.state.edit(&ui::AnalysisSettings::limits, {*calibration::parseLimit("far.mean<=12%")});
        QVERIFY2(shown->text().contains(QStringLiteral("12%")), qPrintable(shown->text()));
        QTRY_VERIFY_WITH_TIMEOUT(f.shownText().contains(QStringLiteral(
                                     "at most 12% of the outputs are words far from the original")),
                                 kPatienceMs);
        // In the words of the memo, not of a statistician.
        f.state.edit(&ui::AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=50%")});
        QCOMPARE(shown->text(),
                 QString::fromStdString(report::limitWords(f.state.limits().front(), 10)));
        f.state.edit(&ui::AnalysisSettings::limits, {});
        QCOMPARE(shown->text(), QStringLiteral("none set"));
    }

    void exportsWhereTheDialogSays() {
        Fixture f;
        f.takeRun();
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("out"));
        ui::dialogs::presetSaveFile(path);
        f.panel.execute(ui::PanelCommand::exportReport);
        QTRY_VERIFY_WITH_TIMEOUT(findControl<ui::NoticeLine>(f.panel, "noticeLine")
                                     ->text()
                                     .contains(QStringLiteral("out.pdf")),
                                 kPatienceMs);
        QVERIFY(QFile::exists(path + QStringLiteral(".pdf")));
        QCOMPARE(ui::remembered::outputFolder(), folder.path());
        ui::dialogs::presetSaveFile({});
        f.panel.execute(ui::PanelCommand::exportReport);
        QCOMPARE(folder.isValid(), true);
    }

    void everyControlHasANameAndADescription() {
        Fixture f;
        f.takeRun();
        const auto widgets = f.panel.findChildren<QWidget*>();
        for (const QWidget* widget : widgets) {
            const bool isControl = qobject_cast<const QLineEdit*>(widget) != nullptr ||
                                   qobject_cast<const QPlainTextEdit*>(widget) != nullptr ||
                                   qobject_cast<const QComboBox*>(widget) != nullptr ||
                                   qobject_cast<const QAbstractButton*>(widget) != nullptr;
            const bool isOwn = widget->objectName().startsWith(QLatin1String("report"));
            if (isControl && isOwn) {
                const auto* button = qobject_cast<const QAbstractButton*>(widget);
                QVERIFY2(!widget->accessibleName().isEmpty() ||
                             (button != nullptr && !button->text().isEmpty()),
                         qPrintable(widget->objectName()));
                QVERIFY2(!widget->accessibleDescription().isEmpty(),
                         qPrintable(widget->objectName()));
            }
        }
    }
};

EPSILENS_UI_TEST(ReportPanelTest)
#include "report_panel_test.moc"
