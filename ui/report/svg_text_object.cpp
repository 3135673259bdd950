#include "ui/report/svg_text_object.h"

#include <algorithm>

#include <QAbstractTextDocumentLayout>
#include <QPaintDevice>
#include <QPainter>
#include <QSvgRenderer>
#include <QTextDocument>

namespace epsilens::ui {

namespace {

constexpr int kSvgProperty = QTextFormat::UserProperty + 1;
// More than the 96 of SVG: a figure leaves room for the text that it belongs to on its page, and
// its letters of 12 dots still have 7.5 points.
constexpr double kSvgDotsPerInch = 115.0;

QByteArray svgOf(const QTextFormat& format) {
    return format.property(kSvgProperty).toByteArray();
}

}  // namespace

QTextCharFormat SvgTextObject::format(const QByteArray& svg) {
    QTextCharFormat format;
    format.setObjectType(kType);
    format.setProperty(kSvgProperty, svg);
    return format;
}

QSizeF SvgTextObject::intrinsicSize(QTextDocument* document, int /*position*/,
                                    const QTextFormat& format) {
    const QSizeF natural(QSvgRenderer(svgOf(format)).defaultSize());
    const QPaintDevice* device = document->documentLayout()->paintDevice();
    const double scale = device != nullptr ? device->logicalDpiX() / kSvgDotsPerInch : 1.0;
    const double available = document->pageSize().width() > 0.0
                                 ? document->pageSize().width() - 2.0 * document->documentMargin()
                                 : document->textWidth() - 2.0 * document->documentMargin();
    const double wanted = natural.width() * scale;
    const double width = available > 0.0 ? std::min(wanted, available) : wanted;
    return natural * (width / natural.width());
}

void SvgTextObject::drawObject(QPainter* painter, const QRectF& rect, QTextDocument* /*document*/,
                               int /*position*/, const QTextFormat& format) {
    QSvgRenderer(svgOf(format)).render(painter, rect);
}

}  // namespace epsilens::ui
