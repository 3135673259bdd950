#pragma once

#include <QObject>

class QWidget;

namespace epsilens::ui {

/// Takes over what is still being typed in a field of a window, as Return in the field does.
void commitTyping(const QWidget& window);

/// Buttons of a window that are pressed by their letter leave the focus in the field with the
/// typing, which this takes over first.
class FieldKeys : public QObject {
    Q_OBJECT

public:
    /// window  must outlive this
    explicit FieldKeys(QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget& m_window;
};

}  // namespace epsilens::ui
