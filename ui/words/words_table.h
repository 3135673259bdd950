#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <QAbstractTableModel>

#include "ui/words/word_rows.h"

namespace epsilens::ui {

using WordOrder = std::shared_ptr<const std::vector<std::uint32_t>>;

/// The words of a measurement as a table: holds an order of places and makes the text of a cell
/// when it is asked for. Sorting is someone else's work; sort() only passes on the wish.
class WordsTable : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// The words of another measurement or epsilon, or none, in an order of their places.
    void setRows(WordRows rows, WordOrder order);
    [[nodiscard]] const WordRows& rows() const { return m_rows; }
    /// Never null.
    [[nodiscard]] const WordOrder& order() const { return m_order; }
    [[nodiscard]] Word wordAt(int tableRow) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

Q_SIGNALS:
    void sortRequested(epsilens::ui::WordColumn column, bool descending);

private:
    [[nodiscard]] QString shown(std::size_t place, WordColumn column) const;

    WordRows m_rows;
    WordOrder m_order = std::make_shared<const std::vector<std::uint32_t>>();
};

}  // namespace epsilens::ui
