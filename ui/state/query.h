#pragma once

#include <functional>
#include <optional>
#include <utility>

#include <QObject>
#include <QString>

#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"

namespace epsilens::ui {

class QueryBase : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

public Q_SLOTS:
    /// To be called when something that the key depends on may have changed. A quick value is there
    /// when the call returns, without changed().
    virtual void update() = 0;

Q_SIGNALS:
    void changed();
};

/// A value made in the background from everything it depends on, its key, with which it is kept: it
/// never passes for the value of another one. The newest key wins: a job for one that is not wanted
/// any more is stopped. A key that failed is not tried again until another one is made or there is
/// none.
///
/// Keep it as a member declared after everything that the functions of the Spec touch.
template <class Key, class Value>
class Query final : public QueryBase {
public:
    struct Spec {
        QString title{};
        /// Nothing where there is nothing to make; the last value is let go then.
        std::function<std::optional<Key>()> key{};
        /// Runs on another thread: what it needs is in the key.
        std::function<Result<Value>(const Key&, const JobContext&)> make{};
        /// True if it takes so little time that it is made on the calling thread. May be empty.
        std::function<bool(const Key&)> isQuick{};
        /// True if the value of a key that is not wanted any more is better than none: its job goes
        /// on, and that for the newest key follows. May be empty.
        std::function<bool(const Key& running, const Key& wanted)> isWorthFinishing{};
        int restMs = 0;  ///< the key must have rested so long before a job starts
        /// True while a job that rested has to stand back. May be empty.
        std::function<bool()> waits{};
    };

    explicit Query(Spec spec, QObject* parent = nullptr)
        : QueryBase(parent),
          m_spec(std::move(spec)),
          m_rest(m_spec.restMs),
          m_job(m_spec.title, [this](Result<Value> value) { finish(std::move(value)); }) {
        connect(&m_rest, &QTimer::timeout, this, [this] {
            if (m_spec.waits && m_spec.waits()) {
                m_rest.start();
            } else {
                start(m_spec.key());
            }
        });
    }

    /// The value of the key as it is now; null until it is made.
    [[nodiscard]] const Value* current() const {
        return m_made && m_spec.key() == m_made->first ? &m_made->second : nullptr;
    }
    /// The value made last, to be drawn dimmed while the current one is made; may be null.
    [[nodiscard]] const Value* last() const { return m_made ? &m_made->second : nullptr; }
    /// Why no value could be made last; null if it could.
    [[nodiscard]] const Error* error() const { return m_failed ? &m_failed->second : nullptr; }
    /// The same of the key as it is now.
    [[nodiscard]] const Error* currentError() const {
        return m_failed && m_spec.key() == m_failed->first ? &m_failed->second : nullptr;
    }
    [[nodiscard]] JobRunnerBase& job() { return m_job; }
    [[nodiscard]] const JobRunnerBase& job() const { return m_job; }

    /// While nobody wants the value nothing is made, and a value of another key is let go. What was
    /// cancelled is made once it is wanted again.
    void setWanted(bool isWanted) {
        if (isWanted && !m_isWanted && m_failed && m_failed->second.code == ErrorCode::cancelled) {
            m_failed.reset();
        }
        m_isWanted = isWanted;
        update();
    }
    /// Lets go what the last keys hold, such as the vectors before.
    void forget() {
        m_made.reset();
        m_failed.reset();
    }
    /// Makes a value that failed again.
    void retry() {
        m_failed.reset();
        update();
    }

    void update() override {
        const std::optional<Key> now = m_spec.key();
        const bool isMade = m_made && m_made->first == now;
        if (!now || isMade) {
            m_failed.reset();
        }
        const bool goesOn = now && (m_asked == now || (!isMade && isWorthFinishing(*now)));
        if (m_asked && !(m_isWanted && goesOn)) {
            m_asked.reset();
            m_job.drop();
        }
        if (m_made && (!now || (!m_isWanted && m_made->first != now))) {
            m_made.reset();
        }
        m_rest.stop();
        if (!m_isWanted || !now || m_asked || isMade || (m_failed && m_failed->first == now)) {
            return;
        }
        if (m_spec.isQuick && m_spec.isQuick(*now)) {
            keep(*now,
                 guarded<Value>([&](const JobContext& job) { return m_spec.make(*now, job); }, {}));
        } else if (m_spec.restMs > 0) {
            m_rest.start();
        } else {
            start(now);
        }
    }
    /// As update(), and a job need not rest, nor stand back.
    void updateAtOnce() {
        update();
        if (m_rest.isActive()) {
            m_rest.stop();
            start(m_spec.key());
        }
    }

private:
    void start(std::optional<Key> key) {
        m_asked = std::move(key);
        if (m_asked) {
            m_job.start([make = m_spec.make, key = *m_asked](const JobContext& job) {
                return make(key, job);
            });
        }
    }

    void finish(Result<Value> value) {
        if (const std::optional<Key> asked = std::exchange(m_asked, std::nullopt)) {
            keep(*asked, std::move(value));
            Q_EMIT changed();
            if (m_spec.isWorthFinishing) {
                update();
            }
        }
    }

    [[nodiscard]] bool isWorthFinishing(const Key& wanted) const {
        return m_asked && m_spec.isWorthFinishing && m_spec.isWorthFinishing(*m_asked, wanted);
    }

    void keep(const Key& key, Result<Value> value) {
        if (value) {
            m_failed.reset();
            m_made.emplace(key, std::move(*value));
        } else {
            m_failed.emplace(key, value.error());
        }
    }

    Spec m_spec;
    bool m_isWanted = true;
    std::optional<std::pair<Key, Value>> m_made;
    std::optional<Key> m_asked;                     ///< what a job makes
    std::optional<std::pair<Key, Error>> m_failed;  ///< tried last, in vain
    RestTimer m_rest;
    JobRunner<Value> m_job;
};

}  // namespace epsilens::ui
