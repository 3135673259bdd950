#pragma once

#include <array>

#include <QWidget>

class QLabel;
class QLineEdit;

namespace epsilens::ui {

class GuaranteeModel;

/// The guarantee in full: constant and metric, sentence, what it leaves out, its Euclidean reading,
/// and the odds of two words that can be chosen.
class GuaranteeSection : public QWidget {
    Q_OBJECT

public:
    explicit GuaranteeSection(GuaranteeModel& model, QWidget* parent = nullptr);

private:
    [[nodiscard]] QLabel* addText(const char* objectName, bool muted);
    void buildWords();
    void showModel();
    void showUnknown(const QString& spelling, const QStringList& similar);

    GuaranteeModel& m_model;
    QLabel* m_constant;
    QLabel* m_caution;
    QLabel* m_odds;
    QLabel* m_wordHint;
    QLabel* m_radius;
    QLabel* m_euclidean;
    QLabel* m_sentence;
    QLabel* m_scope;
    std::array<QLineEdit*, 2> m_words{};
};

}  // namespace epsilens::ui
