#include "ui/widgets/app_style.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyleFactory>
#include <QStyleOption>

#include "ui/widgets/layout.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

constexpr int kTargetHeight = 28;
constexpr int kClearIcon = 22;  ///< makes the button for it 28 × 24
constexpr int kDividerWidth = 8;
constexpr int kTextMargin = 4;
constexpr int kButtonPadding = 16;
constexpr double kRadius = 3.0;
constexpr double kIndicatorRadius = 2.0;
constexpr double kFocusWidth = 2.0;
constexpr int kTabInset = 2;
constexpr int kTabHeight = 28;

bool isPartOfAnotherControl(const QWidget* widget) {
    const QWidget* parent = widget->parentWidget();
    return qobject_cast<const QComboBox*>(parent) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(parent) != nullptr;
}

/// Fusion takes outlines from a darkened window colour, which dark themes make invisible.
void drawOutline(QPainter& painter, const QStyleOption& option, QPalette::ColorRole role,
                 double radius) {
    const bool focused = option.state.testFlag(QStyle::State_HasFocus) &&
                         option.state.testFlag(QStyle::State_Enabled);
    const auto group =
        option.state.testFlag(QStyle::State_Enabled) ? QPalette::Active : QPalette::Disabled;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const double width = focused ? kFocusWidth : 1.0;
    painter.setPen(
        QPen(focused ? themeFor(option.palette).focus : option.palette.color(group, role), width));
    const double inset = width / 2.0;
    painter.drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), radius,
                            radius);
    painter.restore();
}

/// Inside of what has the focus, by keyboard: the mouse needs no such sign.
void drawFocusRing(QPainter& painter, const QStyleOption& option) {
    if (!option.state.testFlag(QStyle::State_KeyboardFocusChange)) {
        return;
    }
    const bool onSelection =
        option.state.testFlag(QStyle::State_Selected) && option.state.testFlag(QStyle::State_Item);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(onSelection ? option.palette.color(QPalette::HighlightedText)
                                    : themeFor(option.palette).focus,
                        kFocusWidth));
    // White within a selection, not at its edge, where the ground may be white as well.
    const double inset = onSelection ? kFocusWidth : kFocusWidth / 2.0;
    painter.drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset),
                            kIndicatorRadius, kIndicatorRadius);
    painter.restore();
}

}  // namespace

AppStyle::AppStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

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
        // Push buttons show the focus by their outline.
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
            // Boxes to type several lines into look like those for one.
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
    if (control == CC_ComboBox || control == CC_SpinBox) {
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
            // Room for the outline of the focus, beside the text.
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
    switch (type) {
        case CT_PushButton:
            result.rwidth() += kButtonPadding;
            [[fallthrough]];
        case CT_ComboBox:
        case CT_SpinBox:
            result.setHeight(std::max(result.height(), kTargetHeight));
            break;
        case CT_LineEdit:
            if (widget == nullptr || !isPartOfAnotherControl(widget)) {
                result.setHeight(std::max(result.height(), kTargetHeight));
            }
            break;
        case CT_TabBarTab:
            result.setHeight(std::max(result.height(), kTabHeight));
            break;
        case CT_ToolButton:
        case CT_MenuBarItem:
            result = result.expandedTo({kLeastTarget, kLeastTarget});
            break;
        case CT_MenuItem: {
            const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
            if (item == nullptr || item->menuItemType != QStyleOptionMenuItem::Separator) {
                result.setHeight(std::max(result.height(), kLeastTarget));
            }
            break;
        }
        case CT_ItemViewItem:
            if (qobject_cast<const QListView*>(widget) != nullptr) {
                result.setHeight(std::max(result.height(), kLeastTarget));
            }
            break;
        case CT_CheckBox:
        case CT_RadioButton:
        case CT_HeaderSection:
            result.setHeight(std::max(result.height(), kLeastTarget));
            break;
        default:
            break;
    }
    return result;
}

void AppStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    auto* edit = qobject_cast<QLineEdit*>(widget);
    if (edit != nullptr && !isPartOfAnotherControl(edit)) {
        edit->setTextMargins(kTextMargin, 0, kTextMargin, 0);
    }
}

}  // namespace epsilens::ui
