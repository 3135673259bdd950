#pragma once

#include <qcustomplot.h>
#include <QLabel>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/space/space_panel.h"
#include "ui/space/space_plot.h"

namespace epsilens::test {

/// A panel of Space over some vectors, shown, around their first word.
struct SpaceFixture {
    explicit SpaceFixture(const embedding::EmbeddingHandle& embedding, double epsilon = 6.0,
                          const mechanism::Mechanism& mechanism = mechanism::Mahalanobis()) {
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        state.edit([&](ui::AnalysisSettings& settings) { settings.mechanism.take(mechanism); });
        state.edit(&ui::AnalysisSettings::chooseEpsilon, epsilon);
        state.lookAt(ui::Word(embedding, 0));
        panel.resize(880, 640);
        panel.show();
        QTRY_VERIFY(model().cloud() && model().scene() && !model().noise().offsets.empty());
        letPass(50);
    }
    ui::SpaceModel& model() { return *panel.findChild<ui::SpaceModel*>(); }
    ui::SpacePlot& plot() { return *findControl<ui::SpacePlot>(panel, "spacePlot"); }
    QCustomPlot& canvas() { return plot().plot(); }
    QString label(const char* name) { return findControl<QLabel>(panel, name)->text(); }
    void set(const mechanism::Parameters& parameters) {
        state.edit(&ui::AnalysisSettings::setParameters, parameters);
    }
    /// By how its name begins.
    QCPGraph* graph(const char* name) {
        for (int i = 0; i < canvas().graphCount(); ++i) {
            if (canvas().graph(i)->name().startsWith(QLatin1String(name))) {
                return canvas().graph(i);
            }
        }
        return nullptr;
    }

    ui::AnalysisState state;
    ui::SpacePanel panel{state};
};

}  // namespace epsilens::test
