#include <cmath>
#include <memory>

#include "core/evaluation/figure_limit.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/release/release_dialog.h"
#include "ui/shell/preferences.h"
#include "ui/state/analysis_state.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

/// A dialog over the toy words, without limits, at so much epsilon that every word stays.
struct ReleaseFixture : test::Driver {
    AnalysisState state;
    JobBoard jobs;
    LimitVerdicts limits{state};
    GuaranteeModel guarantee{state};
    QTemporaryDir folder;
    std::unique_ptr<ReleaseDialog> dialog;

    ReleaseFixture() {
        remembered::setOutputFolder(folder.path());
        const auto embedding = test::toyEmbedding();
        test::open(state, embedding);
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Laplace());
        state.edit(&AnalysisSettings::chooseEpsilon, 1e9);
        state.edit(&AnalysisSettings::limits, {});
        dialog.reset(newReleaseDialog(state, limits, jobs, guarantee));
    }

    [[nodiscard]] QString path(const char* name) const { return folder.filePath(name); }
    void write(const char* name, const QByteArray& content) const {
        test::writeFile(path(name), content);
    }
    [[nodiscard]] QByteArray content(const char* name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("absent");
    }
    [[nodiscard]] QLineEdit& input() const { return find<QLineEdit>("inputLineEdit"); }
    [[nodiscard]] QLineEdit& output() const { return find<QLineEdit>("outputLineEdit"); }
    [[nodiscard]] QString details() const { return text("releaseResultLabel"); }
    [[nodiscard]] QString survey() const { return text("releaseSurveyLabel"); }
    [[nodiscard]] QString unprotected() const { return text("unprotectedLabel"); }
    [[nodiscard]] NoticeLine& notice() const { return *dialog->findChild<NoticeLine*>(); }
    [[nodiscard]] bool mayStart() const { return isEnabled("releasePushButton"); }
    void choose(const char* name, int index) const { find<QComboBox>(name).setCurrentIndex(index); }
    void set(const char* field, const QString& text) const { find<QLineEdit>(field).setText(text); }
    void tick(const char* box, bool isTicked = true) const {
        find<QCheckBox>(box).setChecked(isTicked);
    }
    [[nodiscard]] bool isHidden(const char* name) const { return find(name).isHidden(); }
    void open(const char* name, const QByteArray& content) const {
        write(name, content);
        set("inputLineEdit", path(name));
    }
    /// Waits until the text has been read, before which nothing can be released.
    void settle() const {
        QTRY_VERIFY(!find("releasePushButton").toolTip().contains("once the whole text"));
    }
    void start() const {
        settle();
        click("releasePushButton");
    }
    void release() const {
        start();
        QTRY_VERIFY(!isHidden("releaseResultLabel"));
    }
    /// A limit on all words, of which it is not known whether it is met.
    calibration::Limit setLimit() {
        const auto limit = *calibration::parseLimit("nw.p95<=50%");
        state.edit(&AnalysisSettings::limits, {limit});
        return limit;
    }

protected:
    [[nodiscard]] const QObject& root() const override { return *dialog; }
};

}  // namespace

class ReleaseDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void releasesAFileAndSaysWhatItDid() {
        const ReleaseFixture f;
        f.write("text.txt", "paris, London!\r\nblorp");
        QVERIFY(!f.mayStart());
        dialogs::presetOpenFile(f.path("text.txt"));
        f.click("browseInputPushButton");
        QCOMPARE(f.output().text(), f.path("text.released.txt"));
        f.release();
        QCOMPARE(f.content("text.released.txt"), "paris, London!\r\n<unk>");
        QVERIFY(test::begins(f.details(),
                             "3 words in 2 lines: 2 processed, 1 unknown word masked.\n⚠ "));
        // To the operator alone.
        QVERIFY(f.details().contains("⚠ 2 of 2 processed words came out unchanged"));
        QVERIFY(!f.details().contains("blorp"));
        const QByteArray sidecar = f.content("text.released.txt.json");
        QVERIFY(sidecar.contains("epsilens.sanitize/1") && sidecar.contains("reach1000000"));
        QVERIFY(!sidecar.contains("blorp") && !sidecar.contains("came out"));
        // A second click does not release it again.
        QVERIFY(!f.mayStart());
        f.set("outputLineEdit", f.path("again.txt"));
        f.settle();
        QVERIFY(f.mayStart());
    }

    void theProposedFileDoesNotLieBesideThePrivateOne() {
        const ReleaseFixture f;
        remembered::setOutputFolder({});
        f.input().setText(f.path("text.txt"));
        const QFileInfo proposed(f.output().text());
        QCOMPARE(proposed.fileName(), "text.released.txt");
        QVERIFY2(proposed.absolutePath() != f.folder.path() && proposed.isAbsolute() &&
                     proposed.absoluteDir().exists(),
                 qPrintable(proposed.filePath()));
        // Where the user has once chosen to write, the next one is proposed.
        const QTemporaryDir chosen;
        f.output().clear();
        dialogs::presetSaveFile(chosen.filePath("mine.txt"));
        f.click("browseOutputPushButton");
        QCOMPARE(f.output().text(), chosen.filePath("mine.txt"));
        f.input().setText(f.path("a.txt"));
        QCOMPARE(f.output().text(), chosen.filePath("mine.txt"));
        f.output().clear();
        f.input().setText(f.path("b.txt"));
        QCOMPARE(f.output().text(), chosen.filePath("b.released.txt"));
    }

    void releasesWithTheParametersShownAndNotWithThoseOfTheGrid() {
        ReleaseFixture f;
        const auto sidecarAt = [&](const mechanism::Parameters& parameters, const char* shown) {
            f.state.edit(&AnalysisSettings::setParameters, parameters);
            f.state.edit(&AnalysisSettings::chooseEpsilon, 4.0);
            [&] { QVERIFY2(f.text("releaseSettingLabel").contains(shown), shown); }();
            f.open("text.txt", "paris london\n");
            f.output().setText(f.path("out.txt"));
            f.release();
            return f.content("out.txt.json");
        };
        f.state.edit(&AnalysisSettings::chooseMechanism, mechanism::Tem());
        f.state.edit([](AnalysisSettings& settings) {
            settings.grid.betas = {0.0001, 0.1};
            settings.grid.lambdas = {0.9};
        });
        const auto tem = QJsonDocument::fromJson(sidecarAt({.beta = 0.02}, "β 0.02"));
        // [C21] 3.2: gamma = (2 / epsilon) ln((1 - beta)(V - 1) / beta), here with V = 40.
        const QJsonValue perWord = tem["guarantee"]["perWord"];
        QVERIFY(std::fabs(perWord["gamma"].toDouble() - 2.0 / 4.0 * std::log(0.98 * 39.0 / 0.02)) <
                1e-9);
        QVERIFY(sidecarAt({.metric = metric::Metric::angular}, "angular").contains("angular"));
        f.state.edit([](AnalysisSettings& settings) { settings.mechanism.gammaGiven = true; });
        QVERIFY(sidecarAt({.gamma = 0.75}, "γ 0.75").contains("0.75"));
        f.state.edit(&AnalysisSettings::chooseMechanism, mechanism::Mahalanobis());
        const QByteArray elliptical = sidecarAt({.lambda = 0.3}, "λ 0.30");
        QVERIFY2(elliptical.contains("0.3") && !elliptical.contains("0.9"), elliptical.constData());
    }

    void warnsOfWhatIsUnprotectedBeforeAndCountsItAfter() {
        const ReleaseFixture f;
        QVERIFY(f.unprotected().startsWith("Not protected"));
        f.write("stop.txt", "london\n");
        f.open("text.txt", "paris london blorp\n");
        f.choose("unknownComboBox", 3);
        QVERIFY(f.unprotected().contains("⚠ Unknown words stay"));
        QVERIFY(!f.isEnabled("maskLineEdit"));
        f.set("stopWordsLineEdit", f.path("stop.txt"));
        QVERIFY(f.unprotected().contains("⚠ Stop words stay"));
        f.tick("sidecarCheckBox", false);
        f.release();
        QVERIFY(
            f.details().contains("⚠ 2 words are left unprotected: 1 unknown word, 1 stop word"));
        QCOMPARE(f.content("text.released.txt.json"), "absent");
    }

    void wordsAreLookedUpInTheLetterCaseChosen() {
        const ReleaseFixture f;
        f.open("text.txt", "Paris\n");
        f.choose("letterCaseComboBox", 1);
        QCOMPARE(f.state.textPolicies().letterCase, text::CasePolicy::keep);
        f.release();
        QCOMPARE(f.content("text.released.txt"), "<unk>\n");
        QVERIFY(f.content("text.released.txt.json").contains("\"case\": \"keep\""));
    }

    /// The shortcut of the button takes the focus from no field.
    void aTextThatIsBeingTypedHasItsOwnOutput() {
        const ReleaseFixture f;
        f.write("b.txt", "london\n");
        f.open("a.txt", "paris\n");
        f.dialog->show();
        f.dialog->activateWindow();
        f.input().setFocus();
        QTRY_VERIFY(f.input().hasFocus());
        f.input().selectAll();
        QTest::keyClicks(&f.input(), f.path("b.txt"));
        f.release();
        QCOMPARE(f.text("writtenLineEdit"), f.path("b.released.txt"));
        QCOMPARE(f.content("b.released.txt"), "london\n");
        QCOMPARE(f.content("a.released.txt"), "absent");
    }

    void aSettingThatChangesIsNotSaidOfTheTextBefore() {
        ReleaseFixture f;
        f.open("text.txt", "paris\n");
        const QString before = f.text("releaseSettingLabel");
        f.start();
        f.state.edit(&AnalysisSettings::chooseEpsilon, 5e8);
        QCOMPARE(f.text("releaseSettingLabel"), before);
        QTRY_VERIFY(!f.isHidden("releaseResultLabel"));
        QVERIFY(f.text("releaseSettingLabel") != before);
        QVERIFY(test::holds(f.details(), before));
        f.state.edit(&AnalysisSettings::chooseEpsilon, 4e8);
        QVERIFY(f.isHidden("releaseResultLabel"));
    }

    void aFurtherReleaseOfATextIsSaidToAddALoss() {
        const ReleaseFixture f;
        f.open("text.txt", "paris\n");
        f.output().setText(f.path("first.txt"));
        QVERIFY(!test::holds(f.survey(), "another loss"));
        f.release();
        f.output().setText(f.path("second.txt"));
        QVERIFY(test::holds(f.survey(), "adds another loss"));
        f.open("other.txt", "london\n");
        QVERIFY(!test::holds(f.survey(), "another loss"));
        // The sidecar tells of a release, but not of which text.
        f.output().setText(f.path("first.txt"));
        QVERIFY(test::holds(f.survey(), "adds another loss"));
    }

    void filesThatAreReadAreNeverWrittenOver() {
        const ReleaseFixture f;
        f.write("out.txt.json", "london\n");
        f.open("text.txt", "paris\n");
        f.output().setText(f.path("out.txt"));
        QVERIFY(test::holds(f.survey(), "replaces the existing file out.txt.json"));
        f.output().setText(f.path("./text.txt"));
        f.start();
        QVERIFY(f.says("noticeTextLabel", "text.txt is read and must not be written to"));
        QCOMPARE(f.dialog->focusWidget(), &f.output());
        f.output().setText(f.path("out.txt"));
        f.set("stopWordsLineEdit", f.path("out.txt.json"));
        f.find("stopWordsLineEdit").setFocus();
        f.start();
        QVERIFY(f.says("noticeTextLabel", "out.txt.json is read and must not be written to"));
        QCOMPARE(f.dialog->focusWidget(), &f.output());
        QCOMPARE(f.content("text.txt"), "paris\n");
        f.tick("sidecarCheckBox", false);
        QVERIFY(!f.survey().contains("replaces"));
        f.release();
        QVERIFY(f.notice().isHidden());
    }

    /// Fields would take the address of the file as text.
    void filesAreDropped() {
        const ReleaseFixture f;
        f.dialog->show();
        const auto drop = [](QWidget* target, const QString& path) {
            QMimeData data;
            data.setUrls({QUrl::fromLocalFile(path)});
            QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton,
                                  Qt::NoModifier);
            QApplication::sendEvent(target, &enter);
            QVERIFY(enter.isAccepted());
            QDropEvent event(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(target, &event);
        };
        drop(f.dialog.get(), f.path("text.txt"));
        QCOMPARE(f.output().text(), f.path("text.released.txt"));
        for (QLineEdit* field :
             {&f.input(), &f.output(), &f.find<QLineEdit>("stopWordsLineEdit")}) {
            drop(field, f.path("dropped.txt"));
            QCOMPARE(field->text(), f.path("dropped.txt"));
        }
    }

    void saysWhatWentWrongAndWritesNothing() {
        const ReleaseFixture f;
        f.input().setText(f.path("none.txt"));
        f.start();
        QVERIFY(f.says("noticeTextLabel", "none.txt"));
        QVERIFY(f.mayStart());
        QCOMPARE(f.content("none.released.txt"), "absent");
    }

    void textInAnotherEncodingIsRefusedAndReadByItsName() {
        const ReleaseFixture f;
        // "Париж, paris" in windows-1251.
        f.open("text.txt", "\xCF\xE0\xF0\xE8\xE6, paris\n");
        f.choose("unknownComboBox", 3);
        f.start();
        QVERIFY(f.says("noticeTextLabel", "text.txt, line 1: the text is not UTF-8, but "));
        QVERIFY(f.notice().text().contains("choose another encoding above"));
        QCOMPARE(f.content("text.released.txt"), "absent");
        f.find<QComboBox>("encodingComboBox").setCurrentText("cp1251");
        f.release();
        QCOMPARE(f.content("text.released.txt"), "Париж, paris\n");
        // Damaged places are replaced where that is chosen.
        f.find<QComboBox>("encodingComboBox").setCurrentText("UTF-8");
        f.open("bad.txt", "paris \xC3\xA9 \xFF \xC3\xA9 london\n");
        f.start();
        QVERIFY(f.says("noticeTextLabel", "line 1: bytes here are damaged"));
        QCOMPARE(f.content("bad.released.txt"), "absent");
        f.choose("invalidComboBox", 1);
        f.release();
        QCOMPARE(f.content("bad.released.txt"), "paris é \uFFFD é london\n");
        QVERIFY(f.details().contains("⚠ 1 damaged place of the text is replaced by U+FFFD"));
    }

    void whatIsOutsideTheLimitsHasToBeTicked() {
        ReleaseFixture f;
        f.open("text.txt", "paris, London");
        auto& box = f.find<QCheckBox>("outsideLimitsCheckBox");
        f.settle();
        QVERIFY(box.isHidden() && f.mayStart());
        const auto limit = f.setLimit();
        QVERIFY(!box.isHidden() && !f.mayStart());
        QVERIFY(box.text().contains("not known"));
        // Every word stays, so that it is 100 instead of 50.
        f.limits.setChecks({{limit, 100.0, 50.0, -50.0}});
        QVERIFY(box.text().contains("1 of 1 not met") && !f.mayStart());
        box.setChecked(true);
        QVERIFY(f.mayStart());
        f.limits.setChecks({{limit, 40.0, 50.0, 10.0}});
        QVERIFY(box.isHidden() && f.mayStart());
        f.limits.setChecks({{limit, 100.0, 50.0, -50.0}});
        QVERIFY(!box.isChecked() && !f.mayStart());
        // Ticked for limits that one setting misses, it is not for those that the next misses.
        box.setChecked(true);
        f.state.edit(&AnalysisSettings::chooseEpsilon, 2.0 * f.state.epsilon());
        QVERIFY(!box.isHidden() && !box.isChecked() && !f.mayStart());
        box.setChecked(true);
        QSignalSpy released(f.dialog.get(), &ReleaseDialog::released);
        f.release();
        const QString agreed = QString("Ticked before the release: “%1”.").arg(box.text());
        const QString told = released.front().front().toString();
        QVERIFY(test::begins(told, "Text released to text.released.txt. ") &&
                test::ends(told, agreed));
        QVERIFY(!told.contains("paris"));
        QVERIFY(f.content("text.released.txt.json").contains(agreed.toUtf8()));
    }

    /// Within the others, limits on the analyst's texts stay open until Texts knows of them.
    void limitsOnTextsHaveToBeKnown() {
        ReleaseFixture f;
        f.open("text.txt", "paris london\n");
        f.settle();
        const auto& box = f.find<QCheckBox>("outsideLimitsCheckBox");
        const auto limit = f.setLimit();
        f.limits.setChecks({{limit, 43.0, 50.0, 7.0}});
        const auto onTexts = evaluation::parseFigureLimit("attack.gain<=5%").value();
        f.state.edit(&AnalysisSettings::figureLimits, {onTexts});
        QVERIFY(!box.isHidden() && !f.mayStart());
        QVERIFY(box.text().contains("not known"));
        f.limits.setOnTexts({{onTexts, evaluation::checkFigure(onTexts, {0.04, {}})}});
        QVERIFY(box.isHidden() && f.mayStart());
        const QString lines = f.text("limitsMetLabel");
        QVERIFY(test::begins(lines, "✓ ") && test::holds(lines, "yes, 43") &&
                test::holds(lines, "✓ an attacker guesses at most 5 of 100 words"));
        f.limits.setOnTexts({{onTexts, evaluation::checkFigure(onTexts, {0.06, {}})}});
        QVERIFY(!box.isHidden() && box.text().contains("1 of 2 not met"));
    }

    void cancellingWritesNothing() {
        const ReleaseFixture f;
        f.open("text.txt", QByteArray("paris london ").repeated(2'000'000));
        f.start();
        QVERIFY(!f.isHidden("cancelReleasePushButton") && !f.input().isEnabled());
        f.click("cancelReleasePushButton");
        QVERIFY(f.says("noticeTextLabel", "Cancelled"));
        QCOMPARE(f.content("text.released.txt"), "absent");
        QVERIFY(f.input().isEnabled());
    }
};

/// Where things are in the dialog, and what it says in the end.
class ReleaseLayoutTest : public QObject {
    Q_OBJECT

public Q_SLOTS:
    void takeUrl(const QUrl& url) { m_opened = url.toLocalFile(); }

private Q_SLOTS:
    void cleanup() { applyTextSize(Preferences().textPercent); }

    void theButtonsStayWhereTheyAre() {
        ReleaseFixture f;
        f.dialog->show();
        const auto place = [&](const char* name) {
            const QWidget& button = f.find(name);
            return QRect(button.mapTo(f.dialog.get(), QPoint()), button.size());
        };
        const auto settle = [] { test::letPass(20); };
        settle();
        const QRect release = place("releasePushButton");
        const QRect close = place("closePushButton");
        const QSize size = f.dialog->size();
        const auto stays = [&] {
            settle();
            return place("releasePushButton") == release && place("closePushButton") == close &&
                   f.dialog->size() == size;
        };
        (void)f.setLimit();
        QVERIFY(stays());
        f.write("mails.tsv", QByteArray("ham\tparis london\n").repeated(300'000));
        f.dialog->suggestFile(f.path("mails.tsv"), "2");
        QVERIFY(stays());
        f.tick("outsideLimitsCheckBox");
        f.start();
        QVERIFY(!f.isHidden("cancelReleasePushButton"));
        QVERIFY(stays());
        const QRect cancelPlace = place("cancelReleasePushButton");
        QVERIFY(!cancelPlace.intersects(release) && !cancelPlace.intersects(close));
        QTRY_VERIFY(!f.isHidden("releaseResultLabel"));
        QVERIFY(stays());
    }

    void itFitsTheScreenWithEverythingShown() {
        for (const int textPercent : {Preferences().textPercent, 160}) {
            applyTextSize(textPercent);
            ReleaseFixture f;
            (void)f.setLimit();
            f.write("mails.tsv", "ham\tparis london\n");
            f.dialog->suggestFile(f.path("mails.tsv"), "2");
            f.dialog->show();
            f.tick("outsideLimitsCheckBox");
            f.release();
            const QSize room = f.dialog->screen()->availableGeometry().size();
            QVERIFY(f.dialog->height() <= room.height() * 9 / 10);
            QVERIFY(f.dialog->width() <= room.width() * 9 / 10);
            // A screen of the size of the smallest window.
            const int low = 600 * 9 / 10;
            const QSize least = f.dialog->minimumSizeHint();
            QVERIFY2(least.width() <= 960 * 9 / 10 && least.height() <= low,
                     qPrintable(QString("%1×%2").arg(least.width()).arg(least.height())));
            f.dialog->resize(f.dialog->width(), low);
            test::letPass(20);
            QCOMPARE(f.dialog->height(), low);
            QVERIFY(f.dialog->rect().contains(f.find("releasePushButton").geometry()));
        }
    }

    /// After the result, too, every row is as high as it asks for.
    void nothingIsSquashedWhenTheResultStandsThere() {
        const ReleaseFixture f;
        f.dialog->show();
        f.open("text.txt", "paris london blorp\n");
        f.release();
        test::letPass(20);
        for (const char* name : {"releaseResultLabel", "unprotectedLabel", "releaseSettingLabel"}) {
            const QWidget& label = f.find(name);
            QVERIFY2(label.height() >= label.heightForWidth(label.width()), name);
        }
        QVERIFY(f.input().height() >= f.input().sizeHint().height());
    }

    void theResultNamesTheFileAndOpensItsFolder() {
        const ReleaseFixture f;
        f.dialog->show();
        f.open("text.txt", "paris blorp\n");
        f.release();
        QCOMPARE(f.text("writtenLineEdit"), f.path("text.released.txt"));
        QDesktopServices::setUrlHandler("file", this, "takeUrl");
        f.click("openFolderPushButton");
        QDesktopServices::unsetUrlHandler("file");
        QCOMPARE(m_opened, f.folder.path());
    }

private:
    QString m_opened;
};

/// What is told of a text before it is released.
class ReleaseSurveyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unknownWordsAreToldBeforeTheStart() {
        const ReleaseFixture f;
        f.open("text.txt", "paris lol london\nLOL blorp u paris\n");
        // By hand: 7 words, 4 of them not among the toy words.
        QVERIFY(f.says("releaseSurveyLabel",
                       "7 words in 2 lines. 57% of the words are unknown and "
                       "would be masked, most often: lol (2), blorp (1), u (1)."));
        QVERIFY(!f.isHidden("releaseSurveyLabel"));
        QCOMPARE(f.find<QLabel>("releaseSurveyLabel").textFormat(), Qt::PlainText);
        QCOMPARE(f.content("text.released.txt"), "absent");
        f.choose("unknownComboBox", 3);
        QVERIFY(f.says("releaseSurveyLabel", "would stay as they are, unprotected"));
        f.release();
        QVERIFY(f.isHidden("releaseSurveyLabel"));
    }

    /// So much epsilon keeps every word that is known.
    void tenRowsAreShownBeforeAndAfter() {
        const ReleaseFixture f;
        f.open("text.txt", "paris blorp\n" + QByteArray("london\n").repeated(20));
        QVERIFY(f.says("exampleLabel", "<td>paris blorp</td><td>paris &lt;unk&gt;</td>"));
        QCOMPARE(f.text("exampleLabel").count("<td>london</td><td>london</td>"), 9);
        f.input().clear();
        QVERIFY(f.isHidden("exampleLabel"));
    }

    void theLongestLineIsThatOfTheWholeText() {
        ReleaseFixture f;
        f.state.edit(&AnalysisSettings::chooseEpsilon, 0.01);
        f.open("text.txt",
               QByteArray("paris blorp\n").repeated(50'000) + "paris london paris london paris\n");
        QVERIFY(f.says("releaseSurveyLabel", "Median line, 1 word: by at most ×1."));
        QVERIFY(f.says("releaseSurveyLabel", "Longest line, 5 words: against one"));
        QVERIFY(f.survey().contains("the odds change by at most ×1."));
    }

    /// The distance of the two words is that of the toy vectors; what follows from it is computed
    /// here.
    void whatIsPromisedIsToldBeforeTheStart() {
        ReleaseFixture f;
        QVERIFY(test::begins(f.survey(), "⚠ No useful bound for "));
        // ln 1,000,000 / 1e9
        QVERIFY(test::ends(f.survey(),
                           "For words at most 1.38e-08 apart they change by at most ×1,000,000."));
        const auto loss = f.guarantee.lossAt(1.0);
        QVERIFY(loss && *loss > 0.0);
        // The odds of the pair change by at most e.
        f.state.edit(&AnalysisSettings::chooseEpsilon, 1.0 / *loss);
        QVERIFY2(f.survey().isEmpty(), qPrintable(f.survey()));
        // ln 1,000,000 = 13.8: 13 words stay below it, 14 do not.
        const auto ofWords = [&](qsizetype words) {
            f.input().clear();
            f.open("text.txt", QByteArray("paris ").repeated(words) + "\nlondon\n");
            f.settle();
            return f.survey();
        };
        QVERIFY(ofWords(13).contains("Longest line, 13 words: against one"));
        const QString of14 = ofWords(14);
        QVERIFY(test::holds(of14, "⚠ Longest line, 14 words: no useful bound.") &&
                test::ends(of14, "by up to 10⁷."));
        QVERIFY(f.mayStart());
    }

    void aTableIsToldOfItsColumns() {
        const ReleaseFixture f;
        f.open("mails.tsv", "label\ttext\nspam\tparis blorp\nham\tlondon\n");
        QVERIFY(f.says("releaseSurveyLabel", "7 words in 3 lines."));
        f.set("columnsLineEdit", "text");
        QVERIFY(f.says("releaseSurveyLabel",
                       "3 words in 2 rows. 33% of the words are unknown and "
                       "would be masked, most often: blorp (1)."));
    }

    void onlyWhatChangesTheTextIsReadAnew() {
        ReleaseFixture f;
        f.open("text.txt", "paris blorp\n");
        f.settle();
        f.state.edit(&AnalysisSettings::chooseEpsilon, 1.0);
        QVERIFY(f.mayStart());
        f.choose("unknownComboBox", 2);
        QVERIFY(!f.mayStart());
        QCOMPARE(f.survey(), "Reading the whole text: 0%");
        QVERIFY(f.says("releaseSurveyLabel", "would be left out"));
        f.input().setText(f.path("none.txt"));
        QVERIFY(!f.survey().contains("left out"));
    }

    void sharesAreNeitherNothingNorAllUnlessTheyAre() {
        release::TextSurvey survey;
        survey.counts.words = 1'000;
        survey.counts.lines = 1;
        survey.counts.replaced = 1'000;
        const auto text = [&] { return surveyText(survey, release::UnknownPolicy::mask, false); };
        QCOMPARE(text(), "1,000 words in 1 line, none of them unknown.");
        survey.mostUnknown = {{"blorp", 1}};
        survey.counts.replaced = 999;
        QVERIFY(test::holds(text(), ". under 1% of the words"));
        survey.counts.replaced = 1;
        QVERIFY(test::holds(text(), ". over 99% of the words"));
        survey.counts.replaced = 0;
        survey.isUnknownPartial = true;
        survey.differentUnknown = 345;
        QVERIFY(test::ends(text(),
                           "100% of the words are unknown and would be "
                           "masked, most often: blorp (1) (among the first "
                           "345 different ones)."));
    }

    void commonWordsThatAreUnknownAreWarnedOf() {
        release::TextSurvey survey;
        survey.counts.words = 10'000;
        survey.counts.lines = 2;
        survey.counts.replaced = 8'000;
        survey.mostUnknown = {{"to", 1'200}, {"lol", 99}};
        const auto warning = [&](release::UnknownPolicy policy) {
            const QString text = surveyText(survey, policy, false);
            const qsizetype begin = text.indexOf('\n');
            return begin < 0 ? QString() : text.mid(begin + 1);
        };
        QCOMPARE(warning(release::UnknownPolicy::mask),
                 "⚠ “to”, a common word of this text, is unknown and would be "
                 "masked, 1,200 times: is this the right embedding or letter "
                 "case?");
        survey.mostUnknown.insert(survey.mostUnknown.begin() + 1, {"a", 300});
        QCOMPARE(warning(release::UnknownPolicy::drop),
                 "⚠ “to”, “a” are common words of this text, unknown, and would be "
                 "left out, 1,500 times in all: is this the right embedding or "
                 "letter case?");
        for (const char* word : {"and", "the", "of", "in", "is"}) {
            survey.mostUnknown.insert(survey.mostUnknown.begin() + 2, {word, 100});
        }
        QVERIFY(test::begins(warning(release::UnknownPolicy::mask),
                             "⚠ “to”, “a”, “is”, “in”, “of”, 2 more are"));
        // Five are named above it.
        QVERIFY(surveyText(survey, release::UnknownPolicy::mask, false)
                    .contains("most often: to (1,200), a (300), is (100), in (100), "
                              "of (100).\n"));
        survey.mostUnknown = {{"lol", 99}};
        QCOMPARE(warning(release::UnknownPolicy::mask), QString());
    }

    void nothingIsReleasedBeforeTheTextHasBeenRead() {
        const ReleaseFixture f;
        f.open("text.txt", QByteArray("paris blorp\n").repeated(200'000));
        QVERIFY(test::begins(f.survey(), "Reading the whole text"));
        QVERIFY(!f.mayStart());
        QVERIFY(f.find("releasePushButton").toolTip().contains("has been read"));
        QTRY_VERIFY(f.mayStart());
        QVERIFY(test::begins(f.survey(), "400,000 words"));
        QVERIFY(!f.find("releasePushButton").toolTip().contains("has been read"));
        // What cannot be read is refused by the release itself.
        f.open("damaged.txt", QByteArray("\xff\xfe\xff\n"));
        QTRY_VERIFY(f.mayStart());
        QVERIFY(test::begins(f.survey(), "✗ damaged.txt"));
    }
};

/// Tables in the dialog: what is released of them.
class TablePreviewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFormatThatIsWrittenIsSaid() {
        const ReleaseFixture f;
        const auto said = [&f](const QByteArray& table) {
            f.open("mails", table);
            f.set("columnsLineEdit", "1");
            const QString text = f.text("previewLabel");
            f.input().clear();
            f.set("columnsLineEdit", {});
            return text;
        };
        QVERIFY(said("ham\tgo to paris\n").contains("tabs between"));
        QVERIFY(said("ham,go to paris\n").contains("commas between"));
        QVERIFY(said("{\"id\": 1, \"text\": \"paris\"}\n").contains("a JSON object in each line"));
    }

    void labelsOfATableStayAsTheyAre() {
        const ReleaseFixture f;
        f.open("mails.tsv", "label\ttext\nspam\tparis blorp\nham\tlondon\n");
        QVERIFY(f.unprotected().contains("⚠ This is a table"));
        f.set("columnsLineEdit", " text ");
        QVERIFY(!f.unprotected().contains("This is a table"));
        f.release();
        QCOMPARE(f.content("mails.released.tsv"), "label\ttext\nspam\tparis <unk>\nham\tlondon\n");
        QVERIFY(f.content("mails.released.tsv.json").contains("\"records\": 2"));
    }

    void aWrongColumnIsToldAndRefused() {
        const ReleaseFixture f;
        f.open("mails.tsv", "ham\tgo to paris now\nspam\tlondon\nham\tparis\n");
        f.set("columnsLineEdit", "text");
        QVERIFY(f.says("releaseSurveyLabel", "the first line must have \"text\" once"));
        f.start();
        QTRY_VERIFY(f.notice().text().contains("must have \"text\" once"));
        QVERIFY(!f.notice().text().contains("--"));
        QCOMPARE(f.content("mails.released.tsv"), "absent");
        f.set("columnsLineEdit", "2");
        QVERIFY(f.notice().isHidden());
        f.release();
        QVERIFY(f.content("mails.released.tsv").startsWith("ham\t"));
    }

    void quotesThatMayEncloseFieldsAreRefusedUntilTheFormatIsChosen() {
        const ReleaseFixture f;
        f.dialog->show();
        f.open("mails.tsv", "ham\t\"paris\nspam\tlondon\"\n");
        f.set("columnsLineEdit", "2");
        QVERIFY(f.says("releaseSurveyLabel", "odd number of quotes"));
        f.start();
        QVERIFY(f.says("noticeTextLabel", "odd number of quotes"));
        QVERIFY(f.notice().text().contains("the table format tsv-quoted"));
        QVERIFY(!f.notice().text().contains("--"));
        // Said once, also after the text has been read again.
        f.settle();
        QVERIFY2(!f.survey().contains("quotes"), qPrintable(f.survey()));
        f.find<QComboBox>("tableFormatComboBox").setCurrentText("tsv");
        f.release();
        QVERIFY(f.content("mails.released.tsv").startsWith("ham\t\""));
        // Those that cannot are text, as Texts takes them.
        f.choose("tableFormatComboBox", 0);
        f.open("sms.tsv", "ham\t\"paris\nspam\tlondon\n");
        f.set("columnsLineEdit", "2");
        f.release();
        QCOMPARE(f.content("sms.released.tsv"), "ham\t\"paris\nspam\tlondon\n");
    }

    void theFirstTwoRowsShowWhatIsReleased() {
        const ReleaseFixture f;
        f.open("text.txt", "paris, london\n");
        QVERIFY(f.isHidden("previewLabel"));
        f.write("mails.csv", "label,text\nham,\"<b> & \"\"paris\"\"\"\nspam,london\nham,rome\n");
        f.input().setText(f.path("mails.csv"));
        f.set("columnsLineEdit", "text");
        const QString shown = f.text("previewLabel");
        QVERIFY(!f.isHidden("previewLabel"));
        for (const char* part : {"label: copied, unprotected", "text: released",
                                 "&lt;b&gt; &amp; &quot;paris&quot;", "spam", "london"}) {
            QVERIFY(test::holds(shown, part));
        }
        QVERIFY2(!shown.contains("rome"), qPrintable(shown));
    }

    void whatIsOpenElsewhereIsTakenOverUnlessAnotherTextIsNamed() {
        const ReleaseFixture f;
        f.dialog->suggestFile(f.path("mails.tsv"), "2");
        QCOMPARE(f.input().text(), f.path("mails.tsv"));
        QCOMPARE(f.text("columnsLineEdit"), "2");
        QCOMPARE(f.output().text(), f.path("mails.released.tsv"));
        f.dialog->suggestFile(f.path("other.tsv"), "text");
        QCOMPARE(f.input().text(), f.path("other.tsv"));
        QCOMPARE(f.text("columnsLineEdit"), "text");
        f.input().setText(f.path("mine.txt"));
        QCOMPARE(f.text("columnsLineEdit"), QString());
        f.dialog->suggestFile(f.path("mails.tsv"), "2");
        QCOMPARE(f.input().text(), f.path("mine.txt"));
        QCOMPARE(f.text("columnsLineEdit"), QString());
    }
};

EPSILENS_UI_TEST(ReleaseDialogTest)
EPSILENS_UI_TEST(ReleaseLayoutTest)
EPSILENS_UI_TEST(ReleaseSurveyTest)
EPSILENS_UI_TEST(TablePreviewTest)
#include "release_test.moc"
