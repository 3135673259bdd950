#include "ui/release/release_dialog.h"

#include <cmath>

#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QJsonDocument>
#include <QMimeData>
#include <QSignalSpy>
#include <QUrl>

#include "core/evaluation/figure_limit.h"
#include "tests/ui/release/release_fixture.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using Fixture = test::ReleaseFixture;

class ReleaseDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void releasesAFileAndSaysWhatItDid() {
        const Fixture f;
        f.write("text.txt", "paris, London!\r\nblorp");
        QVERIFY(!f.mayStart());
        dialogs::presetOpenFile(f.path("text.txt"));
        f.button("browseInputPushButton")->click();
        QCOMPARE(f.output()->text(), f.path("text.released.txt"));
        f.release();
        QCOMPARE(f.content("text.released.txt"), QByteArray("paris, London!\r\n<unk>"));
        QVERIFY2(f.details().startsWith(
                     QStringLiteral("3 words in 2 lines: 2 processed, 1 unknown word masked.\n⚠ ")),
                 qPrintable(f.details()));
        // To the operator alone.
        QVERIFY(
            f.details().contains(QStringLiteral("⚠ 2 of 2 processed words came out unchanged")));
        QVERIFY(!f.details().contains(QStringLiteral("blorp")));
        const QByteArray sidecar = f.content("text.released.txt.json");
        QVERIFY(sidecar.contains("epsilens.sanitize/1") && sidecar.contains("reach1000000"));
        QVERIFY(!sidecar.contains("blorp") && !sidecar.contains("came out"));
    }

    void theProposedFileDoesNotLieBesideThePrivateOne() {
        const Fixture f;
        remembered::setOutputFolder({});
        f.input()->setText(f.path("text.txt"));
        const QFileInfo proposed(f.output()->text());
        QCOMPARE(proposed.fileName(), QStringLiteral("text.released.txt"));
        QVERIFY2(proposed.absolutePath() != f.folder.path() && proposed.isAbsolute() &&
                     proposed.absoluteDir().exists(),
                 qPrintable(proposed.filePath()));
        // Where the user has once chosen to write, the next one is proposed.
        const QTemporaryDir chosen;
        f.output()->clear();
        dialogs::presetSaveFile(chosen.filePath(QStringLiteral("mine.txt")));
        f.button("browseOutputPushButton")->click();
        QCOMPARE(f.output()->text(), chosen.filePath(QStringLiteral("mine.txt")));
        f.input()->setText(f.path("a.txt"));
        QCOMPARE(f.output()->text(), chosen.filePath(QStringLiteral("mine.txt")));
        f.output()->clear();
        f.input()->setText(f.path("b.txt"));
        QCOMPARE(f.output()->text(), chosen.filePath(QStringLiteral("b.released.txt")));
    }

    void releasesWithTheParametersShownAndNotWithThoseOfTheGrid() {
        Fixture f;
        const auto* setting = f.label("releaseSettingLabel");
        const auto sidecarAt = [&](const mechanism::Parameters& parameters, const char* shown) {
            f.state.edit(&AnalysisSettings::setParameters, parameters);
            f.state.edit(&AnalysisSettings::chooseEpsilon, 4.0);
            [&] { QVERIFY2(setting->text().contains(QString::fromUtf8(shown)), shown); }();
            f.open("text.txt", "paris london\n");
            f.output()->setText(f.path("out.txt"));
            f.release();
            return f.content("out.txt.json");
        };
        f.state.edit(&AnalysisSettings::choose, mechanism::Tem());
        f.state.edit([](AnalysisSettings& settings) {
            settings.grid.betas = {0.0001, 0.1};
            settings.grid.lambdas = {0.9};
        });
        const auto tem = QJsonDocument::fromJson(sidecarAt({.beta = 0.02}, "β 0.02"));
        // [C21] 3.2: gamma = (2 / epsilon) ln((1 - beta)(V - 1) / beta), here with V = 40.
        const QJsonValue perWord = tem[QLatin1String("guarantee")][QLatin1String("perWord")];
        QVERIFY(std::fabs(perWord[QLatin1String("gamma")].toDouble() -
                          2.0 / 4.0 * std::log(0.98 * 39.0 / 0.02)) < 1e-9);
        QVERIFY(sidecarAt({.metric = metric::Metric::angular}, "angular").contains("angular"));
        f.state.edit([](AnalysisSettings& settings) { settings.mechanism.gammaGiven = true; });
        QVERIFY(sidecarAt({.gamma = 0.75}, "γ 0.75").contains("0.75"));
        f.state.edit(&AnalysisSettings::choose, mechanism::Mahalanobis());
        const QByteArray elliptical = sidecarAt({.lambda = 0.3}, "λ 0.30");
        QVERIFY2(elliptical.contains("0.3") && !elliptical.contains("0.9"), elliptical.constData());
    }

    void policiesAreThoseOfTheSetUp() {
        Fixture f;
        f.state.edit(&AnalysisSettings::textPolicies,
                     {release::UnknownPolicy::keep, text::CasePolicy::lower});
        QCOMPARE(findControl<QComboBox>(*f.dialog, "unknownComboBox")->currentIndex(), 3);
        QCOMPARE(findControl<QComboBox>(*f.dialog, "letterCaseComboBox")->currentIndex(), 2);
        f.choose("unknownComboBox", 2);
        QVERIFY(f.state.textPolicies() ==
                (TextPolicies{release::UnknownPolicy::drop, text::CasePolicy::lower}));
    }

    void warnsOfWhatIsUnprotectedBeforeAndCountsItAfter() {
        const Fixture f;
        QVERIFY(f.unprotected().startsWith(QStringLiteral("Not protected")));
        f.write("stop.txt", "london\n");
        f.open("text.txt", "paris london blorp\n");
        f.choose("unknownComboBox", 3);
        QVERIFY(f.unprotected().contains(QStringLiteral("⚠ Unknown words stay")));
        QVERIFY(!f.field("maskLineEdit")->isEnabled());
        f.field("stopWordsLineEdit")->setText(f.path("stop.txt"));
        QVERIFY(f.unprotected().contains(QStringLiteral("⚠ Stop words stay")));
        f.box("sidecarCheckBox")->setChecked(false);
        f.release();
        QVERIFY(f.details().contains(
            QStringLiteral("⚠ 2 words are left unprotected: 1 unknown word, 1 stop word")));
        QCOMPARE(f.content("text.released.txt.json"), QByteArray("absent"));
    }

    void filesThatAreThereAreReplacedOnlyAfterSayingSo() {
        const Fixture f;
        f.write("corpus.json", "mine");
        f.open("text.txt", "paris\n");
        f.output()->setText(f.path("corpus"));
        QVERIFY2(f.survey().contains(QStringLiteral("replaces the existing file corpus.json")),
                 qPrintable(f.survey()));
        f.box("sidecarCheckBox")->setChecked(false);
        QVERIFY(!f.survey().contains(QStringLiteral("replaces")));
    }

    /// The shortcut of the button takes the focus from no field.
    void aTextThatIsBeingTypedHasItsOwnOutput() {
        const Fixture f;
        f.write("b.txt", "london\n");
        f.open("a.txt", "paris\n");
        f.dialog->show();
        f.dialog->activateWindow();
        f.input()->setFocus();
        QTRY_VERIFY(f.input()->hasFocus());
        f.input()->selectAll();
        QTest::keyClicks(f.input(), f.path("b.txt"));
        f.release();
        QCOMPARE(f.field("writtenLineEdit")->text(), f.path("b.released.txt"));
        QCOMPARE(f.content("b.released.txt"), QByteArray("london\n"));
        QCOMPARE(f.content("a.released.txt"), QByteArray("absent"));
    }

    void aSettingThatChangesIsNotSaidOfTheTextBefore() {
        Fixture f;
        f.open("text.txt", "paris\n");
        const auto* setting = f.label("releaseSettingLabel");
        const QString before = setting->text();
        f.start();
        f.state.edit(&AnalysisSettings::chooseEpsilon, 5e8);
        QCOMPARE(setting->text(), before);
        QTRY_VERIFY(!f.result()->isHidden());
        QVERIFY(setting->text() != before);
        QVERIFY2(f.result()->text().contains(before), qPrintable(f.result()->text()));
        f.state.edit(&AnalysisSettings::chooseEpsilon, 4e8);
        QVERIFY(f.result()->isHidden());
    }

    void filesThatAreReadAreNeverWrittenOver() {
        const Fixture f;
        f.write("out.txt.json", "london\n");
        f.open("text.txt", "paris\n");
        f.output()->setText(f.path("./text.txt"));
        f.start();
        QVERIFY(f.notice().text().startsWith(QStringLiteral("text.txt would be written over")));
        f.output()->setText(f.path("out.txt"));
        f.field("stopWordsLineEdit")->setText(f.path("out.txt.json"));
        f.start();
        QVERIFY(f.notice().text().startsWith(QStringLiteral("out.txt.json would be written over")));
        QCOMPARE(f.content("text.txt"), QByteArray("paris\n"));
        f.box("sidecarCheckBox")->setChecked(false);
        f.release();
        QVERIFY(f.notice().isHidden());
    }

    /// Fields would take the address of the file as text.
    void filesAreDropped() {
        const Fixture f;
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
        QCOMPARE(f.output()->text(), f.path("text.released.txt"));
        for (QLineEdit* field : {f.input(), f.output(), f.field("stopWordsLineEdit")}) {
            drop(field, f.path("dropped.txt"));
            QCOMPARE(field->text(), f.path("dropped.txt"));
        }
    }

    void saysWhatWentWrongAndWritesNothing() {
        const Fixture f;
        f.input()->setText(f.path("none.txt"));
        f.start();
        QTRY_VERIFY(f.notice().text().contains(QStringLiteral("none.txt")));
        QVERIFY(f.mayStart());
        QCOMPARE(f.content("none.released.txt"), QByteArray("absent"));
    }

    void textInAnotherEncodingIsRefusedAndReadByItsName() {
        const Fixture f;
        // "Париж, paris" in windows-1251.
        f.open("text.txt", "\xCF\xE0\xF0\xE8\xE6, paris\n");
        f.choose("unknownComboBox", 3);
        f.start();
        QTRY_VERIFY(f.notice().text().startsWith(
            QStringLiteral("text.txt, line 1: the text is not UTF-8, but ")));
        QVERIFY(f.notice().text().contains(QStringLiteral("choose another encoding above")));
        auto* encoding = findControl<QComboBox>(*f.dialog, "encodingComboBox");
        QCOMPARE(f.content("text.released.txt"), QByteArray("absent"));
        encoding->setCurrentText(QStringLiteral("cp1251"));
        f.release();
        QCOMPARE(f.content("text.released.txt"), QByteArray("Париж, paris\n"));
    }

    void damagedPlacesAreReplacedWhereThatIsChosen() {
        const Fixture f;
        f.open("text.txt", "paris \xC3\xA9 \xFF \xC3\xA9 london\n");
        f.start();
        QTRY_VERIFY(f.notice().text().contains(QStringLiteral("line 1: bytes here are damaged")));
        QCOMPARE(f.content("text.released.txt"), QByteArray("absent"));
        f.choose("invalidComboBox", 1);
        f.release();
        QCOMPARE(f.content("text.released.txt"), QByteArray("paris <unk> \uFFFD <unk> london\n"));
        QVERIFY(f.details().contains(
            QStringLiteral("⚠ 1 damaged place of the text is replaced by U+FFFD")));
    }

    void whatIsOutsideTheLimitsHasToBeTicked() {
        Fixture f;
        f.open("text.txt", "paris, London");
        auto* box = f.box("outsideLimitsCheckBox");
        f.settle();
        QVERIFY(box->isHidden() && f.mayStart());
        const auto limit = f.setLimit();
        QVERIFY(!box->isHidden() && !f.mayStart());
        QVERIFY(box->text().contains(QStringLiteral("not known")));
        // Every word stays, so that it is 100 instead of 50.
        f.limits.setChecks({{limit, 100.0, 50.0, -50.0}});
        QVERIFY(box->text().contains(QStringLiteral("0 of 1")) && !f.mayStart());
        box->setChecked(true);
        QVERIFY(f.mayStart());
        f.limits.setChecks({{limit, 40.0, 50.0, 10.0}});
        QVERIFY(box->isHidden() && f.mayStart());
        f.limits.setChecks({{limit, 100.0, 50.0, -50.0}});
        QVERIFY(!box->isChecked() && !f.mayStart());
        // Ticked for limits that one setting misses, it is not for those that the next misses.
        box->setChecked(true);
        f.state.edit(&AnalysisSettings::chooseEpsilon, 2.0 * f.state.epsilon());
        QVERIFY(!box->isHidden() && !box->isChecked() && !f.mayStart());
        box->setChecked(true);
        QSignalSpy released(f.dialog.get(), &ReleaseDialog::released);
        f.release();
        const QString agreed = QStringLiteral("Ticked before the release: “%1”.").arg(box->text());
        const QString told = released.front().front().toString();
        QVERIFY2(told.startsWith(QStringLiteral("Text released to text.released.txt. ")) &&
                     told.endsWith(agreed),
                 qPrintable(told));
        QVERIFY(!told.contains(QStringLiteral("paris")));
        QVERIFY(f.content("text.released.txt.json").contains(agreed.toUtf8()));
    }

    /// Within the others, limits on the analyst's texts stay open until Texts knows of them.
    void limitsOnTextsHaveToBeKnown() {
        Fixture f;
        f.open("text.txt", "paris london\n");
        f.settle();
        const auto* box = f.box("outsideLimitsCheckBox");
        const auto limit = f.setLimit();
        f.limits.setChecks({{limit, 43.0, 50.0, 7.0}});
        const auto onTexts = evaluation::parseFigureLimit("attack.gain<=5%").value();
        f.state.edit(&AnalysisSettings::figureLimits, {onTexts});
        QVERIFY(!box->isHidden() && !f.mayStart());
        QVERIFY(box->text().contains(QStringLiteral("not known")));
        f.limits.setOnTexts({{onTexts, evaluation::checkFigure(onTexts, {0.04, {}})}});
        QVERIFY(box->isHidden() && f.mayStart());
        const QString lines = f.label("limitsMetLabel")->text();
        QVERIFY2(lines.startsWith(QStringLiteral("✓ ")) &&
                     lines.contains(QStringLiteral("yes, 43")) &&
                     lines.contains(QStringLiteral("✓ an attacker guesses at most 5 of 100 words")),
                 qPrintable(lines));
        f.limits.setOnTexts({{onTexts, evaluation::checkFigure(onTexts, {0.06, {}})}});
        QVERIFY(!box->isHidden() && box->text().contains(QStringLiteral("1 of 2 limits met")));
    }

    void cancellingWritesNothing() {
        const Fixture f;
        f.open("text.txt", QByteArray("paris london ").repeated(2'000'000));
        f.start();
        auto* cancel = f.button("cancelReleasePushButton");
        QVERIFY(!cancel->isHidden() && !f.input()->isEnabled());
        cancel->click();
        QTRY_VERIFY(f.notice().text().contains(QStringLiteral("Cancelled")));
        QCOMPARE(f.content("text.released.txt"), QByteArray("absent"));
        QVERIFY(f.input()->isEnabled());
    }
};

EPSILENS_UI_TEST(ReleaseDialogTest)
#include "release_dialog_test.moc"
