#pragma once

#include "tests/ui/support/state_driver.h"
#include "ui/plot/xy_plot.h"
#include "ui/state/guarantee_model.h"
#include "ui/tradeoff/trade_off_panel.h"

namespace epsilens::test {

/// Texts with a header (label, message, penned), each of four words of the toy embedding and one
/// that it does not know. Their class is "first" where these are among its first 20 words, else
/// "second"; they are by three writers in turn. One row more lacks a text.
///
/// documents  without that row
[[nodiscard]] QByteArray labelledCsv(int documents);

/// A state with the toy embedding, Mahalanobis at lambda 0.5, a grid of epsilon 1 and 50 and lambda
/// 0 and 0.5, at epsilon 50.
void loadToyGridInto(ui::AnalysisState& state);

/// The page of Texts over that state.
struct TradeOffFixture : StateDriver {
    explicit TradeOffFixture(ui::TextsSearchFunction search = evaluation::recommendWithin);

    /// Until nothing is being measured.
    void settle() { QTRY_VERIFY(!model.isRunning()); }
    void open(int documents = 120);
    /// Asks for no other lambda than the present one.
    void compareNoLambdas() {
        state.edit([](ui::AnalysisSettings& settings) {
            settings.grid.lambdas = calibration::defaultLambdaGrid();
        });
    }
    /// The grid and the present setting.
    void measure();
    [[nodiscard]] const ui::PlotContent& content(const char* plot) {
        return find<ui::XyPlot>(plot).content();
    }

    QTemporaryDir folder;
    ui::GuaranteeModel guarantee{state};
    std::unique_ptr<ui::TradeOffPanel> made;
    ui::TradeOffPanel& panel;
    ui::TradeOffModel& model;

protected:
    [[nodiscard]] const QObject& root() const override { return panel; }
};

}  // namespace epsilens::test
