#include "ui/widgets/theme.h"

#include <array>
#include <initializer_list>
#include <utility>

#include <QApplication>
#include <QStyle>
#include <QWidget>

#include "ui/widgets/app_style.h"

namespace epsilens::ui {

namespace {

constexpr QRgb kBlue = 0xff0072b2;
constexpr QRgb kVermillion = 0xffd55e00;
constexpr QRgb kGreen = 0xff009e73;
constexpr QRgb kSky = 0xff56b4e9;
constexpr QRgb kOrange = 0xffe69f00;
constexpr QRgb kPurple = 0xffcc79a7;

constexpr int kDarkBelowLightness = 128;

struct PaletteColours {
    QRgb window, base, alternate, button, text, muted, disabled, border, outline, highlight, link;
};

constexpr PaletteColours kLight{0xfff6f7f9, 0xffffffff, 0xfff1f3f5, 0xffffffff,
                                0xff1b2026, 0xff5a6470, 0xff8b95a1, 0xffc9d0d8,
                                0xff868f99, 0xff0072b2, 0xff0072b2};
constexpr PaletteColours kDark{0xff1f2328, 0xff16191d, 0xff1b1f24, 0xff2b3037,
                               0xffe8eaed, 0xffa3adb8, 0xff78828d, 0xff454d57,
                               0xff707b86, 0xff267bbd, 0xff7cc4f0};

QPalette paletteFrom(const PaletteColours& colours) {
    QPalette palette;
    for (const auto& [role, colour] : std::initializer_list<std::pair<QPalette::ColorRole, QColor>>{
             {QPalette::Window, colours.window},
             {QPalette::WindowText, colours.text},
             {QPalette::Base, colours.base},
             {QPalette::AlternateBase, colours.alternate},
             {QPalette::Text, colours.text},
             {QPalette::Button, colours.button},
             {QPalette::ButtonText, colours.text},
             {QPalette::BrightText, kOrange},
             {QPalette::PlaceholderText, colours.muted},
             {QPalette::ToolTipBase, colours.button},
             {QPalette::ToolTipText, colours.text},
             {QPalette::Highlight, colours.highlight},
             {QPalette::HighlightedText, Qt::white},
             {QPalette::Link, colours.link},
             {QPalette::Mid, colours.border},
             {QPalette::Midlight, colours.alternate},
             {QPalette::Dark, colours.outline},
             {QPalette::Light, QColor(colours.button).lighter(105)}}) {
        palette.setColor(role, colour);
    }
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, colours.disabled);
    }
    palette.setColor(QPalette::Disabled, QPalette::Dark, colours.border);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, colours.border);
    return palette;
}

Theme lightTheme() {
    Theme theme;
    theme.focus = kBlue;
    theme.kept = theme.nw = kBlue;
    theme.near = kSky;
    theme.far = kOrange;
    theme.sw = theme.error = kVermillion;
    theme.error = 0xffb3261e;
    theme.warning = 0xff8a5a00;
    theme.pinned = 0xff767f89;
    theme.mutedText = kLight.muted;
    theme.border = 0xffd9dee4;
    theme.grid = 0xffe6e9ed;
    theme.noticeInfo = 0xffe8f2fa;
    theme.noticeWarning = 0xfffdf3dc;
    theme.noticeError = 0xfffdeae6;
    return theme;
}

Theme darkTheme() {
    Theme theme;
    theme.dark = true;
    theme.focus = kDark.link;
    // Kept, near and far have the hues that they have on light.
    theme.kept = kBlue;
    theme.near = theme.nw = kSky;
    theme.sw = theme.far = kOrange;
    theme.error = 0xffff8a70;
    theme.warning = kOrange;
    theme.pinned = 0xff98a1ab;
    theme.mutedText = kDark.muted;
    theme.border = 0xff363d46;
    theme.grid = 0xff2a3037;
    theme.noticeInfo = 0xff1d3040;
    theme.noticeWarning = 0xff3a2f17;
    theme.noticeError = 0xff42241d;
    return theme;
}

bool desktopBringsPalette() {
    static const bool brings = [] {
        const QStyle* style = QApplication::style();
        return style->objectName().compare(QLatin1String("fusion"), Qt::CaseInsensitive) != 0 ||
               QApplication::palette().color(QPalette::Window) !=
                   style->standardPalette().color(QPalette::Window);
    }();
    return brings;
}

}  // namespace

QColor Theme::series(int index) const {
    static constexpr std::array kOnLight{kBlue,   kVermillion, kGreen,
                                         kPurple, 0xff1b2026U, 0xff767f89U};
    static constexpr std::array kOnDark{kSky, kOrange, kGreen, kPurple, 0xffe8eaedU, 0xff98a1abU};
    const auto& colours = dark ? kOnDark : kOnLight;
    return colours[static_cast<std::size_t>(index) % colours.size()];
}

Theme themeFor(const QPalette& palette) {
    const QColor window = palette.color(QPalette::Window);
    Theme theme = window.lightness() < kDarkBelowLightness ? darkTheme() : lightTheme();
    theme.window = window;
    theme.surface = palette.color(QPalette::Base);
    theme.text = palette.color(QPalette::Text);
    theme.accent = palette.color(QPalette::Highlight);
    return theme;
}

Theme themeOf(const QWidget* widget) {
    return themeFor(widget->palette());
}

QPalette lightPalette() {
    return paletteFrom(kLight);
}
QPalette darkPalette() {
    return paletteFrom(kDark);
}

void applyTheme(ThemeChoice choice) {
    static const bool keepDesktop = desktopBringsPalette();
    if (choice == ThemeChoice::system && keepDesktop) {
        // One without colours of its own takes the desktop's, now and whenever they change.
        QApplication::setPalette(QPalette());
        return;
    }
    // The application owns its style, which the analyser cannot see.
    // NOLINTBEGIN(clang-analyzer-cplusplus.NewDeleteLeaks)
    QApplication::setStyle(new AppStyle);
    QApplication::setPalette(choice == ThemeChoice::dark ? darkPalette() : lightPalette());
    // NOLINTEND(clang-analyzer-cplusplus.NewDeleteLeaks)
}

}  // namespace epsilens::ui
