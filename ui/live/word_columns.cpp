#include "ui/live/word_columns.h"

#include <algorithm>

namespace epsilens::ui::live {

void WordColumns::layOut(const std::vector<Column>& columns, double left, double right, double gap,
                         double blockHeight, bool isMirrored) {
    m_areas.clear();
    m_blocks = 1;
    double x = left;
    for (const Column& column : columns) {
        const double width = std::min(column.width, std::max(1.0, right - left));
        const bool isFirst = x <= left;
        if (!isFirst && (column.beginsBlock || x + width > right)) {
            x = left;
            ++m_blocks;
        }
        m_areas.emplace_back(isMirrored ? left + right - x - width : x,
                             (m_blocks - 1) * blockHeight, width, blockHeight);
        x += width + gap;
    }
}

}  // namespace epsilens::ui::live
