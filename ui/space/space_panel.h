#pragma once

#include "ui/space/space_model.h"
#include "ui/widgets/panel.h"

class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableWidget;

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
    void buildNeighbours();
    void showWords();
    void showNeighbours();
    void showNoise();
    void showPlaneText();
    void showUnknown(const QString& spelling, const QStringList& suggestions);

    SpaceModel& m_model;  ///< a child: controls that lose the focus while closing still reach it
    NoticeLine* m_notice;
    QLineEdit* m_word;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    SpacePlot* m_plot;
    QTableWidget* m_neighbours;
    QLabel* m_planeLabel;
    QLabel* m_drawsLabel;
};

}  // namespace epsilens::ui
