#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "core/document/report_document.h"
#include "core/evaluation/figure_search.h"
#include "ui/tradeoff/trade_off_model.h"

namespace epsilens::ui {

using TextsSearchFunction = std::function<Result<evaluation::LimitedRecommendation>(
    const engine::SearchSpace&, const corpus::DataSet&, const evaluation::LimitedOptions&,
    const JobContext&)>;

/// Finds the largest epsilon within limits on what is measured on own texts, and holds these limits
/// against what is known of the present setting.
class TextsSearch : public QObject {
    Q_OBJECT

public:
    TextsSearch(TradeOffModel& model, TextsSearchFunction search, QObject* parent = nullptr);

    /// The limit on the gain of an attacker or the usefulness retained, in [0, 100]; may be none.
    [[nodiscard]] std::optional<double> limit(evaluation::FigureName::Kind kind) const;
    void setLimit(evaluation::FigureName::Kind kind, std::optional<double> value);

    [[nodiscard]] QString reason() const;
    void find();
    [[nodiscard]] bool isRunning() const { return m_runner.isRunning(); }
    [[nodiscard]] JobRunnerBase& runner() { return m_runner; }
    [[nodiscard]] QString message() const;
    [[nodiscard]] std::vector<document::FigureFinding> findings() const;

Q_SIGNALS:
    void changed();
    void epsilonChosen();
    /// What came of a search, in a sentence or two.
    void ended(const QString& outcome);

private:
    [[nodiscard]] const std::vector<evaluation::FigureLimit>& limits() const;
    [[nodiscard]] QString obstacle() const;
    [[nodiscard]] evaluation::LimitedOptions options() const;
    [[nodiscard]] document::KeptSearch question() const;
    [[nodiscard]] bool isAnswer(const document::KeptSearch& search) const;
    [[nodiscard]] QStringList foundLines(const document::KeptSearch& search) const;
    [[nodiscard]] QString originText(const document::KeptSearch& search) const;
    void takeResult(const Result<evaluation::LimitedRecommendation>& found);
    void useFound(const document::KeptSearch& search);

    TradeOffModel& m_model;
    TextsSearchFunction m_search;
    LabelledTextsHandle m_texts;     ///< at hand
    QString m_problem;               ///< why the last search found nothing
    document::KeptSearch m_asked{};  ///< without what was found
    std::shared_ptr<std::vector<evaluation::KeptReading>> m_kept;  ///< of texts and options
    JobRunner<evaluation::LimitedRecommendation> m_runner;
};

}  // namespace epsilens::ui
