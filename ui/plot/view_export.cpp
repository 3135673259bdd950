#include "ui/plot/view_export.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include "ui/widgets/dialogs.h"

namespace epsilens::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ViewExport", text);
}

bool drawSvg(const ExportedView& view, QIODevice& file) {
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setSize(view.widget->size());
    generator.setViewBox(QRect(QPoint(), view.widget->size()));
    return view.draw(generator);
}

/// A page of the size of the view; letters are as large beside the rest as on the screen.
bool drawPdf(const ExportedView& view, QIODevice& file) {
    constexpr double kPointsPerInch = 72.0;
    const int dotsPerInch = view.widget->logicalDpiX();
    const QSizeF points = QSizeF(view.widget->size()) * (kPointsPerInch / dotsPerInch);
    QPdfWriter writer(&file);
    writer.setResolution(dotsPerInch);
    writer.setPageSize(QPageSize(points, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins({});
    return view.draw(writer);
}

bool saveData(const ExportedView& view, const QString& path) {
    const QByteArray content = view.csv().toUtf8();
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() &&
           file.commit();
}

void saveUnder(const ExportedView& view, const QString& title, const QString& suggested,
               const QStringList& filters,
               bool (*save)(const ExportedView& view, const QString& path)) {
    const QString path = dialogs::saveFile(view.widget, title, suggested, filters);
    if (!path.isEmpty() && !save(view, path)) {
        // The dialog of the desktop has just confirmed the name, so a line of the window would be
        // missed.
        (void)dialogs::ask(view.widget, title,
                           tr("%1 could not be written. Choose another folder.").arg(path), {});
    }
}

}  // namespace

bool savePicture(const ExportedView& view, const QString& path) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return false;
    }
    const bool drawn = path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)
                           ? drawSvg(view, file)
                       : path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)
                           ? drawPdf(view, file)
                           : view.pixmap().save(&file, "PNG");
    return drawn && file.commit();
}

void addExportActions(QMenu& menu, const ExportedView& view) {
    if (!view.refusal.isEmpty()) {
        menu.addAction(view.refusal)->setEnabled(false);
        return;
    }
    menu.addAction(tr("&Copy picture"), view.widget,
                   [view] { QApplication::clipboard()->setPixmap(view.pixmap()); });
    menu.addAction(tr("&Save picture…"), view.widget, [view] {
        saveUnder(view, tr("Save picture"), QStringLiteral("plot.png"),
                  {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF (*.pdf)")},
                  &savePicture);
    });
    if (const QString csv = view.csv(); !csv.isEmpty()) {
        menu.addSeparator();
        menu.addAction(tr("Copy visible &data (CSV)"), view.widget,
                       [csv] { QApplication::clipboard()->setText(csv); });
        menu.addAction(tr("Save &visible data (CSV)…"), view.widget, [view] {
            saveUnder(view, tr("Save visible data"), QStringLiteral("plot.csv"),
                      {tr("Comma-separated values (*.csv)")}, &saveData);
        });
    }
}

}  // namespace epsilens::ui
