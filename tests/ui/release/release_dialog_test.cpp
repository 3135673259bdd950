#include "ui/release/release_dialog.h"

#include <cmath>
#include <memory>
#include <stop_token>

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUrl>

#include "core/calibration/limits.h"
#include "tests/ui/release/release_fixture.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/release/release_job.h"
#include "ui/shell/main_window.h"
#include "ui/state/analysis_state.h"
#include "ui/state/job_board.h"
#include "ui/state/limit_state.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

using Fixture = test::ReleaseFixture;

class ReleaseDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void releasesAFileAndSaysWhatItDid() {
        const Fixture fixture;
        fixture.write("text.txt", "paris, London!\r\nblorp");
        QVERIFY(!fixture.release()->isEnabled());
        dialogs::presetOpenFile(fixture.path("text.txt"));
        findControl<QPushButton>(*fixture.dialog, "browseInputPushButton")->click();
        QCOMPARE(fixture.output()->text(), fixture.path("text.released.txt"));
        fixture.settle();
        QVERIFY(fixture.release()->isEnabled());
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QCOMPARE(fixture.content("text.released.txt"), QByteArray("paris, London!\r\n<unk>"));
        QCOMPARE(fixture.result()->text(),
                 QStringLiteral("2 of 3 words drawn by the mechanism; 2 of them came out "
                                "unchanged. Not drawn: 1 unknown masked."));
        QVERIFY(fixture.details().contains(
            QStringLiteral("3 words in 2 lines: 2 processed, 1 unknown word masked")));
        QVERIFY(!fixture.details().contains(QStringLiteral("blorp")));
        const QByteArray sidecar = fixture.content("text.released.txt.json");
        QVERIFY(sidecar.contains("epsilens.sanitize/1"));
        QVERIFY(!sidecar.contains("blorp"));
    }

    void theProposedFileDoesNotLieBesideThePrivateOne() {
        const Fixture fixture;
        remembered::setOutputFolder({});
        dialogs::presetOpenFile(fixture.path("text.txt"));
        findControl<QPushButton>(*fixture.dialog, "browseInputPushButton")->click();
        const QFileInfo proposed(fixture.output()->text());
        QCOMPARE(proposed.fileName(), QStringLiteral("text.released.txt"));
        QVERIFY2(proposed.absolutePath() != fixture.folder.path() && proposed.isAbsolute() &&
                     proposed.absoluteDir().exists(),
                 qPrintable(proposed.filePath()));
        // Where the user has once chosen to write, the next one is proposed.
        const QTemporaryDir chosen;
        fixture.output()->clear();
        dialogs::presetSaveFile(chosen.filePath(QStringLiteral("mine.txt")));
        findControl<QPushButton>(*fixture.dialog, "browseOutputPushButton")->click();
        fixture.output()->clear();
        fixture.input()->setText(fixture.path("b.txt"));
        QCOMPARE(fixture.output()->text(), chosen.filePath(QStringLiteral("b.released.txt")));
    }

    void releasesWithTheParametersSetAndNotWithThoseOfTheGrid() {
        Fixture fixture;
        fixture.state.edit(&AnalysisSettings::choose, mechanism::Tem());
        fixture.state.edit(&AnalysisSettings::setParameters, {.beta = 0.02});
        fixture.state.edit(&AnalysisSettings::chooseEpsilon, 4.0);
        fixture.state.edit([](AnalysisSettings& settings) { settings.grid.betas = {0.0001, 0.1}; });
        auto* setting = findControl<QLabel>(*fixture.dialog, "releaseSettingLabel");
        QVERIFY2(setting->text().contains(QStringLiteral("β = 0.02")), qPrintable(setting->text()));
        fixture.write("text.txt", "paris london\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        // [C21] 3.2: gamma = (2 / epsilon) ln((1 - beta)(V - 1) / beta), here with V = 40.
        const auto sidecar = QJsonDocument::fromJson(fixture.content("out.txt.json"));
        const QJsonValue perWord = sidecar[QLatin1String("guarantee")][QLatin1String("perWord")];
        const double gamma = perWord[QLatin1String("gamma")].toDouble();
        QVERIFY2(std::fabs(gamma - 2.0 / 4.0 * std::log(0.98 * 39.0 / 0.02)) < 1e-9,
                 fixture.content("out.txt.json").constData());

        fixture.state.edit(
            [](AnalysisSettings& settings) { settings.mechanism.gammaGiven = true; });
        fixture.state.edit(&AnalysisSettings::setParameters, {.gamma = 0.75});
        fixture.state.edit([](AnalysisSettings& settings) { settings.grid.gammas = {0.25, 0.5}; });
        QVERIFY2(setting->text().contains(QStringLiteral("γ = 0.75")), qPrintable(setting->text()));
        QVERIFY(fixture.state.setting().mechanism.parameters().gamma == 0.75);
    }

    void releasesWithTheMetricAndLambdaShown() {
        Fixture fixture;
        auto* setting = findControl<QLabel>(*fixture.dialog, "releaseSettingLabel");
        fixture.write("text.txt", "paris london\n");
        fixture.input()->setText(fixture.path("text.txt"));
        const auto released = [&](const char* name) {
            fixture.output()->setText(fixture.path(name));
            fixture.start();
            // The file stands there a little before the run has ended, and a run keeps its setting.
            [&] { QTRY_VERIFY(fixture.release()->isEnabled()); }();
            return fixture.content(qPrintable(QLatin1String(name) + QStringLiteral(".json")));
        };
        fixture.state.edit(&AnalysisSettings::choose, mechanism::Tem());
        fixture.state.edit(&AnalysisSettings::setParameters,
                           {.metric = metric::Metric::angular, .beta = 0.02});
        fixture.state.edit(&AnalysisSettings::chooseEpsilon, 4.0);
        QVERIFY2(setting->text().contains(QStringLiteral("distance angular"), Qt::CaseInsensitive),
                 qPrintable(setting->text()));
        const QByteArray angular = released("tem.txt");
        QVERIFY2(angular.contains("angular"), angular.constData());

        fixture.state.edit(&AnalysisSettings::choose, mechanism::Mahalanobis());
        fixture.state.edit(&AnalysisSettings::setParameters, {.lambda = 0.3});
        fixture.state.edit([](AnalysisSettings& settings) { settings.grid.lambdas = {0.9}; });
        QVERIFY2(setting->text().contains(QStringLiteral("λ = 0.3")), qPrintable(setting->text()));
        const QByteArray elliptical = released("mahalanobis.txt");
        QVERIFY2(elliptical.contains("0.3") && !elliptical.contains("0.9"), elliptical.constData());
    }

    void policiesAreThoseOfTheSetUp() {
        Fixture fixture;
        auto* unknown = findControl<QComboBox>(*fixture.dialog, "unknownComboBox");
        auto* letterCase = findControl<QComboBox>(*fixture.dialog, "letterCaseComboBox");
        fixture.state.edit(&AnalysisSettings::textPolicies,
                           {release::UnknownPolicy::keep, text::CasePolicy::lower});
        QCOMPARE(unknown->currentIndex(), 3);
        QCOMPARE(letterCase->currentIndex(), 2);
        QVERIFY(fixture.unprotected()->text().contains(QStringLiteral("⚠ Unknown words stay")));
        fixture.choose("unknownComboBox", 2);
        QVERIFY(fixture.state.textPolicies() ==
                (TextPolicies{release::UnknownPolicy::drop, text::CasePolicy::lower}));
    }

    void warnsOfWhatWillBeUnprotectedBeforeTheStart() {
        const Fixture fixture;
        QVERIFY(fixture.unprotected()->text().startsWith(QStringLiteral("Not protected")));
        fixture.choose("unknownComboBox", 3);
        QVERIFY(fixture.unprotected()->text().contains(QStringLiteral("⚠ Unknown words stay")));
        QVERIFY(!findControl<QLineEdit>(*fixture.dialog, "maskLineEdit")->isEnabled());
        findControl<QLineEdit>(*fixture.dialog, "stopWordsLineEdit")
            ->setText(QStringLiteral("stop.txt"));
        QVERIFY(fixture.unprotected()->text().contains(QStringLiteral("⚠ Stop words stay")));
    }

    void countsWhatWasLeftUnprotected() {
        const Fixture fixture;
        fixture.write("text.txt", "paris london blorp\n");
        fixture.write("stop.txt", "london\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        fixture.choose("unknownComboBox", 3);
        findControl<QLineEdit>(*fixture.dialog, "stopWordsLineEdit")
            ->setText(fixture.path("stop.txt"));
        findControl<QCheckBox>(*fixture.dialog, "sidecarCheckBox")->setChecked(false);
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QVERIFY(fixture.details().contains(
            QStringLiteral("⚠ 2 words are left unprotected: 1 unknown word, 1 stop word")));
        QCOMPARE(fixture.content("out.txt.json"), QByteArray("absent"));
    }

    void saysToTheOperatorAloneHowManyWordsStayed() {
        const Fixture fixture;  // every word stays
        fixture.write("text.txt", "paris london\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        const QString result = fixture.details();
        QVERIFY2(result.contains(QStringLiteral("⚠ 2 of 2 processed words came out unchanged")),
                 qPrintable(result));
        const QByteArray sidecar = fixture.content("out.txt.json");
        QVERIFY(sidecar.contains("reach1000000"));
        QVERIFY(!sidecar.contains("came out"));
    }

    void theSuggestedNameFollowsTheTextAndOneOfTheUsersStays() {
        const Fixture fixture;
        auto* browse = findControl<QPushButton>(*fixture.dialog, "browseInputPushButton");
        const auto choose = [&](const char* name) {
            dialogs::presetOpenFile(fixture.path(name));
            browse->click();
        };
        choose("a.txt");
        choose("b.txt");
        QCOMPARE(fixture.output()->text(), fixture.path("b.released.txt"));
        fixture.output()->setText(fixture.path("mine.txt"));
        choose("c.txt");
        QCOMPARE(fixture.output()->text(), fixture.path("mine.txt"));
    }

    void aFileThatIsThereIsReplacedOnlyAfterSayingSo() {
        const Fixture fixture;
        fixture.write("text.txt", "paris\n");
        fixture.write("out.txt", "before\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        auto* remark = findControl<QLabel>(*fixture.dialog, "releaseRemarkLabel");
        QVERIFY2(remark->text().contains(QStringLiteral("replaces the existing file out.txt")),
                 qPrintable(remark->text()));
    }

    void aSidecarThatIsThereIsNamedToo() {
        const Fixture fixture;
        fixture.write("text.txt", "paris\n");
        fixture.write("corpus.json", "mine");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("corpus"));
        auto* remark = findControl<QLabel>(*fixture.dialog, "releaseRemarkLabel");
        QVERIFY2(remark->text().contains(QStringLiteral("replaces the existing file corpus.json")),
                 qPrintable(remark->text()));
        findControl<QCheckBox>(*fixture.dialog, "sidecarCheckBox")->setChecked(false);
        QVERIFY(!remark->text().contains(QStringLiteral("replaces")));
    }

    /// The shortcut of the button takes the focus from no field.
    void aTextThatIsBeingTypedHasItsOwnOutput() {
        const Fixture fixture;
        fixture.write("a.txt", "paris\n");
        fixture.write("b.txt", "london\n");
        fixture.dialog->show();
        fixture.dialog->activateWindow();
        fixture.input()->setText(fixture.path("a.txt"));
        fixture.input()->setFocus();
        QTRY_VERIFY(fixture.input()->hasFocus());
        fixture.input()->selectAll();
        QTest::keyClicks(fixture.input(), fixture.path("b.txt"));
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QCOMPARE(findControl<QLineEdit>(*fixture.dialog, "writtenLineEdit")->text(),
                 fixture.path("b.released.txt"));
        QCOMPARE(fixture.content("b.released.txt"), QByteArray("london\n"));
        QCOMPARE(fixture.content("a.released.txt"), QByteArray("absent"));
        // What this run has written is not what the next one replaces.
        auto* remark = findControl<QLabel>(*fixture.dialog, "releaseRemarkLabel");
        QVERIFY(!remark->text().contains(QStringLiteral("replaces")));
    }

    void aSettingThatChangesIsNotSaidOfTheTextBefore() {
        Fixture fixture;
        fixture.write("text.txt", "paris\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        auto* setting = findControl<QLabel>(*fixture.dialog, "releaseSettingLabel");
        const QString before = setting->text();
        fixture.start();
        fixture.state.edit(&AnalysisSettings::chooseEpsilon, 5e8);
        QCOMPARE(setting->text(), before);
        QTRY_VERIFY(!fixture.result()->isHidden());
        QVERIFY(setting->text() != before);
        QVERIFY2(fixture.result()->text().contains(before), qPrintable(fixture.result()->text()));
        fixture.state.edit(&AnalysisSettings::chooseEpsilon, 4e8);
        QVERIFY(fixture.result()->isHidden());
    }

    void filesThatAreReadAreNeverWrittenOver() {
        const Fixture fixture;
        fixture.write("text.txt", "paris\n");
        fixture.write("out.txt.json", "london\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("./text.txt"));
        fixture.start();
        auto* notice = fixture.dialog->findChild<NoticeLine*>();
        QVERIFY(notice->text().startsWith(QStringLiteral("text.txt would be written over")));
        fixture.output()->setText(fixture.path("out.txt"));
        findControl<QLineEdit>(*fixture.dialog, "stopWordsLineEdit")
            ->setText(fixture.path("out.txt.json"));
        fixture.start();
        QVERIFY(notice->text().startsWith(QStringLiteral("out.txt.json would be written over")));
        QCOMPARE(fixture.content("text.txt"), QByteArray("paris\n"));
        findControl<QCheckBox>(*fixture.dialog, "sidecarCheckBox")->setChecked(false);
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QVERIFY(notice->isHidden());
    }

    /// Fields would take the address of the file as text.
    void filesAreDropped() {
        const Fixture fixture;
        fixture.dialog->show();
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
        drop(fixture.input(), fixture.path("text.txt"));
        QCOMPARE(fixture.input()->text(), fixture.path("text.txt"));
        QCOMPARE(fixture.output()->text(), fixture.path("text.released.txt"));
        auto* stopWords = findControl<QLineEdit>(*fixture.dialog, "stopWordsLineEdit");
        drop(stopWords, fixture.path("stop.txt"));
        QCOMPARE(stopWords->text(), fixture.path("stop.txt"));
        drop(fixture.output(), fixture.path("old.txt"));
        QCOMPARE(fixture.output()->text(), fixture.path("old.txt"));
        drop(fixture.dialog.get(), fixture.path("other.txt"));
        QCOMPARE(fixture.input()->text(), fixture.path("other.txt"));
    }

    void saysWhatWentWrongAndWritesNothing() {
        const Fixture fixture;
        fixture.input()->setText(fixture.path("none.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        fixture.start();
        auto* notice = fixture.dialog->findChild<NoticeLine*>();
        QTRY_VERIFY(notice->text().contains(QStringLiteral("none.txt")));
        QVERIFY(fixture.release()->isEnabled());
        QCOMPARE(fixture.content("out.txt"), QByteArray("absent"));
    }

    void whatIsReleasedOutsideTheLimitsSaysSo() {
        Fixture fixture;
        fixture.state.edit(&AnalysisSettings::limits,
                           std::vector{*calibration::parseLimit("nw.p95<=50%")});
        fixture.write("text.txt", "paris, London");
        fixture.input()->setText(fixture.path("text.txt"));
        QVERIFY(!fixture.release()->isEnabled());
        auto* box = findControl<QCheckBox>(*fixture.dialog, "outsideLimitsCheckBox");
        box->click();
        QSignalSpy released(fixture.dialog.get(), &ReleaseDialog::released);
        fixture.start();
        QTRY_COMPARE(released.count(), 1);
        const QString agreed = QStringLiteral("Ticked before the release: “%1”.").arg(box->text());
        const QString told = released.front().front().toString();
        QVERIFY2(told.startsWith(QStringLiteral("Text released to text.released.txt. ")) &&
                     told.endsWith(agreed),
                 qPrintable(told));
        QVERIFY(!told.contains(QStringLiteral("paris")));
        QVERIFY(fixture.content("text.released.txt.json").contains(agreed.toUtf8()));
    }

    void cancellingWritesNothing() {
        const Fixture fixture;
        fixture.write("text.txt", QByteArray("paris london ").repeated(2'000'000));
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        fixture.start();
        auto* cancel = findControl<QPushButton>(*fixture.dialog, "cancelReleasePushButton");
        QVERIFY(!cancel->isHidden());
        QVERIFY(!fixture.input()->isEnabled());
        cancel->click();
        auto* notice = fixture.dialog->findChild<NoticeLine*>();
        QTRY_VERIFY(notice->text().contains(QStringLiteral("Cancelled")));
        QCOMPARE(fixture.content("out.txt"), QByteArray("absent"));
        QVERIFY(fixture.input()->isEnabled());
    }

    void theWindowOpensItOnceThereAreWords() {
        MainWindow window;
        auto* action = findControl<QAction>(window, "releaseAction");
        QVERIFY(!action->isEnabled());
        const auto embedding = test::toyEmbedding();
        window.state().setEmbedding(embedding,
                                    std::make_shared<const engine::SearchSpace>(embedding));
        action->setEnabled(true);
        action->trigger();
        auto* dialog = window.findChild<ReleaseDialog*>();
        QVERIFY(dialog != nullptr);
        QVERIFY(findControl<QLabel>(*dialog, "releaseSettingLabel")
                    ->text()
                    .contains(QStringLiteral("ε = ")));
    }
};

EPSILENS_UI_TEST(ReleaseDialogTest)
#include "release_dialog_test.moc"
