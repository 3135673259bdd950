#include "tests/ui/release/release_fixture.h"

#include <cmath>

#include "core/evaluation/figure_limit.h"
#include "ui/shell/preferences.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::ReleaseFixture;

class ReleaseDialogTest : public QObject {
    Q_OBJECT

public Q_SLOTS:
    void takeUrl(const QUrl& url) { m_opened = url.toLocalFile(); }

private Q_SLOTS:
    void cleanup() { applyTextSize(Preferences().textPercent); }

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
        QCOMPARE(f.text("writtenLineEdit"), f.path("text.released.txt"));
        QDesktopServices::setUrlHandler("file", this, "takeUrl");
        f.click("openFolderPushButton");
        QDesktopServices::unsetUrlHandler("file");
        QCOMPARE(m_opened, f.folder.path());
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
            f.set(parameters);
            f.chooseEpsilon(4.0);
            [&] { QVERIFY2(f.text("releaseSettingLabel").contains(shown), shown); }();
            f.open("text.txt", "paris london\n");
            f.output().setText(f.path("out.txt"));
            f.release();
            return f.content("out.txt.json");
        };
        f.choose(mechanism::Tem());
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
        f.choose(mechanism::Mahalanobis());
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
        f.chooseEpsilon(5e8);
        QCOMPARE(f.text("releaseSettingLabel"), before);
        QTRY_VERIFY(!f.isHidden("releaseResultLabel"));
        QVERIFY(f.text("releaseSettingLabel") != before);
        QVERIFY(test::holds(f.details(), before));
        f.chooseEpsilon(4e8);
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

    void textInAnotherEncodingIsRefusedAndReadByItsName() {
        const ReleaseFixture f;
        // "Париж, paris" in windows-1251.
        f.open("text.txt", "\xCF\xE0\xF0\xE8\xE6, paris\n");
        f.choose("unknownComboBox", 3);
        f.refuse("text.txt, line 1: the text is not UTF-8, but ", "text.released.txt");
        QVERIFY(f.notice().text().contains("choose another encoding above"));
        f.find<QComboBox>("encodingComboBox").setCurrentText("cp1251");
        f.release();
        QCOMPARE(f.content("text.released.txt"), "Париж, paris\n");
        // Damaged places are replaced where that is chosen.
        f.find<QComboBox>("encodingComboBox").setCurrentText("UTF-8");
        f.open("bad.txt", "paris \xC3\xA9 \xFF \xC3\xA9 london\n");
        f.refuse("line 1: bytes here are damaged", "bad.released.txt");
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
        f.chooseEpsilon(2.0 * f.state.epsilon());
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

    /// After the result, too, every row is as high as it asks for.
    void itFitsTheScreenWithEverythingShown() {
        for (const int textPercent : {Preferences().textPercent, 160}) {
            applyTextSize(textPercent);
            ReleaseFixture f;
            (void)f.setLimit();
            f.write("mails.tsv", "ham\tparis london blorp\n");
            f.dialog->suggestFile(f.path("mails.tsv"), "2");
            f.dialog->show();
            f.tick("outsideLimitsCheckBox");
            f.release();
            test::letPass(20);
            for (const char* name :
                 {"releaseResultLabel", "unprotectedLabel", "releaseSettingLabel"}) {
                const QWidget& label = f.find(name);
                QVERIFY2(label.height() >= label.heightForWidth(label.width()), name);
            }
            QVERIFY(f.input().height() >= f.input().sizeHint().height());
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

private:
    QString m_opened;
};

EPSILENS_UI_TEST(ReleaseDialogTest)
#include "release_test.moc"
