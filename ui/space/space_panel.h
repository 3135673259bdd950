#pragma once

#include "ui/common/panel.h"
#include "ui/space/space_model.h"

class QLabel;
class QLayout;
class QSpinBox;
class QStackedWidget;

namespace epsilens::ui {

class NoticeLine;
class SpacePlot;
class WordField;

/// The Space tab: the vocabulary in the plane of its first two principal axes, a word, its
/// neighbours and the noise around it.
class SpacePanel : public Panel {
    Q_OBJECT

public:
    explicit SpacePanel(AnalysisState& state, QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QWidget* firstControl() const override;

private:
    [[nodiscard]] QLayout* buildControls();
    [[nodiscard]] QSpinBox* addNumber(QLayout& row, const QString& label, const char* objectName,
                                      const QString& description, int low, int high, int step,
                                      int value);
    void connectModel();
    void connectPlot();
    void showPage();
    void showCloud();
    void showScene();
    void showNoise();
    void showTexts();
    void showUnknown(const QString& spelling, const QStringList& suggestions);

    SpaceModel& m_model;  ///< a child: controls that lose the focus while closing still reach it
    NoticeLine* m_notice;
    WordField* m_word;
    QStackedWidget* m_pages;
    QLabel* m_empty;
    SpacePlot* m_plot;
    QLabel* m_planeLabel;
    QLabel* m_drawsLabel;
};

}  // namespace epsilens::ui
