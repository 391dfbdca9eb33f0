import { expect, test } from "vitest";
import { checkActionBody, isActionCall } from "./action-request.ts";

const ID = "40".repeat(21);
const plain = "text/plain;charset=UTF-8";

test("plain JSON is accepted as arguments, with the extensions that React's client uses", () => {
  for (const body of [
    "[]",
    '["a",1,true,null,{"b":["c"]}]',
    '["$undefined","$NaN","$Infinity","$-Infinity","$-0","$$12.50",""]',
    '[{"__proto__":"x"}]',
    '["line\\nend"]',
  ]) {
    expect(checkActionBody(body), body).toBeNull();
  }
});

test("everything else that React would decode in an argument is rejected: files, streams, promises, references, dates", () => {
  for (const text of "$ $1 $0 $@1 $B1 $F1 $h1 $K1 $Q1 $W1 $i1 $n12 $D2027-01-31 $T $S $R1 $0:a:b $NaN1 $undefinedx".split(
    " ",
  )) {
    for (const body of [`["${text}"]`, `[{"a":[{"b":"${text}"}]}]`, `["\\u0024${text.slice(1)}"]`]) {
      expect(checkActionBody(body), body).toMatchObject({ code: "body_unreadable" });
    }
  }
});

test("anything but a list of arguments is rejected", () => {
  for (const body of ["", "{}", "1", '"a"', "null", "[1", '["a"', "[1]x", "\ufeff[]", "nonsense"]) {
    expect(checkActionBody(body), body).toMatchObject({ code: "body_unreadable" });
  }
});

test("headers determine whether an action is called, never by a form alone", () => {
  expect(isActionCall({ "next-action": ID, "content-type": plain })).toBe(true);
  for (const form of [
    "Multipart/Form-Data",
    "multipart/form-datax",
    "multipart/form-data, a",
    "multipart/form-data x",
  ]) {
    expect(() => isActionCall({ "content-type": `${form}; boundary=x` }), form).toThrow("text/plain");
  }
  expect(isActionCall({ "content-type": "application/json" })).toBe(false);
  expect(isActionCall({})).toBe(false);
  for (const id of ["", "x", `${ID}0`, `${ID}, ${ID}`, ID.replace("4", "G")]) {
    expect(() => isActionCall({ "next-action": id, "content-type": plain }), id).toThrow("no such server action");
  }
  for (const type of [
    undefined,
    "",
    "application/json",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
  ]) {
    expect(() => isActionCall({ "next-action": ID, ...(type === undefined ? {} : { "content-type": type }) })).toThrow(
      "text/plain",
    );
  }
});

test("only a page of this site can call an action, judged by the request's or the proxy's host", () => {
  const called = { "next-action": ID, "content-type": plain, host: "desk.example:3000" };
  const other = [
    "",
    "null",
    "::1, 1.2.3.4",
    "desk.example",
    "https://",
    "file://",
    "https://evil.example",
    "http://desk.example",
  ];
  for (const origin of other) {
    expect(() => isActionCall({ ...called, origin }), origin).toThrow("Another site");
  }
  expect(isActionCall({ ...called, origin: "http://desk.example:3000" })).toBe(true);
  const forwarded = { ...called, "x-forwarded-host": "shop.example, desk.example:3000" };
  expect(isActionCall({ ...forwarded, origin: "https://shop.example" })).toBe(true);
  expect(() => isActionCall({ ...forwarded, origin: "http://desk.example:3000" })).toThrow("Another site");
});
