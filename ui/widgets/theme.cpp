#include "ui/widgets/theme.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include <QtWidgets>

#include "ui/widgets/layout.h"

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
    theme.sw = kVermillion;
    theme.error = 0xffb3261e;
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
    theme.pinned = 0xff98a1ab;
    theme.mutedText = kDark.muted;
    theme.border = 0xff363d46;
    theme.grid = 0xff2a3037;
    theme.noticeInfo = 0xff1d3040;
    theme.noticeWarning = 0xff3a2f17;
    theme.noticeError = 0xff42241d;
    return theme;
}

constexpr int kTargetHeight = 28;
constexpr int kClearIcon = 22;  ///< makes the button for it 28 × 24
constexpr int kDividerWidth = 8;
constexpr int kTextMargin = 4;
constexpr int kButtonPadding = 16;
constexpr double kRadius = 3.0;
constexpr double kIndicatorRadius = 2.0;
constexpr double kFocusWidth = 2.0;
constexpr int kTabInset = 2;

bool isPartOfAnotherControl(const QWidget* widget) {
    return qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr;
}

void drawRounded(QPainter& painter, const QStyleOption& option, const QColor& colour, double width,
                 double inset, double radius) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, width));
    painter.drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), radius,
                            radius);
    painter.restore();
}

/// Fusion takes outlines from a darkened window colour, which dark themes make invisible.
void drawOutline(QPainter& painter, const QStyleOption& option, QPalette::ColorRole role,
                 double radius) {
    const bool isEnabled = option.state.testFlag(QStyle::State_Enabled);
    const bool hasFocus = option.state.testFlag(QStyle::State_HasFocus) && isEnabled;
    const auto group = isEnabled ? QPalette::Active : QPalette::Disabled;
    const double width = hasFocus ? kFocusWidth : 1.0;
    drawRounded(painter, option,
                hasFocus ? themeFor(option.palette).focus : option.palette.color(group, role),
                width, width / 2.0, radius);
}

/// Inside of what has the focus, by keyboard: the mouse needs no such sign.
void drawFocusRing(QPainter& painter, const QStyleOption& option) {
    if (!option.state.testFlag(QStyle::State_KeyboardFocusChange)) {
        return;
    }
    const bool onSelection =
        option.state.testFlag(QStyle::State_Selected) && option.state.testFlag(QStyle::State_Item);
    // White within a selection, not at its edge, where the ground may be white as well.
    drawRounded(painter, option,
                onSelection ? option.palette.color(QPalette::HighlightedText)
                            : themeFor(option.palette).focus,
                kFocusWidth, onSelection ? kFocusWidth : kFocusWidth / 2.0, kIndicatorRadius);
}

/// Fusion with calmer areas and targets of at least 28 pixels.
class AppStyle final : public QProxyStyle {
public:
    AppStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget) const override;
    [[nodiscard]] int pixelMetric(PixelMetric metric, const QStyleOption* option,
                                  const QWidget* widget) const override;
    [[nodiscard]] QSize sizeFromContents(ContentsType type, const QStyleOption* option,
                                         const QSize& size, const QWidget* widget) const override;
    using QProxyStyle::polish;
    void polish(QWidget* widget) override;
};

void AppStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                           const QWidget* widget) const {
    if (element == CE_ToolBar) {
        painter->fillRect(option->rect, option->palette.color(QPalette::Window));
        painter->setPen(option->palette.color(QPalette::Mid));
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
        return;
    }
    const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
    if (element == CE_TabBarTabLabel && tab != nullptr && tab->state.testFlag(State_HasFocus)) {
        // Fusion's own focus frame, which no proxy is asked for, is too faint.
        QStyleOptionTab plain(*tab);
        plain.state.setFlag(State_HasFocus, false);
        QProxyStyle::drawControl(element, &plain, painter, widget);
        plain.rect.adjust(kTabInset, kTabInset, -kTabInset, -kTabInset);
        drawFocusRing(*painter, plain);
        return;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void AppStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                             QPainter* painter, const QWidget* widget) const {
    if (element == PE_FrameFocusRect) {
        if (qobject_cast<const QPushButton*>(widget) == nullptr) {
            drawFocusRing(*painter, *option);
        }
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    switch (element) {
        case PE_FrameLineEdit:
            drawOutline(*painter, *option, QPalette::Dark, kRadius);
            break;
        case PE_PanelButtonCommand:
            drawOutline(*painter, *option, QPalette::Mid, kRadius);
            break;
        case PE_Frame:
            if (qobject_cast<const QPlainTextEdit*>(widget) != nullptr) {
                drawOutline(*painter, *option, QPalette::Dark, kRadius);
            }
            break;
        case PE_IndicatorCheckBox:
            drawOutline(*painter, *option, QPalette::Dark, kIndicatorRadius);
            break;
        default:
            break;
    }
}

void AppStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                  QPainter* painter, const QWidget* widget) const {
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_ComboBox) {
        drawOutline(*painter, *option, QPalette::Dark, kRadius);
    }
}

int AppStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                          const QWidget* widget) const {
    switch (metric) {
        case PM_ToolBarItemMargin:
        case PM_ToolBarFrameWidth:
            return 0;
        case PM_SplitterWidth:
        case PM_DockWidgetSeparatorExtent:
            return kDividerWidth;
        case PM_LineEditIconSize:
            return kClearIcon;
        case PM_DefaultFrameWidth:
            return qobject_cast<const QPlainTextEdit*>(widget) != nullptr
                       ? static_cast<int>(kFocusWidth)
                       : QProxyStyle::pixelMetric(metric, option, widget);
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

QSize AppStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                 const QWidget* widget) const {
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    int least = 0;
    switch (type) {
        case CT_PushButton:
            result.rwidth() += kButtonPadding;
            [[fallthrough]];
        case CT_ComboBox:
        case CT_TabBarTab:
            least = kTargetHeight;
            break;
        case CT_LineEdit:
            least = widget != nullptr && isPartOfAnotherControl(widget) ? 0 : kTargetHeight;
            break;
        case CT_ToolButton:
        case CT_MenuBarItem:
            result.setWidth(std::max(result.width(), kLeastTarget));
            [[fallthrough]];
        case CT_CheckBox:
        case CT_HeaderSection:
            least = kLeastTarget;
            break;
        case CT_MenuItem: {
            const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
            const bool isLine =
                item != nullptr && item->menuItemType == QStyleOptionMenuItem::Separator;
            least = isLine ? 0 : kLeastTarget;
            break;
        }
        case CT_ItemViewItem:
            least = qobject_cast<const QListView*>(widget) != nullptr ? kLeastTarget : 0;
            break;
        default:
            break;
    }
    result.setHeight(std::max(result.height(), least));
    return result;
}

void AppStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    auto* edit = qobject_cast<QLineEdit*>(widget);
    if (edit != nullptr && !isPartOfAnotherControl(edit)) {
        edit->setTextMargins(kTextMargin, 0, kTextMargin, 0);
    }
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
