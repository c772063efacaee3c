#!/usr/bin/env bash
# usage: run_pytest.sh FILE
# Runs tests of the Python module in the interpreter for which it was built.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"

python=$(sed -n 's/^Python3_EXECUTABLE:[A-Z]*=//p' "$PSSP_BUILD_DIR/CMakeCache.txt")
[[ -x $python ]] || skip 'there is no python3'
for module in numpy pytest; do
  "$python" -c "import $module" 2>/dev/null || skip "Python has no $module (Debian: python3-$module)"
done
export PYTHONPATH=$PSSP_BUILD_DIR/python PYTHONDONTWRITEBYTECODE=1
"$python" -m pytest -q -p no:cacheprovider --basetemp="$scratch/pytest" "$1"
