#pragma once

#include <vector>

#include <QStandardItemModel>
#include <QString>

#include "core/engine/neighbours.h"
#include "ui/state/word.h"

namespace epsilens::ui {

/// The nearest words of a word with their distances, nearest first.
class NeighbourModel : public QStandardItemModel {
    Q_OBJECT

public:
    enum Column { word, distance };
    enum Role {
        shareRole = Qt::UserRole + 1  ///< double: the distance as a share of the greatest, 0 to 1
    };

    explicit NeighbourModel(QObject* parent = nullptr);

    /// embedding  whose rows the neighbours are
    void setNeighbours(const engine::Neighbourhood& neighbours,
                       const embedding::EmbeddingHandle& embedding);
    void clear() { setNeighbours({}, {}); }
    /// What the distances are called, "Distance" to begin with.
    void setDistanceTitle(const QString& title) { setHeaderData(distance, Qt::Horizontal, title); }
    [[nodiscard]] const Word& wordAt(int row) const {
        return m_words[static_cast<std::size_t>(row)];
    }

private:
    std::vector<Word> m_words;
};

}  // namespace epsilens::ui
