#pragma once

#include <QWidget>

#include "ui/tradeoff/labelled_source.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace epsilens::ui {

/// Opens labelled texts, says what they are, and lets the analyst correct the guessed columns.
class DataBar : public QWidget {
    Q_OBJECT

public:
    explicit DataBar(LabelledSource& source, QWidget* parent = nullptr);

    [[nodiscard]] QPushButton* openButton() const { return m_open; }
    /// The guessed columns, to be corrected: a row of its own for a layout of the panel.
    [[nodiscard]] QWidget* columns() const { return m_columns; }

public Q_SLOTS:
    void chooseFile();
    void chooseFolder();

private:
    [[nodiscard]] QLineEdit* buildColumn(const char* objectName, const QString& name,
                                         const QString& description);
    void refresh();
    void showColumn(QLineEdit& field, const std::string& typed,
                    const std::optional<experiment::Column>& column);
    void takeColumns();

    LabelledSource& m_source;
    QHBoxLayout* m_row;
    QPushButton* m_open;
    QPushButton* m_folder;
    QLabel* m_summary;
    QLabel* m_remark;
    QWidget* m_columns;
    QLineEdit* m_text;
    QLineEdit* m_label;
    QLineEdit* m_author;
};

}  // namespace epsilens::ui
