#pragma once

#include <cstddef>
#include <vector>

#include <QRectF>

namespace epsilens::ui::live {

/// Where the words of a sentence stand whose rows wrap together: a column for each word, columns
/// side by side in blocks, one block under the other.
class WordColumns {
public:
    struct Column {
        double width = 0.0;
        bool beginsBlock = false;  ///< also where there is room beside the word before
    };

    /// left, right  of all blocks; a wider column is cut to this width
    /// gap          between columns
    /// blockHeight  with the space between blocks
    /// isMirrored   from right to left
    void layOut(const std::vector<Column>& columns, double left, double right, double gap,
                double blockHeight, bool isMirrored);

    [[nodiscard]] int blocks() const { return m_blocks; }
    [[nodiscard]] std::size_t size() const { return m_areas.size(); }
    [[nodiscard]] const QRectF& area(std::size_t place) const { return m_areas[place]; }

private:
    std::vector<QRectF> m_areas;
    int m_blocks = 1;
};

}  // namespace epsilens::ui::live
