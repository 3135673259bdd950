#pragma once

#include <QPlainTextEdit>
#include <QWidget>

class QVBoxLayout;

namespace epsilens::ui::live {

class LiveModel;

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

/// What Choose shows while there is no text: examples to begin with.
class StartPage : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);

Q_SIGNALS:
    void exampleChosen(const QString& sentence);
};

/// One line for each of the first unknown words, with the nearest spellings as buttons, and one
/// that counts the others. Hidden
/// until typing has paused and the spellings are known, so that half-typed words make nothing jump.
class UnknownWordsBar : public QWidget {
    Q_OBJECT

public:
    /// model  must outlive this widget
    explicit UnknownWordsBar(LiveModel& model, QWidget* parent = nullptr);

    void refresh();

protected:
    void changeEvent(QEvent* event) override;

private:
    void clear();
    void addLine(const QString& unknown, const QStringList& spellings);

    LiveModel& m_model;
    QVBoxLayout* m_lines;
};

}  // namespace epsilens::ui::live
