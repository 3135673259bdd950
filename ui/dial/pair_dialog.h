#pragma once

#include <array>

#include <QDialog>

class QLabel;
class QLineEdit;

namespace epsilens::ui {

class GuaranteeModel;

/// Asks for the two words that the promise is told of: a field for each, and what is spelt alike
/// where the vocabulary lacks one.
class PairDialog : public QDialog {
    Q_OBJECT

public:
    /// model  outlives the dialog
    explicit PairDialog(GuaranteeModel& model, QWidget* parent = nullptr);

    void accept() override;

private:
    QLineEdit* addField(int place, const QString& name);
    void showUnknown(const QString& spelling, const QStringList& similar);

    GuaranteeModel& m_model;
    std::array<QLineEdit*, 2> m_fields{};
    QLabel* m_problem;
};

}  // namespace epsilens::ui
