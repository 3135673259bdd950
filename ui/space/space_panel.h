#pragma once

#include <optional>
#include <vector>

#include "ui/space/space_model.h"
#include "ui/widgets/panel.h"

class QLabel;
class QLayout;
class QSpinBox;
class QStackedWidget;

namespace epsilens::ui {

class NeighbourList;
class NoticeLine;
class SpacePlot;
class WordField;

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
    [[nodiscard]] QLayout* buildNeighbours();
    [[nodiscard]] QSpinBox* addNumber(QLayout& row, const QString& label, const char* objectName,
                                      const QString& description, int low, int high, int step,
                                      int value);
    void connectModel();
    void connectPlot();
    /// The word that a point of the plot stands for.
    [[nodiscard]] std::optional<Word> wordAt(std::optional<std::size_t> index) const;
    void showPage();
    void showCloud();
    void showScene();
    void showNeighbours();
    void showNoise();
    void showTexts();
    void showProblem();
    void showRefused(const QString& reason);
    void showUnknown(const QString& spelling, const QStringList& suggestions);

    SpaceModel& m_model;  ///< a child: controls that lose the focus while closing still reach it
    NoticeLine* m_notice;
    WordField* m_word;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    SpacePlot* m_plot;
    NeighbourList* m_neighbours;
    QLabel* m_planeLabel;
    QLabel* m_drawsLabel;
};

}  // namespace epsilens::ui
