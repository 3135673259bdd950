#pragma once

#include <QString>
#include <QWidget>

namespace epsilens::ui {

/// Commands of the menus that a tab may carry out.
enum class PanelCommand {
    run,            ///< F5: calibrate over the grid
    sample,         ///< Ctrl+Return: draw new outputs for the sentence
    focusSentence,  ///< Ctrl+L: put the cursor into the sentence
    exportReport,   ///< Ctrl+E: write the report to a file
    findWord,       ///< Ctrl+F: find a word
};

/// A tab of the window. The shell owns the panels and reaches them through this interface only.
class Panel : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Label of the tab, translated.
    [[nodiscard]] virtual QString title() const = 0;
    /// Whether this panel is the one that carries out the command.
    [[nodiscard]] virtual bool handles(PanelCommand /*command*/) const { return false; }
    /// Carries it out; the shell has brought the tab to the front.
    virtual void execute(PanelCommand /*command*/) {}
    /// The control that F6 and Ctrl+1...6 put the focus on; nullptr leaves it to Qt.
    [[nodiscard]] virtual QWidget* firstControl() const { return nullptr; }
};

}  // namespace epsilens::ui
