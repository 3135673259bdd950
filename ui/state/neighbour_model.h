#pragma once

#include <vector>

#include <QAbstractTableModel>
#include <QString>

#include "core/engine/neighbours.h"
#include "ui/state/word.h"

namespace epsilens::ui {

/// The nearest words of a word with their distances, nearest first.
class NeighbourModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { word, distance };
    enum Role {
        shareRole = Qt::UserRole  ///< double: the distance as a share of the greatest, 0 to 1
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// embedding  whose rows the neighbours are
    void setNeighbours(const engine::Neighbourhood& neighbours,
                       const embedding::EmbeddingHandle& embedding);
    void clear();
    /// What the distances are called, "Distance" to begin with.
    void setDistanceTitle(const QString& title);
    [[nodiscard]] const Word& wordAt(int row) const {
        return m_entries[static_cast<std::size_t>(row)].word;
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    struct Entry {
        Word word;
        double distance = 0.0;
    };
    [[nodiscard]] double shareOf(const Entry& entry) const;

    std::vector<Entry> m_entries;
    QString m_distanceTitle;
};

}  // namespace epsilens::ui
