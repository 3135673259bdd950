#!/bin/bash
# Installs the packages for the tests, builds with warnings as errors, and runs all checks and tests.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"

usage() {
    cat <<'END'
usage: packaging/test.sh [--full] [--fuzz SECONDS]
  --full          runs all tests of the core under the address and undefined-behaviour sanitizers, these tests
                  and the window's job runner under the thread sanitizer, the window, its plots and its dial
                  under the address sanitizer, clang-tidy with its analyser on every file, and each fuzz target for 60 seconds;
                  builds the benchmarks; repeats the tests of long use and of kills ten times as often
  --fuzz SECONDS  only builds the fuzz targets and runs each for this time; findings are in
                  build-sanitize/fuzz
END
}

full=false
fuzz_only=false
# The same inputs in every ordinary run; 0 stands for others each time.
fuzz_seconds=2
fuzz_seed=1
fuzzers=()
# An ordinary run has each test in one of its two builds.
once=(-DTEST_ONCE=ON)
while (($# > 0)); do
    case $1 in
    --full)
        full=true
        export EPSILENS_LONG_TESTS=1
        fuzz_seconds=60
        fuzz_seed=0
        once=(-DTEST_ONCE=OFF)
        ;;
    --fuzz)
        [[ ${2-} =~ ^[1-9][0-9]{0,5}$ ]] || { usage >&2 && exit 2; }
        fuzz_only=true
        fuzz_seconds=$2
        fuzz_seed=0
        shift
        ;;
    -h | --help)
        usage
        exit
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    shift
done

exec </dev/null
export QT_QPA_PLATFORM=offscreen
unset DISPLAY WAYLAND_DISPLAY
jobs=$(nproc)
timings=()
failed_stages=()

# stage NAME COMMAND…: runs the command, records its duration, and records whether it failed.
stage() {
    local name=$1 start=$SECONDS status=0
    shift
    printf '\n== %s\n' "$name"
    "$@" || status=$?
    timings+=("$(printf '%5d s  %s' $((SECONDS - start)) "$name")")
    if ((status != 0)); then
        failed_stages+=("$name")
        say "error: stage failed: $name"
    fi
    return "$status"
}

source_files() {
    (cd "$project_root" && find app core ui resources tests -type f \( -name '*.h' -o -name '*.cpp' \) | sort)
}

check_format() {
    (cd "$project_root" && source_files | xargs clang-format --dry-run --Werror --style=file)
}

# changed_files COMMITS: source files that are not as they are in the last commit, then those that the last COMMITS commits
# changed, newest first; a history may be shorter. All files where there is none.
changed_files() {
    local file
    if ! git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
        source_files
        return
    fi
    {
        git diff --name-only HEAD -- '*.h' '*.cpp'
        git ls-files --others --exclude-standard -- '*.h' '*.cpp'
        git log -n "$1" --first-parent -m --format= --name-only -- '*.h' '*.cpp'
    } | awk '!seen[$0]++' | while read -r file; do
        [[ ! -e $file ]] || printf '%s\n' "$file"
    done
}

# For each file on standard input, prints the source file that compiles it: the file itself, or for a
# header the source file of the same name, or else a file that includes it.
compiled_through() {
    local file
    while read -r file; do
        if [[ $file == *.h && -e ${file%.h}.cpp ]]; then
            printf '%s\n' "${file%.h}.cpp"
        elif [[ $file == *.h ]]; then
            grep -rlF --include='*.cpp' "#include \"$file\"" app core ui tests | head -n 1 || true
        else
            printf '%s\n' "$file"
        fi
    done | sort -u
}

# What clang-tidy reads in an ordinary run: the files changed last, as a file takes it 10 to 20 seconds.
files_to_tidy() {
    local changed
    changed=$(changed_files 50 | sed -n '1,6p')
    compiled_through <<<"$changed" | while read -r file; do
        ! grep -qF "\"file\": \"$project_root/$file\"" build/tidy/compile_commands.json || printf '%s\n' "$file"
    done
    grep '\.h$' <<<"$changed" || true
}

# Everything, in the files that the build compiles.
all_files_to_tidy() {
    sed -n "s|^  \"file\": \"$project_root/\(.*\)\".*|\1|p" build/compile_commands.json |
        grep -E '^(app|core|ui|tests)/|/Unity/' | sort -u
    source_files | grep '\.h$'
}

# An ordinary run does without the static analyser, which takes as long as all other checks. Headers are also compiled alone.
check_tidy() (
    cd "$project_root" && "$packaging_directory/tidy.sh" || return
    local list=build/tidy-files.txt
    if [[ $full == true ]]; then
        all_files_to_tidy >"$list"
    else
        export EPSILENS_TIDY_CHECKS='-clang-analyzer-*'
        files_to_tidy >"$list"
    fi
    printf '%d files\n' "$(wc -l <"$list")"
    xargs -r -a "$list" -P "$jobs" -n 1 "$packaging_directory/tidy.sh"
)

# build_sanitized TARGETS…: builds with clang; without targets all but the fuzzers, whose counters take a fifth of the time.
build_sanitized() {
    configure build-sanitize sanitize -DBUILD_TESTING=ON "${fuzzers[@]}" "${once[@]}" && build build-sanitize "$@"
}

# The configuration hides Qt from CMake. This checks that no program uses Qt in some other way.
check_without_qt() {
    local program
    for program in "$project_root"/build-sanitize/bin/*; do
        if ldd "$program" | grep -iE 'libqt|qcustomplot'; then
            say "error: $program links Qt"
            return 1
        fi
    done
    ! grep -oiE -- '(-I|-isystem) ?/[^ ]*/qt[56]?[/ ]|QCUSTOMPLOT' "$project_root/build-sanitize/compile_commands.json"
}

# run_tests FOLDER OPTIONS…: says at the end which instruction sets the kernels were tested on. The tests that a full run
# repeats take up to ten times as long.
run_tests() {
    local status=0 options=(--output-on-failure --no-tests=error -j "$jobs")
    [[ $full == false ]] || options+=(--timeout 3000)
    ctest --test-dir "$project_root/$1" "${options[@]}" "${@:2}" 2>&1 || status=$?
    grep -o 'Instruction sets tested: .*' "$project_root/$1/Testing/Temporary/LastTest.log" || true
    return "$status"
}

# The same, but shows only the summary unless a test fails.
run_tests_quietly() {
    local log=$project_root/$1/tests.log
    if run_tests "$@" >"$log"; then
        sed -n '/ tests passed, /,$p' "$log"
    else
        cat "$log"
        return 1
    fi
}

# in_german FOLDER: makes the following commands run under de_DE.UTF-8, which the build made. The test programs set the
# locale named by EPSILENS_TEST_LOCALE and fail if they cannot.
in_german() {
    local folder=$project_root/$1 program
    export LOCPATH=$folder/locales
    for program in "$folder"/bin/core-*-tests; do
        if EPSILENS_TEST_LOCALE=no_LOCALE "$program" --list-tests >/dev/null 2>&1; then
            say "error: $program does not heed EPSILENS_TEST_LOCALE"
            return 1
        fi
    done
    export EPSILENS_TEST_LOCALE=de_DE.UTF-8
}

# Runs the tests of core and command line under a German locale; the last stage runs all tests without one.
# Does not check stack use after return, because the stack of that check does not align wide vectors.
test_sanitized() (
    export ASAN_OPTIONS=detect_stack_use_after_return=0 UBSAN_OPTIONS=print_stacktrace=1
    check_without_qt && in_german build-sanitize && run_tests_quietly build-sanitize
)

build_everything() {
    configure build default -DBUILD_TESTING=ON "${once[@]}" && build build
}

build_thread_sanitized() {
    configure build-thread thread -DBUILD_TESTING=ON && build build-thread
}

test_threads() {
    TSAN_OPTIONS="suppressions='$packaging_directory/thread_sanitizer.supp' halt_on_error=1" run_tests_quietly build-thread
}

# Builds only the test of the window's job runner with the thread sanitizer.
build_threads_of_window() {
    configure build-thread-window thread -DBUILD_TESTING=ON -DBUILD_GUI=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_Qt6=OFF -DCMAKE_DISABLE_FIND_PACKAGE_QCustomPlotQt6=OFF &&
        build build-thread-window ui-job-tests
}

test_threads_of_window() {
    TSAN_OPTIONS="suppressions='$packaging_directory/thread_sanitizer.supp' halt_on_error=1" \
        "$project_root/build-thread-window/bin/ui-job-tests" -silent
}

# Builds the whole window with the address sanitizer, for the tests of long use and of what it draws.
build_sanitized_window() {
    configure build-sanitize-window sanitize -DBUILD_TESTING=ON -DBUILD_GUI=ON \
        -DCMAKE_DISABLE_FIND_PACKAGE_Qt6=OFF -DCMAKE_DISABLE_FIND_PACKAGE_QCustomPlotQt6=OFF &&
        build build-sanitize-window ui-tests
}

test_sanitized_window() {
    ASAN_OPTIONS=detect_stack_use_after_return=0 UBSAN_OPTIONS=print_stacktrace=1 \
        LSAN_OPTIONS="suppressions='$packaging_directory/leak_sanitizer.supp' print_suppressions=0" \
        run_tests_quietly build-sanitize-window -R '^ui-(shell|plot|dial|curves|space|tradeoff)'
}

# fuzz TARGET: starts from the seeds and the corpus of earlier runs. A crash leaves its input behind.
fuzz() {
    local log=$fuzz_folder/$1.log
    mkdir -p "$fuzz_folder/corpora/$1"
    if ! "$project_root/build-sanitize/bin/fuzz-$1" -max_total_time="$fuzz_seconds" -seed="$fuzz_seed" \
        -timeout=120 -rss_limit_mb=2560 -artifact_prefix="$fuzz_folder/$1-" \
        "$fuzz_folder/corpora/$1" "$fuzz_folder/seeds/$1" >"$log" 2>&1; then
        tail -n 60 "$log"
        return 1
    fi
    # Executions and coverage as counted by libFuzzer.
    printf '%-18s %s\n' "$1" "$(sed -n 's/^#\([0-9]*\)\tDONE *cov: \([0-9]*\).*/\1 executions, coverage \2/p' "$log")"
}

# Whether the last change concerns what reads the files of others.
readers_changed() (
    cd "$project_root" || return
    [[ $full == true || -n $(changed_files 1 | grep -E '^(core/(io|embedding|text|document|release)|tests/fuzz)/') ]]
)

run_fuzzers() {
    local program targets=()
    build_sanitized fuzzers || return
    export fuzz_folder=$project_root/build-sanitize/fuzz
    "$project_root/build-sanitize/bin/fuzz-seeds" "$fuzz_folder/seeds" || return
    for program in "$project_root"/build-sanitize/bin/fuzz-*; do
        [[ $program == */fuzz-seeds || $program == */fuzz-replay ]] || targets+=("${program##*/fuzz-}")
    done
    export -f fuzz
    export project_root fuzz_seconds fuzz_seed
    printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I '{}' bash -c 'fuzz {}'
}

if [[ $fuzz_only == true ]] || readers_changed; then
    fuzzers=(-DBUILD_FUZZERS=ON)
fi
if [[ $fuzz_only == true ]]; then
    stage "packages" install_packages "${build_packages[@]}" "${test_packages[@]}" || exit 1
    stage "fuzz targets, $fuzz_seconds s each" run_fuzzers || exit 1
    printf '\n== seconds of each stage\n'
    printf '%s\n' "${timings[@]}"
    exit 0
fi

stage "packages" install_packages "${build_packages[@]}" "${test_packages[@]}" || exit 1
stage "clang-format" check_format || true
stage "build without Qt, address and undefined sanitizers" build_sanitized || exit 1
stage "tests under the sanitizers and de_DE.UTF-8" test_sanitized || true
if ((${#fuzzers[@]} > 0)); then
    stage "fuzz targets, $fuzz_seconds s each" run_fuzzers || true
fi
if [[ $full == true ]]; then
    stage "build without Qt, thread sanitizer" build_thread_sanitized || exit 1
    stage "tests under the thread sanitizer" test_threads || true
    stage "build of the window, address and undefined sanitizers" build_sanitized_window || exit 1
    stage "the window under the sanitizers" test_sanitized_window || true
    stage "build of the window's job runner, thread sanitizer" build_threads_of_window || exit 1
    stage "the window's job runner under the thread sanitizer" test_threads_of_window || true
fi
stage "build of everything" build_everything || exit 1
if [[ $full == true ]]; then
    stage "build of benchmarks and pictures" build build benchmarks epsilens-screenshots || true
fi
stage "clang-tidy, and headers alone" check_tidy || true

printf '\n== seconds of each stage\n'
printf '%s\n' "${timings[@]}"
printf '\n== all tests\n'
log=$project_root/build/tests.log
status=0
run_tests build | tee "$log" || status=$?
((status == 0)) || failed_stages+=("all tests")
if ((${#failed_stages[@]} > 0)); then
    printf '\nerror: failed: %s\n' "$(printf '%s; ' "${failed_stages[@]}")"
fi

# Last line: the results of both test runs. A Catch2 program is one test to CTest and counts its cases itself. Each stage that
# failed without a test counts as one more failure.
passed=0 failed=0 skipped=0
# add_results FOLDER: of the tests that ran there.
add_results() {
    local outputs=$project_root/$1/Testing/Temporary/LastTest.log log=$project_root/$1/tests.log total lost its_skipped
    read -r lost total < <(sed -n 's/.* tests passed, \([0-9]*\) tests\? failed out of \([0-9]*\)$/\1 \2/p' "$log") || return 0
    its_skipped=$(grep -c '\*\*\*Skipped' "$log") || true
    passed=$((passed + total - lost - its_skipped)) failed=$((failed + lost)) skipped=$((skipped + its_skipped))
    while read -r cases_passed cases_failed cases_skipped; do
        ((cases_failed > 0 ? failed-- : passed--)) || true
        passed=$((passed + cases_passed)) failed=$((failed + cases_failed)) skipped=$((skipped + cases_skipped))
    done < <(sed -n 's/^cases: \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$outputs")
    grep '^skipped: ' "$outputs" || true
}
add_results build-sanitize
add_results build
for name in "${failed_stages[@]}"; do
    [[ $name == *tests* && $failed -gt 0 ]] || failed=$((failed + 1))
done
printf '\n%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
((${#failed_stages[@]} == 0))
