#pragma once

#include <optional>

#include <QDateTime>
#include <QObject>
#include <QString>

#include "core/release/text_survey.h"
#include "ui/release/release_job.h"
#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

/// Reads the whole text that is to be released, in the background and before it is asked for. What
/// it finds holds words of the text: it is shown and forgotten, and goes nowhere else.
class ReleaseSurvey : public QObject {
    Q_OBJECT

public:
    explicit ReleaseSurvey(QObject* parent = nullptr);

    /// Reads the text of a request once it rests, unless that text was read in the same way.
    void follow(const ReleaseRequest& request);
    /// Gives up what is being read.
    void stop();
    /// Nothing while the text is being read, and where it cannot be.
    [[nodiscard]] const std::optional<release::TextSurvey>& found() const { return m_found; }
    /// Whether the text is being read, or about to be.
    [[nodiscard]] bool isReading() const { return m_stage == Stage::reading; }
    /// How far it is, or what it found; a sentence or two. Empty without a file, and where it
    /// cannot be read: the release then says why.
    [[nodiscard]] QString text() const;
    /// For the list of the jobs that run.
    [[nodiscard]] JobRunnerBase& job() { return m_runner; }

Q_SIGNALS:
    void changed();

private:
    enum class Stage {
        none,     ///< nobody asked, or it was given up
        reading,  ///< or about to
        done      ///< it was read, or could not be
    };

    void start();

    ReleaseRequest m_request;
    QDateTime m_modified;  ///< the file of the request
    Stage m_stage = Stage::none;
    std::optional<release::TextSurvey> m_found;
    RestTimer m_rest;
    JobRunner<release::TextSurvey> m_runner;
};

/// "34 % of the words are unknown and would be masked, most often: …", and a warning where common
/// words are among them.
///
/// isTable  the text is the columns of a table
[[nodiscard]] QString surveyText(const release::TextSurvey& survey, release::UnknownPolicy unknown,
                                 bool isTable);

}  // namespace epsilens::ui
