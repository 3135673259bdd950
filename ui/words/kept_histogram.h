#pragma once

#include "ui/plot/plot_widget.h"
#include "ui/words/word_rows.h"

class QCPBars;

namespace epsilens::ui {

/// How many words are kept how often at the epsilon of the dial. A click on a bar asks for its
/// words.
class KeptHistogram : public PlotWidget {
    Q_OBJECT

public:
    explicit KeptHistogram(QWidget* parent = nullptr);

    /// counts  words with 0 to 9, 10 to 19, …, 90 to 100 of 100 outputs kept
    void setCounts(const KeptCounts& counts);
    [[nodiscard]] QString visibleCsv() const override;

Q_SIGNALS:
    /// Words that are kept so often are asked for.
    ///
    /// low, high  percent, low included; high is 100 for the last bar, which includes it
    void barChosen(int low, int high);

protected:
    void applyTheme(const Theme& theme) override;

private:
    void chooseAt(const QPointF& position);

    QCPBars* m_bars;
    KeptCounts m_counts{};
};

}  // namespace epsilens::ui
