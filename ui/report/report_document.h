#pragma once

#include <memory>

#include <QSizeF>
#include <QString>
#include <QTextDocument>
#include <QTextFormat>

#include "core/base/error.h"
#include "core/report/report_model.h"

class QPagedPaintDevice;

namespace epsilens::ui {

/// May be made on any thread; prepareDrawings() before it is shown or painted.
///
/// pointSize  of the running text; headings and tables follow it
/// margin     around the pages, in pixels of the device they are laid out for
[[nodiscard]] std::unique_ptr<QTextDocument> reportDocument(const report::ReportContent& content,
                                                            double pointSize, double margin);

/// Lets the layout of a report's document draw its figures: on the thread that shows it, since a
/// layout that has begun keeps a timer there.
void prepareDrawings(QTextDocument& document);

/// Property of a block: it stays on the page of what follows, as headings and captions do.
inline constexpr int kKeepsWithNext = QTextFormat::UserProperty + 2;

/// Breaks a document into pages. A block that keeps with the next begins a new page where it would
/// stand alone at the end of one: before a table of a few rows without all of them, before a longer
/// one without two, before text without a line. Rows of tables stay whole unless a page is too low
/// for one. A paragraph that goes on on the next page becomes two.
void layOutPages(QTextDocument& document, const QSizeF& page);

inline constexpr int kPagesDotsPerInch = 300;

void setUpPages(QPagedPaintDevice& device);

void paintReport(const report::ReportContent& content, QPagedPaintDevice& device);

/// Writes the report as A4 pages with numbers; a file appears whole or not at all. Fails with
/// ioFailed.
[[nodiscard]] Result<void> writePdf(const report::ReportContent& content, const QString& path);

}  // namespace epsilens::ui
