#include "ui/widgets/theme.h"

#include <array>

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
    palette.setColor(QPalette::Window, QColor::fromRgb(colours.window));
    palette.setColor(QPalette::WindowText, QColor::fromRgb(colours.text));
    palette.setColor(QPalette::Base, QColor::fromRgb(colours.base));
    palette.setColor(QPalette::AlternateBase, QColor::fromRgb(colours.alternate));
    palette.setColor(QPalette::Text, QColor::fromRgb(colours.text));
    palette.setColor(QPalette::Button, QColor::fromRgb(colours.button));
    palette.setColor(QPalette::ButtonText, QColor::fromRgb(colours.text));
    palette.setColor(QPalette::BrightText, QColor::fromRgb(kOrange));
    palette.setColor(QPalette::PlaceholderText, QColor::fromRgb(colours.muted));
    palette.setColor(QPalette::ToolTipBase, QColor::fromRgb(colours.button));
    palette.setColor(QPalette::ToolTipText, QColor::fromRgb(colours.text));
    palette.setColor(QPalette::Highlight, QColor::fromRgb(colours.highlight));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, QColor::fromRgb(colours.link));
    palette.setColor(QPalette::Mid, QColor::fromRgb(colours.border));
    palette.setColor(QPalette::Midlight, QColor::fromRgb(colours.alternate));
    palette.setColor(QPalette::Dark, QColor::fromRgb(colours.outline));
    palette.setColor(QPalette::Light, QColor::fromRgb(colours.button).lighter(105));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, QColor::fromRgb(colours.disabled));
    }
    palette.setColor(QPalette::Disabled, QPalette::Dark, QColor::fromRgb(colours.border));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor::fromRgb(colours.border));
    return palette;
}

Theme lightTheme() {
    Theme theme;
    theme.focus = QColor::fromRgb(kBlue);
    theme.kept = theme.nw = QColor::fromRgb(kBlue);
    theme.near = QColor::fromRgb(kSky);
    theme.far = QColor::fromRgb(kOrange);
    theme.sw = theme.error = QColor::fromRgb(kVermillion);
    theme.error = QColor::fromRgb(0xffb3261e);
    theme.warning = QColor::fromRgb(0xff8a5a00);
    theme.pinned = QColor::fromRgb(0xff767f89);
    theme.mutedText = QColor::fromRgb(kLight.muted);
    theme.border = QColor::fromRgb(0xffd9dee4);
    theme.grid = QColor::fromRgb(0xffe6e9ed);
    theme.noticeInfo = QColor::fromRgb(0xffe8f2fa);
    theme.noticeWarning = QColor::fromRgb(0xfffdf3dc);
    theme.noticeError = QColor::fromRgb(0xfffdeae6);
    return theme;
}

Theme darkTheme() {
    Theme theme;
    theme.dark = true;
    theme.focus = QColor::fromRgb(kDark.link);
    // Kept, near and far have the hues that they have on light.
    theme.kept = QColor::fromRgb(kBlue);
    theme.near = theme.nw = QColor::fromRgb(kSky);
    theme.sw = theme.far = QColor::fromRgb(kOrange);
    theme.error = QColor::fromRgb(0xffff8a70);
    theme.warning = QColor::fromRgb(kOrange);
    theme.pinned = QColor::fromRgb(0xff98a1ab);
    theme.mutedText = QColor::fromRgb(kDark.muted);
    theme.border = QColor::fromRgb(0xff363d46);
    theme.grid = QColor::fromRgb(0xff2a3037);
    theme.noticeInfo = QColor::fromRgb(0xff1d3040);
    theme.noticeWarning = QColor::fromRgb(0xff3a2f17);
    theme.noticeError = QColor::fromRgb(0xff42241d);
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
    return QColor::fromRgb(colours[static_cast<std::size_t>(index) % colours.size()]);
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
