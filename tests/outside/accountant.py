"""An accountant who knows three sets of books, and no code of License Desk: what customers were answered, what the
provider carried out, and what License Desk says of itself in public (its API, its statements, its inbox).

    python3 accountant.py --instance URL --accounts FILE --orders FILE --provider-journal FILE --provider-books FILE \
        --statements DIR --cases FILE [--replay]

Prints one JSON object: orders, outcomes, differences. Exit code 1 when a difference is in no open case.
`--statements`: one `<reseller id>.csv` a reseller. `--replay`: also sends each key once more, and expects its answer.
"""

import argparse
import csv
import http.client
import json
import sys
from collections import Counter, defaultdict
from decimal import Decimal
from urllib.parse import urlencode, urlsplit

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from customers import essence, is_final, post  # noqa: E402  The customers' own reading of an answer.


def get(base, headers, path):
    url = urlsplit(base)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=30)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


def lines(path):
    return [json.loads(line) for line in open(path) if line.strip()]


class Audit:
    def __init__(self):
        self.differences = []

    def expect(self, holds, about, what):
        """`about`: a license key, a reseller or an order, by which an open case can explain it."""
        if not holds:
            self.differences.append({"about": str(about), "what": what})


def read_desk(base, accounts):
    """License key → what the API says of the license, of all accounts; and each reseller's balance."""
    licenses, balances = {}, {}
    for account in accounts:
        headers = {"X-API-Key": account["api_key"]}
        status, body = get(base, headers, "/api/v1/?endpoint=balance")
        assert status == 200, body
        balances[account["reseller_id"]] = body["data"]
        status, body = get(base, {"Authorization": f"Bearer {account['api_key']}"}, "/api/v1/licenses")
        assert status == 200, body
        for listed in body["licenses"]:
            number = int(listed["id"].removeprefix("lic_"))
            query = urlencode({"endpoint": "license.info", "license_id": number})
            status, body = get(base, headers, f"/api/v1/?{query}")
            assert status == 200, body
            licenses[body["data"]["license_key"]] = {**body["data"], "reseller_id": account["reseller_id"]}
    return licenses, balances


def references(orders):
    """License id → license keys, as customers were told when they registered."""
    told = {}
    for order in orders:
        for answer in order["answers"]:
            if "license_key" in answer:
                told.setdefault(answer["license_id"], set()).add(answer["license_key"])
    return told


def about_order(order, told):
    """The license that an order was about, if its customer can know it."""
    number = (order["answers"] or [{}])[0].get("license_id", order["fields"].get("license_id"))
    keys = told.get(number, set())
    return next(iter(keys)) if len(keys) == 1 else order["key"]


def audit_answers(audit, orders, told):
    """One key, one outcome: every final answer to it is the same. One number, one license."""
    for order in orders:
        distinct = {json.dumps(answer, sort_keys=True) for answer in order["answers"]}
        audit.expect(len(distinct) <= 1, about_order(order, told), f"one key, {len(distinct)} outcomes: {sorted(distinct)}")
    for number, keys in told.items():
        audit.expect(len(keys) == 1, f"number {number}", f"this number was told for {sorted(keys)}")


def audit_provider(audit, orders, effects, held, licenses, told_references):
    """Whatever a customer was told is done was done once at the provider; whatever it was refused was not."""
    by_reference = {entry["notes"].removeprefix("ref:"): entry for entry in held}
    effects_of = defaultdict(Counter)
    for effect in effects:
        effects_of[effect["license"]["notes"].removeprefix("ref:")][effect["operation"]] += 1
    done_of, open_of = defaultdict(Counter), defaultdict(Counter)
    key_of = {entry["license_id"]: key for key, entry in licenses.items()}
    for order in orders:
        number = order["fields"].get("license_id")
        answer = order["answers"][0] if order["answers"] else None
        if order["operation"] == "license.register":
            reference = answer.get("license_key") if answer else None
        else:
            reference = key_of.get(number)
        if answer is None:
            open_of[reference][order["operation"]] += 1
        elif answer["status"] == 200:
            reference = reference or about_order(order, told_references)
            audit.expect(reference in licenses, reference, f"{order['operation']} was confirmed for a license that is not listed")
            done_of[reference][order["operation"]] += 1
    for reference, counts in done_of.items():
        for operation in ("license.register", "license.renew"):
            told, carried_out, left = counts[operation], effects_of[reference][operation], open_of[reference][operation]
            # An order that its customer left open may have been done or not.
            audit.expect(told <= carried_out <= told + left, reference,
                         f"{operation}: {told} confirmed, {left} open, {carried_out} carried out by the provider")
    for reference, counts in effects_of.items():
        listed = licenses.get(reference)
        audit.expect(listed is not None or by_reference[reference]["status"] == "suspended", reference,
                     "the provider holds a license that nobody here has")
    for reference, listed in licenses.items():
        entry = by_reference.get(reference)
        if entry is None:
            audit.expect(listed["status"] == "pending", reference, "it is listed here, and the provider has no such license")
            continue
        if listed["status"] == "pending" or "operation_id" in listed:
            audit.expect(False, reference, f"it is still open: {listed['status']}")
            continue
        facts = ("ip_address", "cores", "status")
        ours = tuple(listed[fact] for fact in facts)
        theirs = (entry["ip"], entry["cores"], entry["status"])
        audit.expect(ours == theirs, reference, f"here {ours}, at the provider {theirs}")
        # Terms are counted from two clocks: the day of the end, give or take one.
        apart = abs(days(listed["expires_at"]) - days(entry["expires"]))
        audit.expect(apart <= 2, reference, f"it ends {listed['expires_at']} here and {entry['expires']} at the provider")


def days(timestamp):
    year, month, day = (int(part) for part in timestamp[:10].split("-"))
    return (year * 12 + month) * 30.44 + day


def audit_money(audit, orders, statements, accounts, licenses, balances, told_references):
    """Every confirmed price is one charge of that license, there are no other charges, and it all adds up."""
    names = {str(number): next(iter(keys)) for number, keys in told_references.items()}
    names |= {str(entry["license_id"]): key for key, entry in licenses.items()}
    told = defaultdict(Counter)
    open_licenses = set()
    for order in orders:
        answer = order["answers"][0] if order["answers"] else None
        if answer is None:
            open_licenses.add((order["reseller_id"], str(order["fields"].get("license_id", ""))))
            continue
        if answer["status"] == 200 and Decimal(str(answer.get("price", 0))) != 0:
            told[(order["reseller_id"], str(answer["license_id"]))][-Decimal(str(answer["price"]))] += 1
    orders_left_open = Counter(order["reseller_id"] for order in orders if not order["answers"])
    for account in accounts:
        reseller = account["reseller_id"]
        total, charged = Decimal(0), defaultdict(Counter)
        for row in statements[reseller]:
            if row["kind"] in ("opening_balance", "closing_balance", ""):
                continue
            amount = Decimal(row["amount"])
            total += amount
            if row["kind"] in ("charge", "credit"):
                charged[(reseller, row["license"].removeprefix("lic_"))][amount] += 1
        balance = Decimal(str(balances[reseller]["balance"]))
        held = balances[reseller]["pending_transactions"]
        audit.expect(held == 0, f"reseller {reseller}", f"{held} holds are still open")
        audit.expect(total == balance, f"reseller {reseller}", f"the statement adds up to {total}, the balance is {balance}")
        for license_, counts in told.items():
            if license_[0] == reseller:
                missing = counts - charged[license_]
                audit.expect(not missing, names.get(license_[1], f"lic_{license_[1]}"), f"told a price that was never charged: {dict(missing)}")
        extra = 0
        for license_, counts in charged.items():
            surplus = counts - told[license_]
            if license_ in open_licenses or not surplus:
                continue
            extra += sum(surplus.values())
            if sum(surplus.values()) and extra > orders_left_open[reseller]:
                audit.expect(False, names.get(license_[1], f"lic_{license_[1]}"), f"charged without a confirmed order: {dict(surplus)}")


def replay(audit, base, orders):
    """Each key once more: it must say what it said."""
    asked = Counter()
    for order in orders:
        if not order["answers"]:
            continue
        status, body, replayed = post(base, order["api_key"], order["operation"], order["fields"], order["key"], 30)
        asked[status] += 1
        first = order["answers"][0]
        # Not stored, so it may end otherwise the second time: nothing had happened under it.
        if first.get("code") in ("INSUFFICIENT_BALANCE", "PRICE_CHANGED"):
            continue
        audit.expect(is_final(status, body) and essence(status, body) == first, order["key"],
                     f"sent again, it says {essence(status, body)} and not {first}")
        audit.expect(replayed, order["key"], "sent again, it does not say that it is a replay")
    return asked


def main():
    options = argparse.ArgumentParser()
    for name in ("instance", "accounts", "orders", "provider-journal", "provider-books", "statements", "cases"):
        options.add_argument(f"--{name}", required=True)
    options.add_argument("--replay", action="store_true")
    chosen = options.parse_args()
    accounts, orders = json.load(open(chosen.accounts)), lines(chosen.orders)
    effects, held = lines(chosen.provider_journal), json.load(open(chosen.provider_books))
    cases = json.load(open(chosen.cases))["cases"]
    statements = {
        account["reseller_id"]: list(csv.DictReader(open(f"{chosen.statements}/{account['reseller_id']}.csv", encoding="utf-8-sig")))
        for account in accounts
    }
    audit = Audit()
    replayed = replay(audit, chosen.instance, orders) if chosen.replay else {}
    licenses, balances = read_desk(chosen.instance, accounts)
    told = references(orders)
    audit_answers(audit, orders, told)
    audit_provider(audit, orders, effects, held["licenses"], licenses, told)
    audit_money(audit, orders, statements, accounts, licenses, balances, told)
    in_cases = {str(value) for case in cases for value in (case.get("reference"), case.get("license_id") and f"lic_{case['license_id']}") if value}
    unexplained = [difference for difference in audit.differences if difference["about"] not in in_cases]
    outcomes = Counter(str(order["answers"][0]["status"]) if order["answers"] else "open" for order in orders)
    print(json.dumps({
        "orders": len(orders),
        "outcomes": outcomes,
        "tries": sum(order["tries"] for order in orders),
        "went_through_pending": sum(order["pending_seen"] for order in orders),
        "provider_faults": held["counts"],
        "provider_changes": len(effects),
        "licenses": len(licenses),
        "replayed": dict(replayed),
        "open_cases": len(cases),
        "differences": len(audit.differences),
        "unexplained": len(unexplained),
        "examples": unexplained[:20],
    }, indent=1))
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
