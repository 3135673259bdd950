#pragma once

#include <vector>

#include <QString>
#include <QWidget>

#include "ui/live/margin_list.h"
#include "ui/state/word.h"

class QLabel;
class QBoxLayout;

namespace epsilens::ui {
class DensityButton;
class SessionResults;
}  // namespace epsilens::ui

namespace epsilens::ui::live {

class LiveModel;
class OutputIcons;
struct LiveWord;

/// The chosen word in full: how often it survives, what it becomes, what pulls it away, its
/// half-kept epsilon and density rank.
class WordDetails : public QWidget {
    Q_OBJECT

public:
    /// model, results  must outlive this widget
    WordDetails(const LiveModel& model, SessionResults& results, QWidget* parent = nullptr);

    /// Shows the model's values as they are now.
    void refresh();
    /// In a low window what the word becomes and what pulls it away take turns.
    ///
    /// area  in which it scrolls
    void takeTurnsIn(QWidget& area);

private:
    [[nodiscard]] static QLabel* addText(QBoxLayout& page, const char* objectName, bool isMuted);
    void buildOutputs();
    void buildMargins();
    /// nearest  said where there are no rows
    void showMargins(std::vector<MarginRow> rows, const QString& nearest);
    [[nodiscard]] std::vector<MarginRow> margins(const LiveWord& word) const;
    [[nodiscard]] static QString outputsText(const LiveWord& word);
    [[nodiscard]] QString nearestText(const LiveWord& word) const;
    [[nodiscard]] static QString criticalFacts(const LiveWord& word);
    /// Empty until the distances of the vocabulary have been computed.
    [[nodiscard]] QString densityFacts(const LiveWord& word) const;

    const LiveModel& m_model;
    SessionResults& m_results;
    QLabel* m_heading;
    QWidget* m_outputPage;
    QWidget* m_marginPage;
    OutputIcons* m_icons;
    QLabel* m_outputs;
    QLabel* m_marginTitle;
    MarginList* m_margins;
    QLabel* m_nearest;
    QLabel* m_facts;
    DensityButton* m_density;
};

}  // namespace epsilens::ui::live
