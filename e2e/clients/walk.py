"""Walks the life of a license as a strict client does: Python's standard library, nothing else.

BASE_URL=http://… API_KEY=lk_live_… python3 walk.py

Every answer's status, headers, field names and JSON types are checked. The reseller needs about 500.00, a product of
type TYPE (control_panel), a metered one of type METERED_TYPE (web_server) and a bundle named BUNDLE (any).
"""

import http.client
import json
import os
import re
import secrets
import time
from urllib.parse import urlencode, urlsplit

BASE = urlsplit(os.environ["BASE_URL"])
KEY = os.environ["API_KEY"]
SOURCE = os.environ.get("SOURCE", "10.88.0.1")
TYPE = os.environ.get("TYPE", "control_panel")
METERED_TYPE = os.environ.get("METERED_TYPE", "web_server")
BUNDLE = os.environ.get("BUNDLE")
SUBNET = os.environ.get("SUBNET", f"10.88.{int(time.time()) % 250}")

checks = 0


def check(condition, message):
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"FAILED: {message}")


# --- shapes: a type, a compiled pattern, a literal, a tuple of alternatives, a one-element list, or a dictionary ---

INT = "integer"  # a JSON number without fraction or exponent
NUMBER = "number"
TEXT = "text"
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
CURRENCY = re.compile(r"[A-Z]{3}")
LICENSE_KEY = re.compile(r"LIC(-[0-9A-HJKMNP-TV-Z]{5}){4}")
LICENSE_ID = re.compile(r"lic_[1-9]\d*")
IPV4 = re.compile(r"\d{1,3}(\.\d{1,3}){3}")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Decimal(str):
    """A JSON number as it was written."""


def parse(text):
    def no_duplicates(pairs):
        names = [name for name, _ in pairs]
        check(len(names) == len(set(names)), f"a name is given more than once in {text}")
        return dict(pairs)

    def no_constant(name):
        raise SystemExit(f"FAILED: {name} is not JSON: {text}")

    return json.loads(text, object_pairs_hook=no_duplicates, parse_constant=no_constant,
                      parse_int=Decimal, parse_float=Decimal)


def matches(value, shape):
    if isinstance(shape, tuple):
        return any(matches(value, one) for one in shape)
    if isinstance(shape, dict):
        return (isinstance(value, dict) and value.keys() == shape.keys()
                and all(matches(value[name], shape[name]) for name in shape))
    if isinstance(shape, list):
        return isinstance(value, list) and all(matches(one, shape[0]) for one in value)
    if isinstance(shape, re.Pattern):
        return type(value) is str and shape.fullmatch(value) is not None
    if shape is INT:
        return type(value) is Decimal and re.fullmatch(r"0|-?[1-9]\d*", value) is not None
    if shape is NUMBER:
        return type(value) is Decimal and re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", value) is not None
    if shape is TEXT:
        return type(value) is str
    if shape is None or isinstance(shape, bool):
        return value is shape
    if isinstance(shape, (int, float)):
        return type(value) is Decimal and float(value) == shape
    return value == shape and type(value) is not Decimal


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def data(self):
        return self.body["data"]


def send(method, target, headers=None, body=None):
    connection = http.client.HTTPConnection(BASE.hostname, BASE.port, timeout=30)
    connection.request(method, f"/api/v1{target}", body, {"X-Forwarded-For": SOURCE, **(headers or {})})
    response = connection.getresponse()
    text = response.read().decode("utf-8")
    where = f"{method} {target} -> {response.status} {text[:300]}"
    names = [name.lower() for name, _ in response.getheaders()]
    for name, pattern in {
        "content-type": r"application/json",
        "x-content-type-options": r"nosniff",
        "x-ratelimit-limit": r"[1-9]\d*",
        "x-ratelimit-remaining": r"\d+",
        "x-ratelimit-reset": r"\d{10}",
        "x-request-id": r"\S+",
    }.items():
        check(names.count(name) == 1, f"{where}: header {name} is there {names.count(name)} times")
        check(re.fullmatch(pattern, response.headers[name]), f"{where}: {name} is {response.headers[name]}")
    check(int(response.headers["x-ratelimit-reset"]) >= int(time.time()) - 1, f"{where}: the window ended before")
    check("set-cookie" not in names and "location" not in names, f"{where}: cookies or a redirect")
    connection.close()
    return Answer(response.status, response.headers, parse(text) if text else None), where


def expect(sent, status, shape):
    answer, where = sent
    check(answer.status == status, f"{where}: not {status}")
    check(matches(answer.body, shape), f"{where}: not of the form {shape}")
    return answer


def dispatch(operation, fields=None, method="POST", headers=None, key=KEY):
    headers = {**({"X-API-Key": key} if key else {}), **(headers or {})}
    if method == "GET":
        return send("GET", f"/?{urlencode({'endpoint': operation, **(fields or {})})}", headers)
    headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
    return send(method, f"/?{urlencode({'endpoint': operation})}", headers, urlencode(fields or {}))


def path(method, address, fields=None, headers=None, key=KEY):
    headers = {**({"Authorization": f"Bearer {key}"} if key else {}), **(headers or {})}
    if method == "GET":
        return send("GET", address + (f"?{urlencode(fields)}" if fields else ""), headers)
    return send(method, address, {"Content-Type": "application/json", **headers}, json.dumps(fields))


def done(data):
    return {"success": True, "message": TEXT, "data": data}


def refused(code, *fields):
    details = {name: TEXT for name in fields}
    return {"success": False, "error": True, "code": code, "message": TEXT, "details": details}


def refused_path(code, *fields):
    return {"error": True, "code": code, "message": TEXT, "details": {name: TEXT for name in fields}}


MONEY = {"price": NUMBER, "currency": CURRENCY, "balance_after": NUMBER}
CYCLE = {"cycle_id": INT, "name": TEXT, "months": INT, "price": NUMBER, "setup_fee": NUMBER,
         "price_per_core": (NUMBER, None), "currency": CURRENCY}


def read_balance():
    shape = {"balance": NUMBER, "currency": CURRENCY, "pending_transactions": INT}
    return expect(dispatch("balance", method="GET"), 200, {"success": True, "data": shape}).data


def choose():
    product = {"product_id": INT, "name": TEXT, "type": TEXT, "core_metered": (True, False), "workers": INT,
               "cycles": [CYCLE]}
    products = expect(dispatch("products", method="GET"), 200, {"success": True, "data": {"products": [product]}})
    bundle = {"bundle_id": INT, "name": TEXT, "description": TEXT, "cycles": [CYCLE],
              "products": [{"product_id": INT, "name": TEXT, "type": TEXT}]}
    bundles = expect(dispatch("bundles", method="GET"), 200, {"success": True, "data": {"bundles": [bundle]}})
    by_type = {one["type"]: one for one in products.data["products"]}
    chosen = [one for one in bundles.data["bundles"] if BUNDLE in (None, one["name"])]
    check(TYPE in by_type and METERED_TYPE in by_type and chosen, "the catalog lacks what the walk needs")
    return by_type[TYPE], by_type[METERED_TYPE], chosen[0]


def license_of_its_own(product):
    before = read_balance()
    cycle = product["cycles"][0]
    order = {"product_id": product["product_id"], "cycle_id": cycle["cycle_id"], "ip_address": f" {SUBNET}.1 ",
             "notes": "Größe ☂"}
    once = {"Idempotency-Key": secrets.token_hex(8)}
    shape = done({"license_id": INT, "license_key": LICENSE_KEY, "expires_at": TIMESTAMP, **MONEY})
    bought = expect(dispatch("license.register", order, headers=once), 200, shape).data
    again = expect(dispatch("license.register", order, headers=once), 200, shape)
    check(again.headers["idempotent-replayed"] == "true" and again.data == bought, "the replay is another answer")
    other = dispatch("license.register", {**order, "notes": ""}, headers=once)
    check(other[0].status == 422, f"{other[1]}: an idempotency key was used for two requests")
    paid = float(before["balance"]) - float(bought["balance_after"])
    check(round(paid, 3) == round(float(cycle["price"]) + float(cycle["setup_fee"]), 3), "the charge is another")
    expect(dispatch("license.register", order), 400, refused("REGISTRATION_FAILED", "ip_address", "reason"))

    license_id, key = bought["license_id"], bought["license_key"]
    info = {"license_id": INT, "license_key": key, "product_id": INT, "product": product["name"],
            "cycle_months": INT, "ip_address": f"{SUBNET}.1", "status": "active",
            "issued_at": TIMESTAMP, "expires_at": TIMESTAMP, "days_remaining": INT, "cores": None, "notes": "Größe ☂",
            "auto_renew": False}
    expect(dispatch("license.info", {"license_id": license_id}, "GET"), 200, {"success": True, "data": info})

    status = {"status": "active", "type": product["type"], "expires": DAY, "cores": 0, "workers": INT,
              "ip": f"{SUBNET}.1", "hostname": ""}
    for selector in ({"license_key": key.lower()}, {"license_id": license_id}, {"license_id": f"lic_{license_id}"},
                     {"ip_address": f"{SUBNET}.1"}):
        expect(path("GET", "/license/status", selector), 200, status)
        expect(path("GET", "/license/status", {**selector, "type": product["type"]}), 200, status)
    for wrong in ({"licence_key": key}, {"license_key": ""}):
        expect(path("GET", "/license/status", wrong), 400,
               refused_path("INVALID_REQUEST", "license_key", "license_id", "ip_address"))

    verify(key, f"{SUBNET}.1", True, "VALID")
    verify(key, f"{SUBNET}.2", False, "IP_MISMATCH")
    update = {"success": True, "message": TEXT, "updated_at": TIMESTAMP}
    expect(path("POST", "/license/update", {"license_key": key, "hostname": "WEB1.example.com", "ip_address": None}),
           200, update)
    expect(path("GET", "/license/status", {"license_key": key}), 200, {**status, "hostname": "web1.example.com"})

    suspended = {"license_id": INT, "status": "suspended", "reason": "unpaid", "suspended_at": TIMESTAMP}
    for _ in range(2):
        expect(dispatch("license.suspend", {"license_id": license_id, "reason": "unpaid"}), 200, done(suspended))
    verify(key, f"{SUBNET}.1", False, "SUSPENDED")
    for _ in range(2):
        expect(dispatch("license.unsuspend", {"license_id": license_id}), 200,
               done({"license_id": INT, "status": "active"}))

    moved = {"license_id": INT, "old_ip": f"{SUBNET}.1", "new_ip": f"{SUBNET}.2", "provider_status": "updated"}
    move = {"license_id": license_id, "new_ip": f"{SUBNET}.2"}
    expect(dispatch("license.change_ip", move), 200, done(moved))
    expect(dispatch("license.change_ip", move), 200,
           done({**moved, "old_ip": f"{SUBNET}.2", "provider_status": "unchanged"}))
    expect(dispatch("license.change_core", {"license_id": license_id, "cores": 2}), 400,
           (refused("NOT_CORE_METERED"), refused("NOT_CORE_METERED", "license_id")))
    renewed = {"license_id": INT, "new_expiry": TIMESTAMP, **MONEY}
    price = cycle["price"]
    expect(dispatch("license.renew", {"license_id": license_id, "expected_price": "0.01"}), 409,
           {**refused("PRICE_CHANGED"), "details": {"price": (NUMBER, TEXT), "currency": TEXT}})
    renewal = expect(dispatch("license.renew", {"license_id": license_id, "expected_price": price}), 200, done(renewed))
    check(float(renewal.data["price"]) == float(price), "the renewal's price is another")

    item = {"id": LICENSE_ID, "type": TEXT, "status": TEXT, "expires": DAY, "server": TEXT}
    everything = expect(path("GET", "/licenses"), 200, {"licenses": [item]}).body["licenses"]
    check(f"lic_{license_id}" in [one["id"] for one in everything], "the list lacks the license")
    page = expect(path("GET", "/licenses", {"limit": 1}), 200, {"licenses": [item], "next_cursor": (TEXT, None)}).body
    check(len(page["licenses"]) == 1, "a page of one has another length")


def verify(key, address, valid, code):
    shape = {"valid": valid, "type": TEXT, "expires": DAY, "message": TEXT, "code": code}
    expect(path("POST", "/license/verify", {"license_key": key, "ip_address": address}), 200, shape)


def metered_license(product):
    cycle = product["cycles"][0]
    order = {"product_id": product["product_id"], "cycle_id": cycle["cycle_id"], "ip_address": f"{SUBNET}.3"}
    license_id = expect(dispatch("license.register", order), 200,
                        done({"license_id": INT, "license_key": LICENSE_KEY, "expires_at": TIMESTAMP, **MONEY})
                        ).data["license_id"]
    for old, new in ((1, 4), (4, 4), (4, 2)):
        outcome = "unchanged" if old == new else "updated"
        shape = {"license_id": INT, "old_cores": old, "new_cores": new, "provider_status": outcome, **MONEY}
        price = float(expect(dispatch("license.change_core", {"license_id": license_id, "cores": new}), 200,
                             done(shape)).data["price"])
        check((price > 0) - (price < 0) == (new > old) - (new < old), f"{old} to {new} cores cost {price}")
    expect(dispatch("license.change_core", {"license_id": license_id, "cores": 33}), 400,
           refused("CORE_CHANGE_FAILED", "cores"))
    as_json = {"Content-Type": "application/json", "X-API-Key": KEY}
    for literal in ("1.0", "1e0", "01"):
        body = f'{{"license_id":{literal},"cores":2}}'
        answer, where = send("POST", "/?endpoint=license.change_core", as_json, body)
        check(answer.status == 400, f"{where}: {literal} was read as an integer")


def bundle_of_many(bundle):
    cycle = bundle["cycles"][0]
    member = {"license_id": INT, "license_key": LICENSE_KEY, "product": TEXT, "expires_at": TIMESTAMP}
    head = {"bundle_instance_id": INT, "bundle_id": INT, "name": bundle["name"], "expires_at": TIMESTAMP}
    order = {"bundle_id": bundle["bundle_id"], "cycle_id": cycle["cycle_id"], "ip_address": f"{SUBNET}.4"}
    bought = expect(dispatch("bundle.register", order), 200,
                    done({**head, "ip_address": f"{SUBNET}.4", **MONEY, "licenses": [member]})).data
    check(len(bought["licenses"]) == len(bundle["products"]), "the bundle has another number of licenses")
    which = {"bundle_instance_id": bought["bundle_instance_id"]}
    moved = {"bundle_instance_id": INT, "old_ip": f"{SUBNET}.4", "new_ip": f"{SUBNET}.5", "provider_status": "updated",
             **MONEY, "price": 0, "licenses": [{"license_id": INT, "provider_status": "updated"}]}
    expect(dispatch("bundle.change_ip", {**which, "new_ip": f"{SUBNET}.5"}), 200, done(moved))
    renewed = {"bundle_instance_id": INT, "new_expiry": TIMESTAMP, **MONEY,
               "licenses": [{"license_id": INT, "new_expiry": TIMESTAMP}]}
    expect(dispatch("bundle.renew", which), 200, done(renewed))
    info = {**head, "ip_address": f"{SUBNET}.5", "licenses": [{**member, "status": "active"}]}
    expect(dispatch("bundle.info", which, "GET"), 200, {"success": True, "data": info})
    one = bought["licenses"][0]["license_id"]
    expect(dispatch("license.renew", {"license_id": one}), 409, refused("INVALID_STATE", "license_id"))
    expect(dispatch("license.change_ip", {"license_id": one, "new_ip": f"{SUBNET}.6"}), 400,
           refused("IP_CHANGE_FAILED", "new_ip"))


def outcome_that_is_not_known(product):
    cycle = product["cycles"][0]
    order = {"product_id": product["product_id"], "cycle_id": cycle["cycle_id"], "ip_address": "192.0.2.20"}
    shape = {"license_id": INT, "license_key": LICENSE_KEY, "expires_at": TIMESTAMP, **MONEY, "status": "pending",
             "operation_id": UUID}
    pending = expect(dispatch("license.register", order), 202, done(shape)).data
    operation = {"operation": "license.register", "status": "pending", "message": TEXT, "license_id": INT,
                 "bundle_instance_id": None, "price": NUMBER, "currency": CURRENCY, "created_at": TIMESTAMP,
                 "settled_at": (TIMESTAMP, None)}
    name = {"operation_id": pending["operation_id"]}
    operation["status"] = ("pending", "succeeded")
    expect(dispatch("operation.info", name, "GET"), 200, {"success": True, "data": operation})
    expect(path("GET", f"/operations/{pending['operation_id']}"), 200, {**operation, "license_id": LICENSE_ID})
    busy = expect(dispatch("license.renew", {"license_id": pending["license_id"]}), 409,
                  {**refused("OPERATION_IN_PROGRESS"), "details": {"operation_id": UUID}})
    check(re.fullmatch(r"[1-9]\d*", busy.headers["retry-after"] or ""), "no Retry-After")


def refusals():
    expect(dispatch("balance", method="GET", key=None), 401, refused("MISSING_API_KEY"))
    expect(dispatch("balance", method="GET", key="lk_live_no"), 401, refused("INVALID_API_KEY"))
    expect(path("GET", "/licenses", key=None), 401, refused_path("UNAUTHORIZED"))
    expect(dispatch("license.delete"), 404, refused("UNKNOWN_ENDPOINT", "endpoint"))
    wrong = expect(dispatch("license.renew", method="GET"), 405, refused("METHOD_NOT_ALLOWED"))
    check(wrong.headers["allow"] == "POST", "Allow is not POST")
    expect(path("GET", "/nothing"), 404, refused_path("NOT_FOUND"))
    expect(dispatch("license.register"), 400,
           refused("MISSING_PRODUCT_ID", "product_id", "cycle_id", "ip_address"))
    expect(dispatch("license.info", {"license_id": 2147483647}, "GET"), 404, refused("LICENSE_NOT_FOUND", "license_id"))
    expect(path("POST", "/license/verify", {"license_key": "LIC-1"}), 400, refused_path("INVALID_LICENSE", "license_key"))
    expect(path("POST", "/license/verify", {}), 400, refused_path("INVALID_REQUEST", "license_key"))
    expect(dispatch("license.change_ip", {"license_id": 1, "new_ip": "127.0.0.1"}), 400,
           refused("INVALID_IP_ADDRESS", "new_ip"))
    for content_type in ("text/plain", "application/xml"):
        expect(dispatch("license.renew", headers={"Content-Type": content_type}), 415, refused("UNSUPPORTED_MEDIA_TYPE"))
    head, where = send("HEAD", "/?endpoint=balance", {"X-API-Key": KEY})
    check(head.status == 200 and head.body is None, f"{where}: HEAD does not follow GET")


def main():
    product, metered, bundle = choose()
    license_of_its_own(product)
    metered_license(metered)
    bundle_of_many(bundle)
    refusals()
    outcome_that_is_not_known(product)
    print(f"The walk is done: {checks} checks.")


main()
