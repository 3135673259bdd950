#pragma once

#include <memory>

#include <QByteArray>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>

#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/release/release_dialog.h"
#include "ui/state/analysis_state.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_board.h"
#include "ui/state/limit_state.h"
#include "ui/widgets/remembered.h"

namespace epsilens::test {

/// A dialog over the toy words, without limits, at so much epsilon that every word stays.
struct ReleaseFixture {
    ui::AnalysisState state;
    ui::JobBoard jobs;
    ui::LimitState limits{state};
    ui::GuaranteeModel guarantee{state};
    QTemporaryDir folder;
    std::unique_ptr<ui::ReleaseDialog> dialog;

    ReleaseFixture() {
        ui::remembered::setOutputFolder(folder.path());
        const auto embedding = toyEmbedding();
        state.setEmbedding(embedding, std::make_shared<const engine::SearchSpace>(embedding));
        state.edit(&ui::AnalysisSettings::choose, mechanism::Laplace());
        state.edit(&ui::AnalysisSettings::chooseEpsilon, 1e9);
        state.edit(&ui::AnalysisSettings::limits, {});
        dialog = std::make_unique<ui::ReleaseDialog>(state, limits, jobs, nullptr, &guarantee);
    }

    [[nodiscard]] QString path(const char* name) const {
        return folder.filePath(QLatin1String(name));
    }
    void write(const char* name, const QByteArray& content) const {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    [[nodiscard]] QByteArray content(const char* name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("absent");
    }
    [[nodiscard]] QLineEdit* input() const {
        return findControl<QLineEdit>(*dialog, "inputLineEdit");
    }
    [[nodiscard]] QLineEdit* output() const {
        return findControl<QLineEdit>(*dialog, "outputLineEdit");
    }
    [[nodiscard]] QPushButton* release() const {
        return findControl<QPushButton>(*dialog, "releasePushButton");
    }
    /// Waits until the text has been read, before which nothing can be released.
    void settle() const {
        QTRY_VERIFY_WITH_TIMEOUT(
            !release()->toolTip().contains(QStringLiteral("once the whole text")), kPatienceMs);
    }
    void start() const {
        settle();
        release()->click();
    }
    [[nodiscard]] QLabel* result() const {
        return findControl<QLabel>(*dialog, "releaseResultLabel");
    }
    [[nodiscard]] QString details() const {
        return findControl<QLabel>(*dialog, "releaseDetailsLabel")->text();
    }
    [[nodiscard]] QLabel* unprotected() const {
        return findControl<QLabel>(*dialog, "unprotectedLabel");
    }
    void choose(const char* name, int index) const {
        findControl<QComboBox>(*dialog, name)->setCurrentIndex(index);
    }
};

}  // namespace epsilens::test
