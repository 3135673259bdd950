#pragma once

#include <QSizeF>
#include <QTextDocument>
#include <QTextFormat>

namespace epsilens::ui {

/// Property of a block: it stays on the page of what follows, as headings and captions do.
inline constexpr int kKeepsWithNext = QTextFormat::UserProperty + 2;

/// Breaks a document into pages. A block that keeps with the next begins a new page where it would
/// stand alone at the end of one: before a table without two of its rows, before text without a
/// line. Rows of tables stay whole unless a page is too low for one. A paragraph that goes on on
/// the next page becomes two.
void layOutPages(QTextDocument& document, const QSizeF& page);

}  // namespace epsilens::ui
