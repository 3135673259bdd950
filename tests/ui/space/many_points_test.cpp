#include <algorithm>
#include <vector>

#include <QSignalSpy>
#include <QSpinBox>
#include <QWheelEvent>

#include "tests/ui/space/space_fixture.h"
#include "ui/state/job_runner.h"

using namespace epsilens;
using test::findControl;

namespace {

constexpr int kWords = 20'500;
constexpr int kPoints = 20'000;
constexpr int kLabels = 100;

/// A panel that shows as many points and labels as it may, painted.
struct CrowdedPanel : test::SpaceFixture {
    CrowdedPanel() : SpaceFixture(test::toyEmbedding(kWords, 3), 20.0) {
        findControl<QSpinBox>(panel, "pointsSpinBox")->setValue(kPoints);
        findControl<QSpinBox>(panel, "labelsSpinBox")->setValue(kLabels);
        QTRY_COMPARE(cloud()->dataCount(), kPoints);
        finishJobs();
        canvas().replot();
    }
    QCPGraph* cloud() { return graph("words"); }
    /// Whatever was started has ended and given its answer.
    static void finishJobs() {
        ui::jobPool()->waitForDone();
        QCoreApplication::processEvents();
    }
    void drag() {
        const QPoint from = canvas().rect().center();
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from);
        for (int step = 1; step <= 5; ++step) {
            QTest::mouseMove(&canvas(), from + QPoint(20 * step, 11 * step));
        }
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, from + QPoint(100, 55));
        canvas().replot();
    }
    void turnWheel() {
        const QPointF place = canvas().rect().center();
        for (int step = 0; step < 3; ++step) {
            QWheelEvent wheel(place, canvas().mapToGlobal(place), {}, {0, 120}, Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(&canvas(), &wheel);
        }
        canvas().replot();
    }
};

/// Boxes of the labels as they are painted.
std::vector<QRectF> labelBoxes(ui::SpacePlot& plot) {
    std::vector<QRectF> boxes;
    for (int i = 0; i < plot.plot().itemCount(); ++i) {
        const auto* text = qobject_cast<QCPItemText*>(plot.plot().item(i));
        if (text != nullptr && text->realVisibility()) {
            boxes.emplace_back(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
        }
    }
    return boxes;
}

/// Pairs of boxes that share more than their edges.
int overlapsOf(const std::vector<QRectF>& boxes) {
    int overlaps = 0;
    for (auto box = boxes.begin(); box != boxes.end(); ++box) {
        overlaps += static_cast<int>(std::count_if(
            box + 1, boxes.end(), [box](const QRectF& other) { return box->intersects(other); }));
    }
    return overlaps;
}

/// The word and the neighbours that lie in view, which the visible data name one by one.
int namedInView(const ui::SpacePlot& plot) {
    const QString data = plot.visibleCsv();
    return static_cast<int>(data.count(QStringLiteral("\nword,")) +
                            data.count(QStringLiteral("\nneighbour,")));
}

}  // namespace

/// The Space tab at the largest numbers that it takes.
class ManyPointsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_crowded = std::make_unique<CrowdedPanel>(); }
    void cleanup() { m_crowded.reset(); }

    void allThatAreAskedForAreThere() {
        QVERIFY(m_crowded->cloud()->realVisibility());
        QCOMPARE(m_crowded->plot().visibleCsv().count(QStringLiteral("\npoint,")), kPoints);
        const QString text = m_crowded->label("planeLabel");
        QVERIFY2(text.startsWith(QStringLiteral("20,000 of 20,500 points drawn")),
                 qPrintable(text));
    }

    /// A point of the plot that was moved behind the panel's back stays where it was put, until
    /// the cloud is made anew.
    void movingTheViewLeavesTheCloudAlone() {
        QCPGraph* cloud = m_crowded->cloud();
        const auto points = m_crowded->model().cloud();
        const auto scene = m_crowded->model().scene();
        constexpr double kMoved = 12'345.0;
        cloud->data()->begin()->value = kMoved;
        const QSignalSpy remade(&m_crowded->model(), &ui::SpaceModel::cloudChanged);
        const QSignalSpy drawn(&m_crowded->canvas(), &QCustomPlot::afterReplot);
        const auto isUntouched = [&] {
            CrowdedPanel::finishJobs();
            return remade.isEmpty() && m_crowded->model().cloud() == points &&
                   m_crowded->model().scene() == scene && cloud->dataCount() == kPoints &&
                   cloud->data()->constBegin()->value == kMoved;
        };
        const QCPRange home = m_crowded->canvas().xAxis->range();
        m_crowded->drag();
        const QCPRange dragged = m_crowded->canvas().xAxis->range();
        QVERIFY(dragged != home);
        QVERIFY(isUntouched());
        m_crowded->turnWheel();
        QVERIFY(m_crowded->canvas().xAxis->range().size() < 0.9 * dragged.size());
        QVERIFY(isUntouched());
        m_crowded->state.edit(&ui::AnalysisSettings::chooseEpsilon, 25.0);
        QVERIFY(isUntouched());
        QVERIFY(drawn.count() > 2);
        // What the test would notice.
        m_crowded->state.edit(&ui::AnalysisSettings::seed, m_crowded->state.seed() + 1);
        QTRY_VERIFY(!isUntouched());
        QVERIFY(cloud->data()->constBegin()->value != kMoved);
    }

    void labelsKeepClearOfEachOtherInEveryView() {
        const auto check = [this](const char* view) {
            const auto boxes = labelBoxes(m_crowded->plot());
            QVERIFY2(boxes.size() > 2, view);
            QVERIFY2(overlapsOf(boxes) == 0, view);
            const QRectF area = m_crowded->canvas().axisRect()->rect();
            QVERIFY2(std::all_of(boxes.begin(), boxes.end(),
                                 [&area](const QRectF& box) { return area.contains(box); }),
                     view);
            // Those without room are counted, and those out of sight are none of them.
            QCOMPARE(static_cast<int>(boxes.size()) + m_crowded->plot().labelsLeftOut(),
                     namedInView(m_crowded->plot()));
        };
        QCOMPARE(namedInView(m_crowded->plot()), kLabels + 1);
        check("home");
        m_crowded->drag();
        check("dragged");
        m_crowded->turnWheel();
        check("zoomed");
        m_crowded->plot().zoomToNoise();
        m_crowded->canvas().replot();
        QVERIFY(namedInView(m_crowded->plot()) < kLabels + 1);
        check("zoomed to the noise");
    }

private:
    std::unique_ptr<CrowdedPanel> m_crowded;
};

EPSILENS_UI_TEST(ManyPointsTest)
#include "many_points_test.moc"
