#pragma once

#include <optional>
#include <vector>

#include <QAbstractScrollArea>
#include <QRectF>

#include "ui/choose/choose_model.h"
#include "ui/state/output_mark.h"

namespace epsilens::ui::choose {

/// The sampled sentence under the typed one, word under word. A click, or Left and Right with
/// Return, chooses a word. Grows with the text up to a few blocks, then scrolls; for one sentence
/// it never shrinks, so that nothing below jumps while values change.
class OutputView : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit OutputView(QWidget* parent = nullptr);

    /// pinned     the same words under the pinned setting, if there is one
    /// guessNote  what the attacker knows, for the name of the row of guesses; nothing: no such row
    void setSentence(const SampledSentence& sentence,
                     const std::optional<SampledSentence>& pinned = {},
                     const std::optional<QString>& guessNote = {});
    void setSelectedEntry(std::optional<std::size_t> entry);
    /// The next sentence is another text: the height is chosen anew.
    void forgetHeight();

    [[nodiscard]] const SampledSentence& sentence() const { return m_sentence; }
    [[nodiscard]] QRect wordArea(std::size_t place) const;
    [[nodiscard]] OutputMark mark(std::size_t place) const;

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void entryChosen(std::size_t entry);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    enum class Line { typed, now, guess, pinned };

    static constexpr int kBlockGap = 5;
    static constexpr int kPinnedGap = 4;     ///< above the row of the pinned setting
    static constexpr double kPadding = 2.0;  ///< of the tint around a word

    void layOut();
    void updateScrollBar();
    [[nodiscard]] std::vector<Line> lines() const;
    [[nodiscard]] int heightOf(Line line) const;
    [[nodiscard]] QString textIn(Line line, std::size_t place) const;
    [[nodiscard]] int blockHeight() const;
    void scrollToCursor();
    [[nodiscard]] std::optional<std::size_t> placeAt(const QPoint& position) const;
    void paintNames(QPainter& painter, const Theme& theme) const;
    void paintWord(QPainter& painter, std::size_t place, const Theme& theme) const;
    void paintLine(QPainter& painter, QRectF row, Line line, std::size_t place,
                   const Theme& theme) const;
    void describe();
    [[nodiscard]] QString spoken(std::size_t place) const;

    SampledSentence m_sentence;
    std::optional<SampledSentence> m_pinned;
    std::optional<QString> m_guessNote;
    std::optional<std::size_t> m_selectedEntry;
    std::optional<std::size_t> m_cursor;  ///< place that the keyboard is on
    std::vector<QRectF> m_areas;  ///< of the words with all their rows; blocks of columns wrap
    int m_blocks = 1;
    int m_keptBlocks = 1;  ///< most blocks since forgetHeight()
};

}  // namespace epsilens::ui::choose
