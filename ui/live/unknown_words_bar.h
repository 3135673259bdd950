#pragma once

#include <QWidget>

#include "core/embedding/vocabulary.h"

class QVBoxLayout;

namespace epsilens::ui::live {

class LiveModel;
struct UnknownWord;

/// One line for each of the first unknown words, with the nearest spellings as buttons; hidden when
/// every word is known.
class UnknownWordsBar : public QWidget {
    Q_OBJECT

public:
    /// model  must outlive this widget
    explicit UnknownWordsBar(const LiveModel& model, QWidget* parent = nullptr);

    void refresh();

Q_SIGNALS:
    void replacementChosen(const QString& typed, epsilens::embedding::Row replacement);

private:
    void clear();
    void addLine(const UnknownWord& word);
    void addMore(qsizetype words);

    const LiveModel& m_model;
    QVBoxLayout* m_lines;
};

}  // namespace epsilens::ui::live
