#pragma once

#include <QWidget>

class QVBoxLayout;

namespace epsilens::ui::live {

class LiveModel;
struct UnknownWord;

/// One line for each of the first unknown words, with the nearest spellings as buttons, and one
/// that counts the others. Hidden
/// until typing has paused and the spellings are known, so that half-typed words make nothing jump.
class UnknownWordsBar : public QWidget {
    Q_OBJECT

public:
    /// model  must outlive this widget
    explicit UnknownWordsBar(const LiveModel& model, QWidget* parent = nullptr);

    void refresh();

Q_SIGNALS:
    void replacementChosen(const QString& typed, const QString& replacement);

protected:
    void changeEvent(QEvent* event) override;

private:
    void clear();
    void addLine(const UnknownWord& word);
    void addRest(qint64 words);

    const LiveModel& m_model;
    QVBoxLayout* m_lines;
};

}  // namespace epsilens::ui::live
