#pragma once

#include "tests/ui/support/ui_test.h"
#include "ui/tradeoff/trade_off_panel.h"

namespace epsilens::test {

/// Texts with a header (label, message, penned), each of four words of the toy embedding and one
/// that it does not know. Their class is "first" where these are among its first 20 words, else
/// "second"; they are by three writers in turn. One row more lacks a text.
///
/// documents  without that row
[[nodiscard]] QByteArray labelledCsv(int documents);

/// Writes a file into a folder of the test; returns its path.
[[nodiscard]] QString written(const QTemporaryDir& folder, const QString& name,
                              const QByteArray& content);

/// A state with the toy embedding, Mahalanobis at lambda 0.5, a grid of epsilon 1 and 50 and lambda
/// 0 and 0.5, at epsilon 50.
void loadToyGridInto(ui::AnalysisState& state);

/// The page of Texts over that state.
struct TradeOffFixture {
    explicit TradeOffFixture(ui::GoalSearchFunction search = evaluation::recommendWithin);

    void chooseEpsilon(double epsilon) {
        state.edit(&ui::AnalysisSettings::chooseEpsilon, epsilon);
    }
    void choose(const mechanism::Mechanism& mechanism) {
        state.edit(&ui::AnalysisSettings::choose, mechanism);
    }
    /// Until nothing is being measured.
    void settle() { QTRY_VERIFY(!model.isRunning()); }
    void open(int documents = 120);
    /// The grid and the present setting.
    void measure();
    template <typename Control>
    Control* control(const char* name) {
        return findControl<Control>(panel, name);
    }
    QString text(const char* label) { return control<QLabel>(label)->text(); }

    QTemporaryDir folder;
    ui::AnalysisState state;
    ui::TradeOffPanel panel;
    ui::TradeOffModel& model;
};

}  // namespace epsilens::test
