"""Customers of two instances of License Desk, for tests: each orders with one Idempotency-Key an intent and repeats the
request, to whichever instance, until it has a final answer. It shares no code with License Desk.

    python3 customers.py --instances FILE --accounts FILE --orders 1000 --threads 16 --journal FILE --closed FILE [--seed N]

`--instances`: a file with one base address a line, read again as instances come and go. `--accounts`: JSON
`[{"reseller_id": 1, "api_key": "…", "products": {"plain": [product, [cycles]], "metered": [product, [cycles]]}}]`.
`--closed`: once this file exists, nobody orders anything more, and what is under way is pursued to its end.
The journal has one JSON line for each intent, with every final answer that came for its key.
"""

import argparse
import http.client
import itertools
import json
import os
import random
import threading
import time
import uuid
from urllib.parse import urlencode, urlsplit

TRY_AGAIN = {"IDEMPOTENCY_IN_PROGRESS", "OPERATION_IN_PROGRESS", "RATE_LIMITED"}
# How long a customer goes on asking before it leaves an order open.
PATIENCE_SECONDS = 240
ADDRESSES = itertools.count(1)


class Customers:
    def __init__(self, options):
        self.options = options
        self.accounts = json.load(open(options.accounts))
        self.journal = open(options.journal, "a", buffering=1)
        self.lock = threading.Lock()
        self.left = options.orders
        self.tallies = {}

    def instances(self):
        return [line.strip() for line in open(self.options.instances) if line.strip()]

    def tally(self, what):
        with self.lock:
            self.tallies[what] = self.tallies.get(what, 0) + 1

    def take_order(self):
        with self.lock:
            self.left -= 1
            return self.left >= 0 and not os.path.exists(self.options.closed)

    def address(self):
        number = next(ADDRESSES)
        return f"198.{18 + (number >> 16) % 2}.{(number >> 8) & 255}.{number & 255}"


def post(base, api_key, operation, fields, key, timeout):
    """(status, body, replayed); raises OSError or HTTPException when there is no answer."""
    url = urlsplit(base)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=timeout)
    try:
        headers = {
            "X-API-Key": api_key,
            "Content-Type": "application/x-www-form-urlencoded",
            "Idempotency-Key": key,
        }
        connection.request("POST", f"/api/v1/?endpoint={operation}", urlencode(fields), headers)
        answer = connection.getresponse()
        text = answer.read()
        return answer.status, json.loads(text), answer.headers.get("Idempotent-Replayed") == "true"
    finally:
        connection.close()


def is_final(status, body):
    return status == 200 or (400 <= status < 500 and body.get("code") not in TRY_AGAIN)


def essence(status, body):
    """What must be the same however often one key is used."""
    data = body.get("data") or {}
    facts = {name: data.get(name) for name in ("license_id", "license_key", "price", "new_expiry", "new_ip", "new_cores")}
    return {"status": status, "code": body.get("code"), **{name: fact for name, fact in facts.items() if fact is not None}}


class Intent:
    """One thing that a customer wants, under one key."""

    def __init__(self, customers, account, operation, fields, dice):
        self.customers, self.account, self.dice = customers, account, dice
        self.operation, self.fields = operation, fields
        self.key = str(uuid.UUID(int=dice.getrandbits(128)))
        self.answers, self.tries, self.pending_seen = [], 0, False
        self.lock = threading.Lock()

    def once(self, timeout):
        self.tries += 1
        base = self.dice.choice(self.customers.instances())
        try:
            status, body, _ = post(base, self.account["api_key"], self.operation, self.fields, self.key, timeout)
        except (OSError, http.client.HTTPException, ValueError):
            self.customers.tally("no_answer")
            return None
        self.customers.tally(f"http_{status}")
        if status == 202:
            self.pending_seen = True
        if not is_final(status, body):
            return None
        with self.lock:
            self.answers.append(essence(status, body))
        return status, body

    def pursue(self):
        """Repeats until there is a final answer, or patience ends: None then."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        impatient = self.dice.random() < 0.06
        twin = None
        if self.dice.random() < 0.08:
            twin = threading.Thread(target=self.once, args=(20,))
            twin.start()
        final = None
        while final is None and time.monotonic() < deadline:
            final = self.once(0.02 if impatient else 20)
            impatient = False
            if final is None:
                time.sleep(self.dice.uniform(0.1, 0.6))
        if twin:
            twin.join()
        return final

    def record(self):
        line = {
            "reseller_id": self.account["reseller_id"],
            "api_key": self.account["api_key"],
            "key": self.key,
            "operation": self.operation,
            "fields": self.fields,
            "answers": self.answers,
            "tries": self.tries,
            "pending_seen": self.pending_seen,
        }
        with self.customers.lock:
            self.customers.journal.write(json.dumps(line) + "\n")


def shop(customers, number):
    dice = random.Random(f"{customers.options.seed}:{number}")
    account = customers.accounts[number % len(customers.accounts)]
    mine = []
    while customers.take_order():
        operation, fields, license_ = choose(customers, account, mine, dice)
        intent = Intent(customers, account, operation, fields, dice)
        final = intent.pursue()
        intent.record()
        customers.tally("open" if final is None else "final")
        if final is None:
            # Whether it was done is not known: this license is left alone.
            if license_ in mine:
                mine.remove(license_)
            continue
        status, body = final
        if status != 200:
            continue
        if operation == "license.register":
            mine.append({"id": body["data"]["license_id"], "metered": fields["product_id"] == account["products"]["metered"][0], "suspended": False})
        elif operation in ("license.suspend", "license.unsuspend"):
            license_["suspended"] = operation == "license.suspend"
        if len(mine) > 12:
            mine.pop(0)


def choose(customers, account, mine, dice):
    if not mine or dice.random() < 0.55:
        product, cycles = account["products"]["metered" if dice.random() < 0.4 else "plain"]
        fields = {"product_id": product, "cycle_id": dice.choice(cycles), "ip_address": customers.address()}
        return "license.register", fields, None
    license_ = dice.choice(mine)
    chance = dice.random()
    if chance < 0.45:
        return "license.renew", {"license_id": license_["id"]}, license_
    if chance < 0.65 and license_["metered"]:
        return "license.change_core", {"license_id": license_["id"], "cores": dice.randint(1, 8)}, license_
    if chance < 0.85:
        return "license.change_ip", {"license_id": license_["id"], "new_ip": customers.address()}, license_
    verb = "license.unsuspend" if license_["suspended"] else "license.suspend"
    return verb, {"license_id": license_["id"]}, license_


def main():
    options = argparse.ArgumentParser()
    for name, kind in (("instances", str), ("accounts", str), ("journal", str), ("closed", str), ("orders", int), ("threads", int)):
        options.add_argument(f"--{name}", type=kind, required=True)
    options.add_argument("--seed", type=int, default=1)
    customers = Customers(options.parse_args())
    threads = [threading.Thread(target=shop, args=(customers, n)) for n in range(customers.options.threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps(customers.tallies))


if __name__ == "__main__":
    main()
