#pragma once

#include <QWidget>

#include "ui/tradeoff/labelled_source.h"

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

public Q_SLOTS:
    void chooseFile();

private:
    [[nodiscard]] QLineEdit* buildColumn(const char* objectName, const QString& name,
                                         const QString& description);
    void refresh();
    void showColumn(QLineEdit& field, const std::string& typed,
                    const std::optional<experiment::Column>& column);
    void takeColumns();

    LabelledSource& m_source;
    QPushButton* m_open;
    QLabel* m_summary;
    QLabel* m_remark;
    QWidget* m_columns;
    QLineEdit* m_text;
    QLineEdit* m_label;
    QLineEdit* m_author;
};

}  // namespace epsilens::ui
