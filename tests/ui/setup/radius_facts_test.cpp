#include "ui/setup/radius_facts.h"

#include <algorithm>

#include "core/metric/word_metric.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;

class RadiusFactsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void agreesWithAllPairs_data() {
        QTest::addColumn<int>("metric");
        for (const auto metric : {metric::Metric::euclidean, metric::Metric::mahalanobis,
                                  metric::Metric::angular, metric::Metric::poincare}) {
            QTest::newRow(metric::metricKey(metric).data()) << static_cast<int>(metric);
        }
    }

    /// With at most 200 words all of them are asked: distances of all pairs, in float64.
    void agreesWithAllPairs() {
        QFETCH(int, metric);
        const auto ball = test::toyBall(150, 4);
        const auto words =
            metric::WordMetric::create(ball, static_cast<metric::Metric>(metric), 0.5).value();
        RadiusRequest request;
        request.embedding = ball;
        request.metric = static_cast<metric::Metric>(metric);
        request.lambda = words.lambda();
        request.gamma = 0.8;
        request.spaces = std::make_shared<MetricSpaceCache>();
        const auto facts = findRadiusFacts(request, {}).value();
        double largest = 0.0;
        std::vector<double> within;
        for (embedding::Row a = 0; a < 150; ++a) {
            int count = 0;
            for (embedding::Row b = 0; b < 150; ++b) {
                const double distance = words.distance(a, b);
                largest = std::max(largest, distance);
                count += distance <= 0.8 ? 1 : 0;
            }
            within.push_back(count);
        }
        std::sort(within.begin(), within.end());
        QVERIFY(qAbs(facts.largestDistance - largest) < 1e-5 * largest);
        QCOMPARE(*facts.medianWithin, 0.5 * (within[74] + within[75]));
        QVERIFY(within[74] > 1.0);
    }
};

EPSILENS_UI_TEST(RadiusFactsTest)
#include "radius_facts_test.moc"
