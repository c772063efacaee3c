#!/usr/bin/env bash
# The documentation site builds without a warning, has every page in its navigation, and loads nothing from another host. Links of
# its pages resolve, and no Markdown is left in the text.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without mkdocs python3
[[ -d /usr/share/mkdocs/themes/material ]] || skip 'mkdocs-material is not installed'

# build_site FOLDER: builds the site from the sources in FOLDER in $scratch/site.
build_site() { mkdocs build --strict --config-file "$1/mkdocs.yml" --site-dir "$scratch/site" >"$scratch/log" 2>&1 </dev/null; }

# ---- the check detects planted errors ----
mkdir -p "$scratch/planted/docs"
cp "$PSSP_SOURCE_DIR/mkdocs.yml" "$scratch/planted/"
sed -i '/^nav:/,$d' "$scratch/planted/mkdocs.yml"
cat >"$scratch/planted/docs/index.md" <<'END'
# Planted

<img src="https://cdn.example/x.png">
[no section](#nowhere)
A paragraph, and at once
- a list
END
build_site "$scratch/planted" || fail "planted pages do not build: $(<"$scratch/log")"
expect 1 '' python3 "$here/check_site.py" "$scratch/site"
said stdout '^index.html: loads https://cdn.example/x.png from another host'
said stdout '^index.html: the link #nowhere leads to no section'
said stdout '^index.html: Markdown shows as text .*: - a list'

# ---- the site ----
build_site "$PSSP_SOURCE_DIR" || fail "mkdocs build --strict: $(grep -E '^(WARNING|ERROR)|Aborted' "$scratch/log" || cat "$scratch/log")"
! grep -A 20 'not included in the "nav"' "$scratch/log" | grep '^ *- ' >"$scratch/unlisted" ||
  fail "pages missing from nav in mkdocs.yml:"$'\n'"$(<"$scratch/unlisted")"
python3 "$here/check_site.py" "$scratch/site" >"$scratch/faults" || fail "$(wc -l <"$scratch/faults") faults of pages:"$'\n'"$(<"$scratch/faults")"

# Tutorials and how-to guides have at most 150 lines.
for page in "$PSSP_SOURCE_DIR"/docs/{tutorials,how-to}/*.md; do
  (($(wc -l <"$page") <= 150)) || fail "${page#"$PSSP_SOURCE_DIR"/}: more than 150 lines: split it"
done

# Lists and code blocks inside a list must be indented by 4; with less MkDocs ends the list.
(cd "$PSSP_SOURCE_DIR" && find docs -name '*.md' -exec awk '/^```/ { code = !code } !code && /^(   |  | )([-*] |[0-9]+\. |```)/ { print FILENAME ":" FNR ": " $0 }' {} \;) >"$scratch/shallow"
[[ ! -s $scratch/shallow ]] || fail "indent lists and code blocks inside a list by 4:"$'\n'"$(<"$scratch/shallow")"
