#include "ui/curves/curves_panel.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include <qcustomplot.h>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include "tests/ui/curves/curves_fixture.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

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
        QVERIFY(f.table()->isColumnHidden(0));
        QCOMPARE(findControl<QComboBox>(f.panel, "bandOfComboBox")->count(), 2);
    }

    void resultsAreShownAndDescribed() {
        Fixture f;
        f.run();
        QCOMPARE(f.table()->model()->rowCount(), 25);
        QVERIFY(f.table()->accessibleDescription().startsWith(QStringLiteral("Rows: 25,")));
        QVERIFY(f.label("resultLabel")->text().startsWith(QStringLiteral("40 words")));
        const QString before = f.plot("nwPlot")->accessibleDescription();
        QVERIFY2(before.contains(QStringLiteral("5 values of λ")), qPrintable(before));
        f.chooseEpsilon(5.5);
        QTRY_VERIFY(f.plot("nwPlot")->accessibleDescription() != before);
        QVERIFY(f.reading().startsWith(QStringLiteral("At ε 5.5, λ 0.5: N<sub>w</sub> ")));
        QVERIFY(!f.plot("swPlot")->accessibleName().isEmpty());
    }

    void theCursorLineSetsEpsilon() {
        Fixture f;
        f.run();
        auto* plot = f.plot("nwPlot");
        auto* canvas = plot->findChild<QWidget*>();
        f.chooseEpsilon(4.0);
        const QPoint from = plot->cursorPosition();
        const QPoint to = from + QPoint(40, 0);
        QTest::mousePress(canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas, to);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, to);
        QVERIFY(f.state.epsilon() > 4.0);
        QVERIFY(std::abs(plot->cursorPosition().x() - to.x()) <= 1);
        // Both plots show it, and away from the line dragging moves the view instead.
        QCOMPARE(f.plot("swPlot")->epsilon(), f.state.epsilon());
        const double epsilon = f.state.epsilon();
        QTest::mousePress(canvas, Qt::LeftButton, {}, to - QPoint(60, 0));
        QTest::mouseMove(canvas, to - QPoint(90, 0));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, to - QPoint(90, 0));
        QCOMPARE(f.state.epsilon(), epsilon);
    }

    /// The line and its label lie on a layer of their own, so that a dragged epsilon costs no more.
    void movingEpsilonDrawsNoCurve() {
        Fixture f;
        f.run();
        for (const char* name : {"nwPlot", "swPlot"}) {
            QCustomPlot& canvas = f.plot(name)->plot();
            canvas.replot();
            const QImage before = canvas.grab().toImage();
            const QSignalSpy drawn(&canvas, &QCustomPlot::afterReplot);
            f.chooseEpsilon(f.state.epsilon() * 1.2);
            QCoreApplication::processEvents();
            QCOMPARE(drawn.count(), 0);
            QVERIFY(canvas.grab().toImage() != before);
        }
    }

    /// A hundredth of a decade per arrow key: 4 x 1.0233 = 4.093.
    void arrowKeysMoveEpsilon() {
        Fixture f;
        f.run();
        f.chooseEpsilon(4.0);
        QTest::keyClick(f.plot("swPlot"), Qt::Key_Right);
        QCOMPARE(f.state.epsilon(), 4.093);
        QTest::keyClick(f.plot("swPlot"), Qt::Key_PageDown);
        QVERIFY(f.state.epsilon() < 3.3);
    }

    void bothPlotsShowTheSameEpsilons() {
        Fixture f;
        f.run();
        f.plot("swPlot")->showEpsilons({3.0, 5.0});
        QCOMPARE(f.plot("nwPlot")->shownX().low, 3.0);
        QCOMPARE(f.plot("nwPlot")->shownX().high, 5.0);
        // The data that can be copied are those in view.
        const QStringList lines = f.plot("nwPlot")->visibleCsv().trimmed().split(QLatin1Char('\n'));
        QVERIFY(lines.size() > 5);
        for (const QString& line : lines.mid(1)) {
            const double epsilon = line.section(QLatin1Char(','), 1, 1).toDouble();
            QVERIFY(epsilon >= 3.0 && epsilon <= 5.0);
        }
    }

    void theDataThatCanBeCopiedAreThoseInViewUpAndDown() {
        Fixture f;
        f.run();
        auto* plot = f.plot("nwPlot");
        const qsizetype all = plot->visibleCsv().count(QLatin1Char('\n'));
        const double draws = f.panel.result()->summary().draws;
        const double low = 0.1 * draws;
        const double high = 0.4 * draws;
        plot->showRange(plot->shownX(), {low, high});
        const QStringList lines = plot->visibleCsv().trimmed().split(QLatin1Char('\n'));
        QVERIFY(lines.size() > 1 && lines.size() < all);
        for (const QString& line : lines.mid(1)) {
            int shown = 0;
            for (int field = 2; field < 6; ++field) {
                const QString text = line.section(QLatin1Char(','), field, field);
                shown += text.isEmpty() ? 0 : 1;
                QVERIFY2(text.isEmpty() || (text.toDouble() >= low && text.toDouble() <= high),
                         qPrintable(line));
            }
            QVERIFY2(shown > 0, qPrintable(line));
        }
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
            const auto* cursor =
                plot->findChild<QCPItemStraightLine*>(QStringLiteral("epsilonLine"));
            auto* key = qobject_cast<QCPPlottableLegendItem*>(plot->plot().legend->item(0));
            const std::set<bool> signs{
                !cursor->visible(), !f.button("copyTablePushButton")->isEnabled(),
                key->plottable()->pen().color() == plot->theme().pinned, f.reading().isEmpty()};
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
        QTest::mouseClick(f.button("copyTablePushButton"), Qt::LeftButton);
        const QStringList lines =
            QApplication::clipboard()->text().trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines[0],
                 QStringLiteral("lambda,epsilon,nw_mean,nw_ci95_half,nw_sd,nw_p5,nw_p50,nw_p95,"
                                "sw_mean,sw_ci95_half,sw_sd,sw_p5,sw_p50,sw_p95,kept,near,far"));
        const auto& cells = f.panel.result()->summary().cells;
        QCOMPARE(lines.size(), static_cast<qsizetype>(cells.size()) + 1);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const calibration::Cell& cell = cells[i];
            QStringList fields{ui::shortest(cell.lambda), ui::shortest(cell.epsilon)};
            for (const calibration::Summary* over : {&cell.nw, &cell.sw}) {
                const double half = ((*over->ci95)[1] - (*over->ci95)[0]) / 2.0;
                for (const double value :
                     {over->mean, half, over->sd, over->p5, over->p50, over->p95}) {
                    fields.append(ui::shortest(value));
                }
            }
            for (const double share : {cell.kept, cell.near, cell.far}) {
                fields.append(ui::shortest(share));
            }
            QCOMPARE(lines[static_cast<qsizetype>(i) + 1], fields.join(QLatin1Char(',')));
        }
        // On the screen, with the digits that the sampling supports.
        const auto* table = f.table()->model();
        QCOMPARE(table->index(7, 2).data().toString(), QString::number(cells[7].nw.mean, 'f', 1));
        QCOMPARE(table->index(7, 14).data().toString(),
                 QString::number(100.0 * cells[7].kept, 'f', 1) + QLatin1Char('%'));
        f.state.edit(&ui::AnalysisSettings::band, {25, 75});
        QCOMPARE(table->headerData(5, Qt::Horizontal).toString(), QStringLiteral("P25"));
        QCOMPARE(table->index(7, 5).data().toString(), QString::number(cells[7].nw.p25, 'f', 1));
    }

    void everyBandChoiceDrawsInBothThemes() {
        Fixture f;
        f.run();
        auto* choice = findControl<QComboBox>(f.panel, "bandOfComboBox");
        QCOMPARE(choice->count(), 8);
        for (const auto theme : {ui::ThemeChoice::dark, ui::ThemeChoice::light}) {
            ui::applyTheme(theme);
            std::vector<QImage> drawn;
            for (int i = 0; i < choice->count(); ++i) {
                f.showBands(i);
                const QImage picture = f.plot("nwPlot")->grab().toImage();
                if (std::find(drawn.begin(), drawn.end(), picture) == drawn.end()) {
                    drawn.push_back(picture);
                }
            }
            // The nearest curve is one of the five.
            QCOMPARE(drawn.size(), std::size_t{7});
        }
    }

    void closingDuringARunIsClean() {
        auto f = std::make_unique<Fixture>();
        f->state.edit(&ui::AnalysisSettings::draws, 5'000);
        f->epsilons()->setFocus();
        f->panel.run();
        QTRY_VERIFY(f->panel.runner()->isRunning());
        f.reset();
    }
};

EPSILENS_UI_TEST(CurvesPanelTest)
#include "curves_panel_test.moc"
