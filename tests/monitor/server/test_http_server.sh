#!/usr/bin/env bash
# The web interface on a socket: answers to curl, to half-open connections and to invalid requests; promtool on the metrics; load.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
skip_without curl jq
[[ -x $bin/synthetic_monitor ]] || skip 'synthetic_monitor is not built'

# start ARGUMENT...: starts a monitor of a synthetic fabric; sets url. The monitor ends when file descriptor 9 is closed.
start() {
  rm -f "$scratch/input" "$scratch/port"
  mkfifo "$scratch/input"
  "$bin/synthetic_monitor" "$@" <"$scratch/input" >"$scratch/port" 2>"$scratch/errors" 9>&- &
  monitor=$!
  exec 9>"$scratch/input"
  eventually test -s "$scratch/port"
  url=http://127.0.0.1:$(<"$scratch/port")
  port=${url##*:}
}
stop() {
  exec 9>&-
  wait "$monitor" || fail "the monitor ended with status $?: $(<"$scratch/errors")"
}
clean_up_all() {
  exec 9>&- || true
  clean_up
}
trap clean_up_all EXIT

# status CURL_ARGUMENT...: prints the HTTP status that curl gets.
status() { curl -s -m 60 -o "$scratch/body" -D "$scratch/headers" -w '%{http_code}' "$@" || true; }
# is WANTED CURL_ARGUMENT...: checks the HTTP status.
is() {
  local wanted=$1 found
  shift
  found=$(status "$@")
  [[ $found == "$wanted" ]] || fail "status $found instead of $wanted from: curl $*"$'\n'"$(head -c 500 "$scratch/body")"
}

start 'xgft 8,8 1,4' 0.2
eventually curl -sf -o /dev/null "$url/api/v1/status"
# This connection stays half-open; see below.
exec {first_open}<>"/dev/tcp/127.0.0.1/$port"
printf 'GET / HT' >&"$first_open"
is 200 "$url/healthz"
is 200 "$url/api/v1/ports?limit=3"
expect_equal 'ports in a list' "$(jq '.ports | length' "$scratch/body")" 3
for header in 'Content-Security-Policy: default-src .self.; frame-ancestors .none.' 'X-Content-Type-Options: nosniff' \
  'Referrer-Policy: no-referrer' 'Cache-Control: no-store'; do
  expect_line "$scratch/headers" "^$header"
done
is 200 -I "$url/api/v1/ports"
[[ ! -s $scratch/body ]] || grep -q '^HTTP' "$scratch/body" || fail 'HEAD has a body'
expect_line "$scratch/headers" '^Content-Length: [1-9]'
is 405 -X DELETE "$url/api/v1/ports"
expect_line "$scratch/headers" '^Allow: GET, HEAD'
is 405 -d 'x=1' "$url/api/v1/ports"
is 405 -H 'Transfer-Encoding: chunked' -d 'x=1' "$url/api/v1/ports"
is 404 "$url/nothing"
is 404 --path-as-is "$url/..%2f..%2fetc/passwd"
is 404 --path-as-is "$url/../../etc/passwd"
is 400 "$url/%00"
is 400 "$url/api/v1/ports?limit=-1"
is 414 "$url/$(printf 'a%.0s' {1..10000})"
is 403 -H 'Host: evil.example' "$url/api/v1/status"
is 200 --http1.0 "$url/healthz"
# packed WANTED HEADER: checks whether the answer is compressed.
packed() {
  is 200 -H "Accept-Encoding: $2" "$url/api/v1/ports"
  expect_equal "packed for '$2'" "$(grep -ci '^Content-Encoding: gzip' "$scratch/headers")" "$1"
}
packed 1 gzip
packed 1 'deflate, GZip;q=0.5'
packed 0 'gzip;q=0'
packed 0 'br, gzip; q=0.000, deflate'
packed 0 'x-gzipped'
is 200 --request-target "$url/healthz" "$url"
is 200 -r 0-3 "$url/healthz"
tag=$(status "$url/api/v1/ports/0x200000/1/history?until=1" >/dev/null && sed -n 's/^ETag: \(.*\)\r$/\1/p' "$scratch/headers")
is 304 -H "If-None-Match: $tag" "$url/api/v1/ports/0x200000/1/history?until=1"

# ---- two requests in one packet, and a NUL in a request ----
exec 8<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&8
expect_equal 'answers to two requests at once' "$(timeout 60 cat <&8 | grep -c '^HTTP/1.1 200')" 2
exec 8>&-
exec 8<>"/dev/tcp/127.0.0.1/$port"
# The server may have closed the connection before all was written.
printf 'GET /\0healthz HTTP/1.1\r\nHost: localhost\r\n\r\n' | cat >&8 || true
[[ $(timeout 60 cat <&8 | tr -d '\0' | grep -c '^HTTP/1.1 200' || true) == 0 ]] || fail 'a NUL in the address is answered'
exec 8>&-

# ---- requests that a proxy may parse differently: bare line feeds, two hosts ----
for request in 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n' \
  'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n' \
  'GET /healthz HTTP/1.1\nHost: localhost\n\n' 'GET /healthz HTTP/1.1\r\nHost: localhost\nX: y\r\n\r\n' \
  'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\n'; do
  exec 8<>"/dev/tcp/127.0.0.1/$port"
  # The request needs a single write: the shell's printf writes line by line, and the answer to the first line may end the connection.
  # shellcheck disable=SC2059  # the escapes are the format's
  printf "$request" >"$scratch/request"
  cat "$scratch/request" >&8
  expect_equal "answer to $request" "$(timeout 60 head -n 1 <&8 | tr -d '\r')" 'HTTP/1.1 400 Bad Request'
  exec 8>&-
done

# ---- streams: every sweep once, a replay after a break ----
# follow FILE CONDITION CURL_ARGUMENT...: reads a stream into FILE until `CONDITION FILE` holds.
follow() {
  local file=$1 condition=$2 following
  shift 2
  curl -sN -m 200 "$@" >"$file" &
  following=$!
  eventually "$condition" "$file"
  kill "$following"
  wait "$following" || true
}
has_two_sweeps() { (($(grep -c '^id: .*' "$1") > 2)); }
follow "$scratch/stream" has_two_sweeps "$url/api/v1/stream?topics=sweep,ports:0x200000:1"
grep '^id: ' "$scratch/stream" | sed 's/id: //' | head -n -1 >"$scratch/ids"
seq "$(head -n 1 "$scratch/ids")" "$(tail -n 1 "$scratch/ids")" >"$scratch/expected_ids"
expect_same "$scratch/ids" "$scratch/expected_ids"
first=$(head -n 1 "$scratch/ids")
has_next() { grep -q "^id: $((first + 1))$" "$1"; }
follow "$scratch/replay" has_next -H "Last-Event-ID: $first" "$url/api/v1/stream?topics=sweep"
head -n -1 "$scratch/stream" | sed -n 's/^data: //p' | jq -e 'has("sweep")' >/dev/null || fail 'data of a stream is not JSON'
is 400 "$url/api/v1/stream?topics=nonsense"

# ---- half-open connections do not block other clients, and are closed ----
opened=()
for _ in {1..40}; do
  exec {one}<>"/dev/tcp/127.0.0.1/$port"
  opened+=("$one")
done
is 200 -m 4 --retry 5 "$url/api/v1/status"
# One address can have at most 64 connections; further ones are closed without an answer.
for _ in {1..40}; do
  exec {one}<>"/dev/tcp/127.0.0.1/$port" || break
  opened+=("$one")
done
for one in "${opened[@]}"; do exec {one}>&-; done
timeout 120 cat <&"$first_open" >/dev/null || fail 'a half-open connection is never closed'
exec {first_open}>&-

# ---- metrics ----
is 200 --compressed "$url/metrics"
if command -v promtool >/dev/null; then
  promtool check metrics <"$scratch/body" >"$scratch/promtool" 2>&1 || fail "promtool: $(<"$scratch/promtool")"
else
  echo 'promtool is not installed: the metrics page is not checked'
fi
grep -qx '# EOF' < <(curl -s -H 'Accept: application/openmetrics-text' "$url/metrics" | tail -n 1) || fail 'no # EOF'
if command -v ab >/dev/null; then
  ab -q -l -k -n 1000 -c 8 "$url/api/v1/ports?limit=100" >"$scratch/ab" 2>&1 || fail "ab: $(<"$scratch/ab")"
  expect_line "$scratch/ab" '^Failed requests: +0$'
  sed -n 's/^Requests per second: */requests a second: /p; s/^ *99% */99th percentile, ms: /p' "$scratch/ab"
fi
stop

# ---- clients that request lists all the time do not block the metrics ----
start 'xgft 32,36 1,18' 1
eventually curl -sf -o /dev/null "$url/healthz"
asking=()
for _ in {1..24}; do
  while [[ ! -e $scratch/enough ]]; do
    exec 8<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET /api/v1/ports?limit=10000&offset=%d HTTP/1.1\r\nHost: localhost\r\n\r\n' {1..64} >&8
    cat <&8
  done >/dev/null 2>&1 9>&- &
  asking+=($!)
done
lists_are_refused() { [[ $(status "$url/api/v1/ports?limit=10000&offset=$RANDOM") == 503 ]]; }
eventually lists_are_refused
for _ in {1..30}; do
  for path in /metrics /healthz /api/v1/status; do is 200 "$url$path"; done
done
# The server ends with status 0 although the clients continue.
stop
touch "$scratch/enough"
wait "${asking[@]}" || true

# ---- hostile names ----
printf '%s\n' '<script>alert(1)</script>' 'quote" back\ ' $'\x1b]0;title\x07' "$(printf '\xff%.0s' {1..64})" "'; DROP TABLE x; --" \
  $'right \xe2\x80\xae left' '=cmd()' >"$scratch/names"
HOSTILE_NAMES=$scratch/names start 'xgft 4,4 1,2' 0.2
eventually curl -sf -o "$scratch/nodes" "$url/api/v1/nodes"
expect_equal 'the name of a script' "$(jq -r '.nodes[0].name' "$scratch/nodes")" '<script>alert(1)</script>'
curl -s "$url/metrics" >"$scratch/metrics"
! grep -q $'\x1b' "$scratch/nodes" "$scratch/metrics" || fail 'an escape sequence came through'
if command -v promtool >/dev/null; then promtool check metrics <"$scratch/metrics" >/dev/null || fail 'promtool, hostile names'; fi
stop

# ---- a token ----
start 'xgft 4,4 1,2' 5 secret
eventually curl -sf -o /dev/null "$url/healthz"
is 401 "$url/api/v1/status"
is 303 "$url/"
is 401 -H 'Authorization: Bearer wrong' "$url/api/v1/status"
is 200 -H 'Authorization: Bearer secret' "$url/api/v1/status"
is 200 -H 'Authorization: Bearer secret' -c "$scratch/cookies" "$url/api/v1/session"
is 200 -b "$scratch/cookies" "$url/api/v1/status"
for _ in {1..9}; do status -H 'Authorization: Bearer wrong' "$url/api/v1/status" >/dev/null; done
is 429 -H 'Authorization: Bearer wrong' "$url/api/v1/status"
expect_line "$scratch/headers" '^Retry-After: '
# All clients behind a proxy have this address.
is 200 -H 'Authorization: Bearer secret' "$url/api/v1/status"
is 200 -b "$scratch/cookies" "$url/api/v1/status"
stop
