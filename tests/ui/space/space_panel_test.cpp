#include <algorithm>
#include <vector>

#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

#include "tests/ui/space/space_fixture.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/theme.h"

using namespace epsilens;
using test::findControl;

namespace {

struct Fixture : test::SpaceFixture {
    Fixture() : SpaceFixture(test::toyEmbedding(60, 4)) {}
    QLineEdit* word() { return findControl<QLineEdit>(panel, "spaceWordLineEdit"); }
    QTableView* list() { return findControl<QTableView>(panel, "spaceNeighbourTableView"); }
    ui::NoticeLine* notice() { return findControl<ui::NoticeLine>(panel, "noticeLine"); }
    /// Pixels.
    double perUnit() { return plot().positionOf({1, 0}).x() - plot().positionOf({0, 0}).x(); }
    void type(const QString& text) {
        word()->selectAll();
        QTest::keyClicks(word(), text);
        QTest::keyClick(word(), Qt::Key_Return);
    }
};

}  // namespace

class SpacePanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutAnEmbeddingItSaysWhatToDo() {
        ui::AnalysisState state;
        ui::SpacePanel panel(state);
        panel.show();
        const auto* empty = findControl<QLabel>(panel, "spaceEmptyLabel");
        QVERIFY(empty->isVisible() && empty->text().contains(QStringLiteral("Open an embedding")));
        QVERIFY(!findControl<ui::SpacePlot>(panel, "spacePlot")->isVisible());
    }

    void saysHowMuchIsShown() {
        Fixture f;
        QVERIFY2(f.label("planeLabel").startsWith(QStringLiteral("60 of 60 points drawn")),
                 qPrintable(f.label("planeLabel")));
        QVERIFY(f.label("planeLabel").contains(QStringLiteral("of the variance")));
        QVERIFY(f.label("drawsShareLabel").startsWith(QStringLiteral("Of 200 draws ")));
        QVERIFY(f.plot().accessibleDescription().contains(QStringLiteral("paris")));
        QVERIFY(!f.plot().accessibleName().isEmpty());
    }

    void typedWordsAreSelected() {
        Fixture f;
        f.type(QStringLiteral("london"));
        QVERIFY(f.state.selectedWord() == ui::Word(f.state.embedding(), 1));
        QTRY_VERIFY(f.plot().accessibleDescription().contains(QStringLiteral("london")));
    }

    void unknownWordsGetSuggestionsThatCanBeTaken() {
        Fixture f;
        f.type(QStringLiteral("londno"));
        QTRY_VERIFY(f.notice()->isVisible());
        QVERIFY(f.notice()->text().contains(QStringLiteral("londno")));
        QPushButton* suggestion = nullptr;
        for (auto* button : f.notice()->findChildren<QPushButton*>()) {
            suggestion = button->text() == QStringLiteral("london") ? button : suggestion;
        }
        QVERIFY(suggestion != nullptr);
        QTest::mouseClick(suggestion, Qt::LeftButton);
        QVERIFY(f.state.selectedWord() == ui::Word(f.state.embedding(), 1));
    }

    void theDataInViewTellSphericalNoiseApart() {
        Fixture f;
        f.set({.lambda = 0.5});
        const auto rows = [&f](const char* kind) {
            return f.plot().visibleCsv().count(QStringLiteral("\n%1,").arg(QLatin1String(kind)));
        };
        QVERIFY(rows("contour") > 0);
        QVERIFY(rows("spherical contour") > 0);
        QVERIFY(f.plot().visibleCsv().contains(
            QStringLiteral("spherical contour,\"50% spherical, λ 0\",")));
    }

    void aProblemIsToldUntilItIsGone() {
        Fixture f;
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Tem());
        f.set({.beta = 0.999});
        QTRY_VERIFY(f.notice()->isVisible());
        f.set({.beta = 0.01});
        QTRY_VERIFY(!f.notice()->isVisible());
    }

    void labelsThatFindNoRoomAreCounted() {
        Fixture f;
        f.panel.resize(420, 300);
        QTRY_VERIFY(f.plot().labelsLeftOut() > 0);
        QTRY_VERIFY(
            f.label("planeLabel")
                .contains(QStringLiteral("no room for %1 labels").arg(f.plot().labelsLeftOut())));
    }

    void unitsAreEquallyLongOnBothAxes() {
        Fixture f;
        for (const QSize size : {QSize(880, 640), QSize(500, 700)}) {
            f.panel.resize(size);
            test::letPass(100);
            const QPointF origin = f.plot().positionOf({0, 0});
            const QPointF right = f.plot().positionOf({1, 0});
            const QPointF up = f.plot().positionOf({0, 1});
            QVERIFY(std::abs((right.x() - origin.x()) - (origin.y() - up.y())) < 0.5);
        }
    }

    /// Small epsilons make contours far larger than the cloud; the view follows while the user has
    /// not zoomed.
    void theContoursStayInView() {
        Fixture f;
        f.state.edit(&ui::AnalysisSettings::chooseEpsilon, 0.05);
        // At epsilon 0.05 and m = 4 half of the noise lies beyond 2.3 / 0.05 units.
        QTRY_VERIFY(f.perUnit() * 2.0 * 46.0 < f.plot().width());
    }

    /// Axes that followed every step would hide what the step changes.
    void theAxesStayWhileEpsilonMoves() {
        Fixture f;
        test::letPass(500);  // the axes have followed the first noise
        const double perUnit = f.perUnit();
        const QString before = f.plot().visibleCsv();
        for (const double epsilon : {3.0, 1.0, 0.05}) {
            f.state.edit(&ui::AnalysisSettings::chooseEpsilon, epsilon);
            QCoreApplication::processEvents();
            QCOMPARE(f.perUnit(), perUnit);
        }
        QVERIFY2(f.plot().visibleCsv() != before, "The noise itself follows at once.");
        QTRY_VERIFY(f.perUnit() < perUnit / 2.0);
    }

    void aClickOnAPointSelectsItsWord() {
        Fixture f;
        const auto& data = *f.state.embedding();
        const RowMatrixD plane =
            (data.vectors().cast<double>().rowwise() - data.basis.mean.transpose()) *
            data.basis.axes.leftCols(2);
        const QPoint place = f.plot().positionOf({plane(9, 0), plane(9, 1)}).toPoint();
        const auto nearest = f.plot().wordAt(place);
        QVERIFY(nearest.has_value());
        QTest::mouseClick(f.plot().findChild<QWidget*>(), Qt::LeftButton, {}, place);
        QVERIFY(f.state.selectedWord() == nearest);
        QVERIFY(plane.row(nearest->row()).isApprox(plane.row(9), 0.05));
        QVERIFY(!f.plot().wordAt({-500, -500}).has_value());
    }

    void neighboursAreListedWithTheirDistances() {
        Fixture f;
        const QAbstractItemModel& list = *f.list()->model();
        QCOMPARE(list.rowCount(), 59);
        // Distances of all words from paris, by hand.
        const RowMatrixD all = f.state.embedding()->vectors().cast<double>();
        std::vector<double> distances;
        for (Eigen::Index row = 1; row < all.rows(); ++row) {
            distances.push_back((all.row(row) - all.row(0)).norm());
        }
        std::sort(distances.begin(), distances.end());
        for (const int row : {0, 1, 30, 58}) {
            const double distance = distances[static_cast<std::size_t>(row)];
            QCOMPARE(list.index(row, 1).data().toString(), ui::significant(distance, 3));
        }
        QCOMPARE(list.headerData(1, Qt::Horizontal).toString(),
                 QStringLiteral("Euclidean distance"));
        QVERIFY(f.list()->accessibleDescription().contains(QStringLiteral("paris")));
    }

    void neighboursFollowTheMetricInForce() {
        Fixture f;
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Tem());
        f.set({.metric = metric::Metric::angular});
        QTRY_COMPARE(f.list()->model()->headerData(1, Qt::Horizontal).toString(),
                     QStringLiteral("angular distance"));
        // No angle exceeds pi.
        QTRY_VERIFY(f.list()->model()->index(58, 1).data().toDouble() <= 3.15);
    }

    void aNeighbourIsChosenByClickOrReturn() {
        Fixture f;
        const auto wordOf = [&f](int row) {
            return f.list()->model()->index(row, 0).data().toString();
        };
        const QString third = wordOf(2);
        const QRect cell = f.list()->visualRect(f.list()->model()->index(2, 1));
        QTest::mouseClick(f.list()->viewport(), Qt::LeftButton, {}, cell.center());
        QTRY_COMPARE(f.word()->text(), third);
        QTRY_VERIFY(wordOf(0) != third);
        const QString second = wordOf(1);
        f.list()->setCurrentIndex(f.list()->model()->index(0, 0));
        QTest::keyClick(f.list(), Qt::Key_Down);
        QTest::keyClick(f.list(), Qt::Key_Return);
        QTRY_COMPARE(f.word()->text(), second);
    }

    void drawsInBothThemesAndWithManyPoints() {
        Fixture f;
        const auto drawn = [&f] { return f.plot().grab().toImage(); };
        const QImage light = drawn();
        ui::applyTheme(ui::ThemeChoice::dark);
        QTRY_VERIFY(drawn() != light);
        ui::applyTheme(ui::ThemeChoice::light);
        QTRY_COMPARE(drawn(), light);
        f.set({.lambda = 1.0});
        QTRY_VERIFY(drawn() != light);
    }
};

EPSILENS_UI_TEST(SpacePanelTest)
#include "space_panel_test.moc"
