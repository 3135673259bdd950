#include "ui/curves/curves_panel.h"

#include <algorithm>
#include <cmath>
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
#include "ui/curves/curve_table.h"
#include "ui/widgets/collapsible_section.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/theme.h"

using namespace epsilens;
using test::findControl;
using test::kPatienceMs;

class CurvesPanelTest : public QObject {
    Q_OBJECT

    using Fixture = test::CurvesFixture;

private Q_SLOTS:
    void offersTheRun() {
        Fixture f;
        auto* run = findControl<QPushButton>(f.panel, "emptyRunPushButton");
        QVERIFY(run->isVisible() && run->isEnabled());
        QTest::mouseClick(run, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.result() != nullptr, kPatienceMs);
        QVERIFY(!run->isVisible());
        QVERIFY(f.plot("nwPlot")->isVisible());
    }

    void theNumbersAreShownOnRequest() {
        Fixture f;
        f.run();
        auto* table = findControl<QTableView>(f.panel, "curvesTableView");
        QVERIFY(!table->isVisible());
        const int low = f.plot("nwPlot")->height();
        findControl<ui::CollapsibleSection>(f.panel, "curvesNumbersSection")->setOpen(true);
        QTRY_VERIFY(table->isVisible());
        QTRY_VERIFY(f.plot("nwPlot")->height() < low);
    }

    void aRunThatFailsSaysWhy() {
        Fixture f;
        // As a run ends that finds no memory.
        Q_EMIT f.panel.model().failed({ErrorCode::resourceLimit, "not enough memory", {}, 0});
        Q_EMIT f.panel.model().runningChanged();
        auto* notice = f.panel.findChild<ui::NoticeLine*>();
        QVERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("not enough memory")));
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
        auto* field = findControl<QLineEdit>(f.panel, "epsilonGridLineEdit");
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1; 5; 10"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(f.state.grid().epsilons, (std::vector<double>{1, 5, 10}));
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1; five"));
        QTest::keyClick(field, Qt::Key_Return);
        auto* problem = findControl<QLabel>(f.panel, "gridProblemLabel");
        QVERIFY(problem->isVisible() && problem->text().contains(QStringLiteral("five")));
        QCOMPARE(field->text(), QStringLiteral("1; five"));
        QCOMPARE(f.state.grid().epsilons, (std::vector<double>{1, 5, 10}));
    }

    void aGridThatComesLateLeavesWhatIsTyped() {
        Fixture f;
        f.panel.window()->activateWindow();
        auto* field = findControl<QLineEdit>(f.panel, "epsilonGridLineEdit");
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

    void resultsAreShownAndDescribed() {
        Fixture f;
        f.run();
        const auto* table = findControl<QTableView>(f.panel, "curvesTableView");
        QCOMPARE(table->model()->rowCount(), 25);
        QVERIFY(table->accessibleDescription().startsWith(QStringLiteral("Rows: 25,")));
        QVERIFY(findControl<QLabel>(f.panel, "resultLabel")
                    ->text()
                    .startsWith(QStringLiteral("40 words")));
        const QString before = f.plot("nwPlot")->accessibleDescription();
        QVERIFY2(before.contains(QStringLiteral("5 values of λ")), qPrintable(before));
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 5.5);
        QTRY_VERIFY(f.plot("nwPlot")->accessibleDescription() != before);
        QVERIFY(findControl<QLabel>(f.panel, "readingLabel")
                    ->text()
                    .startsWith(QStringLiteral("At ε 5.5, λ 0.5: N<sub>w</sub> ")));
        QVERIFY(!f.plot("swPlot")->accessibleName().isEmpty());
    }

    void theCursorLineSetsEpsilon() {
        Fixture f;
        f.run();
        auto* plot = f.plot("nwPlot");
        auto* canvas = plot->findChild<QWidget*>();
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 4.0);
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
            f.state.edit(&ui::AnalysisSettings::chooseEpsilon, f.state.epsilon() * 1.2);
            QCoreApplication::processEvents();
            QCOMPARE(drawn.count(), 0);
            QVERIFY(canvas.grab().toImage() != before);
        }
    }

    /// A hundredth of a decade per arrow key: 4 x 1.0233 = 4.093.
    void arrowKeysMoveEpsilon() {
        Fixture f;
        f.run();
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 4.0);
        QTest::keyClick(f.plot("swPlot"), Qt::Key_Right);
        QCOMPARE(f.state.epsilon(), 4.093);
        QTest::keyClick(f.plot("swPlot"), Qt::Key_PageDown);
        QVERIFY(f.state.epsilon() < 3.3);
    }

    void bothPlotsShowTheSameEpsilons() {
        Fixture f;
        f.run();
        f.plot("swPlot")->showEpsilons({3.0, 5.0});
        QCOMPARE(f.plot("nwPlot")->shownEpsilons().low, 3.0);
        QCOMPARE(f.plot("nwPlot")->shownEpsilons().high, 5.0);
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
        auto* notice = findControl<ui::NoticeLine>(f.panel, "noticeLine");
        QVERIFY(!notice->isVisible());
        f.state.edit(&ui::AnalysisSettings::seed, 9);
        QVERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("Settings changed")));
        const auto before = f.panel.result();
        QTest::mouseClick(notice->findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.result() != before, kPatienceMs);
        QCOMPARE(f.panel.result()->summary().seed, std::uint64_t{9});
        QTRY_VERIFY(!notice->isVisible());
    }

    /// Neither cursor nor limits of the present setting lie over curves of another one.
    void resultsOfOtherSettingsAreGreyAndAreNotRead() {
        Fixture f;
        f.state.edit(&ui::AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=50%")});
        f.run();
        auto* plot = findControl<ui::StatisticPlot>(f.panel, "nwPlot");
        const auto* cursor = plot->findChild<QCPItemStraightLine*>(QStringLiteral("epsilonLine"));
        const auto showsLimits = [plot] {
            return plot->accessibleDescription().contains(QStringLiteral("Limits:"));
        };
        auto* copy = findControl<QPushButton>(f.panel, "copyTablePushButton");
        auto* reading = findControl<QLabel>(f.panel, "readingLabel");
        const auto isGrey = [plot] {
            auto* key = qobject_cast<QCPPlottableLegendItem*>(
                plot->findChild<QCustomPlot*>()->legend->item(0));
            return key->plottable()->pen().color() == ui::themeOf(plot).pinned;
        };
        QVERIFY(cursor->visible() && showsLimits() && copy->isEnabled() && !isGrey());
        const std::uint64_t seed = f.state.seed();
        f.state.edit(&ui::AnalysisSettings::seed, seed + 1);
        QVERIFY(!cursor->visible() && !showsLimits() && !copy->isEnabled() && isGrey());
        QCOMPARE(reading->text(), QString());
        f.state.edit(&ui::AnalysisSettings::seed, seed);
        QVERIFY(cursor->visible() && showsLimits() && copy->isEnabled() && !isGrey());
        QVERIFY(!reading->text().isEmpty());
    }

    /// The curve of λ 0.5 says nothing about λ 0.53: neither a reading without a word about it, nor
    /// whether limits are met.
    void theNearestCurveIsNotTakenForTheOneSet() {
        Fixture f;
        f.state.edit(&ui::AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=50%")});
        f.run();
        const auto* reading = findControl<QLabel>(f.panel, "readingLabel");
        const auto hasVerdict = [&f] {
            const QString said = f.plot("nwPlot")->accessibleDescription();
            return said.contains(QStringLiteral(", met")) ||
                   said.contains(QStringLiteral(", not met"));
        };
        QVERIFY(reading->text().startsWith(QStringLiteral("At ε ")) && hasVerdict());
        f.state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.53});
        QVERIFY2(reading->text().startsWith(QStringLiteral("There is no curve for λ 0.53")),
                 qPrintable(reading->text()));
        QVERIFY(f.plot("nwPlot")->accessibleDescription().contains(QStringLiteral("Limits:")));
        QVERIFY(!hasVerdict());
        f.state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0.5});
        QVERIFY(reading->text().startsWith(QStringLiteral("At ε ")) && hasVerdict());
    }

    void whatCannotRunAgainStaysOld() {
        Fixture f;
        f.run();
        auto* notice = findControl<ui::NoticeLine>(f.panel, "noticeLine");
        f.state.edit(&ui::AnalysisSettings::words, {calibration::WordSelection::Kind::list, 0, {}});
        QVERIFY(notice->text().contains(QStringLiteral("Settings changed")));
        QTRY_VERIFY_WITH_TIMEOUT(!f.panel.model().obstacle().isEmpty(), kPatienceMs);
        f.panel.run();
        QVERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("Settings changed")));
    }

    /// Theirs are another axis and another unit of epsilon.
    void curvesOfAnotherMechanismAreNotDrawn() {
        Fixture f;
        f.run();
        const ui::AnalysisSettings settings = f.state.settings();
        const auto* notice = findControl<ui::NoticeLine>(f.panel, "noticeLine");
        const auto* text = findControl<QLabel>(f.panel, "curvesEmptyLabel");
        QVERIFY(f.plot("nwPlot")->isVisible());
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Tem());
        QVERIFY(!f.plot("nwPlot")->isVisible() && notice->isHidden());
        QVERIFY2(text->isVisible() &&
                     text->text().startsWith(QStringLiteral(
                         "What was measured belongs to another mechanism: Regularized")),
                 qPrintable(text->text()));
        f.state.edit(&ui::AnalysisSettings::choose, settings.chosen());
        QVERIFY(f.plot("nwPlot")->isVisible());
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Tem());
        const auto before = f.panel.result();
        f.panel.run();
        QTRY_VERIFY_WITH_TIMEOUT(f.panel.result() != before, kPatienceMs);
        QVERIFY(f.plot("nwPlot")->isVisible() && notice->isHidden());
    }

    /// The old curves stay on the screen, and that they are old stays told.
    void aFailedRunLeavesTheStateInView() {
        Fixture f;
        f.run();
        auto* notice = findControl<ui::NoticeLine>(f.panel, "noticeLine");
        f.state.edit(&ui::AnalysisSettings::seed, 9);
        QVERIFY(notice->text().contains(QStringLiteral("Settings changed")));
        notice->follow(std::nullopt);  // as when another run begins
        // As a run ends that finds no memory.
        Q_EMIT f.panel.model().failed({ErrorCode::resourceLimit, "not enough memory", {}, 0});
        QVERIFY(notice->text().contains(QStringLiteral("not enough memory")));
        findControl<QAbstractButton>(*notice, "noticeCloseButton")->click();
        QVERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("Settings changed")));
    }

    void limitsOnTheWorstWordGoIntoTheRun() {
        Fixture f;
        QVERIFY(!f.panel.model().options().rerunWorst);
        f.state.edit(&ui::AnalysisSettings::limits, {*calibration::parseLimit("nw.max<=90%")});
        QVERIFY(f.panel.model().options().rerunWorst);
        f.state.edit(&ui::AnalysisSettings::limits, {});
        QVERIFY(!f.panel.model().options().rerunWorst);
    }

    void theTableCanBeCopied() {
        Fixture f;
        f.run();
        findControl<ui::CollapsibleSection>(f.panel, "curvesNumbersSection")->setOpen(true);
        QTest::mouseClick(findControl<QPushButton>(f.panel, "copyTablePushButton"), Qt::LeftButton);
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("lambda,epsilon,")));
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
                choice->setCurrentIndex(i);
                Q_EMIT choice->activated(i);
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
        findControl<QLineEdit>(f->panel, "epsilonGridLineEdit")->setFocus();
        f->panel.run();
        QTRY_VERIFY(f->panel.runner()->isRunning());
        f.reset();
    }
};

EPSILENS_UI_TEST(CurvesPanelTest)
#include "curves_panel_test.moc"
