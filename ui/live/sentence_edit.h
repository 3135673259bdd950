#pragma once

#include <QPlainTextEdit>

namespace epsilens::ui::live {

/// The text to look at, of any length. Shows as many lines as it has, up to a few; one where the
/// window is low. Tab leaves it, as Return does after a sentence; Shift+Return begins a line.
class SentenceEdit : public QPlainTextEdit {
    Q_OBJECT

public:
    explicit SentenceEdit(QWidget* parent = nullptr);

    /// Shows another text from its beginning, unless it is the one shown: where somebody types, the
    /// cursor stays.
    void showText(const QString& text);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] int lines() const;
    void fit();
    [[nodiscard]] int heightOf(int lines) const;
};

}  // namespace epsilens::ui::live
