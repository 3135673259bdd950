#pragma once

#include <initializer_list>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/widgets/layout.h"

namespace epsilens::ui {

/// Puts parts one below another into a widget that holds nothing else.
inline QVBoxLayout* columnIn(QWidget* whole, int spacing,
                             std::initializer_list<QWidget*> parts = {}, int margin = 0) {
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(margin, margin, margin, margin);
    column->setSpacing(spacing);
    for (QWidget* part : parts) {
        column->addWidget(part);
    }
    return column;
}

/// A row of parts, the first of which takes what room there is.
inline QHBoxLayout* rowOf(std::initializer_list<QWidget*> parts, int spacing) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing);
    for (QWidget* part : parts) {
        row->addWidget(part, part == *parts.begin() ? 1 : 0);
    }
    return row;
}

/// Gives a table of whole rows, one of which is chosen, what such tables of the window share.
inline void setUpRows(QTableView& table, const char* objectName, const QString& name) {
    table.setObjectName(QLatin1String(objectName));
    table.setAccessibleName(name);
    table.setFrameShape(QFrame::NoFrame);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.setEditTriggers(QAbstractItemView::NoEditTriggers);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.verticalHeader()->hide();
    table.horizontalHeader()->setHighlightSections(false);
    keepRowHeight(&table, kLeastTarget);
}

}  // namespace epsilens::ui
