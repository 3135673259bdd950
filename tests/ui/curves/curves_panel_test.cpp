#include "ui/curves/curves_panel.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/csv_rows.h"
#include "core/report/report_parts.h"
#include "tests/ui/curves/curves_fixture.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using test::findControl;

class CurvesPanelTest : public QObject {
    Q_OBJECT

    using Fixture = test::CurvesFixture;

private Q_SLOTS:
    void offersTheRun() {
        Fixture f;
        auto* run = f.button("emptyRunPushButton");
        QVERIFY(run->isVisible() && run->isEnabled());
        QTest::mouseClick(run, Qt::LeftButton);
        QTRY_VERIFY(f.panel.result() != nullptr);
        QVERIFY(!run->isVisible());
        QVERIFY(f.plot("nwPlot")->isVisible());
    }

    void theNumbersAreShownOnRequest() {
        Fixture f;
        f.run();
        QVERIFY(!f.table()->isVisible());
        const int low = f.plot("nwPlot")->height();
        findControl<ui::CollapsibleSection>(f.panel, "curvesNumbersSection")->setOpen(true);
        QTRY_VERIFY(f.table()->isVisible());
        QTRY_VERIFY(f.plot("nwPlot")->height() < low);
    }

    void withoutAnEmbeddingItSaysWhatToDo() {
        ui::AnalysisState state;
        ui::CurvesPanel panel(state);
        panel.show();
        QVERIFY(!findControl<QPushButton>(panel, "runPushButton")->isEnabled());
        QVERIFY(findControl<QLabel>(panel, "curvesEmptyLabel")
                    ->text()
                    .contains(QStringLiteral("Open an embedding")));
    }

    void typedGridsGoToTheState() {
        Fixture f;
        QLineEdit* field = f.epsilons();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1; 5; 10"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(f.state.grid().epsilons, (std::vector<double>{1, 5, 10}));
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1; five"));
        QTest::keyClick(field, Qt::Key_Return);
        auto* problem = f.label("gridProblemLabel");
        QVERIFY(problem->isVisible() && problem->text().contains(QStringLiteral("five")));
        QCOMPARE(field->text(), QStringLiteral("1; five"));
        QCOMPARE(f.state.grid().epsilons, (std::vector<double>{1, 5, 10}));
    }

    void aGridThatComesLateLeavesWhatIsTyped() {
        Fixture f;
        f.panel.window()->activateWindow();
        QLineEdit* field = f.epsilons();
        field->setFocus();
        QTRY_VERIFY(field->hasFocus());
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1; 5"));
        Q_EMIT f.panel.model().grid().textChanged();
        QCOMPARE(field->text(), QStringLiteral("1; 5"));
        QTest::keyClicks(field, QStringLiteral("; 10"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(f.state.grid().epsilons, (std::vector<double>{1, 5, 10}));
        // Nothing is being typed any more.
        f.state.edit([](ui::AnalysisSettings& settings) { settings.grid.epsilons = {2, 4}; });
        QCOMPARE(field->text(), QStringLiteral("2; 4"));
    }

    void laplaceHasNoLambdaGrid() {
        Fixture f;
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Laplace());
        QVERIFY(!findControl<QLineEdit>(f.panel, "parameterGridLineEdit")->isEnabled());
        f.run();
        QCOMPARE(f.panel.result()->nw.size(), std::size_t{1});
    }

    void hyperbolicNoiseHasOneCurve() {
        Fixture f;
        const auto ball = test::toyBall(40, 3);
        f.state.setEmbedding(ball, std::make_shared<const engine::SearchSpace>(ball));
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Hyperbolic());
        QVERIFY(!findControl<QLineEdit>(f.panel, "parameterGridLineEdit")->isVisible());
        f.run();
        QCOMPARE(f.plot("nwPlot")->content().series.front().name, QStringLiteral("all words"));
    }

    void resultsAreShownAndDescribed() {
        Fixture f;
        f.run();
        QCOMPARE(f.table()->model()->rowCount(), 25);
        QCOMPARE(f.table()->accessibleDescription(), QStringLiteral("Rows: 25."));
        QVERIFY(f.label("resultLabel")->text().startsWith(QStringLiteral("40 words")));
        const QString before = f.plot("nwPlot")->accessibleDescription();
        QVERIFY2(before.startsWith(QStringLiteral("kept, of 20 draws. λ 0: ")), qPrintable(before));
        f.chooseEpsilon(5.5);
        QTRY_VERIFY(f.plot("nwPlot")->accessibleDescription() != before);
        QVERIFY(f.reading().startsWith(QStringLiteral("At ε 5.5, λ 0.5: N<sub>w</sub> ")));
        QVERIFY(!f.plot("swPlot")->accessibleName().isEmpty());
    }

    void bothPlotsShowTheSameEpsilons() {
        Fixture f;
        f.run();
        f.plot("swPlot")->showXs({3.0, 5.0});
        QCOMPARE(f.plot("nwPlot")->shownX().low, 3.0);
        QCOMPARE(f.plot("nwPlot")->shownX().high, 5.0);
        f.chooseEpsilon(4.0);
        QTest::keyClick(f.plot("swPlot"), Qt::Key_Right);
        QCOMPARE(f.state.epsilon(), 4.093);
        QCOMPARE(f.plot("nwPlot")->cursor(), 4.093);
    }

    void changedSettingsOfferAnotherRun() {
        Fixture f;
        f.run();
        QVERIFY(!f.notice()->isVisible());
        f.state.edit(&ui::AnalysisSettings::seed, 9);
        QVERIFY(f.notice()->isVisible());
        QVERIFY(f.notice()->text().contains(QStringLiteral("Settings changed")));
        const auto before = f.panel.result();
        QTest::mouseClick(f.notice()->findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_VERIFY(f.panel.result() != before);
        QCOMPARE(f.panel.result()->summary().seed, std::uint64_t{9});
        QTRY_VERIFY(!f.notice()->isVisible());
    }

    /// The cursor of the present setting does not lie over curves of another one.
    void resultsOfOtherSettingsAreGreyAndAreNotRead() {
        Fixture f;
        f.run();
        auto* plot = f.plot("nwPlot");
        const auto isOfOthers = [&] {
            const std::set<bool> signs{
                plot->accessibleDescription().startsWith(QStringLiteral("Of earlier settings.")),
                !f.button("copyNumbersPushButton")->isEnabled(), f.reading().isEmpty()};
            return signs.size() == 1 ? std::optional(*signs.begin()) : std::nullopt;
        };
        QCOMPARE(isOfOthers(), std::optional(false));
        const std::uint64_t seed = f.state.seed();
        f.state.edit(&ui::AnalysisSettings::seed, seed + 1);
        QCOMPARE(isOfOthers(), std::optional(true));
        f.state.edit(&ui::AnalysisSettings::seed, seed);
        QCOMPARE(isOfOthers(), std::optional(false));
    }

    void whatCannotRunAgainStaysOld() {
        Fixture f;
        f.run();
        f.state.edit(&ui::AnalysisSettings::words, {calibration::WordSelection::Kind::list, 0, {}});
        QVERIFY(f.notice()->text().contains(QStringLiteral("Settings changed")));
        QTRY_VERIFY(!f.panel.model().obstacle().isEmpty());
        f.panel.run();
        QVERIFY(f.notice()->isVisible());
        QVERIFY(f.notice()->text().contains(QStringLiteral("Settings changed")));
    }

    /// Theirs are another axis and another unit of epsilon.
    void curvesOfAnotherMechanismAreNotDrawn() {
        Fixture f;
        f.run();
        const ui::AnalysisSettings settings = f.state.settings();
        const auto* text = f.label("curvesEmptyLabel");
        QVERIFY(f.plot("nwPlot")->isVisible());
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Tem());
        QVERIFY(!f.plot("nwPlot")->isVisible() && f.notice()->isHidden());
        QVERIFY2(text->isVisible() &&
                     text->text().startsWith(QStringLiteral(
                         "What was measured belongs to another mechanism: Regularized")),
                 qPrintable(text->text()));
        f.state.edit(&ui::AnalysisSettings::choose, settings.chosen());
        QVERIFY(f.plot("nwPlot")->isVisible());
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Tem());
        const auto before = f.panel.result();
        f.panel.run();
        QTRY_VERIFY(f.panel.result() != before);
        QVERIFY(f.plot("nwPlot")->isVisible() && f.notice()->isHidden());
    }

    /// The old curves stay on the screen, and that they are old stays told.
    void aFailedRunLeavesTheStateInView() {
        Fixture f;
        f.run();
        f.state.edit(&ui::AnalysisSettings::seed, 9);
        QVERIFY(f.notice()->text().contains(QStringLiteral("Settings changed")));
        f.notice()->follow(std::nullopt);  // as when another run begins
        // As a run ends that finds no memory.
        Q_EMIT f.panel.model().failed({ErrorCode::resourceLimit, "not enough memory", {}, 0});
        QVERIFY(f.notice()->text().contains(QStringLiteral("not enough memory")));
        findControl<QAbstractButton>(*f.notice(), "noticeCloseButton")->click();
        QVERIFY(f.notice()->isVisible());
        QVERIFY(f.notice()->text().contains(QStringLiteral("Settings changed")));
    }

    void theTableCanBeCopied() {
        Fixture f;
        f.run();
        findControl<ui::CollapsibleSection>(f.panel, "curvesNumbersSection")->setOpen(true);
        QTest::mouseClick(f.button("copyNumbersPushButton"), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(),
                 ui::toQString(document::csvRows(
                     document::calibrationDocument(*f.panel.result()->run), "cells")));
        // On the screen, with the digits that the sampling supports.
        const auto* table = f.table()->model();
        QCOMPARE(table->headerData(0, Qt::Horizontal).toString(), QStringLiteral("ε"));
        QCOMPARE(table->index(7, 0).data().toString(),
                 ui::toQString(report::shownNumber(f.panel.result()->summary().cells[7].epsilon)));
    }

    /// The band is that of the curve nearest to the value set.
    void theBandFollowsTheSetting() {
        Fixture f;
        f.run();
        const auto& content = f.plot("nwPlot")->content();
        const auto bandOf = [&content] {
            return std::find_if(content.series.begin(), content.series.end(),
                                [](const auto& series) { return series.width > 2.0; })
                ->name;
        };
        QCOMPARE(bandOf(), QStringLiteral("λ 0.5"));
        QCOMPARE(content.series.back().name, QStringLiteral("median, P5–P95"));
        f.set({.lambda = 1.0});
        QCOMPARE(bandOf(), QStringLiteral("λ 1"));
        f.state.edit(&ui::AnalysisSettings::band, {25, 75});
        QCOMPARE(content.series.back().name, QStringLiteral("median, P25–P75"));
    }

    void closingDuringARunIsClean() {
        auto f = std::make_unique<Fixture>();
        f->state.edit(&ui::AnalysisSettings::draws, 5'000);
        f->epsilons()->setFocus();
        f->panel.run();
        QTRY_VERIFY(f->panel.model().isRunning());
        f.reset();
    }
};

EPSILENS_UI_TEST(CurvesPanelTest)
#include "curves_panel_test.moc"
