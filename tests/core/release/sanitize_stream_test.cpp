#include "core/release/sanitize_stream.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "tests/core/release/release_support.h"
#include "tests/support/growth.h"
#include "tests/support/killed_writer.h"
#include "tests/support/refusal.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using release::ReleaseOutputs;
using release::Row;
using release::Sanitizer;
using release::StreamEnd;
using release::StreamOptions;
using release::TextInput;
using test::repeated;

namespace {

struct Streamed {
    engine::SearchSpaceHandle space = test::wordSpace({"one", "two", "three", "four"});
    std::counting_semaphore<> drawn{0};  ///< one for each word
    test::FixedReplacer replacer{[this](Row row) {
        drawn.release();
        return (row + 1) % 4;
    }};
    Sanitizer sanitizer = Sanitizer::create(space, replacer, {}).value();

    Result<StreamEnd> run(const std::string& input, const std::string& output,
                          const StreamOptions& options = {}, const JobContext& job = {}) {
        auto source = TextInput::open(input, {}, job.stop).value();
        auto target = io::Output::toFile(output, job.stop).value();
        const auto end = release::sanitizeStream(source, target, sanitizer, options, job);
        return end ? target.finish().map([&] { return *end; }) : end;
    }
};

StreamOptions batchesOf(std::size_t bytes) {
    return {.batchBytes = bytes, .threads = 2};
}

/// A pipe with a name, and its writing end.
class Fifo {
public:
    explicit Fifo(const test::TemporaryFolder& folder) : m_path(folder.path("fifo")) {
        REQUIRE(mkfifo(m_path.c_str(), 0600) == 0);
        // Opening for both never waits.
        m_end = open(m_path.c_str(), O_RDWR | O_CLOEXEC);
    }
    ~Fifo() { finish(); }
    Fifo(const Fifo&) = delete;
    Fifo& operator=(const Fifo&) = delete;

    [[nodiscard]] const std::string& path() const { return m_path; }
    void write(std::string_view text) const {
        REQUIRE(::write(m_end, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    }
    void finish() {
        if (m_end >= 0) {
            close(m_end);
            m_end = -1;
        }
    }

private:
    std::string m_path;
    int m_end = -1;
};

/// A pipe that a text is released into.
class Pipe {
public:
    Pipe() { REQUIRE(pipe2(m_ends, O_CLOEXEC) == 0); }
    ~Pipe() {
        close(m_ends[0]);
        closeForWriting();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    [[nodiscard]] io::Output output() const { return io::Output::toDescriptor(m_ends[1], "pipe"); }
    void closeForWriting() { close(std::exchange(m_ends[1], -1)); }
    void closeForReading() { close(std::exchange(m_ends[0], -1)); }
    /// What is there at once; waits for something.
    [[nodiscard]] std::string readSome() const {
        char bytes[1'000];
        return {bytes, static_cast<std::size_t>(read(m_ends[0], bytes, sizeof bytes))};
    }
    /// Waits until it takes no more, or for a minute.
    void waitUntilFull() const {
        pollfd place{m_ends[1], POLLOUT, 0};
        for (int tries = 0; tries < 6000 && poll(&place, 1, 0) != 0; ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }

private:
    int m_ends[2] = {-1, -1};
};

constexpr std::size_t kLines = 2'000;

/// Releases a text into the same two files, until something fails: each word comes out as the one
/// that lies one further, or two further the next time, and the sidecar says which.
void releaseForEver(const test::TemporaryFolder& folder, const test::SharedFlag& isWriting) {
    const auto space = test::wordSpace({"one", "two", "three"});
    for (release::Row step = 1;; step = 3 - step) {
        test::FixedReplacer replacer([step](release::Row row) { return (row + step) % 3; });
        auto sanitizer = release::Sanitizer::create(space, replacer, {}).value();
        auto input = TextInput::open(folder.path("in.txt"), {}).value();
        auto outputs = ReleaseOutputs::open(folder.path("out.txt"), folder.path("out.json"), {});
        const release::StreamOptions options{.batchBytes = 1'000, .threads = 1};
        isWriting.set(true);
        if (!outputs || !release::sanitizeStream(input, outputs->text, sanitizer, options) ||
            !outputs->finish(repeated(step == 1 ? "first\n" : "second\n", kLines))) {
            return;
        }
        isWriting.set(false);
    }
}

}  // namespace

TEST_CASE("A text comes out the same whatever the size of the batches") {
    const test::TemporaryFolder folder;
    const auto seed = GENERATE(range<std::uint64_t>(1, 9));
    std::string text;
    for (std::uint64_t i = 0; i < 20; ++i) {
        // Lines that fit into every batch: longer ones may be cut.
        text += test::awkwardText(100 * seed + i, 12) + "\n";
    }
    const std::string input = folder.file("in.txt", text);
    Streamed whole;
    const std::string expected = whole.sanitizer.sanitize(text, 1, {}).value();
    for (const std::size_t bytes : {256U, 1000U, 65536U}) {
        Streamed streamed;
        const auto end = streamed.run(input, folder.path("out.txt"), batchesOf(bytes)).value();
        CHECK(!end.interrupted);
        CHECK(test::contentOf(folder.path("out.txt")) == expected);
        CHECK(streamed.sanitizer.counts().words == whole.sanitizer.counts().words);
        CHECK(streamed.sanitizer.counts().lines == whole.sanitizer.counts().lines);
        CHECK(streamed.sanitizer.counts().mostReplacedInLine ==
              whole.sanitizer.counts().mostReplacedInLine);
        CHECK(streamed.sanitizer.counts().cuts == 0);
    }
}

TEST_CASE("A long cell is released in pieces, and comes out as in one") {
    const test::TemporaryFolder folder;
    std::string cell;
    for (int i = 0; i < 200; ++i) {
        cell += i % 7 == 0 ? "two\n" : "one ";
    }
    Streamed whole;
    const std::string expected = whole.sanitizer.sanitize(cell, 1, {}).value();
    StreamOptions options = batchesOf(64);
    options.table.columns = {"text"};
    Streamed streamed;
    const auto end = streamed
                         .run(folder.file("in.csv", "id,text\n1,\"" + cell + "\"\n2,three\n"),
                              folder.path("out.csv"), options)
                         .value();
    CHECK(test::contentOf(folder.path("out.csv")) == "id,text\n1,\"" + expected + "\"\n2,four\n");
    CHECK(end.records == 2);
    CHECK(end.counts.words == 201);
    CHECK(end.counts.mostReplacedInLine == whole.sanitizer.counts().mostReplacedInLine);
    CHECK(end.counts.cuts == 0);
    // A word is cut only where there is no blank: 63 letters at a time, the last 48 are left.
    const auto cut = Streamed()
                         .run(folder.file("long.csv", "text\n\"" + std::string(300, 'a') + "\"\n"),
                              folder.path("cut.csv"), options)
                         .value();
    CHECK(cut.counts.cuts == 4);
}

TEST_CASE("Characters and their marks stay together wherever a batch ends") {
    const test::TemporaryFolder folder;
    Streamed streamed;
    for (const std::string character : {"¡", "…", "\U00010100", "e\u0301"}) {
        for (std::size_t bytes = 16; bytes < 24; ++bytes) {
            const std::string text = repeated(character, 100);
            CAPTURE(character, bytes);
            REQUIRE(streamed.run(folder.file("in.txt", text + "\n"), folder.path("out.txt"),
                                 batchesOf(bytes)));
            // Punctuation of 2, 3, and 4 bytes stays; a mark without its letter would.
            const std::string released = test::contentOf(folder.path("out.txt"));
            const bool isPunctuation = character != "e\u0301";
            CHECK(isPunctuation == (released == text + "\n"));
            CHECK(released.find("\u0301") == std::string::npos);
        }
    }
    CHECK(streamed.sanitizer.counts().hiddenCharacters == 0);
}

TEST_CASE("A line longer than a batch is cut at blanks and stays one line") {
    const test::TemporaryFolder folder;
    const std::string input = folder.file("in.txt", repeated("one two ", 3'000) + "\n");
    Streamed streamed;
    REQUIRE(streamed.run(input, folder.path("out.txt"), batchesOf(100)));
    CHECK(test::contentOf(folder.path("out.txt")) == repeated("two three ", 3'000) + "\n");
    CHECK(streamed.sanitizer.counts().lines == 1);
    CHECK(streamed.sanitizer.counts().mostReplacedInLine == 6'000);
    CHECK(streamed.sanitizer.counts().cuts == 0);
}

TEST_CASE("A run without blanks longer than a batch is cut and that is counted") {
    const test::TemporaryFolder folder;
    Streamed streamed;
    REQUIRE(streamed.run(folder.file("in.txt", std::string(1'000, 'a').append(" one\n")),
                         folder.path("out.txt"), batchesOf(300)));
    CHECK(streamed.sanitizer.counts().cuts == 3);
    CHECK(streamed.sanitizer.counts().masked == 4);
    CHECK(test::contentOf(folder.path("out.txt")) == "<unk><unk><unk><unk> two\n");
}

TEST_CASE("Lines come out when no more input comes, before its end") {
    const test::TemporaryFolder folder;
    Fifo fifo(folder);
    Pipe pipe;
    std::thread worker([&] {
        Streamed streamed;
        auto input = TextInput::open(fifo.path(), {}).value();
        auto output = pipe.output();
        static_cast<void>(release::sanitizeStream(input, output, streamed.sanitizer, {}));
        pipe.closeForWriting();
    });
    fifo.write("one two\nthr");
    CHECK(pipe.readSome() == "two three\n");
    fifo.write("ee\n");
    CHECK(pipe.readSome() == "four\n");
    fifo.finish();
    CHECK(pipe.readSome().empty());
    worker.join();
}

TEST_CASE("A stopped text leaves whole lines in its file") {
    const test::TemporaryFolder folder;
    Fifo fifo(folder);
    std::stop_source stop;
    Streamed streamed;
    Result<StreamEnd> end = fail(ErrorCode::internal, "not run");
    std::thread worker([&] {
        end = streamed.run(fifo.path(), folder.path("out.txt"), batchesOf(64),
                           {stop.get_token(), {}});
    });
    // A third line too long for the buffer, of which a part has been written when the stop comes.
    fifo.write("one\ntwo\n" + repeated("one ", 60));
    // The two words of the first piece, the 16 of the next one, and some of the piece behind them.
    for (int word = 0; word < 20; ++word) {
        CHECK(streamed.drawn.try_acquire_for(std::chrono::seconds(30)));
    }
    CHECK(!std::filesystem::exists(folder.path("out.txt")));
    stop.request_stop();
    worker.join();
    REQUIRE(end);
    CHECK(end->interrupted);
    CHECK(end->wholeLines == 2);
    CHECK(!end->withinLine);
    CHECK(test::contentOf(folder.path("out.txt")) == "two\nthree\n");
    // What was taken back is not counted.
    CHECK(end->counts.lines == 2);
    CHECK(end->counts.words == 2);
    CHECK(end->counts.mostReplacedInLine == 1);
    CHECK(end->counts.bytesWritten == 10);
}

TEST_CASE("A text is stopped though nobody reads the output, and leaves whole lines") {
    const test::TemporaryFolder folder;
    const std::string input = folder.file("in.txt", repeated("one two three four\n", 50'000));
    Pipe pipe;
    std::stop_source stop;
    Result<StreamEnd> end = fail(ErrorCode::internal, "not run");
    std::int64_t written = 0;
    std::thread worker([&] {
        Streamed streamed;
        auto source = TextInput::open(input, {}, stop.get_token()).value();
        auto output = pipe.output();
        end =
            release::sanitizeStream(source, output, streamed.sanitizer, {}, {stop.get_token(), {}});
        written = output.written();
    });
    pipe.waitUntilFull();
    stop.request_stop();
    worker.join();
    pipe.closeForWriting();
    std::string out;
    for (std::string piece = pipe.readSome(); !piece.empty(); piece = pipe.readSome()) {
        out += piece;
    }
    REQUIRE(end);
    CHECK(end->interrupted);
    CHECK(!end->withinLine);
    CHECK(std::ssize(out) == written);
    CHECK(out.ends_with('\n'));
    CHECK(end->wholeLines == std::ranges::count(out, '\n'));
    CHECK(end->counts.bytesWritten == written);
}

TEST_CASE("Waiting for the reader of a pipe can be stopped") {
    const test::TemporaryFolder folder;
    const std::string pipe = folder.path("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    std::stop_source stop;
    std::thread stopper([&] {
        test::waitUntilAsleep(getpid());
        stop.request_stop();
    });
    const auto output = io::Output::toFile(pipe, stop.get_token());
    stopper.join();
    REQUIRE(!output);
    CHECK(output.error().code == ErrorCode::cancelled);
}

TEST_CASE("When writing fails halfway, the end tells what is already out") {
    Pipe pipe;
    // As for the programs, a reader that leaves is an error of writing and not a signal.
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    const test::TemporaryFolder folder;
    const std::string text = repeated("one two three four\n", 50'000);
    auto source = TextInput::open(folder.file("in.txt", text), {}).value();
    auto output = pipe.output();
    std::thread reader([&] {
        static_cast<void>(pipe.readSome());
        pipe.closeForReading();
    });
    Streamed streamed;
    const auto end = release::sanitizeStream(source, output, streamed.sanitizer, {}).value();
    reader.join();
    static_cast<void>(std::signal(SIGPIPE, before));
    REQUIRE(end.failure);
    CHECK(end.failure->code == ErrorCode::ioFailed);
    CHECK(end.interrupted);
    CHECK(end.wholeLines > 0);
    CHECK(end.counts.words > 0);
}

TEST_CASE("A file that cannot be written keeps what it had") {
    const test::TemporaryFolder folder;
    const std::string input = folder.file("in.txt", "one\n");
    CHECK(io::Output::toFile(folder.path("no/such/place")).error().code == ErrorCode::ioFailed);
    CHECK(io::Output::toFile(folder.path("")).error().code == ErrorCode::ioFailed);
    Streamed streamed;
    const auto full = streamed.run(input, "/dev/full");
    CHECK(full.error().code == ErrorCode::ioFailed);
    {
        auto abandoned = io::Output::toFile(folder.file("old.txt", "old")).value();
        REQUIRE(abandoned.write("new"));
    }
    CHECK(test::contentOf(folder.path("old.txt")) == "old");
    CHECK(folder.names() == std::vector<std::string>{"in.txt", "old.txt"});
}

TEST_CASE("A text does not appear without its sidecar") {
    const test::TemporaryFolder folder;
    const std::string text = folder.file("out.txt", "old\n");
    const std::string sidecar = folder.path("out.json");
    {
        auto outputs = ReleaseOutputs::open(text, sidecar, {}).value();
        REQUIRE(outputs.text.write("new\n"));
        // No file can take the place of a folder.
        std::filesystem::create_directory(sidecar);
        test::checkRefused(outputs.finish("{}\n"), ErrorCode::ioFailed, sidecar);
    }
    CHECK(test::contentOf(text) == "old\n");
    CHECK(folder.names() == std::vector<std::string>{"out.json", "out.txt"});
}

TEST_CASE("A text that cannot take its place at last leaves its sidecar alone") {
    const test::TemporaryFolder folder;
    const std::string text = folder.path("out.txt");
    {
        auto outputs = ReleaseOutputs::open(text, folder.path("out.json"), {}).value();
        REQUIRE(outputs.text.write("new\n"));
        std::filesystem::create_directory(text);
        test::checkRefused(outputs.finish("{}\n"), ErrorCode::ioFailed, text);
    }
    CHECK(test::contentOf(folder.path("out.json")) == "{}\n");
    CHECK(folder.names() == std::vector<std::string>{"out.json", "out.txt"});
}

TEST_CASE("A text that becomes shorter while it is read is refused") {
    const test::TemporaryFolder folder;
    const std::string input = folder.file("in.txt", repeated("one two\n", 200'000));
    const auto space = test::wordSpace({"one", "two"});
    test::FixedReplacer replacer([&](Row row) {
        std::filesystem::resize_file(input, 10);
        return row;
    });
    auto sanitizer = Sanitizer::create(space, replacer, {}).value();
    auto source = TextInput::open(input, {}).value();
    auto output = io::Output::toFile(folder.path("out.txt")).value();
    const Error error = test::checkRefused(release::sanitizeStream(source, output, sanitizer, {}),
                                           ErrorCode::badFile, "changed while it was read");
    CHECK(error.file == input);
}

TEST_CASE("What cannot be read is refused by name") {
    const test::TemporaryFolder folder;
    for (const std::string& path :
         {folder.path("missing"), folder.path(""), std::string("/dev/zero")}) {
        const Error error = test::checkRefused(TextInput::open(path, {}), ErrorCode::badFile);
        CHECK(error.file == path);
    }
}

// Sanitizers keep up to 256 MiB of freed memory, so that there the bound tells little.
constexpr double kMostGrowth = test::kSanitized ? 300e6 : 12e6;

// Peak memory may grow by buffers, not with the text: 16 MB without a blank or line end pass.
TEST_CASE("An endless line is released in little memory") {
    const test::TemporaryFolder folder;
    Fifo fifo(folder);
    const test::PeakMemory peak;
    constexpr int kPieces = 256;
    std::thread writer([&] {
        const std::string piece(std::size_t{64} << 10, 'a');
        for (int i = 0; i < kPieces; ++i) {
            std::string_view rest = piece;
            while (!rest.empty()) {
                const int descriptor = open(fifo.path().c_str(), O_WRONLY | O_CLOEXEC);
                const ssize_t written = ::write(descriptor, rest.data(), rest.size());
                close(descriptor);
                rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
            }
        }
        fifo.finish();
    });
    Streamed streamed;
    const auto end = streamed.run(fifo.path(), "/dev/null");
    writer.join();
    REQUIRE(end);
    // At least one cut for every piece that fills the buffer.
    CHECK(streamed.sanitizer.counts().cuts >= kPieces - 1);
    CHECK(peak.bytes() < kMostGrowth);
}

TEST_CASE("Releasing killed at any moment leaves the old text and sidecar or whole new ones") {
    const test::TemporaryFolder folder;
    folder.file("in.txt", repeated("one\n", kLines));
    const std::string first = repeated("two\n", kLines);
    const std::string second = repeated("three\n", kLines);
    folder.file("out.txt", second);
    folder.file("out.json", repeated("second\n", kLines));
    test::killAtAnyMoment(
        17, [&](const test::SharedFlag& isWriting) { releaseForEver(folder, isWriting); },
        [&] {
            const std::string text = test::contentOf(folder.path("out.txt"));
            const std::string sidecar = test::contentOf(folder.path("out.json"));
            REQUIRE((text == first || text == second));
            REQUIRE((sidecar == repeated("first\n", kLines) ||
                     sidecar == repeated("second\n", kLines)));
            test::removeLeftovers(folder, {"in.txt", "out.txt", "out.json"}, first.size());
            return text == first;
        });
}
