#pragma once

#include <QSignalSpy>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/curves/statistic_plot.h"

namespace epsilens::test {

/// A panel of curves over the toy embedding, shown.
struct CurvesFixture {
    CurvesFixture() {
        const auto embedding = toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        state.edit(&ui::AnalysisSettings::suggest, {4.0, 2.0, 8.0});
        state.edit(&ui::AnalysisSettings::draws, 20);
        panel.resize(880, 640);
        panel.show();
    }
    /// Runs, and waits until the results are shown, those between the points of the grid too.
    void run() {
        const QSignalSpy results(&panel, &ui::CurvesPanel::resultChanged);
        panel.run();
        QTRY_VERIFY_WITH_TIMEOUT(!results.isEmpty() && panel.result() != nullptr &&
                                     !panel.runner()->isRunning() && !panel.refiner()->isRunning(),
                                 kPatienceMs);
        QCoreApplication::processEvents();
    }
    ui::StatisticPlot* plot(const char* name) {
        return findControl<ui::StatisticPlot>(panel, name);
    }

    ui::AnalysisState state;
    ui::CurvesPanel panel{state};
};

}  // namespace epsilens::test
