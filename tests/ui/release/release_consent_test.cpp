#include "ui/release/release_consent.h"

#include <memory>

#include <QCheckBox>

#include "core/experiment/figure_limit.h"
#include "tests/ui/release/release_fixture.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using Fixture = test::ReleaseFixture;

/// What is asked before a text is released, and what of a file is.
class ReleaseConsentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsOutsideTheLimitsHasToBeTicked() {
        Fixture fixture;
        fixture.write("text.txt", "paris london\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        auto* box = findControl<QCheckBox>(*fixture.dialog, "outsideLimitsCheckBox");
        fixture.state.edit(&AnalysisSettings::limits, {});
        fixture.settle();
        QVERIFY(box->isHidden() && fixture.release()->isEnabled());
        const auto limit = *calibration::parseLimit("nw.p95<=50%");
        fixture.state.edit(&AnalysisSettings::limits, {limit});
        QVERIFY(!box->isHidden() && !fixture.release()->isEnabled());
        QVERIFY(box->text().contains(QStringLiteral("not known")));
        // Every word stays, so that it is 100 instead of 50.
        fixture.limits.setChecks({{limit, 100.0, 50.0, -50.0}});
        QVERIFY(box->text().contains(QStringLiteral("0 of 1")));
        QVERIFY(!fixture.release()->isEnabled());
        box->setChecked(true);
        QVERIFY(fixture.release()->isEnabled());
        fixture.limits.setChecks({{limit, 40.0, 50.0, 10.0}});
        QVERIFY(box->isHidden() && fixture.release()->isEnabled());
        fixture.limits.setChecks({{limit, 100.0, 50.0, -50.0}});
        QVERIFY(!box->isChecked() && !fixture.release()->isEnabled());
        // Within them, limits on the analyst's texts stay open here.
        fixture.limits.setChecks({{limit, 40.0, 50.0, 10.0}});
        fixture.state.edit(&AnalysisSettings::figureLimits,
                           {experiment::parseFigureLimit("attack.gain<=5%").value()});
        QVERIFY(!box->isHidden() && !fixture.release()->isEnabled());
        QVERIFY(box->text().contains(QStringLiteral("not known")));
        // Unless Texts knows of them.
        const experiment::FigureLimit onTexts = fixture.state.settings().figureLimits.front();
        fixture.limits.setOnTexts({{onTexts, experiment::checkFigure(onTexts, {0.04, {}})}});
        QVERIFY(box->isHidden() && fixture.release()->isEnabled());
        QVERIFY(findControl<QLabel>(*fixture.dialog, "limitsMetLabel")
                    ->text()
                    .contains(QStringLiteral("✓ an attacker guesses at most 5 of 100 words")));
        fixture.limits.setOnTexts({{onTexts, experiment::checkFigure(onTexts, {0.06, {}})}});
        QVERIFY(!box->isHidden() && box->text().contains(QStringLiteral("1 of 2 limits met")));
    }

    /// Ticked for limits that one setting misses, it is not ticked for those that the next misses.
    void consentEndsWithItsSetting() {
        Fixture fixture;
        fixture.write("text.txt", "paris london\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        auto* box = findControl<QCheckBox>(*fixture.dialog, "outsideLimitsCheckBox");
        const auto limit = *calibration::parseLimit("nw.p95<=50%");
        fixture.state.edit(&AnalysisSettings::limits, {limit});
        fixture.limits.setChecks({{limit, 100.0, 50.0, -50.0}});
        box->setChecked(true);
        QTRY_VERIFY(fixture.release()->isEnabled());  // once the text was read
        fixture.state.edit(&AnalysisSettings::chooseEpsilon, 2.0 * fixture.state.epsilon());
        QVERIFY(!box->isHidden() && !box->isChecked());
        QVERIFY(!fixture.release()->isEnabled());
    }

    void labelsOfATableStayAsTheyAre() {
        const Fixture fixture;
        fixture.write("mails.tsv", "label\ttext\nspam\tparis blorp\nham\tlondon\n");
        fixture.input()->setText(fixture.path("mails.tsv"));
        fixture.output()->setText(fixture.path("out.tsv"));
        QVERIFY(fixture.unprotected()->text().contains(QStringLiteral("⚠ This is a table")));
        auto* columns = findControl<QLineEdit>(*fixture.dialog, "columnsLineEdit");
        columns->setText(QStringLiteral(" text "));
        QVERIFY(!fixture.unprotected()->text().contains(QStringLiteral("This is a table")));
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        QCOMPARE(fixture.content("out.tsv"),
                 QByteArray("label\ttext\nspam\tparis <unk>\nham\tlondon\n"));
        QVERIFY(fixture.content("out.tsv.json").contains("\"records\": 2"));
    }

    /// After the result, too, every row is as high as it asks for.
    void nothingIsSquashedWhenTheResultStandsThere() {
        const Fixture fixture;
        fixture.dialog->show();
        fixture.write("text.txt", "paris london blorp\n");
        fixture.input()->setText(fixture.path("text.txt"));
        fixture.output()->setText(fixture.path("out.txt"));
        fixture.start();
        QTRY_VERIFY(!fixture.result()->isHidden());
        test::letPass(20);
        for (const QLabel* label : {fixture.result(), fixture.unprotected(),
                                    findControl<QLabel>(*fixture.dialog, "releaseSettingLabel")}) {
            QVERIFY2(label->height() >= label->heightForWidth(label->width()),
                     qPrintable(label->objectName()));
        }
        QVERIFY(fixture.input()->height() >= fixture.input()->sizeHint().height());
    }
};

EPSILENS_UI_TEST(ReleaseConsentTest)
#include "release_consent_test.moc"
