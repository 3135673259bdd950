#pragma once

#include <QLabel>
#include <QPlainTextEdit>
#include <QTableView>

#include "tests/ui/live/live_fixture.h"
#include "tests/ui/support/ui_test.h"
#include "ui/live/live_panel.h"

namespace epsilens::test {

/// A shown panel on the toy embedding.
struct ShownPanel {
    ui::AnalysisState state{};
    ui::live::LivePanel panel{state};

    ShownPanel() {
        loadToy(state);
        panel.resize(880, 720);
        panel.show();
    }
    [[nodiscard]] bool isSettled() {
        return !panel.model().words().empty() && !panel.model().isBehind() &&
               !panel.model().outputJob().isRunning();
    }
    void type(const char* text) {
        auto* field = findControl<QPlainTextEdit>(panel, "sentenceEdit");
        field->clear();
        QTest::keyClicks(field, QString::fromUtf8(text));
    }
    [[nodiscard]] QString label(const char* name) {
        return findControl<QLabel>(panel, name)->text();
    }
    [[nodiscard]] QModelIndex cell(int row, int column) {
        return findControl<QTableView>(panel, "wordTableView")->model()->index(row, column);
    }
};

}  // namespace epsilens::test
