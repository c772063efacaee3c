# Functions that compare the values of a script with the published values.

# read_table FILE: reads the rows after the first into rows[1..], or all rows with `headless`. Returns the number of rows.
function read_table(file, rows, headless,    text, count, row) {
  split("", rows)
  while ((getline text < file) > 0) if (++row > 1 || headless) rows[++count] = text
  close(file)
  return count + 0
}

function first_line(file,    text) {
  text = ""
  getline text < file
  close(file)
  return text
}

function is_number(text) { return text ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/ }
function absolute(x) { return x < 0 ? -x : x }

# cell_verdict PUBLISHED OURS TOLERANCE HOW: returns the verdict of one value; empty if HOW has no verdict for single values.
function cell_verdict(published, ours, tolerance, how) {
  if (how == "shown" || how ~ /^order/) return ""
  if (how == "text") return published == ours ? "equal" : "differs"
  if (how == "equal") return absolute(ours - published) <= tolerance + 1e-9 ? "equal" : "differs"
  if (how == "relative") return absolute(ours - published) <= tolerance * absolute(published) + 1e-12 ? "within" : "differs"
  if (how == "sign") return (ours > 0) == (published > 0) && (ours < 0) == (published < 0) ? "order holds" : "order fails"
  if (how == "least") return ours >= published - tolerance ? "within" : "differs"
  return ours <= published + tolerance + 1e-12 ? "within" : "differs"
}

# Returns the first pair of values whose order differs from the published order; empty if there is none. Compares values with how = order, and
# values of the same order:GROUP. If the difference of a pair is at most two standard errors, the order is undecided; `undecided` gets the first
# such pair.
function broken_pair(count, names, published, ours, error, how,    i, j, distance, noise) {
  for (i = 1; i <= count; ++i)
    for (j = 1; j <= count; ++j) {
      if (how[i] !~ /^order/ || how[i] != how[j] || published[i] + 0 >= published[j] + 0) continue
      distance = ours[j] - ours[i]
      noise = 2 * sqrt(error[i] ^ 2 + error[j] ^ 2)
      if (distance <= -noise) return names[i] " is not below " names[j]
      if (distance <= noise && undecided == "") undecided = names[i] " and " names[j] " differ by less than two standard errors"
    }
  return ""
}

# compare ID STATUS SCRIPT: sets count, name[], published[], ours[], error[], unit[], how[], verdict[] and place[] for the values of an item, and
# `reason`. Returns the verdict of the item.
function compare(id, status, script,    rows, parts, n, i, found, file, state, seen, seen_error, each, any, ordered) {
  count = 0
  reason = undecided = ""
  n = read_table(folder "/published/" id ".tsv", rows)
  for (i = 1; i <= n; ++i) {
    split(rows[i], parts, "\t")
    name[i] = parts[1]; published[i] = parts[2]; unit[i] = parts[3]; tolerance[i] = parts[4] + 0; how[i] = parts[5]; place[i] = parts[6]
    ours[i] = error[i] = verdict[i] = ""
  }
  count = n
  if (status == "definition") return "definition"
  if (script == "-") return "not run"
  file = out "/items/" id
  state = first_line(file "/status")
  if (state == "") return "not run"
  if (state == "77") { reason = first_line(file "/stderr"); return "not run" }
  if (state != "0") { reason = "the script ended with " state ": " first_line(file "/stderr"); return "failed" }
  n = read_table(file "/values.tsv", rows, 1)
  for (i = 1; i <= n; ++i) {
    split(rows[i], parts, "\t")
    seen[parts[1]] = parts[2]
    seen_error[parts[1]] = parts[3]
  }
  for (i = 1; i <= count; ++i) {
    if (!(name[i] in seen)) { reason = "the script did not store the value " name[i]; return "failed" }
    ours[i] = seen[name[i]]
    error[i] = seen_error[name[i]]
    if (how[i] !~ /^(text|shown)$/ && !is_number(ours[i])) { reason = name[i] " is '" ours[i] "', which is not a number"; return "failed" }
    each = verdict[i] = cell_verdict(published[i], ours[i], tolerance[i], how[i])
    # A sign within two standard errors is undecided, because the next run may have the other sign.
    if (how[i] == "sign" && error[i] > 0 && absolute(ours[i]) <= 2 * error[i]) {
      each = verdict[i] = ""
      if (undecided == "") undecided = name[i] " differs from 0 by less than two standard errors"
    }
    if (each == "differs" || each == "order fails") reason = reason (reason == "" ? "" : "; ") name[i] ": " ours[i] ", published " published[i]
    any[each]
    if (how[i] ~ /^order/) ordered = 1
  }
  found = broken_pair(count, name, published, ours, error, how)
  if (found != "") reason = reason (reason == "" ? "" : "; ") found
  if ("differs" in any) return "differs"
  if (found != "" || "order fails" in any) return "order fails"
  if (undecided != "") { reason = undecided; return "shown" }
  if (status == "like") return "like fabric"
  if ("within" in any) return "within"
  if ("equal" in any) return "equal"
  return ordered || "order holds" in any ? "order holds" : "shown"
}
