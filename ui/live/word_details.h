#pragma once

#include <optional>

#include <QWidget>

#include "ui/live/output_job.h"
#include "ui/state/word.h"

class QLabel;
class QTableView;

namespace epsilens::ui {
class DensityButton;
class NeighbourModel;
class SessionResults;
}  // namespace epsilens::ui

namespace epsilens::ui::live {

class DistributionChart;
class LiveModel;
struct LiveWord;

/// The chosen word in full: its output distribution as bars, its nearest words, critical epsilon
/// and density rank.
class WordDetails : public QWidget {
    Q_OBJECT

public:
    /// model, results  must outlive this widget
    WordDetails(const LiveModel& model, SessionResults& results, QWidget* parent = nullptr);

    /// Shows the model's values as they are now.
    void refresh();
    /// Looks of the table: colours, and the style sheet of its header.
    void styleTable(const QPalette& palette, const QString& headerStyle);
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildNeighbourTable();
    void showNeighbours();
    [[nodiscard]] QString facts() const;
    [[nodiscard]] static QString criticalFacts(const LiveWord& word);
    /// Empty until the distances of the vocabulary have been computed.
    [[nodiscard]] QString densityFacts(const LiveWord& word) const;

    const LiveModel& m_model;
    SessionResults& m_results;
    QLabel* m_heading;
    DensityButton* m_density;
    QLabel* m_facts;
    DistributionChart* m_chart;
    NeighbourModel* m_neighbours;
    QTableView* m_neighbourTable;
    /// What the table shows: neighbours change with the metric of the mechanism too.
    NeighbourhoodHandle m_shownNeighbours;
    std::optional<Word> m_shownWord;
};

}  // namespace epsilens::ui::live
