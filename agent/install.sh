#!/bin/sh
# Installs the License Desk agent on this server (docs/agent.md), as root:
#
#   curl -fsS https://desk.example.com/install.sh | sh -s -- LICENSE_KEY API_KEY [LICENSE_KEY API_KEY]...
#
# Each license has a file of settings and a line of cron, so installing another one keeps those that are here. Installing
# one again keeps the settings that were added to its file.
# With DESTDIR, files go below that folder. LICENSE_DESK_ALLOW_BUSYBOX=1 (docs/agent.md) applies here, too, and is saved.
# Exit codes: those of the agent; 2 also if something is missing here.
set -uf
umask 077

desk='@LICENSE_DESK_URL@'
root=${DESTDIR:-}
agent=$root/usr/local/bin/license-desk-agent
busybox=''
[ "${LICENSE_DESK_ALLOW_BUSYBOX:-}" != 1 ] || busybox='LICENSE_DESK_ALLOW_BUSYBOX=1\n'
worst=0

stop() { printf 'license-desk: %s\n' "$1" >&2; exit 2; }

# Whether jobs in /etc/cron.d are run. Debian has the folder without cron, and BusyBox's crond does not read it.
has_cron() {
  [ -d "$root/etc/cron.d" ] || return 1
  for daemon in cron crond; do
    daemon=$(readlink -f "$root/usr/sbin/$daemon") && [ -x "$daemon" ] || continue
    case $daemon in */busybox*) ;; *) return 0 ;; esac
  done
  return 1
}

has_curl() { command -v curl >/dev/null 2>&1; }
has_gnu_wget() { wget --version 2>/dev/null | grep -q 'GNU Wget'; }

# Whether a client is here that checks the certificate of what root will run: BusyBox's wget does not.
has_client() { has_curl || has_gnu_wget || [ -n "$busybox" ]; }

# Downloads the agent to $1, within a minute and 2 MiB, following no redirect. To curl, the page of one is a success.
download() {
  limit=''
  if command -v timeout >/dev/null 2>&1; then limit='timeout 60'; fi
  ulimit -f 4096
  if has_curl; then $limit curl -fsS -o "$1" "$desk/agent.sh"
  elif has_gnu_wget; then $limit wget -q -O "$1" --max-redirect=0 "$desk/agent.sh"
  else $limit wget -q -O "$1" "$desk/agent.sh"
  fi && IFS= read -r first <"$1" && [ "$first" = '#!/bin/sh' ]
}

# All of it is read before anything is done: a line that was cut off installs nothing.
main() {
  [ $# -ge 2 ] && [ $(($# % 2)) -eq 0 ] || stop 'usage: install.sh LICENSE_KEY API_KEY [LICENSE_KEY API_KEY]...'
  for word; do
    case $word in '' | *[!A-Za-z0-9_-]*) stop "this is no key: $word" ;; esac
  done
  [ -n "$root" ] || [ "$(id -u)" -eq 0 ] || stop 'run this as root: ... | sudo sh -s -- ...'
  has_cron || stop 'cron is not installed: install it and run this again, or set up the systemd timer of docs/agent.md'
  has_client || stop 'install curl: BusyBox'"'"'s wget checks no certificate (LICENSE_DESK_ALLOW_BUSYBOX=1 allows it)'

  mkdir -p "$root/usr/local/bin" "$root/etc/license-desk" || exit 2
  download "$agent.new" || stop "the agent could not be downloaded from $desk"
  chmod 755 "$agent.new" && mv "$agent.new" "$agent" || exit 2

  while [ $# -gt 0 ]; do
    file=/etc/license-desk/$1.conf
    own=$(grep -vE '^LICENSE_DESK_(URL|API_KEY|LICENSE_KEY|ALLOW_BUSYBOX)=' "$root$file" 2>/dev/null)
    {
      printf 'LICENSE_DESK_URL=%s\nLICENSE_DESK_API_KEY=%s\nLICENSE_DESK_LICENSE_KEY=%s\n' "$desk" "$2" "$1" &&
        printf '%b' "$busybox" && { [ -z "$own" ] || printf '%s\n' "$own"; }
    } >"$root$file.new" && mv "$root$file.new" "$root$file" || exit 2
    minute=$(printf '%s' "$1" | cksum | awk '{ print $1 % 60 }')
    job=$root/etc/cron.d/license-desk-$1
    printf '%s * * * * root LICENSE_DESK_CONFIG=%s /usr/local/bin/license-desk-agent\n' "$minute" "$file" >"$job.new" &&
      chmod 644 "$job.new" && mv "$job.new" "$job" || exit 2
    LICENSE_DESK_CONFIG=$root$file "$agent" -v
    code=$?
    [ $code -le $worst ] || worst=$code
    shift 2
  done
  exit $worst
}

main "$@"
