#include "ui/space/space_plot.h"

#include "core/base/random_stream.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using epsilens::ui::placeLabels;

class LabelLayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLabelStandsRightOfItsPointUnlessThatIsTheEdge() {
        const auto placed =
            placeLabels({{{100, 100}, {40, 12}}, {{290, 200}, {40, 12}}}, {0, 0, 300, 300}, {});
        QVERIFY(placed[0]->left() > 100.0 && placed[0]->left() < 112.0);
        QCOMPARE(placed[0]->center().y(), 100.0);
        QVERIFY(placed[1]->right() < 290.0);
    }

    void noTwoOverlapAndAllStayInside() {
        SeededStream random(StreamKey{3, StreamPurpose::spaceView, 0, 0});
        const QRectF bounds(0, 0, 500, 400);
        const QRectF legend(350, 0, 150, 90);
        std::vector<ui::LabelRequest> requests(60);
        for (ui::LabelRequest& request : requests) {
            request = {{200 + 60 * random.normal(), 200 + 60 * random.normal()},
                       {30.0 + 30.0 * random.uniform(), 13}};
        }
        const auto placed = placeLabels(requests, bounds, {legend});
        int shown = 0;
        for (std::size_t i = 0; i < placed.size(); ++i) {
            if (!placed[i]) {
                continue;
            }
            ++shown;
            QVERIFY(bounds.contains(*placed[i]));
            QVERIFY(!legend.intersects(*placed[i]));
            for (std::size_t j = 0; j < placed.size(); ++j) {
                QVERIFY(!placed[i]->contains(requests[j].anchor));
                QVERIFY(j == i || !placed[j] || !placed[i]->intersects(*placed[j]));
            }
        }
        QVERIFY2(shown >= 30, qPrintable(QString::number(shown)));
    }

    void whatFindsNoPlaceGetsNone() {
        const std::vector<ui::LabelRequest> requests(200, {{50, 50}, {40, 12}});
        const auto placed = placeLabels(requests, {0, 0, 100, 100}, {});
        QVERIFY(placed.front().has_value());
        QVERIFY(!placed.back().has_value());
        QVERIFY(!placeLabels({{{-5, 50}, {10, 10}}}, {0, 0, 100, 100}, {})[0].has_value());
    }
};

EPSILENS_UI_TEST(LabelLayoutTest)
#include "label_layout_test.moc"
