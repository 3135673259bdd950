#include <algorithm>
#include <cmath>

#include <qcustomplot.h>
#include <QComboBox>

#include "core/calibration/limits.h"
#include "tests/ui/curves/curves_fixture.h"
#include "ui/widgets/theme.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;

namespace {

/// Sizes that the panel has in windows 960 and 1200 wide.
constexpr QSize kNarrow(646, 460);
constexpr QSize kWide(850, 710);

/// A run with limits that lie close together.
struct LimitedRun : test::CurvesFixture {
    LimitedRun() {
        state.edit(&AnalysisSettings::limits, {*calibration::parseLimit("nw.p95<=50%"),
                                               *calibration::parseLimit("kept.mean<=0.45"),
                                               *calibration::parseLimit("sw.p5>=4")});
        run();
    }
};

template <typename Item>
std::vector<Item*> shownItems(const QCustomPlot& canvas) {
    std::vector<Item*> items;
    for (int i = 0; i < canvas.itemCount(); ++i) {
        auto* item = qobject_cast<Item*>(canvas.item(i));
        if (item != nullptr && item->visible()) {
            items.push_back(item);
        }
    }
    return items;
}

/// Where the letters of a text lie, without the ground around them.
QRect lettersOf(const QCPItemText& text) {
    return QRectF(text.topLeft->pixelPosition(), text.bottomRight->pixelPosition())
        .marginsRemoved(QMarginsF(text.padding()))
        .toRect();
}

QImage picture(StatisticPlot& plot) {
    plot.replotOverlay();
    return plot.plot().grab().toImage();
}

/// Curves through points at the same epsilons: how far they part, up and down, in pixels.
double largestGap(const QCPGraph& one, const QCPGraph& other) {
    const QCPAxis& axis = *one.valueAxis();
    double gap = 0.0;
    for (int i = 0; i < one.dataCount(); ++i) {
        gap = std::max(gap, std::abs(axis.coordToPixel(one.dataMainValue(i)) -
                                     axis.coordToPixel(other.dataMainValue(i))));
    }
    return gap;
}

}  // namespace

/// What is drawn beside and over curves can be read, and so can the curves.
class ReadablePlotsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_run = std::make_unique<LimitedRun>(); }
    void cleanup() {
        m_run.reset();
        applyTheme(ThemeChoice::light);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void noLineCrossesALabel_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<ThemeChoice>("theme");
        QTest::newRow("narrow, light") << kNarrow << ThemeChoice::light;
        QTest::newRow("narrow, dark") << kNarrow << ThemeChoice::dark;
        QTest::newRow("wide, light") << kWide << ThemeChoice::light;
    }
    void noLineCrossesALabel() {
        QFETCH(const QSize, size);
        QFETCH(const ThemeChoice, theme);
        applyTheme(theme);
        m_run->panel.resize(size);
        QCoreApplication::processEvents();
        for (const double epsilon : {1.5, 4.0, 9.0}) {
            m_run->state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
            for (const char* name : {"nwPlot", "swPlot"}) {
                StatisticPlot& plot = *m_run->plot(name);
                plot.plot().replot();
                const auto labels = shownItems<QCPItemText>(plot.plot());
                QVERIFY(labels.size() >= 2);  // epsilon and a limit
                const QImage with = picture(plot);
                for (auto* line : shownItems<QCPItemStraightLine>(plot.plot())) {
                    line->setVisible(false);
                }
                const QImage without = picture(plot);
                for (std::size_t i = 0; i < labels.size(); ++i) {
                    const QRect letters = lettersOf(*labels[i]);
                    QVERIFY2(with.rect().contains(letters), qPrintable(labels[i]->text()));
                    QVERIFY2(with.copy(letters) == without.copy(letters),
                             qPrintable(labels[i]->text()));
                    for (std::size_t k = 0; k < i; ++k) {
                        QVERIFY2(!letters.intersects(lettersOf(*labels[k])),
                                 qPrintable(labels[i]->text()));
                    }
                }
            }
        }
    }

    void labelsSayTheSameInTwoLines() {
        m_run->panel.resize(kNarrow);
        m_run->state.edit(&AnalysisSettings::chooseEpsilon, 4.0);
        QCoreApplication::processEvents();
        QCustomPlot& canvas = m_run->plot("nwPlot")->plot();
        canvas.replot();
        const auto labels = shownItems<QCPItemText>(canvas);
        const auto ofLimit = std::find_if(labels.begin(), labels.end(), [](const auto* label) {
            return label->text().startsWith(QStringLiteral("kept draws P95 ≤ 50%:\n"));
        });
        QVERIFY(ofLimit != labels.end());
        QVERIFY((*ofLimit)->text().endsWith(QStringLiteral("for λ 0.5 ✗")) ||
                (*ofLimit)->text().endsWith(QStringLiteral("for λ 0.5 ✓")));
    }

    /// At heights of which some leave room for a part of the brackets.
    void titlesAreNotBrokenWithinBrackets() {
        QCustomPlot& canvas = m_run->plot("nwPlot")->plot();
        int broken = 0;
        for (int height = kNarrow.height(); height < kWide.height(); height += 10) {
            m_run->panel.resize(kNarrow.width(), height);
            QCoreApplication::processEvents();
            canvas.replot();
            const QString title = canvas.yAxis->label();
            QVERIFY2(title.contains(QStringLiteral("(R = 20)")), qPrintable(title));
            broken += title.contains(QLatin1Char('\n')) ? 1 : 0;
        }
        QVERIFY(broken > 0);
    }

    /// The toy words spread up to 8 times as far in one direction as in another: lambda matters.
    void curvesOfUnlikeLambdasPart() {
        const auto embedding = test::toyEmbedding(150, 8);
        m_run->state.setEmbedding(embedding,
                                  std::make_shared<const engine::SearchSpace>(embedding));
        m_run->state.edit([](AnalysisSettings& settings) {
            settings.grid.epsilons = {0.5, 1.0, 2.0, 4.0, 8.0};
        });
        m_run->state.edit([](AnalysisSettings& settings) { settings.grid.lambdas = {0.0, 1.0}; });
        m_run->state.edit(&AnalysisSettings::draws, 50);
        m_run->panel.resize(kNarrow);
        m_run->run();
        auto* choice = findControl<QComboBox>(m_run->panel, "bandOfComboBox");
        choice->setCurrentIndex(choice->findText(QStringLiteral("for every λ")));
        Q_EMIT choice->activated(choice->currentIndex());
        QCustomPlot& canvas = m_run->plot("nwPlot")->plot();
        canvas.replot();
        std::vector<const QCPGraph*> medians;
        double widest = 0.0;
        for (int i = 0; i < canvas.graphCount(); ++i) {
            const QCPGraph* graph = canvas.graph(i);
            widest = std::max(widest, graph->pen().widthF());
            if (graph->dataCount() > 0 && graph->pen().style() == Qt::DashLine) {
                medians.push_back(graph);
            }
        }
        QCOMPARE(medians.size(), std::size_t{2});
        QCOMPARE(medians[0]->dataCount(), medians[1]->dataCount());
        QVERIFY(widest > 0.0);
        QVERIFY(largestGap(*medians[0], *medians[1]) >= 3.0 * widest);
    }

private:
    std::unique_ptr<LimitedRun> m_run;
};

EPSILENS_UI_TEST(ReadablePlotsTest)
#include "readable_plots_test.moc"
