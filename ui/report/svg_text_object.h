#pragma once

#include <QByteArray>
#include <QObject>
#include <QTextCharFormat>
#include <QTextObjectInterface>

namespace epsilens::ui {

/// Draws SVG inside a text document, at the width of the page where that is less than its own.
class SvgTextObject : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    static constexpr int kType = QTextFormat::UserObject + 1;

    explicit SvgTextObject(QObject* parent = nullptr) : QObject(parent) {}

    /// The format of a character that stands for a drawing.
    [[nodiscard]] static QTextCharFormat format(const QByteArray& svg);

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position,
                    const QTextFormat& format) override;
};

}  // namespace epsilens::ui
