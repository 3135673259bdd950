#pragma once

#include "ui/tradeoff/texts_search.h"
#include "ui/widgets/layout.h"

namespace epsilens::ui {

class GuaranteeModel;

/// The page Texts: own texts, what is promised of them and ten of them released, what is measured
/// on them, limits on that, and the results.
class TradeOffPanel : public Panel {
    Q_OBJECT

public:
    using Panel::Panel;

    [[nodiscard]] virtual TradeOffModel& model() const = 0;
    [[nodiscard]] virtual TextsSearch& goals() const = 0;
    virtual void measureOrOpen() = 0;
    virtual void chooseFile() = 0;
    virtual void chooseFolder() = 0;
};

[[nodiscard]] TradeOffPanel* newTradeOffPanel(
    AnalysisState& state, const GuaranteeModel& guarantee,
    TextsSearchFunction search = evaluation::recommendWithin);

}  // namespace epsilens::ui
