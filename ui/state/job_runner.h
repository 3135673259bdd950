#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include <QElapsedTimer>
#include <QFutureWatcher>
#include <QObject>
#include <QPointer>
#include <QPromise>
#include <QString>
#include <QThreadPool>
#include <QtConcurrent/QtConcurrentRun>

#include "core/base/error.h"
#include "core/base/job_context.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

/// Threads on which jobs wait for the core: more than cores, so that a long calibration never holds
/// up a short answer.
[[nodiscard]] QThreadPool* jobPool();

void lowerThreadPriority();

/// How long a job will still take. Parts of a job cost more than their share says, so that the
/// estimate follows its pace slowly.
class EtaEstimator {
public:
    /// elapsed   seconds, not falling
    /// fraction  of the job that is done then, in [0, 1]
    void update(double elapsed, double fraction);
    [[nodiscard]] std::optional<double> secondsLeft(double elapsed) const;

private:
    std::optional<double> m_whole;  ///< seconds of the whole job
    double m_elapsed = 0.0;
    double m_fraction = 0.0;
};

/// What does not depend on the result of a JobRunner, which see.
class JobRunnerBase : public QObject {
    Q_OBJECT

public:
    explicit JobRunnerBase(QString title, QObject* parent = nullptr);
    ~JobRunnerBase() override;

    [[nodiscard]] const QString& title() const { return m_title; }
    void setTitle(const QString& title) { m_title = title; }
    [[nodiscard]] bool isRunning() const { return m_running; }
    [[nodiscard]] double fraction() const { return m_fraction; }
    [[nodiscard]] const QString& stage() const { return m_stage; }
    [[nodiscard]] double elapsedSeconds() const;
    [[nodiscard]] std::optional<double> secondsLeft() const;

public Q_SLOTS:
    void cancel();
    /// As cancel(), and its answer is `cancelled`, whatever it has found already.
    void drop();

Q_SIGNALS:
    void started();
    void progressChanged(double fraction, const QString& stage);
    void finished();

protected:
    void requestStop() { m_stop.request_stop(); }
    [[nodiscard]] bool isUnwanted() const { return m_unwanted; }
    [[nodiscard]] std::stop_token markStarted();
    void markStopped() { m_running = false; }
    void setProgress(int thousandths, const QString& stage);
    virtual void dropPending() = 0;

private:
    QString m_title;
    QString m_stage;
    std::stop_source m_stop;
    QElapsedTimer m_clock;
    double m_fraction = 0.0;
    EtaEstimator m_eta;
    bool m_running = false;
    bool m_unwanted = false;  ///< the answer of the job that runs
};

/// Runs `work` and turns whatever it throws into an Error: no exception crosses a thread.
template <typename T>
[[nodiscard]] Result<T> guarded(const std::function<Result<T>(const JobContext&)>& work,
                                const JobContext& job) {
    try {
        return work(job);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::resourceLimit, "not enough memory");
    } catch (const std::exception& exception) {
        return fail(ErrorCode::internal, exception.what());
    } catch (...) {
        return fail(ErrorCode::internal, "unknown failure");
    }
}

/// Runs one core function at a time on a worker thread and hands its result to `done` on the thread
/// of the runner. The newest request wins: start() stops the run before and drops its answer. The
/// destructor stops and waits, until what the work captured is gone too; `done` is not called then.
///
/// Keep it as a member declared after everything `done` touches.
template <typename T>
class JobRunner final : public JobRunnerBase {
public:
    using Work = std::function<Result<T>(const JobContext&)>;
    using Done = std::function<void(Result<T>)>;

    JobRunner(QString title, Done done, QObject* parent = nullptr)
        : JobRunnerBase(std::move(title), parent), m_done(std::move(done)) {
        connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] { finishRun(); });
        connect(&m_watcher, &QFutureWatcherBase::progressValueChanged, this,
                [this](int value) { setProgress(value, m_watcher.progressText()); });
    }
    ~JobRunner() override {
        m_pending = nullptr;
        m_watcher.disconnect(this);
        requestStop();
        m_watcher.waitForFinished();
    }
    JobRunner(const JobRunner&) = delete;
    JobRunner& operator=(const JobRunner&) = delete;

    /// work  captures its inputs by value (or shared and immutable): it runs on another thread
    void start(Work work) {
        if (isRunning()) {
            drop();
            m_pending = std::move(work);
            return;
        }
        launch(std::move(work));
    }

private:
    void launch(Work work) {
        const std::stop_token token = markStarted();
        // Beside the future, which could only be copied from: taking a result resets the future,
        // and its promise, destroyed on the other thread a moment later, would finish it once more.
        m_answer = std::make_shared<std::optional<Result<T>>>();
        m_watcher.setFuture(QtConcurrent::run(
            jobPool(), [work = std::move(work), token, answer = m_answer](QPromise<void>& promise) {
                lowerThreadPriority();
                promise.setProgressRange(0, 1000);
                const JobContext job{token, [&promise](const Progress& progress) {
                                         promise.setProgressValueAndText(
                                             static_cast<int>(progress.fraction * 1000.0),
                                             toQString(progress.stage));
                                     }};
                try {
                    answer->emplace(guarded<T>(work, job));
                } catch (...) {
                    // Not even memory for the sentence: the answer that is missing stands for it.
                    answer->reset();
                }
            }));
    }

    void finishRun() {
        const auto answer = std::exchange(m_answer, nullptr);
        Result<T> result = answer->has_value()
                               ? std::move(**answer)
                               : Result<T>(fail(ErrorCode::resourceLimit, "not enough memory"));
        if (m_pending) {
            launch(std::exchange(m_pending, nullptr));
            return;
        }
        if (isUnwanted()) {
            result = fail(ErrorCode::cancelled, "cancelled");
        }
        markStopped();
        m_done(std::move(result));
        if (!isRunning()) {
            Q_EMIT finished();
        }
    }

    void dropPending() override { m_pending = nullptr; }

    Done m_done;
    Work m_pending;
    std::shared_ptr<std::optional<Result<T>>> m_answer;
    QFutureWatcher<void> m_watcher;
};

/// The jobs of the window that run, for its progress line and Cancel.
class JobBoard : public QObject {
    Q_OBJECT

public:
    explicit JobBoard(QObject* parent = nullptr);

    /// Not for jobs of a few milliseconds that follow a slider.
    void watch(JobRunnerBase* runner);
    /// The analyst waits for this runner: work that may come later stands back meanwhile.
    void setInteractive(const JobRunnerBase* runner) { m_first.emplace_back(runner); }
    [[nodiscard]] bool hasInteractiveJob() const;
    [[nodiscard]] JobRunnerBase* foremost() const;
    [[nodiscard]] int runningCount() const { return static_cast<int>(m_running.size()); }

public Q_SLOTS:
    void cancelAll();

Q_SIGNALS:
    void changed();

private:
    void remove(const QObject* runner);

    std::vector<JobRunnerBase*> m_running;  ///< in the order they started
    std::vector<QPointer<const JobRunnerBase>> m_first;
};

}  // namespace epsilens::ui
