#include "ui/release/perturb_dialog.h"

#include <cmath>
#include <memory>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/common/analysis_state.h"
#include "ui/common/dialogs.h"
#include "ui/common/job_board.h"
#include "ui/common/notice_line.h"
#include "ui/release/perturb_job.h"
#include "ui/shell/main_window.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

namespace {

/// A dialog over the toy words, at so much epsilon that every word stays.
struct Fixture {
    AnalysisState state;
    JobBoard jobs;
    QTemporaryDir folder;
    std::unique_ptr<PerturbDialog> dialog;

    Fixture() {
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        state.setMechanism(mechanism::Kind::laplace);
        state.setEpsilon(1e9);
        dialog = std::make_unique<PerturbDialog>(state, jobs);
    }

    [[nodiscard]] QString path(const char* name) const {
        return folder.filePath(QLatin1String(name));
    }
    void write(const char* name, const QByteArray& content) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    [[nodiscard]] QByteArray content(const char* name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("absent");
    }
    [[nodiscard]] QLineEdit* input() const {
        return findControl<QLineEdit>(*dialog, "inputLineEdit");
    }
    [[nodiscard]] QLineEdit* output() const {
        return findControl<QLineEdit>(*dialog, "outputLineEdit");
    }
    [[nodiscard]] QPushButton* perturb() const {
        return findControl<QPushButton>(*dialog, "perturbPushButton");
    }
    [[nodiscard]] QLabel* result() const {
        return findControl<QLabel>(*dialog, "perturbResultLabel");
    }
    [[nodiscard]] QLabel* unprotected() const {
        return findControl<QLabel>(*dialog, "unprotectedLabel");
    }
    void choose(const char* name, int index) const {
        findControl<QComboBox>(*dialog, name)->setCurrentIndex(index);
    }
};

}  // namespace

class PerturbDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void perturbsAFileAndSaysWhatItDid() {
        const Fixture fixture;
        fixture.write("text.txt", "paris, London!\r\nblorp");
        QVERIFY(!fixture.perturb()->isEnabled());
        dialogs::presetOpenFile(fixture.path("text.txt"));
        findControl<QPushButton>(*fixture.dialog, "browseInputPushButton")->click();
        QCOMPARE(fixture.output()->text(), fixture.path("text.perturbed.txt"));
        QVERIFY(fixture.perturb()->isEnabled());
        fixture.perturb()->click();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QCOMPARE(fixture.content("text.perturbed.txt"), QByteArray("paris, London!\r\n<unk>"));
        QVERIFY(fixture.result()->text().contains(
            QStringLiteral("3 words in 2 lines: 2 replaced, 1 unknown word masked")));
        QVERIFY(!fixture.result()->text().contains(QStringLiteral("blorp")));
        const QByteArray sidecar = fixture.content("text.perturbed.txt.json");
        QVERIFY(sidecar.contains("epsilens.sanitize/1"));
        QVERIFY(!sidecar.contains("blorp"));
    }

    void releasesWithTheParametersSetAndNotWithThoseOfTheGrid() {
        Fixture fixture;
        fixture.state.setMechanism(mechanism::Kind::tem);
        fixture.state.setBeta(0.02);
        fixture.state.setEpsilon(4.0);
        fixture.state.setGridBetas({0.0001, 0.1});
        auto* setting = findControl<QLabel>(*fixture.dialog, "perturbSettingLabel");
        QVERIFY2(setting->text().contains(QStringLiteral("β = 0.02")), qPrintable(setting->text()));
        fixture.write("text.txt", "paris london\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        fixture.perturb()->click();
        QTRY_VERIFY(!fixture.result()->isHidden());
        // [C21] 3.2: gamma = (2 / epsilon) ln((1 - beta)(V - 1) / beta), here with V = 40.
        const auto sidecar = QJsonDocument::fromJson(fixture.content("out.txt.json"));
        const QJsonValue perWord = sidecar[QLatin1String("guarantee")][QLatin1String("perWord")];
        const double gamma = perWord[QLatin1String("gamma")].toDouble();
        QVERIFY2(std::fabs(gamma - 2.0 / 4.0 * std::log(0.98 * 39.0 / 0.02)) < 1e-9,
                 fixture.content("out.txt.json").constData());

        fixture.state.setGammaGiven(true);
        fixture.state.setGamma(0.75);
        fixture.state.setGridGammas({0.25, 0.5});
        QVERIFY2(setting->text().contains(QStringLiteral("γ = 0.75")), qPrintable(setting->text()));
        const release::ReleaseMechanism released = releaseMechanism(fixture.state);
        QVERIFY(released.gamma == 0.75);
    }

    void policiesAreThoseOfTheSetUp() {
        Fixture fixture;
        auto* unknown = findControl<QComboBox>(*fixture.dialog, "unknownComboBox");
        auto* letterCase = findControl<QComboBox>(*fixture.dialog, "letterCaseComboBox");
        fixture.state.setTextPolicies({release::UnknownPolicy::keep, text::CasePolicy::lower});
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
        fixture.perturb()->click();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QVERIFY(fixture.result()->text().contains(
            QStringLiteral("⚠ 2 words are left unprotected: 1 unknown word, 1 stop word")));
        QCOMPARE(fixture.content("out.txt.json"), QByteArray("absent"));
    }

    void saysWhatWentWrongAndWritesNothing() {
        const Fixture fixture;
        fixture.input()->setText(fixture.path("none.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        fixture.perturb()->click();
        auto* notice = fixture.dialog->findChild<NoticeLine*>();
        QTRY_VERIFY(notice->text().contains(QStringLiteral("none.txt")));
        QVERIFY(fixture.perturb()->isEnabled());
        QCOMPARE(fixture.content("out.txt"), QByteArray("absent"));
    }

    void cancellingWritesNothing() {
        const Fixture fixture;
        fixture.write("text.txt", QByteArray("paris london ").repeated(2'000'000));
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        fixture.perturb()->click();
        auto* cancel = findControl<QPushButton>(*fixture.dialog, "cancelPerturbPushButton");
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
        auto* action = findControl<QAction>(window, "perturbAction");
        QVERIFY(!action->isEnabled());
        const auto embedding = test::toyEmbedding();
        window.state().setEmbedding(embedding,
                                    std::make_shared<const engine::SearchSpace>(embedding));
        action->setEnabled(true);
        action->trigger();
        auto* dialog = window.findChild<PerturbDialog*>();
        QVERIFY(dialog != nullptr);
        QVERIFY(findControl<QLabel>(*dialog, "perturbSettingLabel")
                    ->text()
                    .contains(QStringLiteral("ε = ")));
    }
};

EPSILENS_UI_TEST(PerturbDialogTest)
#include "perturb_dialog_test.moc"
