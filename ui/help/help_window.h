#pragma once

#include <memory>

#include <QTextDocument>
#include <QWidget>

#include "ui/help/help_pages.h"

class QListWidget;
class QTextBrowser;
class QToolButton;

namespace epsilens::ui {

/// The help in a window of its own: pages, and links between them.
class HelpWindow : public QWidget {
    Q_OBJECT

public:
    explicit HelpWindow(QWidget* parent = nullptr);

    /// Shows a topic such as "terms#n_w" and remembers the one before for Back.
    void showTopic(const QString& topic);
    /// Lets the keys scroll what is shown.
    void focusPage();
    [[nodiscard]] QString shownPage() const { return m_shown.page; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* buildSide();
    void display(const HelpTopic& topic);
    void scrollToHeading();
    void goBack();

    HelpPages m_pages;
    QListWidget* m_list;
    QToolButton* m_back;
    QTextBrowser* m_text;
    std::unique_ptr<QTextDocument> m_document;  ///< of the page shown
    HelpTopic m_shown;
    QList<HelpTopic> m_before;
};

/// Brings the help to the front. It belongs to what asks for it: a dialog blocks every window that
/// is not its own.
///
/// asking  a window or a dialog
void showHelp(QWidget& asking, const QString& topic);

}  // namespace epsilens::ui
