#pragma once

#include <QString>
#include <QWidget>

class QToolButton;

namespace epsilens::ui {

/// A part of a panel that its heading opens and closes.
class CollapsibleSection : public QWidget {
    Q_OBJECT

public:
    /// id       stem of the object names: "guarantee" gives guaranteeSection, guaranteeToggleButton
    /// content  goes over to the section
    CollapsibleSection(const QString& id, const QString& title, QWidget* content,
                       QWidget* parent = nullptr);

    /// What the heading says; a section may put its gist there, to be read while it is closed.
    void setTitle(const QString& title);
    [[nodiscard]] QString title() const;
    [[nodiscard]] bool isOpen() const;
    void setOpen(bool open);

private:
    void show(bool open);

    QToolButton* m_toggle;
    QWidget* m_content;
};

}  // namespace epsilens::ui
