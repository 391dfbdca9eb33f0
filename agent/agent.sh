#!/bin/sh
# License Desk agent: verifies this server's license and reports what the server is.
#
# Run it from cron or a systemd timer, on Linux. It needs a POSIX shell, awk, and curl or wget.
#
#   agent.sh [-v] [verify | report]      both, unless one is named; -v tells what went well, too
#
# Settings come from the environment, or from /etc/license-desk.conf, lines of NAME=value, readable by its owner alone:
#
#   LICENSE_DESK_URL           where the dashboard is, such as https://desk.example.com
#   LICENSE_DESK_API_KEY       a key with the scopes licenses:verify and diagnostics:write, and no more
#   LICENSE_DESK_LICENSE_KEY   the license of this server; several are separated by spaces
#   LICENSE_DESK_HOSTNAME      this server's name, if not what hostname -f says
#   LICENSE_DESK_DISK          the file system whose free space is reported, if not /
#   LICENSE_DESK_ALLOW_HTTP    1: the URL may begin with http://, which shows the key to the network
#   LICENSE_DESK_ALLOW_BUSYBOX 1: BusyBox's wget may be used, which shows the key to everyone who has a shell here, and to
#                              the network: it checks no certificate
#   LICENSE_DESK_CONFIG        another file than /etc/license-desk.conf (environment only)
#
# Exit codes; of several, the first that applies:
#   0  valid, and reported
#   1  a license is not valid here
#   2  the settings make no sense; nothing was sent
#   3  License Desk refused: the key, its scopes, or what was sent
#   4  no answer of License Desk, not now, or no space for the request: tells nothing about the license
set -uf
umask 077
# An answer without an end fills no disk: beyond 2 MiB, its file takes no more.
trap '' XFSZ
ulimit -f 4096
LC_ALL=C
export LC_ALL

exit_code=0
client=''
verbose=''
work=''

complain() { printf 'license-desk: %s\n' "$1" >&2; }
tell() { [ -z "$verbose" ] || printf 'license-desk: %s\n' "$1"; }
misconfigured() { complain "$1"; exit 2; }
worsen() { if [ "$exit_code" -eq 0 ] || [ "$1" -lt "$exit_code" ]; then exit_code=$1; fi; }
has() { command -v "$1" >/dev/null 2>&1; }

# Never run as a script: a line of the file cannot do anything but set one of the names.
read_config() {
  # shellcheck disable=SC2012
  access=$(ls -ldLn "$1" | awk '{ print substr($1, 5, 6) " " $3 }')
  [ "${access% *}" = '------' ] || misconfigured "$1 can be read by others than its owner: chmod 600 $1"
  case ${access#* } in 0 | "$(id -u)") ;; *) misconfigured "$1 belongs to somebody else: chown root $1" ;; esac
  [ -r "$1" ] || misconfigured "$1 cannot be read"
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in '' | '#'*) continue ;; esac
    value=${line#*=}
    case $value in \"*\") value=${value#\"} value=${value%\"} ;; esac
    case $line in
      LICENSE_DESK_URL=*) : "${LICENSE_DESK_URL:=$value}" ;;
      LICENSE_DESK_API_KEY=*) : "${LICENSE_DESK_API_KEY:=$value}" ;;
      LICENSE_DESK_LICENSE_KEY=*) : "${LICENSE_DESK_LICENSE_KEY:=$value}" ;;
      LICENSE_DESK_HOSTNAME=*) : "${LICENSE_DESK_HOSTNAME:=$value}" ;;
      LICENSE_DESK_DISK=*) : "${LICENSE_DESK_DISK:=$value}" ;;
      LICENSE_DESK_ALLOW_HTTP=*) : "${LICENSE_DESK_ALLOW_HTTP:=$value}" ;;
      LICENSE_DESK_ALLOW_BUSYBOX=*) : "${LICENSE_DESK_ALLOW_BUSYBOX:=$value}" ;;
      *) misconfigured "$1 has a line that is no setting: ${line%%=*}" ;;
    esac
  done <"$1"
}

check_settings() {
  [ -n "${LICENSE_DESK_URL:-}" ] || misconfigured 'LICENSE_DESK_URL is not set'
  [ -n "${LICENSE_DESK_API_KEY:-}" ] || misconfigured 'LICENSE_DESK_API_KEY is not set'
  [ -n "${LICENSE_DESK_LICENSE_KEY:-}" ] || misconfigured 'LICENSE_DESK_LICENSE_KEY is not set'
  case $LICENSE_DESK_URL in
    *[!A-Za-z0-9:/._~%-]*) misconfigured 'LICENSE_DESK_URL is no URL' ;;
    https://?* | http://127.0.0.1 | http://127.0.0.1[:/]* | http://localhost | http://localhost[:/]*) ;;
    http://?*)
      [ "${LICENSE_DESK_ALLOW_HTTP:-}" = 1 ] ||
        misconfigured 'LICENSE_DESK_URL must begin with https://, or LICENSE_DESK_ALLOW_HTTP be 1' ;;
    *) misconfigured 'LICENSE_DESK_URL must begin with https://' ;;
  esac
  case $LICENSE_DESK_API_KEY in *[!A-Za-z0-9_.-]*) misconfigured 'LICENSE_DESK_API_KEY is no API key' ;; esac
  case $LICENSE_DESK_LICENSE_KEY in *[!A-Za-z0-9\ -]*) misconfigured 'LICENSE_DESK_LICENSE_KEY is no license key' ;; esac
  api=${LICENSE_DESK_URL%/}/api/v1
}

remove_work() { [ -z "$work" ] || rm -rf "$work"; }

# A folder whose name nobody can guess and which nobody else can enter: the API key is in it for as long as a request
# lasts.
make_work() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/license-desk.XXXXXXXXXX" 2>/dev/null) && [ -n "$work" ] ||
    { complain "no folder can be made in ${TMPDIR:-/tmp}"; exit 4; }
}

# Ends the agent if a part of the request is empty because the disk is full: nothing is sent without the key.
require_written() {
  [ -s "$work/$1" ] && return
  complain "${TMPDIR:-/tmp} is full: nothing was sent"
  worsen 4
  exit "$exit_code"
}

# Sets client to what can send requests.
find_client() {
  if has curl; then client=curl
  elif wget --version 2>/dev/null | awk 'NR == 1 && /GNU Wget/ { found = 1 } END { exit !found }'; then client=gnu_wget
  elif ! has wget; then misconfigured 'neither curl nor wget is installed'
  elif [ "${LICENSE_DESK_ALLOW_BUSYBOX:-}" = 1 ]; then client=busybox_wget
  else misconfigured 'this wget exposes the key here and to the network: install curl, or set LICENSE_DESK_ALLOW_BUSYBOX to 1'
  fi
}

# POSTs the file "body" to a path. Sets http_status (empty: no answer); the answer is in the file "answer".
# The key goes through files, never through a command line that other users could list. Only BusyBox's wget leaves no
# other way. IPv4, because that is what a license is bound to.
post() {
  require_written body
  true >"$work/answer"
  if [ "$client" = curl ]; then
    printf 'header = "Authorization: Bearer %s"\n' "$LICENSE_DESK_API_KEY" >"$work/config"
    require_written config
    http_status=$(curl --config "$work/config" --ipv4 --silent --max-time 30 --header 'Content-Type: application/json' \
      --data-binary "@$work/body" --output "$work/answer" --write-out '%{http_code}' "$api/$1" 2>/dev/null)
    [ "$http_status" != 000 ] || http_status=''
    return
  fi
  # The options of wget bound a silence, not the whole, and the -T of BusyBox's crashes in some builds.
  limit=''
  if has timeout; then limit='timeout 30'; fi
  if [ "$client" = gnu_wget ]; then
    printf 'header = Authorization: Bearer %s\n' "$LICENSE_DESK_API_KEY" >"$work/config"
    require_written config
    $limit wget --config="$work/config" --inet4-only --tries=1 --timeout=30 --max-redirect=0 --content-on-error \
      --server-response --header='Content-Type: application/json' --post-file="$work/body" -O "$work/answer" \
      -o "$work/log" "$api/$1"
  else
    $limit wget -S --header "Authorization: Bearer $LICENSE_DESK_API_KEY" --header 'Content-Type: application/json' \
      --post-file "$work/body" -O "$work/answer" "$api/$1" 2>"$work/log"
  fi
  # Wget2 may speak HTTP/2.
  http_status=$(awk 'match($0, /HTTP\/1\.[01] [0-9][0-9][0-9]|^:status: [0-9][0-9][0-9]/) {
    s = substr($0, RSTART + RLENGTH - 3, 3)
  } END { print s }' "$work/log")
}

# The text of a member of the answer; empty if it has none.
member() {
  MEMBER=$1 awk '
    { text = text $0 }
    END {
      pattern = "\"" ENVIRON["MEMBER"] "\"[ ]*:[ ]*(\"[^\"]*\"|true|false)"
      if (!match(text, pattern)) exit
      found = substr(text, RSTART, RLENGTH)
      sub(/^"[^"]*"[ ]*:[ ]*/, "", found)
      gsub(/"/, "", found)
      print found
    }' "$work/answer"
}

# What an answer that is no success means for the exit code.
explain_failure() {
  error=$(member error)
  # BusyBox's wget keeps only the status of a refusal.
  [ -s "$work/answer" ] || error=true
  case $http_status:$error in
    :*) worsen 4; complain "$1: no answer from $LICENSE_DESK_URL" ;;
    429:* | 5??:*) worsen 4; complain "$1: not now (HTTP $http_status)" ;;
    4??:true) worsen 3; complain "$1: refused (HTTP $http_status $(member code)) $(member message)" ;;
    *) worsen 4; complain "$1: the answer is not one of License Desk (HTTP $http_status)" ;;
  esac
}

verify() {
  printf '{"license_key":"%s"}' "$1" >"$work/body"
  post license/verify
  case $http_status:$(member valid) in
    200:true) tell "valid until $(member expires)" ;;
    200:false) worsen 1; complain "not valid: $(member code). $(member message)" ;;
    *) explain_failure verify ;;
  esac
}

# The units of the interface: whole GB of 1024^3, below one MB; whole days, below one hours.
size_of_kb() { awk -v kb="$1" 'BEGIN { if (kb >= 1048576) printf "%dGB", kb / 1048576; else printf "%dMB", kb / 1024 }'; }

collect() {
  name=${LICENSE_DESK_HOSTNAME:-$(hostname -f 2>/dev/null || uname -n)}
  os=$(awk -F= '$1 == "PRETTY_NAME" { sub(/^[^=]*=/, ""); gsub(/["\047]/, ""); print; exit }' /etc/os-release 2>/dev/null)
  kernel=$(uname -r)
  cores=$(getconf _NPROCESSORS_ONLN 2>/dev/null || awk '/^processor[ \t]*:/ { n++ } END { print n + 0 }' /proc/cpuinfo)
  memory=$(size_of_kb "$(awk '$1 == "MemTotal:" { print $2 }' /proc/meminfo 2>/dev/null)")
  disk=$(size_of_kb "$(df -Pk "${LICENSE_DESK_DISK:-/}" 2>/dev/null | awk 'NR == 2 { print $4 }')")
  uptime=$(awk '{ if ($1 >= 86400) printf "%d days", $1 / 86400; else printf "%d hours", $1 / 3600 }' /proc/uptime 2>/dev/null)
}

report() {
  KEY=$1 NAME=$name OS=${os:-$(uname -s)} KERNEL=$kernel CORES=$cores MEMORY=$memory DISK=$disk UPTIME=$uptime \
    SENT_AT=$(date -u +%Y-%m-%dT%H:%M:%SZ) awk '
    function text(variable, value) {
      value = substr(ENVIRON[variable], 1, 200)
      gsub(/[^ -~]|["\\]/, "?", value)
      return "\"" value "\""
    }
    BEGIN {
      printf "{\"license_key\":%s,\"hostname\":%s,\"os\":%s,", text("KEY"), text("NAME"), text("OS")
      printf "\"kernel\":%s,\"cpu_cores\":%d,\"memory\":%s,", text("KERNEL"), ENVIRON["CORES"], text("MEMORY")
      printf "\"disk_free\":%s,\"uptime\":%s,\"sent_at\":%s}", text("DISK"), text("UPTIME"), text("SENT_AT")
    }' >"$work/body"
  post diagnostics
  if [ "$http_status:$(member success)" = 200:true ]; then tell "reported $name"; else explain_failure report; fi
}

if [ "${1:-}" = -v ]; then
  verbose=1
  shift
fi
action=${1:-both}
case $#:$action in
  0:both | 1:verify | 1:report) ;;
  *) misconfigured "usage: agent.sh [-v] [verify | report]" ;;
esac
config=${LICENSE_DESK_CONFIG:-/etc/license-desk.conf}
if [ -e "$config" ]; then
  read_config "$config"
elif [ -n "${LICENSE_DESK_CONFIG:-}" ]; then
  misconfigured "$config does not exist"
fi
check_settings
find_client
trap remove_work EXIT
trap 'exit 4' HUP INT TERM
make_work

[ "$action" = verify ] || collect
for license_key in $LICENSE_DESK_LICENSE_KEY; do
  [ "$action" = report ] || verify "$license_key"
  [ "$action" = verify ] || report "$license_key"
done
exit "$exit_code"
