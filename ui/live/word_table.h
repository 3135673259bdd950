#pragma once

#include <cstddef>
#include <optional>

#include <QTableView>

class QAbstractTableModel;

namespace epsilens::ui::live {

class LiveModel;
struct LiveWord;

/// "4.20", "any", "∞".
[[nodiscard]] QString halfKeptText(const LiveWord& word);
/// The most frequent outputs other than the word itself: "heart 12% · lung 4% …".
[[nodiscard]] QString topOutputsText(const LiveWord& word, qsizetype most);

/// The words of the text with what the mechanism makes of them. Its columns share the width there
/// is; where it is short the least important ones are left to the panel of the chosen word.
class WordTable : public QTableView {
    Q_OBJECT

public:
    enum Column { word, shares, kept, distinct, halfKept, topOutputs };
    static constexpr int kColumns = 6;

    /// model  must outlive the table
    explicit WordTable(const LiveModel& model, QWidget* parent = nullptr);

    /// Selects the row of an entry, which chooses nothing by itself.
    void showEntry(std::optional<std::size_t> entry);
    /// Chooses columns and widths anew.
    void fit();

Q_SIGNALS:
    /// The analyst chose a row.
    void entryChosen(std::size_t entry);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    const LiveModel& m_model;
    QAbstractTableModel* m_words = nullptr;
    bool m_isSelecting = false;  ///< the program, not the analyst, selects a row
};

}  // namespace epsilens::ui::live
