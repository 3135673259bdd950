#pragma once

#include <vector>

#include "core/calibration/output_distribution.h"
#include "core/engine/draw_sweep.h"
#include "core/engine/neighbours.h"
#include "tests/ui/support/state_driver.h"
#include "ui/choose/choose_panel.h"

namespace epsilens::test {

/// An epsilon at which draws of the toy embedding keep a word, return a near and a far one.
constexpr double kToyEpsilon = 0.7;

/// Gives a state a toy embedding (300 words, 6 dimensions) and that epsilon.
void loadToy(ui::AnalysisState& state);

/// What a state's settings make of some words, computed by the core alone.
class DirectComputation {
public:
    /// draws  R; 0 takes that of the state
    DirectComputation(const ui::AnalysisState& state, const std::vector<std::string>& words,
                      int draws = 0);

    [[nodiscard]] calibration::OutputDistribution distribution(std::size_t word,
                                                               double epsilon) const;
    /// Spelling of the output of a draw.
    [[nodiscard]] QString output(std::size_t word, int draw, double epsilon) const;
    [[nodiscard]] const engine::WordPaths& paths(std::size_t word) const { return m_paths[word]; }

private:
    embedding::EmbeddingHandle m_embedding;
    std::vector<embedding::Row> m_rows;
    std::vector<engine::WordPaths> m_paths;
    std::vector<engine::Neighbourhood> m_neighbours;
};

[[nodiscard]] bool isSame(const ui::choose::ShownDistribution& a,
                          const calibration::OutputDistribution& sampled);

/// Every word has its distribution for the settings of now.
[[nodiscard]] bool isSettled(const ui::choose::ChooseModel& model);

/// A shown panel on the toy embedding.
struct ShownPanel : StateDriver {
    std::unique_ptr<ui::choose::ChoosePanel> made{ui::choose::newChoosePanel(state)};
    ui::choose::ChoosePanel& panel = *made;

    ShownPanel() {
        loadToy(state);
        panel.resize(880, 720);
        panel.show();
    }
    explicit ShownPanel(const char* text) : ShownPanel() { follow(text); }
    [[nodiscard]] bool isSettled() { return test::isSettled(panel.model()); }
    void type(const char* text) {
        field().clear();
        QTest::keyClicks(&field(), QString::fromUtf8(text));
        QTRY_COMPARE(state.sentence(), QString::fromUtf8(text));
    }
    /// Types a text and waits until it has been followed.
    void follow(const char* text) {
        type(text);
        QTRY_VERIFY(isSettled());
    }
    [[nodiscard]] QPlainTextEdit& field() { return find<QPlainTextEdit>("sentenceEdit"); }
    [[nodiscard]] QTableView& table() { return find<QTableView>("wordTableView"); }
    [[nodiscard]] QString cell(int row, int column, int role = Qt::DisplayRole) {
        return table().model()->index(row, column).data(role).toString();
    }

protected:
    [[nodiscard]] const QObject& root() const override { return panel; }
};

}  // namespace epsilens::test
