#pragma once

#include <optional>
#include <vector>

#include "ui/space/space_model.h"
#include "ui/widgets/panel.h"

class QHBoxLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QSpinBox;
class QStackedWidget;
class QStandardItemModel;
class QTableView;

namespace epsilens::ui {

class NoticeLine;
class SpacePlot;

/// The Space tab: the vocabulary in a plane of two principal axes, a word, its
/// neighbours and the noise around it.
class SpacePanel : public Panel {
    Q_OBJECT

public:
    explicit SpacePanel(AnalysisState& state, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] bool handles(PanelCommand command) const override;
    void execute(PanelCommand command) override;
    [[nodiscard]] QWidget* firstControl() const override;

private:
    [[nodiscard]] QLayout* buildControls();
    /// Offers how the word may go on, looked up each time something is typed, so that vocabularies
    /// of millions need no list.
    void completeWords();
    [[nodiscard]] QLayout* buildNeighbours();
    [[nodiscard]] QSpinBox* addNumber(QHBoxLayout& row, const QString& label,
                                      const char* objectName, const QString& description, int low,
                                      int high, int step, int value);
    void connectModel();
    void connectPlot();
    /// The word that a point of the plot stands for.
    [[nodiscard]] std::optional<Word> wordAt(std::optional<std::size_t> index) const;
    void showPage();
    void showCloud();
    void showScene();
    void showNeighbours();
    void showNoise();
    void showPlaneText();
    void showTexts();
    void showProblem();
    void showUnknown(const QString& spelling, const QStringList& suggestions);

    SpaceModel& m_model;  ///< a child: controls that lose the focus while closing still reach it
    NoticeLine* m_notice;
    QLineEdit* m_word;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    SpacePlot* m_plot;
    QStandardItemModel* m_neighbours;
    QTableView* m_neighbourTable;
    QLabel* m_planeLabel;
    QLabel* m_drawsLabel;
};

}  // namespace epsilens::ui
