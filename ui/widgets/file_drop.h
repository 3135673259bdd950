#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace epsilens::ui {

/// Files dropped anywhere on a window, its fields included, which would take their addresses as
/// text.
class FileDrop : public QObject {
    Q_OBJECT

public:
    /// window  must outlive this
    explicit FileDrop(QWidget& window);

Q_SIGNALS:
    /// target  what it was dropped on
    void dropped(const QString& path, QWidget* target);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget& m_window;
};

}  // namespace epsilens::ui
