#pragma once

#include <QTableView>

#include "core/engine/neighbours.h"
#include "ui/state/word.h"

namespace epsilens::ui {

class NeighbourModel;

/// The nearest words of the selected word with bars of their distances; a click or Return chooses
/// one.
class NeighbourList : public QTableView {
    Q_OBJECT

public:
    explicit NeighbourList(QWidget* parent = nullptr);

    /// word           whose neighbours these are
    /// distanceTitle  "Euclidean distance"
    void setNeighbours(const engine::Neighbourhood& neighbours, const Word& word,
                       const QString& distanceTitle);
    void clear();

Q_SIGNALS:
    void wordChosen(const epsilens::ui::Word& word);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(const QModelIndex& index);

    NeighbourModel* m_neighbours;
};

}  // namespace epsilens::ui
