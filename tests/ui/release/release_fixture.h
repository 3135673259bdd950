#pragma once

#include <memory>

#include "tests/ui/support/state_driver.h"
#include "ui/release/release_dialog.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/notice_line.h"
#include "ui/widgets/remembered.h"

namespace epsilens::test {

/// A dialog over the toy words, without limits, at so much epsilon that every word stays.
struct ReleaseFixture : StateDriver {
    ui::JobBoard jobs{};
    ui::LimitVerdicts limits{state};
    ui::GuaranteeModel guarantee{state};
    QTemporaryDir folder{};
    std::unique_ptr<ui::ReleaseDialog> dialog{};

    using Stated::set;
    using StateDriver::choose;

    ReleaseFixture() {
        ui::remembered::setOutputFolder(folder.path());
        test::open(state);
        choose(mechanism::Laplace());
        chooseEpsilon(1e9);
        dialog.reset(ui::newReleaseDialog(state, limits, jobs, guarantee));
    }

    [[nodiscard]] QString path(const char* name) const { return folder.filePath(name); }
    void write(const char* name, const QByteArray& content) const {
        writeFile(path(name), content);
    }
    [[nodiscard]] QByteArray content(const char* name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("absent");
    }
    [[nodiscard]] QLineEdit& input() const { return find<QLineEdit>("inputLineEdit"); }
    [[nodiscard]] QLineEdit& output() const { return find<QLineEdit>("outputLineEdit"); }
    [[nodiscard]] QString details() const { return text("releaseResultLabel"); }
    [[nodiscard]] QString survey() const { return text("releaseSurveyLabel"); }
    [[nodiscard]] QString unprotected() const { return text("unprotectedLabel"); }
    [[nodiscard]] ui::NoticeLine& notice() const { return *dialog->findChild<ui::NoticeLine*>(); }
    [[nodiscard]] bool mayStart() const { return isEnabled("releasePushButton"); }
    void choose(const char* name, int index) const { find<QComboBox>(name).setCurrentIndex(index); }
    void set(const char* field, const QString& text) const { find<QLineEdit>(field).setText(text); }
    void tick(const char* box, bool isTicked = true) const {
        find<QCheckBox>(box).setChecked(isTicked);
    }
    [[nodiscard]] bool isHidden(const char* name) const { return find(name).isHidden(); }
    /// Names a text with this content, and the columns of a table.
    void open(const char* name, const QByteArray& content, const char* columns = "") const {
        write(name, content);
        input().setText(path(name));
        set("columnsLineEdit", columns);
    }
    [[nodiscard]] bool saysInSurvey(const QString& words) const {
        return says("releaseSurveyLabel", words);
    }
    /// Waits until the text has been read, before which nothing can be released.
    void settle() const {
        QTRY_VERIFY(!find("releasePushButton").toolTip().contains("once the whole text"));
    }
    void start() const {
        settle();
        click("releasePushButton");
    }
    void release() const {
        start();
        QTRY_VERIFY(!isHidden("releaseResultLabel"));
    }
    /// Refuses to start with these words, and writes nothing.
    void refuse(const QString& words, const char* absent) const {
        start();
        QVERIFY(says("noticeTextLabel", words));
        QCOMPARE(content(absent), "absent");
    }
    /// A limit on all words, of which it is not known whether it is met.
    calibration::Limit setLimit() {
        const auto limit = *calibration::parseLimit("nw.p95<=50%");
        state.edit(&ui::AnalysisSettings::limits, {limit});
        return limit;
    }

protected:
    [[nodiscard]] const QObject& root() const override { return *dialog; }
};

}  // namespace epsilens::test
