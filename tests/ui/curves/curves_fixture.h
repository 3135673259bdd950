#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/plot/xy_plot.h"
#include "ui/widgets/notice_line.h"

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
        const QSignalSpy results(&panel.model(), &ui::CurvesModel::resultChanged);
        panel.run();
        QTRY_VERIFY(!results.isEmpty() && panel.result() != nullptr && !panel.model().isRunning() &&
                    !panel.model().refiner().isRunning());
        QCoreApplication::processEvents();
    }
    ui::XyPlot* plot(const char* name) { return findControl<ui::XyPlot>(panel, name); }
    QLabel* label(const char* name) { return findControl<QLabel>(panel, name); }
    QString reading() { return label("readingLabel")->text(); }
    QPushButton* button(const char* name) { return findControl<QPushButton>(panel, name); }
    QLineEdit* epsilons() { return findControl<QLineEdit>(panel, "epsilonGridLineEdit"); }
    QTableView* table() { return findControl<QTableView>(panel, "curvesTableView"); }
    ui::NoticeLine* notice() { return findControl<ui::NoticeLine>(panel, "noticeLine"); }
    void chooseEpsilon(double epsilon) {
        state.edit(&ui::AnalysisSettings::chooseEpsilon, epsilon);
    }
    void set(const mechanism::Parameters& parameters) {
        state.edit(&ui::AnalysisSettings::setParameters, parameters);
    }

    ui::AnalysisState state;
    ui::CurvesPanel panel{state};
};

}  // namespace epsilens::test
