#pragma once

#include <optional>

#include <QPixmap>

#include "ui/dial/dial_painting.h"
#include "ui/widgets/value_slider.h"

namespace epsilens::ui {

/// A slider over epsilon on the picture of what epsilon does: the shares of words kept, near and
/// far, above them what is promised, below them one dot per word at its half-kept epsilon.
class DialView : public ValueSlider {
    Q_OBJECT

public:
    explicit DialView(QWidget* parent = nullptr);

    [[nodiscard]] const DialPicture& picture() const { return m_picture; }
    void setPicture(DialPicture picture);
    /// Moves the cursor; an axis that does not reach so far grows, and shrinks
    /// again when the cursor returns. Emits nothing.
    void showEpsilon(double epsilon);
    /// Steps as the arrow keys do.
    void stepInView(int steps);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The ruler of what is promised was clicked.
    void promiseClicked();

protected:
    [[nodiscard]] QRectF groove() const override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void setAxis(const ValueScale& axis);
    /// Lets the axis reach as far as the cursor.
    void reachFor(double epsilon);
    void forgetDrawing();
    [[nodiscard]] DialLayout layoutNow() const;
    void drawCursor(QPainter& painter) const;
    void drawHandle(QPainter& painter) const;

    DialPicture m_picture;
    bool m_hasGrown = false;  ///< the axis, for a cursor beyond the ends of the picture
    QPixmap m_drawn;          ///< what is below the cursor; null: to be drawn again
    QPixmap m_labels;         ///< what is written above it
};

}  // namespace epsilens::ui
