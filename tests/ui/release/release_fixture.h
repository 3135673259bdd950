#pragma once

#include <memory>

#include <QByteArray>
#include <QCheckBox>
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
#include "ui/widgets/notice_line.h"
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
        dialog = std::make_unique<ui::ReleaseDialog>(state, limits, jobs, guarantee);
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
    [[nodiscard]] QLineEdit* field(const char* name) const {
        return findControl<QLineEdit>(*dialog, name);
    }
    [[nodiscard]] QLabel* label(const char* name) const {
        return findControl<QLabel>(*dialog, name);
    }
    [[nodiscard]] QCheckBox* box(const char* name) const {
        return findControl<QCheckBox>(*dialog, name);
    }
    [[nodiscard]] QPushButton* button(const char* name) const {
        return findControl<QPushButton>(*dialog, name);
    }
    [[nodiscard]] QLineEdit* input() const { return field("inputLineEdit"); }
    [[nodiscard]] QLineEdit* output() const { return field("outputLineEdit"); }
    [[nodiscard]] QLabel* result() const { return label("releaseResultLabel"); }
    [[nodiscard]] QString details() const { return result()->text(); }
    /// What is told of the text before it is released.
    [[nodiscard]] QString survey() const { return label("releaseSurveyLabel")->text(); }
    [[nodiscard]] QString unprotected() const { return label("unprotectedLabel")->text(); }
    [[nodiscard]] ui::NoticeLine& notice() const { return *dialog->findChild<ui::NoticeLine*>(); }
    [[nodiscard]] bool mayStart() const { return button("releasePushButton")->isEnabled(); }
    void choose(const char* name, int index) const {
        findControl<QComboBox>(*dialog, name)->setCurrentIndex(index);
    }
    /// Names a text that is written before.
    void open(const char* name, const QByteArray& text) const {
        write(name, text);
        input()->setText(path(name));
    }
    /// Waits until the text has been read, before which nothing can be released.
    void settle() const {
        QTRY_VERIFY(!button("releasePushButton")
                         ->toolTip()
                         .contains(QStringLiteral("once the whole text")));
    }
    void start() const {
        settle();
        button("releasePushButton")->click();
    }
    /// Starts, and waits for the result.
    void release() const {
        start();
        QTRY_VERIFY(!result()->isHidden());
    }
    /// A limit on all words, of which it is not known whether it is met.
    calibration::Limit setLimit() {
        const auto limit = *calibration::parseLimit("nw.p95<=50%");
        state.edit(&ui::AnalysisSettings::limits, {limit});
        return limit;
    }
};

}  // namespace epsilens::test
