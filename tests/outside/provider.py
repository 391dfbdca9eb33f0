"""A license provider with books of its own, for tests: the dispatch interface, spoken by a program that shares no code
with License Desk. It fails as real providers do, by a plan that depends on the seed, on the idempotency key and on how often the key has come.

    python3 provider.py --port 0 --journal FILE [--seed N] [--faults 0.18]

Prints its port. The journal has one JSON line for each change that it carried out, written before the answer.
"""

import argparse
import hashlib
import json
import random
import socket
import sys
import threading
import time
from calendar import monthrange
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

CYCLES = {11: (1, 1), 12: (1, 12), 21: (2, 1), 22: (2, 12)}  # cycle -> (product, months)
PRICES = {11: 8.0, 12: 80.0, 21: 10.0, 22: 100.0}
PER_CORE = {21: 4.0, 22: 40.0}
METERED = {2}

# What happens to a write, and how often among the faulty ones.
FATES = [
    ("refused", 20),
    ("done_silent", 20),
    ("undone_silent", 12),
    ("done_unreadable", 12),
    ("undone_500", 8),
    ("done_500", 8),
    ("slow", 12),
    ("busy_429", 8),
]


# A key that came so often is answered, as after an incident.
FAULTY_ARRIVALS = 3


def add_months(start, months):
    month = start.month - 1 + months
    year, month = start.year + month // 12, month % 12 + 1
    return start.replace(year=year, month=month, day=min(start.day, monthrange(year, month)[1]))


def stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


class Refusal(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


class Books:
    """Everything the provider knows. One lock: its answers are serializable."""

    def __init__(self, journal, seed, faults):
        self.lock = threading.Lock()
        self.licenses, self.answers, self.running, self.arrivals = {}, {}, set(), {}
        self.journal = open(journal, "a", buffering=1)
        self.seed, self.faults = seed, faults
        self.counts = {}

    def fate(self, key):
        with self.lock:
            arrival = self.arrivals[key] = self.arrivals.get(key, 0) + 1
        dice = random.Random(f"{self.seed}:{key}:{arrival}")
        if arrival > FAULTY_ARRIVALS or dice.random() >= self.faults:
            return "answered"
        names, weights = zip(*FATES)
        return dice.choices(names, weights)[0]

    def count(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1

    def write(self, key, operation, license_id, cost):
        entry = {
            "key": key,
            "operation": operation,
            "license_id": license_id,
            "cost": cost,
            "at": stamp(datetime.now(timezone.utc)),
            "license": dict(self.licenses[license_id]),
        }
        self.journal.write(json.dumps(entry) + "\n")

    def carry_out(self, key, operation, fields):
        """One write under the lock. Raises Refusal, and then nothing has changed."""
        now = datetime.now(timezone.utc).replace(microsecond=0)
        if operation == "license.register":
            product, cycle = int(fields["product_id"]), int(fields["cycle_id"])
            if CYCLES.get(cycle, (0, 0))[0] != product:
                raise Refusal(404, "CYCLE_NOT_FOUND", "This product has no such cycle.")
            for other in self.licenses.values():
                if other["product"] == product and other["ip"] == fields["ip_address"]:
                    raise Refusal(400, "REGISTRATION_FAILED", "The address has this product.")
            license_id = len(self.licenses) + 1
            self.licenses[license_id] = {
                "id": license_id,
                "product": product,
                "ip": fields["ip_address"],
                "status": "active",
                "issued": stamp(now),
                "expires": stamp(add_months(now, CYCLES[cycle][1])),
                "cycle": cycle,
                "cores": 1 if product in METERED else None,
                "notes": fields.get("notes", ""),
            }
            self.write(key, operation, license_id, PRICES[cycle])
            return {"license_id": license_id, "license_key": f"UP-{license_id}", "price": PRICES[cycle]}
        license_id = int(fields["license_id"])
        found = self.licenses.get(license_id)
        if found is None:
            raise Refusal(404, "LICENSE_NOT_FOUND", "There is no such license.")
        if operation == "license.renew":
            cycle = int(fields.get("cycle_id", found["cycle"]))
            if CYCLES.get(cycle, (0, 0))[0] != found["product"]:
                raise Refusal(404, "CYCLE_NOT_FOUND", "This product has no such cycle.")
            end = datetime.strptime(found["expires"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
            found["expires"] = stamp(add_months(max(now, end), CYCLES[cycle][1]))
            found["cycle"] = cycle
            self.write(key, operation, license_id, PRICES[cycle])
            return {"license_id": license_id, "new_expiry": found["expires"], "price": PRICES[cycle]}
        if operation == "license.change_ip":
            found["ip"] = fields["new_ip"]
        elif operation == "license.change_core":
            found["cores"] = int(fields["cores"])
        elif operation == "license.suspend":
            found["status"] = "suspended"
        elif operation == "license.unsuspend":
            found["status"] = "active"
        else:
            raise Refusal(404, "UNKNOWN_ENDPOINT", "There is no such operation.")
        self.write(key, operation, license_id, 0)
        return {"license_id": license_id}


def info(entry):
    names = {1: "Panel", 2: "Web Server"}
    return {
        "license_id": entry["id"],
        "license_key": f"UP-{entry['id']}",
        "product": names[entry["product"]],
        "ip_address": entry["ip"],
        "status": entry["status"],
        "issued_at": entry["issued"],
        "expires_at": entry["expires"],
        "days_remaining": 1,
        "cores": entry["cores"],
        "notes": entry["notes"],
    }


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    books = None

    def log_message(self, *_):
        pass

    def reply(self, status, body, headers=()):
        payload = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)

    def refuse(self, refusal):
        body = {"success": False, "error": True, "code": refusal.code, "message": refusal.message, "details": {}}
        return refusal.status, body

    def drop(self):
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def do_GET(self):
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        books = self.books
        if url.path == "/books":
            with books.lock:
                return self.reply(200, {"licenses": list(books.licenses.values()), "counts": books.counts})
        if url.path.endswith("/licenses"):
            return self.reply(200, self.list_page(query))
        operation = query.get("endpoint")
        if operation == "license.info":
            with books.lock:
                found = books.licenses.get(int(query["license_id"]))
                data = info(found) if found else None
            if data is None:
                return self.reply(*self.refuse(Refusal(404, "LICENSE_NOT_FOUND", "There is no such license.")))
            return self.reply(200, {"success": True, "data": data})
        if operation == "balance":
            data = {"balance": 1000000.0, "currency": "USD", "pending_transactions": 0}
            return self.reply(200, {"success": True, "data": data})
        if operation == "products":
            return self.reply(200, {"success": True, "data": {"products": products()}})
        return self.reply(*self.refuse(Refusal(404, "UNKNOWN_ENDPOINT", "There is no such operation.")))

    def list_page(self, query):
        limit, after = int(query.get("limit", 1000)), int(query.get("cursor") or 0)
        words = query.get("q", "")
        slugs = {1: "panel", 2: "web_server"}
        with self.books.lock:
            rows = [dict(row) for row in self.books.licenses.values() if row["id"] > after and words in row["notes"]]
        page = rows[:limit]
        listed = [
            {
                "id": f"lic_{row['id']}",
                "type": slugs[row["product"]],
                "status": row["status"],
                "expires": row["expires"][:10],
                "server": row["ip"],
            }
            for row in page
        ]
        return {"licenses": listed, "next_cursor": str(page[-1]["id"]) if len(rows) > limit else None}

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(length).decode()
        fields = {name: values[0] for name, values in parse_qs(text, keep_blank_values=True).items()}
        operation = parse_qs(urlsplit(self.path).query).get("endpoint", [""])[0]
        key = self.headers.get("Idempotency-Key") or ""
        asked = hashlib.sha256(json.dumps([operation, fields], sort_keys=True).encode()).hexdigest()
        books = self.books
        with books.lock:
            stored = books.answers.get(key)
            running = key in books.running
            if stored is None and not running:
                books.running.add(key)
        if running:
            return self.reply(*self.refuse(Refusal(409, "IDEMPOTENCY_IN_PROGRESS", "Still running.")))
        if stored is not None:
            if stored[0] != asked:
                return self.reply(*self.refuse(Refusal(422, "IDEMPOTENCY_KEY_REUSED", "Another request had it.")))
            return self.reply(stored[1], stored[2], [("Idempotent-Replayed", "true")])
        try:
            self.decide(key, asked, operation, fields)
        finally:
            with books.lock:
                books.running.discard(key)

    def decide(self, key, asked, operation, fields):
        books = self.books
        fate = books.fate(key)
        books.count(fate)
        if fate == "busy_429":
            return self.reply(*self.refuse(Refusal(429, "RATE_LIMITED", "Slower.")), [("Retry-After", "1")])
        if fate == "undone_silent":
            return self.drop()
        if fate == "undone_500":
            return self.reply(500, {"oops": True})
        if fate == "slow":
            time.sleep(random.Random(f"{books.seed}:{key}:slow").uniform(0.2, 5))
        try:
            if fate == "refused":
                raise Refusal(400, "PROVIDER_REJECTED", "Not today.")
            with books.lock:
                data = books.carry_out(key, operation, fields)
                answer = (200, {"success": True, "message": "Done.", "data": data})
                books.answers[key] = (asked, *answer)
        except (Refusal, KeyError, ValueError) as error:
            refusal = error if isinstance(error, Refusal) else Refusal(400, "INVALID_PARAMETER", str(error))
            answer = self.refuse(refusal)
            with books.lock:
                books.answers[key] = (asked, *answer)
        if fate == "done_silent":
            return self.drop()
        if fate == "done_unreadable":
            return self.reply(200, b"<html>Thank you!</html>")
        if fate == "done_500":
            return self.reply(500, {"oops": True})
        return self.reply(*answer)


def products():
    def cycle(number):
        months = CYCLES[number][1]
        return {
            "cycle_id": number,
            "name": "Monthly" if months == 1 else "Yearly",
            "months": months,
            "price": PRICES[number],
            "setup_fee": 0,
            "price_per_core": PER_CORE.get(number),
            "currency": "USD",
        }

    return [
        {"product_id": 1, "name": "Panel", "type": "panel", "core_metered": False, "workers": 0,
         "cycles": [cycle(11), cycle(12)]},
        {"product_id": 2, "name": "Web Server", "type": "web_server", "core_metered": True, "workers": 0,
         "cycles": [cycle(21), cycle(22)]},
    ]


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        pass  # A client that went away, or a connection dropped on purpose.


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--journal", required=True)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--faults", type=float, default=0.18)
    chosen = options.parse_args()
    Handler.books = Books(chosen.journal, chosen.seed, chosen.faults)
    server = Server(("127.0.0.1", chosen.port), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
