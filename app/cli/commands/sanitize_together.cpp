#include "app/cli/commands/sanitize_together.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cli/commands/release_setup.h"
#include "app/cli/commands/release_tally.h"
#include "core/base/packing.h"
#include "core/base/pass_on.h"
#include "core/io/pending_file.h"

namespace epsilens::cli {
namespace {

constexpr const char* kOwnFile = "the temporary folder (TMPDIR)";

/// A file without a name for what this process has released, until the first process takes it.
class ShareFile {
public:
    [[nodiscard]] static Result<ShareFile> create() {
        std::error_code error;
        std::string name =
            (std::filesystem::temp_directory_path(error) / "epsilens-XXXXXX").string();
        const int descriptor = mkostemp(name.data(), O_CLOEXEC);
        if (descriptor < 0) {
            return io::cannotWrite(kOwnFile, errno);
        }
        unlink(name.c_str());
        return ShareFile(descriptor);
    }
    ~ShareFile() {
        if (m_descriptor >= 0) {
            close(m_descriptor);
        }
    }
    ShareFile(ShareFile&& other) noexcept
        : m_descriptor(std::exchange(other.m_descriptor, -1)), m_read(other.m_read) {}
    ShareFile& operator=(ShareFile&&) = delete;

    [[nodiscard]] release::TextOutput output() const {
        return release::TextOutput::toDescriptor(m_descriptor, kOwnFile);
    }
    /// The next bytes from the begin on.
    [[nodiscard]] Result<std::string> next(std::int64_t size) {
        std::string text(static_cast<std::size_t>(size), '\0');
        for (std::size_t have = 0; have < text.size();) {
            const ssize_t count = pread(m_descriptor, text.data() + have, text.size() - have,
                                        m_read + static_cast<off_t>(have));
            if (count == 0 || (count < 0 && errno != EINTR)) {
                return fail(ErrorCode::ioFailed, "a temporary file could not be read back");
            }
            have += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
        }
        m_read += static_cast<off_t>(size);
        return text;
    }

private:
    explicit ShareFile(int descriptor) : m_descriptor(descriptor) {}

    int m_descriptor;
    off_t m_read = 0;
};

/// What one process did to the text.
struct Share {
    ReleaseTally tally{};
    std::int64_t units = 0;  ///< of the text
    std::vector<std::int64_t> ownUnits{};
    std::vector<std::int64_t> ownBytes{};  ///< of each of these
};

template <typename Archive>
void transfer(Archive& archive, Share& share) {
    archive(share.tally, share.units, share.ownUnits, share.ownBytes);
}

std::string toBytes(const Share& share) {
    Packer packer;
    packer(share);
    return std::move(packer).bytes();
}

Share shareOf(const std::string& bytes) {
    Share share;
    Unpacker unpacker(bytes);
    unpacker(share);
    return share;
}

/// All processes must find the same units, so the text is a regular file.
Result<void> checkText(const std::string& path) {
    std::error_code error;
    if (path != "-" &&
        (std::filesystem::is_regular_file(path, error) || !std::filesystem::exists(path, error))) {
        return {};
    }
    return fail(ErrorCode::invalidArgument,
                "every process of an MPI job reads the text by itself; name a file with "
                "--text-file");
}

/// The sum of all shares; each unit is somebody's.
Result<ReleaseTally> sumOf(const std::vector<Share>& shares) {
    ReleaseTally sum;
    std::int64_t owned = 0;
    bool isOneText = true;
    for (const Share& share : shares) {
        isOneText = isOneText && share.units == shares.front().units;
        owned += static_cast<std::int64_t>(share.ownUnits.size());
        sum.add(share.tally);
    }
    if (!isOneText || owned != shares.front().units) {
        return fail(ErrorCode::badFile, "the file changed while it was read");
    }
    return sum;
}

/// The units in their order, into the text that appears at the end.
Result<void> assemble(const std::vector<Share>& shares, ShareFile& own, Team& team,
                      release::TextOutput& output, const std::stop_token& stop) {
    std::vector<int> owners(static_cast<std::size_t>(shares.front().units));
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
        for (const std::int64_t unit : shares[rank].ownUnits) {
            owners[static_cast<std::size_t>(unit)] = static_cast<int>(rank);
        }
    }
    auto size = shares.front().ownBytes.begin();
    for (const int owner : owners) {
        ASSIGN_OR_RETURN(const auto text,
                         owner == 0 ? own.next(*size++) : Result<std::string>(team.receive(owner)));
        RETURN_IF_ERROR(output.write(text, stop));
    }
    return {};
}

Result<release::StreamEnd> releaseShare(const SanitizeOptions& options,
                                        release::Sanitizer& sanitizer, release::TextInput& input,
                                        const ShareFile& file, const CommandContext& context,
                                        std::vector<std::int64_t>& ownUnits) {
    release::TextOutput output = file.output();
    release::StreamOptions stream;
    stream.threads = context.general.threads;
    stream.table = options.table;
    stream.keepPartial = false;
    // A number is taken at the unit after the last own one, and is never below that unit: all
    // units become somebody's before anybody passes them by.
    std::int64_t taken = -1;
    stream.isOwn = [&](std::int64_t unit) {
        if (taken < unit) {
            taken = *context.team->next(std::numeric_limits<std::int64_t>::max());
        }
        if (taken == unit) {
            ownUnits.push_back(unit);
        }
        return taken == unit;
    };
    auto end = context.withProgress([&](const JobContext& job) {
        return release::sanitizeStream(input, output, sanitizer, stream, job);
    });
    if (end && end->failure) {
        return tl::unexpected(withReleaseOptions(*end->failure, options.textPath));
    }
    return end ? std::move(end) : tl::unexpected(withReleaseOptions(end.error(), options.textPath));
}

}  // namespace

Result<CommandResult> sanitizeTogether(const SanitizeOptions& options,
                                       const CommandContext& context) {
    Team& team = *context.team;
    RETURN_IF_ERROR(checkText(options.textPath));
    ASSIGN_OR_RETURN(const auto policies, releasePolicies(options, context));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(options.textPath, options.decoding, context.stop));
    std::optional<release::ReleaseOutputs> outputs;
    if (team.isFirst()) {
        ASSIGN_OR_RETURN(auto opened, openReleaseOutputs(context.general.outputPath,
                                                         options.sidecarPath, context.stop));
        outputs.emplace(std::move(opened));
    }
    ASSIGN_OR_RETURN(auto file, ShareFile::create());
    ASSIGN_OR_RETURN(const auto setup, setUpRelease(options, policies, context));
    ASSIGN_OR_RETURN(auto sanitizer, setup.sanitizer());
    Share own;
    ASSIGN_OR_RETURN(auto end,
                     releaseShare(options, sanitizer, input, file, context, own.ownUnits));
    own.tally = ReleaseTally::of(end);
    own.units = end.units;
    own.ownBytes = end.ownBytes;
    if (!team.isFirst()) {
        // All have decoded the whole text: the first one counts its damaged places.
        own.tally.counts.invalidReplaced = 0;
    }
    std::vector<Share> shares;
    for (const std::string& bytes : team.gather(toBytes(own))) {
        shares.push_back(shareOf(bytes));
    }
    if (!team.isFirst()) {
        for (const std::int64_t size : own.ownBytes) {
            ASSIGN_OR_RETURN(const auto text, file.next(size));
            team.send(text);
        }
        return CommandResult{{}, false, {}, true};
    }
    ASSIGN_OR_RETURN(const auto tally, sumOf(shares));
    RETURN_IF_ERROR(assemble(shares, file, team, outputs->text, context.stop));
    team.dismiss();
    const report::ReleaseReport report = setup.describe(sanitizer, tally.end(end));
    RETURN_IF_ERROR(sayRelease(report, context.console));
    RETURN_IF_ERROR(outputs->finish(report::releaseJson(report), context.stop));
    return CommandResult{{}, false, {}, true};
}

}  // namespace epsilens::cli
