#!/bin/sh
# Walks the whole life of a license with nothing but curl, and checks every price to the minor unit.
#   sh e2e/walk.sh                                   against a running demonstration (reads .data/demo.json)
#   BASE_URL=http://… API_KEY=lk_live_… sh e2e/walk.sh   against any server whose reseller has about 300.00
set -eu

demo=${DATA_DIR:-.data}/demo.json
demo_field() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$demo"; }
base=${BASE_URL:-$(demo_field url)}/api/v1
key=${API_KEY:-$(demo_field api_key)}
# The first three numbers of the addresses.
network=${WALK_NETWORK:-10.77.$(( $(date +%s) % 250 + 1 ))}
ip() { echo "$network.$1"; }
steps=0

fail() { echo "FAILED: $*" >&2; echo "$answer" >&2; exit 1; }

# SOURCE: the address to call from, where the server trusts this machine as a proxy
send() { curl -sS ${SOURCE:+-H} ${SOURCE:+"X-Forwarded-For: $SOURCE"} "$@"; }
# dispatch OPERATION CURL-ARGUMENTS…   path PATH CURL-ARGUMENTS…
dispatch() { operation=$1; shift; answer=$(send -H "X-API-Key: $key" "$base/?endpoint=$operation" "$@"); step "$operation"; }
path() { address=$1; shift; answer=$(send -H "Authorization: Bearer $key" "$base$address" "$@"); step "$address"; }
post_json() { address=$1; path "$address" -H 'Content-Type: application/json' -d "$2"; }
step() { steps=$((steps + 1)); echo "  $1"; }

# first NAME: the first value of that name; expect NAME VALUE; cents AMOUNT: major units as whole cents
first() { echo "$answer" | tr '{,' '\n\n' | sed -n "s/^\"$1\":\"\{0,1\}\([^\"}]*\).*/\1/p" | head -n 1; }
expect() { [ "$(first "$1")" = "$2" ] || fail "$1 is $(first "$1"), not $2"; }
cents() { awk -v amount="$1" 'BEGIN { printf "%.0f", amount * 100 }'; }
charge() { # the price that the last answer names is what the balance has lost
  balance=$((balance - $(cents "$(first price)")))
  [ "$(cents "$(first balance_after)")" = "$balance" ] || fail "balance_after is $(first balance_after), not $balance cents"
}
# cycle NAME-OF-TYPE: product_id and cycle_id and price of its first cycle
product() { echo "$answer" | tr '{' '\n' | awk -v type="\"type\":\"$1\"" '
  index($0, "\"product_id\":") { product = $0; wanted = index($0, type) }
  index($0, "\"cycle_id\":") && wanted { print product " " $0; exit }'; }
pick() { echo "$1" | sed -n "s/.*\"$2\":\([0-9.]*\).*/\1/p"; }

dispatch balance -G
balance=$(cents "$(first balance)")

dispatch products -G
panel=$(product control_panel)
metered=$(product web_server)

dispatch license.register -d "product_id=$(pick "$panel" product_id)" -d "cycle_id=$(pick "$panel" cycle_id)" -d "ip_address=$(ip 1)" -d 'notes=walk'
expect success true
[ "$(cents "$(first price)")" = "$(cents "$(pick "$panel" price)")" ] || fail "charged $(first price)"
charge
license=$(first license_id)
license_key=$(first license_key)

dispatch license.info -G -d "license_id=$license"
expect license_key "$license_key"; expect status active; expect ip_address "$(ip 1)"; expect notes walk

verify() { post_json /license/verify "{\"license_key\":\"$license_key\",\"ip_address\":\"$1\"}"; expect valid "$2"; expect code "$3"; }
verify "$(ip 1)" true VALID
verify "$(ip 2)" false IP_MISMATCH
dispatch license.suspend -d "license_id=$license" -d 'reason=walk'; expect status suspended
verify "$(ip 1)" false SUSPENDED
dispatch license.unsuspend -d "license_id=$license"; expect status active
dispatch license.change_ip -d "license_id=$license" -d "new_ip=$(ip 2)"; expect provider_status updated
verify "$(ip 2)" true VALID

dispatch license.register -d "product_id=$(pick "$metered" product_id)" -d "cycle_id=$(pick "$metered" cycle_id)" -d "ip_address=$(ip 3)"
charge
dispatch license.change_core -d "license_id=$(first license_id)" -d cores=4
expect old_cores 1; expect new_cores 4; charge
dispatch license.change_core -d "license_id=$license" -d cores=4; expect code NOT_CORE_METERED
dispatch license.renew -d "license_id=$license"; expect license_id "$license"; charge

dispatch bundles -G
bundle=$(first bundle_id)
cycle=$(first cycle_id)
dispatch bundle.register -d "bundle_id=$bundle" -d "cycle_id=$cycle" -d "ip_address=$(ip 4)"
charge
instance=$(first bundle_instance_id)
dispatch bundle.change_ip -d "bundle_instance_id=$instance" -d "new_ip=$(ip 5)"; expect provider_status updated
dispatch bundle.renew -d "bundle_instance_id=$instance"; charge
dispatch bundle.info -G -d "bundle_instance_id=$instance"; expect ip_address "$(ip 5)"

path "/licenses?ip_address=$(ip 5)"
[ "$(echo "$answer" | grep -o '"id"' | wc -l)" -ge 2 ] || fail "the bundle's licenses are not listed"
path /licenses
path "/license/status?license_key=$license_key"
expect status active; expect ip "$(ip 2)"
dispatch balance -G
[ "$(cents "$(first balance)")" = "$balance" ] || fail "balance is $(first balance), not $balance cents"

echo "The walk is done: $steps steps, every price exact."
