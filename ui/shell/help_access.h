#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace epsilens::ui {

/// The ways into the help from a window and its dialogs: F1, and links in explanations of controls.
/// A dialog gets its explanations when it opens.
class HelpAccess : public QObject {
    Q_OBJECT

public:
    /// window  must outlive this
    explicit HelpAccess(QWidget& window);

    /// The topic of the control that has the focus.
    void showForFocus();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool isDialogOfTheWindow(const QWidget& widget) const;
    [[nodiscard]] static bool followLink(QWidget& top, const QString& link);

    QWidget& m_window;
};

}  // namespace epsilens::ui
