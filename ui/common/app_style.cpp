#include "ui/common/app_style.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QStyleFactory>
#include <QStyleOption>

namespace epsilens::ui {

namespace {

constexpr int kTargetHeight = 28;
constexpr int kLeastTargetHeight = 24;
constexpr int kTextMargin = 4;
constexpr int kButtonPadding = 16;
constexpr double kRadius = 3.0;
constexpr double kIndicatorRadius = 2.0;
constexpr double kFocusWidth = 2.0;

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
    painter.setPen(QPen(option.palette.color(group, focused ? QPalette::Highlight : role),
                        focused ? kFocusWidth : 1.0));
    const double inset = focused ? kFocusWidth / 2.0 : 0.5;
    painter.drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), radius,
                            radius);
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
    QProxyStyle::drawControl(element, option, painter, widget);
}

void AppStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                             QPainter* painter, const QWidget* widget) const {
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
        case CT_CheckBox:
        case CT_RadioButton:
            result.setHeight(std::max(result.height(), kLeastTargetHeight));
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
