#pragma once

#include <QColor>
#include <QPalette>

class QWidget;

namespace epsilens::ui {

/// Colours of meaning for one kind of background. Hues are Okabe and Ito's; on dark backgrounds
/// lines take the lighter ones. Never the only sign: add an icon, text, dash or marker.
struct Theme {
    bool dark = false;
    QColor window;   ///< behind everything
    QColor surface;  ///< fields, tables and plots
    QColor text;
    QColor mutedText;  ///< hints and units, contrast at least 4.5:1
    QColor border;     ///< hairlines between areas
    QColor grid;       ///< grid lines of plots
    QColor accent;     ///< selection, slider
    QColor focus;      ///< rings around what has the keyboard's focus
    QColor kept;       ///< output is the word itself
    QColor near;       ///< output is among its neighbours
    QColor far;        ///< the rest
    QColor nw;         ///< lines of N_w
    QColor sw;         ///< lines of S_w
    QColor pinned;     ///< settings compared against
    QColor error;
    QColor noticeInfo;  ///< backgrounds of notice lines
    QColor noticeWarning;
    QColor noticeError;

    [[nodiscard]] QColor series(int index) const;
};

/// The theme that suits a palette: dark when its window colour is.
[[nodiscard]] Theme themeFor(const QPalette& palette);
[[nodiscard]] Theme themeOf(const QWidget* widget);

enum class ThemeChoice { system, light, dark };

void applyTheme(ThemeChoice choice);
[[nodiscard]] QPalette lightPalette();
[[nodiscard]] QPalette darkPalette();

}  // namespace epsilens::ui
