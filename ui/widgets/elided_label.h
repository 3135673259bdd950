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

    void setElideMode(Qt::TextElideMode mode) { m_mode = mode; }
    /// What is drawn in a room so wide.
    [[nodiscard]] QString textWithin(int width) const;

Q_SIGNALS:
    /// With the left button of the mouse.
    void clicked();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    Qt::TextElideMode m_mode = Qt::ElideMiddle;
};

}  // namespace epsilens::ui
