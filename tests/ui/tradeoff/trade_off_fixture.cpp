#include "tests/ui/tradeoff/trade_off_fixture.h"

#include <utility>

#include "core/base/random_stream.h"

namespace epsilens::test {

namespace {

QByteArray word(std::uint64_t row) {
    return row == 0   ? QByteArray("paris")
           : row == 1 ? QByteArray("london")
                      : "word" + QByteArray::number(static_cast<qulonglong>(row));
}

}  // namespace

QByteArray labelledCsv(int documents) {
    constexpr std::uint64_t kWordsOfClass = 20;
    QByteArray csv = "label,message,penned\n";
    SeededStream stream({1, StreamPurpose::wordSelection, 0, 0});
    for (int i = 0; i < documents; ++i) {
        const bool isSecond = i % 2 == 1;
        csv += isSecond ? "second," : "first,";
        for (int place = 0; place < 4; ++place) {
            csv += word(stream.below(kWordsOfClass) + (isSecond ? kWordsOfClass : 0)) + ' ';
        }
        csv += "unheard,writer" + QByteArray::number(i % 3) + '\n';
    }
    return csv + "first,,writer0\n";
}

void loadToyGridInto(ui::AnalysisState& state) {
    open(state);
    state.edit([](ui::AnalysisSettings& settings) {
        settings.suggest({9.0, 2.0, 20.0});
        settings.chooseMechanism(mechanism::Mahalanobis{0.5});
        settings.setParameters({.lambda = 0.5});
        settings.grid.epsilons = {1.0, 50.0};
        settings.grid.lambdas = {0.0, 0.5};
        settings.chooseEpsilon(50.0);
    });
}

TradeOffFixture::TradeOffFixture(ui::TextsSearchFunction search)
    : made(ui::newTradeOffPanel(state, guarantee, std::move(search))),
      panel(*made),
      model(panel.model()) {
    loadToyGridInto(state);
    panel.findChild<ui::CollapsibleSection*>()->setOpen(true);
    panel.resize(880, 600);
    panel.show();
}

void TradeOffFixture::open(int documents) {
    model.source().open(writeFile(folder.filePath("texts.csv"), labelledCsv(documents)));
    QTRY_VERIFY(model.source().texts() != nullptr && !model.source().isReading());
}

void TradeOffFixture::measure() {
    open();
    QCOMPARE(model.obstacle(), QString());
    model.measure();
    QTRY_VERIFY(model.result() != nullptr && !model.isRunning());
}

}  // namespace epsilens::test
