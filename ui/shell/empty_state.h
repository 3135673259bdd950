#pragma once

#include <QString>
#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace epsilens::ui {

/// What stands in the middle while no embedding is open: where to drop a file, and the other ways.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);

    /// Reads the recent files again; not shown before the end of loading.
    void refresh();
    /// While something is being loaded only that is said.
    void setLoading(const QString& name);
    /// Nothing was loaded: the ways to open something are there again.
    void endLoading();

Q_SIGNALS:
    void openRequested();
    /// path  or the name of a built-in sample
    void fileRequested(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addButtons(QVBoxLayout& layout);

    QLabel* m_title;
    QLabel* m_text;
    QWidget* m_ways;
    QWidget* m_recent;
    QVBoxLayout* m_recentLayout;
    bool m_isLoading = false;
};

}  // namespace epsilens::ui
