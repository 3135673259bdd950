#pragma once

#include <QPushButton>

namespace epsilens::ui {

class SessionResults;

/// Offers the nearest-neighbour distances of the vocabulary, and stops the job while it runs. Not
/// to be seen without an embedding, or once the distances are there.
class DensityButton : public QPushButton {
    Q_OBJECT

public:
    /// results  must outlive the button
    /// offer    what the button says: "Compute distances"
    DensityButton(SessionResults& results, const QString& offer, QWidget* parent = nullptr);

private:
    void refresh();
    void computeOrStop();

    SessionResults& m_results;
    QString m_offer;
};

}  // namespace epsilens::ui
