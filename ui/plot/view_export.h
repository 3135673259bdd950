#pragma once

#include <functional>

#include <QPixmap>
#include <QSize>
#include <QString>

class QMenu;
class QPaintDevice;
class QWidget;

namespace epsilens::ui {

/// A view that can be copied and saved: as a picture, which is always light, and as numbers.
struct ExportedView {
    QWidget* widget = nullptr;  ///< parent of the dialogs
    /// Draws shapes, not pixels, on a device of the size of the widget; false when it cannot begin.
    std::function<bool(QPaintDevice& device)> draw{};
    /// Two pixels per point.
    std::function<QPixmap()> pixmap{};
    /// The visible data as comma-separated values; empty when there are none.
    std::function<QString()> csv{};
    QString refusal{};  ///< why nothing can be copied or saved now; empty: it can
};

/// Pixels per point of copied and saved pictures.
inline constexpr double kPictureScale = 2.0;

/// Writes a picture; the ending decides: .svg, .pdf, or else PNG. Returns whether the file could be
/// written; if not, one that was there is as before.
[[nodiscard]] bool savePicture(const ExportedView& view, const QString& path);

/// Adds what copies and saves to a menu.
void addExportActions(QMenu& menu, const ExportedView& view);

}  // namespace epsilens::ui
