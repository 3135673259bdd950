#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace epsilens::ui::live {

class LiveModel;
struct LiveWord;

/// The chosen word in full: how often it survives, what it becomes, its nearest words and its
/// half-kept epsilon.
class WordDetails : public QWidget {
    Q_OBJECT

public:
    /// model  must outlive this widget
    explicit WordDetails(const LiveModel& model, QWidget* parent = nullptr);

    /// Shows the model's values as they are now.
    void refresh();

private:
    [[nodiscard]] QLabel* addText(QVBoxLayout& column, const char* objectName, bool isMuted);
    [[nodiscard]] static QString outputsText(const LiveWord& word);
    [[nodiscard]] QString nearestText(const LiveWord& word) const;
    [[nodiscard]] static QString criticalFacts(const LiveWord& word);

    const LiveModel& m_model;
    QLabel* m_heading;
    QLabel* m_outputs;
    QLabel* m_nearest;
    QLabel* m_facts;
};

}  // namespace epsilens::ui::live
