#pragma once

#include <cstddef>
#include <optional>

#include <QTableView>

class QAbstractTableModel;

namespace epsilens::ui::live {

class LiveModel;
struct LiveWord;

/// The most frequent outputs other than the word itself: "heart 12% · lung 4% …".
[[nodiscard]] QString topOutputsText(const LiveWord& word, qsizetype most);

/// The words of the text with what the mechanism makes of them. Its columns share the width there
/// is; where it is short the least important ones are left to the panel of the chosen word.
class WordTable : public QTableView {
    Q_OBJECT

public:
    /// The pinned columns are of use only while something is pinned.
    enum Column { word, shares, kept, pinnedKept, distinct, pinnedDistinct, critical, topOutputs };
    static constexpr int kColumns = 8;

    /// model  must outlive the table
    explicit WordTable(const LiveModel& model, QWidget* parent = nullptr);

    /// Selects the row of an entry, which chooses nothing by itself.
    void showEntry(std::optional<std::size_t> entry);
    /// Chooses columns and widths anew: other words, or something else to compare with.
    void fit();

Q_SIGNALS:
    /// The analyst chose a row.
    void entryChosen(std::size_t entry);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void chooseColumns();
    void applyTheme();
    [[nodiscard]] int leastWidth(int column) const;

    const LiveModel& m_model;
    QAbstractTableModel* m_words = nullptr;
    bool m_isApplyingTheme = false;
    bool m_isSelecting = false;  ///< the program, not the analyst, selects a row
};

}  // namespace epsilens::ui::live
