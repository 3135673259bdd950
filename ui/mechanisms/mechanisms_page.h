#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/calibration/measurement.h"
#include "core/report/comparison_report.h"
#include "ui/plot/xy_plot.h"
#include "ui/state/query.h"
#include "ui/state/quick_measurement.h"
#include "ui/widgets/panel.h"

class QLabel;
class QStackedWidget;
class QTableWidget;

namespace epsilens::ui {

class AnalysisState;
class GuaranteeModel;
class JobBoard;

/// The Mechanisms page: which mechanism promises most where all keep as many words as the present
/// setting does. A row that is chosen brings its mechanism and epsilon.
class MechanismsPage : public Panel {
    Q_OBJECT

public:
    MechanismsPage(AnalysisState& state, GuaranteeModel& guarantee, JobBoard& jobs,
                   QWidget* parent = nullptr);

    [[nodiscard]] QString title() const override { return tr("Mechanisms"); }
    [[nodiscard]] QWidget* firstControl() const override;
    /// Own texts weight the comparison.
    ///
    /// texts  words of the embedding at hand; nothing: words of the vocabulary, all alike
    /// name   of the texts
    void setTexts(std::optional<WeightedWords> texts, const QString& name);

Q_SIGNALS:
    void mechanismTaken(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Key {
        engine::SearchSpaceHandle space{};
        std::vector<mechanism::Mechanism> mechanisms{};
        std::optional<WeightedWords> texts{};
        int draws = 0;
        std::uint64_t seed = 0;

        [[nodiscard]] bool operator==(const Key&) const = default;
    };
    using Value = std::shared_ptr<const std::vector<calibration::ComparedMechanism>>;
    using Comparison = Query<Key, Value>;
    /// What is told of these where all keep as many words as the present setting.
    struct ReportKey {
        engine::SearchSpaceHandle space{};
        std::vector<Value> measured{};  ///< all, and the present one where it is none of these
        double kept = 0.0;
        std::optional<report::RowPair> pair{};

        [[nodiscard]] bool operator==(const ReportKey&) const = default;
    };
    struct Told {
        double kept = 0.0;
        report::ComparisonReport report{};
        std::vector<PlotSeries> lines{};  ///< one for each of the mechanisms
        std::vector<mechanism::Mechanism> mechanisms{};
    };

    [[nodiscard]] static Result<Value> compare(const Key& key, const JobContext& job);
    [[nodiscard]] static Result<Told> tell(const ReportKey& key, const JobContext& job);
    [[nodiscard]] Key keyFor(std::vector<mechanism::Mechanism> mechanisms) const;
    [[nodiscard]] std::optional<ReportKey> reportKey() const;
    void buildTable();
    void want(bool isWanted);
    void update();
    void render();
    void showPlot(const Told& told);
    void fillTable(const report::ComparisonReport& report, double kept);
    void take(int row);

    AnalysisState& m_state;
    GuaranteeModel& m_guarantee;
    std::optional<WeightedWords> m_texts;
    QString m_textsName;
    std::vector<mechanism::Setting> m_rows;  ///< of the table; those that can be taken
    QStackedWidget* m_pages;
    QLabel* m_empty;
    QLabel* m_answer;
    QLabel* m_measured;
    QLabel* m_guaranteed;  ///< what the present setting guarantees
    QTableWidget* m_table;
    XyPlot* m_plot;
    Comparison m_all;
    Comparison m_own;  ///< the present one, where it is none of these
    Query<ReportKey, Told> m_told;
};

}  // namespace epsilens::ui
