#!/usr/bin/env bash
# No word in vocabulary_retired occurs in pages, help, messages, keys, web pages or identifiers. vocabulary_unconverted lists the
# pages and folders that still have some. This list can only get shorter, because an entry without findings fails, too.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without python3 git
git -C "$PSSP_SOURCE_DIR" rev-parse --git-dir >"$scratch/git" 2>&1 || skip 'the sources are not a git clone'

# ---- planted words are found, but not ordinary senses of the same words ----
planted=$scratch/planted
mkdir -p "$planted/docs" "$planted/tests/house" "$planted/tools" "$planted/web"
git init -q "$planted"
cp "$here/vocabulary_retired" "$here/vocabulary_allowed" "$planted/tests/house/"
printf '# nothing is left\n' >"$planted/tests/house/vocabulary_unconverted"
find_words() (cd "$planted" && python3 "$here/vocabulary.py" "$@")

cat >"$planted/docs/ordinary.md" <<'END'
The home page is in your home directory, `$HOME`; by the way, there are two ways to open it.
`play_traffic` places jobs in the same way. Look at the log: it looks like a report. Run it in your own words.
END
cat >"$planted/tools/ordinary.cpp" <<'END'
// The mended tables come home by the shortest way: comments are not looked at.
#include "routing/home/way.h"
void place_jobs(const Gateway& gateway, bool both_ways) {
  log(std::getenv("HOME"), "by the way, the home page of {} can be opened in two ways", gateway.homepage);
  values.emplace_back(1'000, '"', always, lookup, displayed, subway_);
}
END
expect 0 '' find_words
said_nothing stdout

# shellcheck disable=SC2016  # the marks of Markdown
printf 'Read this.\nRoutes take the shortest way.\nUse `--keep-home` with `{"mended": 1}`.\n' >"$planted/docs/page.md"
printf 'int legal_ways(const HomeTables& t);\n' >"$planted/tools/name.h"
printf '%s\n' 'void f() {' '  log(Level::info, "stable: {} entries are "' '      "mended: {}", n,' '      m);' '  json.key("max_detour");' '}' >"$planted/tools/line.cpp"
printf '<p>The cable is accused.</p>\n' >"$planted/web/page.html"
printf 'f() {\n  local told=1 # home\n  cat <<EOF\n  -m  the home tables\nEOF\n}\n' >"$planted/tools/script.sh"
printf 'x\n' >"$planted/tools/crowd_count.cpp"
expect 1 '' find_words
said stdout "^docs/page.md:2: 'shortest way': write: path"
said stdout "^docs/page.md:3: 'keep-home': write: baseline"
said stdout "^docs/page.md:3: 'mended': write: repair"
said stdout "^tools/name.h:1: 'legal_ways'"
said stdout "^tools/name.h:1: 'HomeTables'"
said stdout "^tools/line.cpp:2: 'mended'"
said stdout "^tools/line.cpp:5: 'max_detour'"
said stdout "^web/page.html:1: 'accused'"
said stdout "^tools/script.sh:2: 'told'"
said stdout "^tools/script.sh:4: 'home tables'"
said stdout "^tools/crowd_count.cpp:1: 'crowd_count'"
expect_equal 'findings' "$(wc -l <"$scratch/stdout")" 11

# ---- unconverted pages are skipped, and unnecessary entries are reported ----
printf '%s\n' docs/page.md tools web >"$planted/tests/house/vocabulary_unconverted"
expect 0 '' find_words
expect 1 "^tools/name.h:1: " find_words tools
expect 1 "^docs/page.md:2: " find_words --unconverted
printf '%s\n' docs/page.md docs/ordinary.md tools web >"$planted/tests/house/vocabulary_unconverted"
expect 1 '^tests/house/vocabulary_unconverted: docs/ordinary.md has no retired word left' find_words

# ---- the project ----
cd "$PSSP_SOURCE_DIR"
python3 "$here/vocabulary.py" >"$scratch/found" || fail "$(wc -l <"$scratch/found") retired words (tests/house/vocabulary_retired):"$'\n'"$(head -n 100 "$scratch/found")"
