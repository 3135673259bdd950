#pragma once

#include <QWidget>

class QLabel;
class QTableView;

namespace epsilens::ui {
class NeighbourModel;
}

namespace epsilens::ui::live {

class DistributionChart;
class LiveModel;
struct LiveWord;

/// The chosen word in full: its output distribution as bars, its nearest words and critical
/// epsilon.
class WordDetails : public QWidget {
    Q_OBJECT

public:
    /// model  must outlive this widget
    explicit WordDetails(const LiveModel& model, QWidget* parent = nullptr);

    /// Shows the model's values as they are now.
    void refresh();
    /// Looks of the table: colours, and the style sheet of its header.
    void styleTable(const QPalette& palette, const QString& headerStyle);

private:
    void buildNeighbourTable();
    void showNeighbours();
    [[nodiscard]] QString facts() const;
    [[nodiscard]] static QString criticalFacts(const LiveWord& word);

    const LiveModel& m_model;
    QLabel* m_heading;
    QLabel* m_facts;
    DistributionChart* m_chart;
    NeighbourModel* m_neighbours;
    QTableView* m_neighbourTable;
    /// What the table shows: neighbours change with the metric of the mechanism too.
    const void* m_shownNeighbours = nullptr;
    int m_shownRow = -1;
};

}  // namespace epsilens::ui::live
