#include "ui/curves/published_numbers.h"

#include <functional>
#include <string>

#include <qcustomplot.h>
#include <QComboBox>
#include <QStandardItemModel>

#include "tests/ui/curves/curves_fixture.h"
#include "tests/ui/support/toy_embedding.h"

using namespace epsilens;
using test::findControl;

Q_DECLARE_METATYPE(std::function<void(epsilens::ui::AnalysisState&)>)

namespace {

struct PublishedNumbersFixture : test::CurvesFixture {
    QComboBox* published() { return findControl<QComboBox>(panel, "publishedComboBox"); }
    void choosePublished(int index) {
        published()->setCurrentIndex(index);
        Q_EMIT published()->activated(index);
    }
};

using Places = QList<QPointF>;

/// The graphs of crosses that are drawn, of all curves.
QList<QCPGraph*> crossesOf(ui::StatisticPlot& plot) {
    QList<QCPGraph*> crosses;
    for (int i = 0; i < plot.plot().graphCount(); ++i) {
        QCPGraph* graph = plot.plot().graph(i);
        if (graph->realVisibility() && graph->dataCount() > 0 &&
            graph->scatterStyle().shape() == QCPScatterStyle::ssCross) {
            crosses.append(graph);
        }
    }
    return crosses;
}

Places placesOf(const QCPGraph& graph) {
    Places places;
    for (const QCPGraphData& point : *graph.data()) {
        places.append({point.key, point.value});
    }
    return places;
}

/// Colour that the legend gives to a name; invalid when it has none.
QColor legendColour(ui::StatisticPlot& plot, const QString& name) {
    const QCPLegend& legend = *plot.plot().legend;
    for (int i = 0; i < legend.itemCount(); ++i) {
        auto* entry = qobject_cast<QCPPlottableLegendItem*>(legend.item(i));
        if (entry != nullptr && entry->plottable()->name() == name) {
            const auto* graph = qobject_cast<QCPGraph*>(entry->plottable());
            return graph->scatterStyle().pen().color();
        }
    }
    return {};
}

}  // namespace

class PublishedNumbersTest : public QObject {
    Q_OBJECT

    using Fixture = PublishedNumbersFixture;

private Q_SLOTS:
    /// Xu et al. 2020: N_w rises with epsilon and falls with lambda, S_w the other way round.
    void publishedTablesHaveThePapersShape() {
        for (std::size_t i = 0; i < 2; ++i) {
            const ui::PublishedTable& table = ui::publishedTables()[i];
            for (const auto statistic : {ui::Statistic::nw, ui::Statistic::sw}) {
                const auto& points = ui::publishedPoints(table, statistic);
                QCOMPARE(points.size(), std::size_t{25});
                const double sign = statistic == ui::Statistic::nw ? 1.0 : -1.0;
                for (std::size_t k = 0; k < 25; ++k) {
                    QVERIFY(k % 5 == 0 || sign * (points[k].mean - points[k - 1].mean) > 0.0);
                    const bool falls = k < 5 || sign * (points[k - 5].mean - points[k].mean) > 0.0;
                    QVERIFY(falls || points[k].epsilon == 1.0);
                }
            }
        }
        const auto& last = ui::publishedTables()[1].nw[4];
        QCOMPARE(last.epsilon, 40.0);
        QCOMPARE(last.lambda, 0.0);
        QCOMPARE(last.mean, 99.85);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void publishedNumbersLieWhereThePaperHasThem_data() {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("plot");
        QTest::addColumn<Places>("quarter");
        QTest::addColumn<Places>("one");
        // Xu et al. 2020: the rows of lambda 0.25 and 1 of Tables 3, 4, 1 and 2.
        QTest::newRow("GloVe, N_w")
            << QStringLiteral("Xu et al. 2020, GloVe") << QStringLiteral("nwPlot")
            << Places{{1, 0.11}, {5, 13.82}, {10, 44.83}, {20, 83.17}, {40, 98.22}}
            << Places{{1, 0.08}, {5, 6.81}, {10, 24.90}, {20, 60.27}, {40, 90.60}};
        QTest::newRow("GloVe, S_w")
            << QStringLiteral("Xu et al. 2020, GloVe") << QStringLiteral("swPlot")
            << Places{{1, 99.45}, {5, 84.30}, {10, 46.08}, {20, 12.12}, {40, 2.21}}
            << Places{{1, 99.24}, {5, 92.17}, {10, 67.45}, {20, 27.51}, {40, 6.39}};
        QTest::newRow("fastText, N_w")
            << QStringLiteral("Xu et al. 2020, fastText") << QStringLiteral("nwPlot")
            << Places{{1, 0.15}, {5, 16.66}, {10, 50.31}, {20, 86.34}, {40, 98.69}}
            << Places{{1, 0.10}, {5, 8.97}, {10, 29.73}, {20, 66.24}, {40, 92.80}};
        QTest::newRow("fastText, S_w")
            << QStringLiteral("Xu et al. 2020, fastText") << QStringLiteral("swPlot")
            << Places{{1, 99.18}, {5, 81.42}, {10, 42.59}, {20, 10.31}, {40, 1.93}}
            << Places{{1, 98.88}, {5, 89.58}, {10, 63.28}, {20, 24.60}, {40, 5.32}};
    }

    void publishedNumbersLieWhereThePaperHasThem() {
        QFETCH(QString, table);
        QFETCH(QString, plot);
        QFETCH(Places, quarter);
        QFETCH(Places, one);
        Fixture f;
        f.state.edit(&ui::AnalysisSettings::draws, 100);
        f.state.edit([](ui::AnalysisSettings& settings) {
            settings.grid.epsilons = {1, 5, 10, 20, 40};
        });
        f.state.edit([](ui::AnalysisSettings& settings) {
            settings.grid.lambdas = {0.25, 0.6, 1.0};
        });  // of 0.6 the papers have nothing
        f.run();
        ui::StatisticPlot& shown = *f.plot(qPrintable(plot));
        QVERIFY(crossesOf(shown).isEmpty());
        const QImage before = shown.plot().toPixmap().toImage();
        const QString description = shown.accessibleDescription();

        f.choosePublished(f.published()->findText(table));
        const auto crosses = crossesOf(shown);
        QCOMPARE(crosses.size(), 2);
        QCOMPARE(placesOf(*crosses[0]), quarter);
        QCOMPARE(placesOf(*crosses[1]), one);
        for (const auto& [graph, name] : {std::pair{crosses[0], QStringLiteral("λ 0.25")},
                                          std::pair{crosses[1], QStringLiteral("λ 1")}}) {
            QVERIFY(graph->keyAxis() == shown.plot().xAxis);
            QVERIFY(graph->valueAxis() == shown.plot().yAxis);
            QCOMPARE(graph->scatterStyle().pen().color(), legendColour(shown, name));
        }
        QVERIFY(legendColour(shown, QStringLiteral("published")).isValid());
        QVERIFY(shown.plot().toPixmap().toImage() != before);
        QVERIFY2(shown.accessibleDescription().contains(table),
                 qPrintable(shown.accessibleDescription()));

        f.choosePublished(0);
        QVERIFY(crossesOf(shown).isEmpty());
        QVERIFY(!legendColour(shown, QStringLiteral("published")).isValid());
        QCOMPARE(shown.plot().toPixmap().toImage(), before);
        QCOMPARE(shown.accessibleDescription(), description);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void publishedNumbersAreOfferedForRunsLikeThePapers_data() {
        QTest::addColumn<std::function<void(ui::AnalysisState&)>>("change");
        QTest::addColumn<bool>("isLikeThePapers");
        const auto row = [](const char* name, bool isLikeThePapers,
                            const std::function<void(ui::AnalysisState&)>& change) {
            QTest::newRow(name) << change << isLikeThePapers;
        };
        row("another seed", true,
            [](ui::AnalysisState& state) { state.edit(&ui::AnalysisSettings::seed, 8); });
        row("another epsilon", true, [](ui::AnalysisState& state) {
            state.edit([](ui::AnalysisSettings& settings) { settings.grid.epsilons = {3.0}; });
        });
        row("fewer draws", false,
            [](ui::AnalysisState& state) { state.edit(&ui::AnalysisSettings::draws, 99); });
        row("more draws", false,
            [](ui::AnalysisState& state) { state.edit(&ui::AnalysisSettings::draws, 101); });
        row("other lambdas", false, [](ui::AnalysisState& state) {
            state.edit([](ui::AnalysisSettings& settings) { settings.grid.lambdas = {0.1, 0.6}; });
        });
        row("laplace, which is lambda 0", true, [](ui::AnalysisState& state) {
            state.edit(&ui::AnalysisSettings::choose, mechanism::Laplace());
        });
        for (const mechanism::Mechanism& mechanism :
             {mechanism::Mechanism(mechanism::Tem()),
              mechanism::Mechanism(mechanism::Hyperbolic())}) {
            row(std::string(mechanism.name()).c_str(), false,
                [mechanism](ui::AnalysisState& state) {
                    state.edit(&ui::AnalysisSettings::choose, mechanism);
                });
        }
    }

    void publishedNumbersAreOfferedForRunsLikeThePapers() {
        QFETCH(std::function<void(ui::AnalysisState&)>, change);
        QFETCH(bool, isLikeThePapers);
        Fixture f;
        const auto ball = test::toyBall(40, 3);
        f.state.setEmbedding(ball, std::make_shared<const engine::SearchSpace>(ball));
        f.state.edit(&ui::AnalysisSettings::draws, 100);
        f.state.edit([](ui::AnalysisSettings& settings) {
            settings.grid.epsilons = {5.0, 10.0};
            settings.grid.lambdas = {0.0, 0.5};
        });
        QVERIFY(!f.published()->isEnabled());
        f.run();
        QVERIFY(f.published()->isEnabled());
        f.choosePublished(1);
        QVERIFY(!crossesOf(*f.plot("nwPlot")).isEmpty());
        change(f.state);
        f.run();
        QCOMPARE(f.published()->isEnabled(), isLikeThePapers);
        for (const char* plot : {"nwPlot", "swPlot"}) {
            QCOMPARE(crossesOf(*f.plot(plot)).isEmpty(), !isLikeThePapers);
            QCOMPARE(legendColour(*f.plot(plot), QStringLiteral("published")).isValid(),
                     isLikeThePapers);
        }
        QCOMPARE(f.published()->toolTip().contains(QStringLiteral("R = 100")), !isLikeThePapers);
    }

    /// Xu et al. 2020, Table 3, the row of lambda 0.
    void aLaplaceRunStandsBesideLambdaZero() {
        Fixture f;
        f.state.edit(&ui::AnalysisSettings::choose, mechanism::Laplace());
        f.state.edit(&ui::AnalysisSettings::draws, 100);
        f.state.edit([](ui::AnalysisSettings& settings) {
            settings.grid.epsilons = {1, 5, 10, 20, 40};
        });
        f.run();
        f.choosePublished(1);
        const auto crosses = crossesOf(*f.plot("nwPlot"));
        QCOMPARE(crosses.size(), 1);
        QCOMPARE(placesOf(*crosses[0]),
                 (Places{{1, 0.16}, {5, 23.71}, {10, 65.29}, {20, 94.49}, {40, 99.81}}));
    }

    void publishedNumbersAreAmongTheDataInView() {
        Fixture f;
        f.state.edit(&ui::AnalysisSettings::draws, 100);
        f.state.edit([](ui::AnalysisSettings& settings) {
            settings.grid.epsilons = {1, 5, 10, 20, 40};
        });
        f.state.edit([](ui::AnalysisSettings& settings) { settings.grid.lambdas = {0.25}; });
        f.run();
        QVERIFY(!f.plot("nwPlot")->visibleCsv().contains(QStringLiteral("published")));
        f.choosePublished(1);
        const QString data = f.plot("nwPlot")->visibleCsv();
        QVERIFY2(data.contains(
                     QStringLiteral("\n0.25,10,44.83,,,,\"published: Xu et al. 2020, GloVe\"\n")),
                 qPrintable(data));
        QVERIFY(data.startsWith(QStringLiteral("lambda,epsilon,mean,p5,median,p95,source\n")));
        // Those alone that are in sight.
        f.plot("nwPlot")->showEpsilons({12.0, 50.0});
        QCOMPARE(f.plot("nwPlot")->visibleCsv().count(QStringLiteral("published")), 2);
    }
};

EPSILENS_UI_TEST(PublishedNumbersTest)
#include "published_numbers_test.moc"
