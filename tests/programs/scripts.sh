#!/bin/bash
# scripts.sh PROJECT: runs packaging/run.sh and test.sh of a copy among fake tools, and checks what
# they ask of them and say. Nothing outside a temporary folder is changed or started: PATH holds the
# fakes and a few plain tools, so that neither apt-get nor a compiler can be reached.
set -euo pipefail
export LC_ALL=C

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A space in its name, as a place of the project may have.
project="$folder/the project"
state=$folder/state
elsewhere=$folder/elsewhere
mkdir -p "$project"/{app,core,ui,resources,tests} "$folder/fakes" "$folder/tools" "$state" "$elsewhere/sub" "$folder/tmp"
cp -r "$1/packaging" "$1/CMakePresets.json" "$project/"
for name in nothing some; do
    echo "int $name;" >"$project/core/$name.cpp"
done

# Who runs the scripts and on which system are the two things that no tool in PATH says.
common=$project/packaging/common.sh
# shellcheck disable=SC2016
sed -i 's/\bEUID\b/TEST_EUID/g; s|/etc/os-release|"$TEST_OS_RELEASE"|' "$common"
[[ $(grep -c TEST_EUID "$common") == 2 && $(grep -c TEST_OS_RELEASE "$common") == 1 ]]
printf 'ID=debian\nVERSION_ID="12"\n' >"$folder/debian-12"
printf 'ID=debian\nVERSION_ID="13"\n' >"$folder/debian-13"

for tool in awk bash cat chmod cksum cut dirname env find grep head mkdir mktemp mv nproc readlink rm sed sha256sum sort tee timeout wc xargs; do
    ln -s "$(command -v "$tool")" "$folder/tools/$tool"
done

# fake NAME: a tool whose body is standard input; it notes its calls and keeps state in $state.
fake() {
    {
        printf '#!/bin/bash\nstate=%q\n' "$state"
        cat
    } >"$folder/fakes/$1"
    chmod +x "$folder/fakes/$1"
}
fake apt-get <<'END'
printf 'apt-get frontend=%s' "${DEBIAN_FRONTEND-}" >>"$state/calls"
printf ' %s' "$@" >>"$state/calls"
echo >>"$state/calls"
if [[ -s $state/apt-locked ]]; then
    sed -i 1d "$state/apt-locked"
    echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1'
    exit 100
fi
[[ " $* " != *" $(cat "$state/apt-fails" 2>/dev/null) "* ]] || exit 100
[[ " $* " != *' install '* ]] || printf 'ii %s\n' "$@" >>"$state/packages"
END
# Like the real one it says what it knows and fails when there is something that it does not.
fake dpkg-query <<'END'
printf '%s\n' "${@:3}" >"$state/asked"
status=0
for package in "${@:3}"; do
    grep "^.. $package\$" "$state/packages" || status=1
done
exit "$status"
END
# Passes no variables on, as sudo does.
fake sudo <<'END'
echo 'sudo' >>"$state/calls"
exec env -i PATH="$PATH" "$@"
END
fake sleep <<'END'
echo "sleep" >>"$state/calls"
END
fake cmake <<'END'
printf 'cmake%s\n' "$(printf ' [%s]' "$@")" >>"$state/calls"
[[ ! -e $state/cmake-fails ]] || exit 1
compile_commands() {
    for file in nothing some; do
        printf '{\n  "command": "true -o %s.o -c %s",\n  "file": "%s"\n}\n' $file "$PWD/core/$file.cpp" "$PWD/core/$file.cpp"
    done
}
while (($# > 0)); do
    case $1 in
    -B) mkdir -p "$2" && build=$2 && : >"$build/build.ninja" && : >"$build/CMakeCache.txt" && compile_commands >"$build/compile_commands.json" ;;
    -DBUILD_TESTING=* | -DTEST_ONCE=*) echo "${1%%=*}:BOOL=${1#*=}" | cut -c 3- >>"$build/CMakeCache.txt" ;;
    esac
    shift
done
END
# Makes programs that say where they run and what they were given.
fake ninja <<'END'
printf 'ninja%s\n' "$(printf ' [%s]' "$@")" >>"$state/calls"
# Steps as the variable asks for them: percent done and seconds passed.
if [[ -e $state/slow ]]; then
    for step in '1 29.9' '5 30.0' '25 59.9' '50 90.5' '100 200.0'; do
        started=${NINJA_STATUS/\%p/${step% *}%}
        printf '%sa step\n' "${started/\%e/${step#* }}"
    done
    echo 'a warning'
fi
[[ ! -e $state/ninja-fails ]] || exit 1
mkdir -p "$2/bin"
for program in epsilens epsilens-cli core-one-tests ui-job-tests fuzz-seeds fuzz-one; do
    cat >"$2/bin/$program" <<'PROGRAM'
#!/bin/bash
[[ ${EPSILENS_TEST_LOCALE-} != no_LOCALE ]] || exit 1
[[ $0 != */fuzz-one ]] || printf '#12\tDONE   cov: 34 ft: 56\n'
# As the window answers an option that it does not have: display.sh asks the real one.
[[ ${1-} != --is-a-display-there ]] || exit "${WINDOW_ANSWERS:-2}"
printf '%s in %s' "${0##*/}" "$PWD"
printf ' [%s]' "$@"
echo
[[ ! -f ${1-} ]] || cat "$1"
PROGRAM
    chmod +x "$2/bin/$program"
done
END
fake ctest <<'END'
long=${EPSILENS_LONG_TESTS:+long}
printf 'ctest%s %s in %s\n' "$(printf ' [%s]' "$@")" "${long:-short}" "${EPSILENS_TEST_LOCALE:-C}" >>"$state/calls"
[[ ! -e $state/skipped ]] || echo '3/5 Test #3: three ....***Skipped   0.01 sec'
mkdir -p "$2/Testing/Temporary"
cat "$state/outputs" >"$2/Testing/Temporary/LastTest.log" 2>/dev/null || true
if [[ -e $state/tests-fail && $* == *'/build '* ]]; then
    printf '\n60%% tests passed, 2 tests failed out of 5\n'
    exit 8
fi
printf '\n100%% tests passed, 0 tests failed out of 5\n'
END
fake clang-format <<'END'
[[ ! -e $state/format-fails ]]
END
fake ldd <<<'exit 1'
# What each commit changed, one file each, when there are commits.
fake git <<'END'
[[ -e $state/changed ]] || exit 1
case $1 in
rev-parse) echo latest ;;
diff) cat "$state/changed" ;;
log) head -n "$3" "$state/committed" 2>/dev/null || true ;;
esac
END
fake clang-tidy <<'END'
[[ $* != *.cpp ]] || printf 'clang-tidy %s\n' "${@: -1}" >>"$state/calls"
END

failures=0
# equal WHAT EXPECTED FOUND
equal() {
    [[ $2 == "$3" ]] && return
    printf '%s: expected\n%s\nfound\n%s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
}
# contains WHAT PART WHOLE
contains() {
    [[ $3 == *"$2"* ]] && return
    printf '%s: expected\n%s\nin\n%s\n' "$1" "$2" "$3"
    failures=$((failures + 1))
}

# The settings of the runs that follow.
set_up() {
    user=1000
    system=$folder/debian-12
    variables=()
    path=$folder/fakes:$folder/tools
    rm -rf "${state:?}"/* "$project"/build*
    # Every package of the lists is there.
    (
        # shellcheck source=../../packaging/packages.sh
        source "$project/packaging/packages.sh"
        printf 'ii %s\n' "${build_packages[@]}" "${test_packages[@]}" >"$state/packages"
    )
}
# Takes packages away, or leaves them removed but for their settings.
take_away() {
    local package
    for package; do
        sed -i "/^ii $package\$/d" "$state/packages"
    done
}
# run SCRIPT ARGS…: sets status, output, errors, calls.
run() {
    : >"$state/calls"
    status=0
    (cd "$elsewhere/sub" && env -i PATH="$path" HOME="$folder" TMPDIR="$folder/tmp" TEST_EUID="$user" \
        TEST_OS_RELEASE="$system" "${variables[@]}" "$project/packaging/$1" "${@:2}") \
        >"$folder/output" 2>"$folder/errors" </dev/null || status=$?
    output=$(<"$folder/output")
    errors=$(<"$folder/errors")
    calls=$(<"$state/calls")
}
calls_of() {
    grep -E "^($1)( |\$)" "$state/calls" || true
}
ninja_call="ninja [-C] [$project/build] [-j] [$(nproc)]"

first_build='Building for the first time; every half minute a line tells how long it still takes.'

# --- Packages

set_up
run run.sh cli
equal "nothing missing: exit code" 0 "$status"
equal "nothing missing: no apt-get, no sudo" "" "$(calls_of 'apt-get|sudo')"
equal "nothing missing: only the building is announced" "$first_build" "$errors"
equal "all packages for building are asked for" \
    "$(source "$project/packaging/packages.sh" && printf '%s\n' "${build_packages[@]}")" "$(<"$state/asked")"
equal "names are packages' and differ" "" "$(grep -vE '^[a-z0-9][a-z0-9+.-]+$' "$state/asked" || true)$(sort "$state/asked" | sed -n 'N;/^\(.*\)\n\1$/p;D')"

apt_options='-q -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0'
update="apt-get frontend=noninteractive $apt_options update"
install="apt-get frontend=noninteractive $apt_options install -y --no-install-recommends"
by_hand="su - -c 'apt-get update && apt-get install -y --no-install-recommends ninja-build libssl-dev'"

set_up
take_away ninja-build libssl-dev
echo 'rc libssl-dev' >>"$state/packages"
run run.sh cli
equal "as a user with sudo: exit code" 0 "$status"
equal "as a user with sudo: update, then install what is missing" \
    "$(printf '%s\n' sudo "$update" sudo "$install ninja-build libssl-dev")" "$(calls_of 'apt-get|sudo')"
run run.sh cli
equal "once they are installed: no apt-get" "" "$(calls_of 'apt-get|sudo')"

set_up
user=0
take_away ninja-build libssl-dev
run run.sh cli
equal "as root: no sudo" "$(printf '%s\n' "$update" "$install ninja-build libssl-dev")" "$(calls_of 'apt-get|sudo')"

set_up
take_away ninja-build
printf '\n\n' >"$state/apt-locked"
run run.sh cli
equal "lists in use: exit code" 0 "$status"
equal "lists in use: waits" "$(printf '%s\n' "$update" sleep "$update" sleep "$update" "$install ninja-build")" \
    "$(calls_of 'apt-get|sleep')"

set_up
take_away ninja-build
echo update >"$state/apt-fails"
run run.sh cli
equal "no update: installs all the same" "$(printf '%s\n' "$update" "$install ninja-build")" "$(calls_of 'apt-get|sleep')"
equal "no update: exit code" 0 "$status"

set_up
take_away ninja-build libssl-dev
echo install >"$state/apt-fails"
run run.sh cli
equal "no install: exit code" 1 "$status"
contains "no install: what to do by hand" $'\n'"$by_hand" "$errors"
equal "no install: nothing is built" "" "$(calls_of 'cmake|ninja')"

set_up
take_away ninja-build libssl-dev
mv "$folder/fakes/sudo" "$folder/sudo"
for script in run.sh test.sh; do
    run "$script"
    equal "$script, neither root nor sudo: exit code" 1 "$status"
    equal "$script, neither root nor sudo: the one command" "$by_hand" "$(grep apt-get "$folder/errors")"
    equal "$script, neither root nor sudo: nothing is called" "" "$calls"
done
user=0
run run.sh cli
equal "root without sudo: installs" "$(printf '%s\n' "$update" "$install ninja-build libssl-dev")" "$(calls_of 'apt-get|sudo')"
mv "$folder/sudo" "$folder/fakes/sudo"

# --- Another system

for system in "$folder/debian-13" "$folder/no-such-file"; do
    other=$system
    set_up
    system=$other
    run run.sh cli
    equal "another system: exit code" 0 "$status"
    equal "another system: one warning" 1 "$(grep -c '^warning: made for Debian 12' "$folder/errors")"
    contains "another system: its compiler's warnings are no errors" "[-DWARNINGS_AS_ERRORS=OFF]" "$calls"
done
contains "another system: goes on to the program" "epsilens-cli in " "$output"
mv "$folder/fakes/dpkg-query" "$folder/dpkg-query"
run run.sh cli
equal "no dpkg: exit code" 0 "$status"
equal "no dpkg: no apt-get" "" "$(calls_of 'apt-get|sudo')"
mv "$folder/dpkg-query" "$folder/fakes/dpkg-query"

# --- Building

set_up
run run.sh cli
contains "builds without tests" "cmake [--log-level=WARNING] [--no-warn-unused-cli] [--preset] [default] [-B] [$project/build] [-DBUILD_TESTING=OFF]" "$calls"
equal "builds the command line alone" "$ninja_call [epsilens-cli]" "$(calls_of ninja)"
run run.sh cli
equal "configured before: not again" "$ninja_call [epsilens-cli]" "$calls"
equal "built before: nothing is said" "" "$errors"
printf '%s:BOOL=ON\n' BUILD_TESTING TEST_ONCE >"$project/build/CMakeCache.txt"
run run.sh cli
contains "tests stay part of the build" "[--fresh] [-DBUILD_TESTING=ON] [-DTEST_ONCE=ON]" "$calls"

set_up
touch "$state/slow"
run run.sh cli
equal "a slow build: how far it is and how long it takes, and what is not a step" \
    "$(printf '%s\n' "$first_build" '5% built, about 10 minutes to go' '50% built, about 2 minutes to go' 'a warning')" "$errors"

for tool in cmake ninja; do
    set_up
    touch "$state/$tool-fails"
    run run.sh cli
    equal "$tool fails: exit code" 1 "$status"
    contains "$tool fails: says so" "error: " "$errors"
    equal "$tool fails: no output" "" "$output"
done

# --- Starting

set_up
run run.sh cli info 'two  words' '' '*' --epsilon=1 -- -h
equal "cli: exit code" 0 "$status"
equal "cli: the arguments and the directory of the caller, and no other output" \
    "epsilens-cli in $elsewhere/sub [info] [two  words] [] [*] [--epsilon=1] [--] [-h]" "$output"
echo "the caller's file" >"$elsewhere/my vectors.txt"
run run.sh cli '../my vectors.txt'
contains "cli: a relative path is the caller's" "the caller's file" "$output"

set_up
for answer in 1 134 124; do
    variables=("WINDOW_ANSWERS=$answer")
    run run.sh
    equal "no display, $answer: exit code" 1 "$status"
    equal "no display, $answer: one line that names the command line" \
        "error: no display can be reached, so the window cannot open; the command line needs none: packaging/run.sh cli --help" \
        "$(sed '/^Building for the first time/d' "$folder/errors")"
    equal "no display, $answer: both programs are built" "$ninja_call [epsilens] [epsilens-cli]" "$(calls_of ninja)"
    equal "no display, $answer: no window" "" "$output"
done

variables=()
run run.sh
equal "window: its directory" "epsilens in $elsewhere/sub []" "$output"
run run.sh '../my vectors.txt'
equal "window: a relative path is the caller's" \
    "epsilens in $elsewhere/sub [../my vectors.txt]"$'\n'"the caller's file" "$output"

set_up
run run.sh no-such-file
equal "no such file: exit code" 1 "$status"
equal "no such file: says so" "error: there is no file no-such-file" "$errors"
equal "no such file: nothing is called" "" "$calls"

# --- Usage

for arguments in 'run.sh --verbose' 'run.sh -x' 'run.sh a b' 'test.sh --ful' 'test.sh file' 'test.sh --fuzz' 'test.sh --fuzz 0' 'test.sh --full --fuzz 1x'; do
    read -r -a words <<<"$arguments"
    set_up
    run "${words[@]}"
    equal "$arguments: exit code" 2 "$status"
    contains "$arguments: usage" "usage: packaging/${words[0]}" "$errors"
    equal "$arguments: nothing is called" "" "$calls"
done
for arguments in 'run.sh -h' 'run.sh --help' 'test.sh -h' 'test.sh --help'; do
    read -r -a words <<<"$arguments"
    run "${words[@]}"
    equal "$arguments: exit code" 0 "$status"
    contains "$arguments: usage as output" "usage: packaging/${words[0]}" "$output"
    equal "$arguments: nothing is called" "" "$calls"
done

# --- Tests

last_line() {
    sed -n '$p' "$folder/output"
}
set_up
run test.sh
equal "tests pass: exit code" 0 "$status"
equal "tests pass: closing line, of both builds" "10 passed, 0 failed, 0 skipped" "$(last_line)"
equal "tests ask for the packages of both lists" \
    "$(source "$project/packaging/packages.sh" && printf '%s\n' "${build_packages[@]}" "${test_packages[@]}")" "$(<"$state/asked")"
equal "tests: none is left out where all are run" \
    "ctest [--test-dir] [$project/build] [--output-on-failure] [--no-tests=error] [-j] [$(nproc)] short in C" \
    "$(calls_of ctest | tail -n 1)"
equal "tests: no thread sanitizer" "" "$(grep -F build-thread "$state/calls" || true)"
contains "tests are built, each in one of the builds" "[$project/build] [-DBUILD_TESTING=ON] [-DTEST_ONCE=ON]" "$calls"
equal "no reader has changed: no fuzzing" "" "$(grep -F fuzzers "$state/calls" || true)"

run test.sh
equal "tests again: nothing is configured" "" "$(calls_of cmake)"
run run.sh cli
equal "the command line after tests: the same build folder, nothing configured" "$ninja_call [epsilens-cli]" "$calls"
run test.sh
equal "tests after the command line: nothing is configured" "" "$(calls_of cmake)"

set_up
touch "$state/changed"
mkdir "$project/core/io"
touch "$project/core/io/reader.cpp"
echo core/io/reader.cpp >"$state/committed"
run test.sh
contains "a reader has changed: fuzz targets are run" "one                12 executions, coverage 34" "$output"
contains "a reader has changed: the same inputs every time" "[-seed=1]" "$(<"$project/build-sanitize/fuzz/one.log")"
rm -r "$project/core/io"

set_up
system=$folder/debian-13
run test.sh
equal "tests on another system: exit code" 0 "$status"
equal "tests on another system: one warning" 1 "$(grep -c '^warning: made for Debian 12' "$folder/errors")"

set_up
run test.sh --fuzz 7
equal "only fuzzing: exit code" 0 "$status"
equal "only fuzzing: builds the targets" "ninja [-C] [$project/build-sanitize] [-j] [$(nproc)] [fuzzers]" \
    "$(calls_of ninja)"
contains "only fuzzing: the seconds" "[-max_total_time=7]" "$(<"$project/build-sanitize/fuzz/one.log")"
equal "only fuzzing: no tests" "" "$(calls_of ctest)"

set_up
echo core/some.cpp >"$state/changed"
run test.sh
equal "after a change: clang-tidy on what changed" "clang-tidy core/some.cpp" "$(calls_of clang-tidy)"
run test.sh
equal "after a change: what passed is not looked at again" "" "$(calls_of clang-tidy)"
printf '%s\n' core/gone.cpp core/nothing.cpp >"$state/committed"
run test.sh
equal "after commits: clang-tidy on what they changed and is there" "clang-tidy core/nothing.cpp" "$(calls_of clang-tidy)"

set_up
echo core/some.cpp >"$state/changed"
run test.sh --full
equal "everything: exit code" 0 "$status"
contains "everything: each test in both builds" "[$project/build] [-DBUILD_TESTING=ON] [-DTEST_ONCE=OFF]" "$calls"
equal "everything: closing line" "10 passed, 0 failed, 0 skipped" "$(last_line)"
equal "everything: the build folders, in order" \
    "$(printf '%s\n' build-sanitize build-sanitize build-thread build-sanitize-window build-thread-window build build)" \
    "$(sed -n 's|^ninja \[-C\] \['"$project"'/\([^]]*\)\].*|\1|p' "$state/calls")"
contains "everything: benchmarks and pictures" "$ninja_call [benchmarks] [epsilens-screenshots]" "$(calls_of ninja)"
equal "everything: all tests of each, the long ones whole, those of the core once more in German" \
    "$(printf '%s\n' "build-sanitize long in de_DE.UTF-8" build-{thread,sanitize-window}" long in C" "build long in C")" \
    "$(sed -n 's|^ctest .*'"$project"'/\([^]]*\)\].*\] \([^]]*\)$|\1 \2|p' "$state/calls")"
equal "everything: time for what is repeated" "" "$(calls_of ctest | grep -vF '[--timeout] [3000]' || true)"
contains "everything: plots and the dial are drawn under the address sanitizer" "|plot|dial|" \
    "$(calls_of ctest | grep -F build-sanitize-window)"
equal "everything: the window's job runner" "ui-job-tests in $elsewhere/sub [-silent]" \
    "$(grep '^ui-job-tests' "$folder/output")"
contains "everything: fuzzes for a minute" "[-max_total_time=60]" "$(<"$project/build-sanitize/fuzz/one.log")"
equal "everything: clang-tidy on every file" "$(printf 'clang-tidy core/%s.cpp\n' nothing some)" \
    "$(calls_of clang-tidy | sort)"

set_up
touch "$state/skipped"
run test.sh
equal "a skipped test: closing line" "8 passed, 0 failed, 2 skipped" "$(last_line)"
touch "$state/tests-fail"
run test.sh
equal "tests fail: exit code" 1 "$status"
equal "tests fail: closing line" "6 passed, 2 failed, 2 skipped" "$(last_line)"
printf '%s\n' 'cases: 30 passed, 0 failed, 0 skipped' 'skipped: without data' 'cases: 7 passed, 4 failed, 2 skipped' >"$state/outputs"
run test.sh
equal "cases of programs: closing line" "78 passed, 8 failed, 6 skipped" "$(last_line)"
contains "cases of programs: those skipped" $'\nskipped: without data\n' "$output"
rm "$state/tests-fail" "$state/skipped" "$state/outputs"
touch "$state/format-fails"
run test.sh
equal "a check fails: exit code" 1 "$status"
equal "a check fails: closing line" "10 passed, 1 failed, 0 skipped" "$(last_line)"
rm "$state/format-fails"
touch "$state/ninja-fails"
run test.sh
equal "the build fails: exit code" 1 "$status"
equal "the build fails: no tests" "" "$(calls_of ctest)"

if ((failures > 0)); then
    printf '%d checks failed\n' "$failures"
    exit 1
fi
