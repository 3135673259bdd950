#pragma once

#include <QLabel>

namespace epsilens::ui {

/// One line of plain text that takes the width it is given and leaves out its middle, if nothing
/// else is set, when that is too little: the ends of file names tell them apart. text() stays
/// whole.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);

    /// Which part is left out where none is kept.
    void setElideMode(Qt::TextElideMode mode) { m_mode = mode; }
    /// Keeps so many letters at the end whatever the width, and leaves out those before them
    /// instead of the middle; where not even they have room, as many of them as have. 0: the
    /// middle.
    void keepTail(qsizetype letters);
    /// Width that the letters kept at the end take alone; 0 without any.
    [[nodiscard]] int tailWidth() const;
    /// What is drawn in a room so wide.
    [[nodiscard]] QString textWithin(int width) const;

Q_SIGNALS:
    /// With the left button of the mouse.
    void clicked();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString tailAlone() const;

    Qt::TextElideMode m_mode = Qt::ElideMiddle;
    qsizetype m_tail = 0;
};

}  // namespace epsilens::ui
