#pragma once

#include <QPixmap>

#include "ui/dial/dial_layout.h"
#include "ui/dial/dial_picture.h"
#include "ui/widgets/value_slider.h"

namespace epsilens::ui {

/// A slider over epsilon on the picture of what epsilon does: the shares of words kept, near and
/// far, above them what is promised, below them one dot per word at its half-kept epsilon. The
/// wheel zooms while the dial has the focus, a double click shows the whole axis again.
class DialView : public ValueSlider {
    Q_OBJECT

public:
    explicit DialView(QWidget* parent = nullptr);

    [[nodiscard]] const DialPicture& picture() const { return m_picture; }
    /// Shows another picture; a zoomed axis stays as it is while the picture has the same ends.
    void setPicture(DialPicture picture);
    /// Moves the cursor; an axis that does not reach so far grows, and shrinks
    /// again when the cursor returns. Emits nothing.
    void showEpsilon(double epsilon);
    /// Shows the whole axis of the picture.
    void resetAxis();

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The ruler of what is promised was clicked.
    void promiseClicked();

protected:
    [[nodiscard]] QRectF groove() const override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void setAxis(const ValueScale& axis);
    void forgetDrawing();
    [[nodiscard]] DialLayout layoutNow() const;
    void drawCursor(QPainter& painter) const;

    DialPicture m_picture;
    bool m_hasGrown = false;  ///< the axis, for a cursor beyond the ends of the picture
    QPixmap m_drawn;          ///< all but the cursor; null: to be drawn again
};

}  // namespace epsilens::ui
