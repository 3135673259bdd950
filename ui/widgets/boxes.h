#pragma once

#include <initializer_list>

#include <QHBoxLayout>
#include <QVBoxLayout>

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

}  // namespace epsilens::ui
