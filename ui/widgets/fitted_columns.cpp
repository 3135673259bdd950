#include "ui/widgets/fitted_columns.h"

#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>

namespace epsilens::ui {

namespace {

/// The last column in sight takes what room the others leave it.
bool isStretched(const QHeaderView& header, int column) {
    for (int visual = header.count() - 1; header.stretchLastSection() && visual >= 0; --visual) {
        const int last = header.logicalIndex(visual);
        if (!header.isSectionHidden(last)) {
            return last == column;
        }
    }
    return false;
}

}  // namespace

FittedColumns::FittedColumns(QHeaderView& header) : QObject(&header), m_header(header) {
    connect(&m_header, &QHeaderView::sectionResized, this, &FittedColumns::notice);
    m_header.viewport()->installEventFilter(this);
}

bool FittedColumns::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonDblClick:
            m_isHeld = true;
            break;
        case QEvent::MouseButtonRelease:
            m_isHeld = false;
            break;
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

void FittedColumns::notice(int column, int before, int now) {
    // Columns that are hidden, and shown again, have no width meanwhile.
    if (m_isHeld && !m_isFitting && before > 0 && now > 0 && !isStretched(m_header, column)) {
        m_byHand.insert(column, now);
    }
}

void FittedColumns::fit(const std::function<void()>& choose) {
    const QScopedValueRollback<bool> fitting(m_isFitting, true);
    choose();
    for (auto set = m_byHand.cbegin(); set != m_byHand.cend(); ++set) {
        m_header.resizeSection(set.key(), set.value());
    }
}

}  // namespace epsilens::ui
