import { expect, test } from "vitest";
import { checkActionBody, findActionForm } from "./action-request.ts";

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
    expect(checkActionBody("arguments", body, plain), body).toBeNull();
  }
});

test("everything else that React would decode in an argument is rejected: files, streams, promises, references, dates", () => {
  for (const text of "$ $1 $0 $@1 $B1 $F1 $h1 $K1 $Q1 $W1 $i1 $n12 $D2027-01-31 $T $S $R1 $0:a:b $NaN1 $undefinedx".split(
    " ",
  )) {
    for (const body of [`["${text}"]`, `[{"a":[{"b":"${text}"}]}]`, `["\\u0024${text.slice(1)}"]`]) {
      expect(checkActionBody("arguments", body, plain), body).toMatchObject({ code: "body_unreadable" });
    }
  }
});

test("anything but a list of arguments is rejected", () => {
  for (const body of ["", "{}", "1", '"a"', "null", "[1", '["a"', "[1]x", "\ufeff[]", "nonsense"]) {
    expect(checkActionBody("arguments", body, plain), body).toMatchObject({ code: "body_unreadable" });
  }
});

test("only a form that has nothing but a button is accepted", () => {
  const type = "multipart/form-data; boundary=----b1";
  const part = (name: string, text = "") =>
    `------b1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const button = part(`$ACTION_ID_${ID}`);
  const end = "------b1--\r\n";
  expect(checkActionBody("button", button + end, type)).toBeNull();
  expect(checkActionBody("button", button + end, 'multipart/form-data; boundary="----b1"')).toBeNull();
  for (const body of [
    "",
    button,
    end,
    button + button + end,
    button + part("x") + end,
    part(`$ACTION_ID_${ID}`, "text") + end,
    part("$ACTION_REF_1") + part("$ACTION_1:0", `{"id":"${ID}","bound":null}`) + end,
    part("0", "[]") + end,
  ]) {
    expect(checkActionBody("button", body, type), body).toMatchObject({ code: "body_unreadable" });
  }
  for (const other of ["multipart/form-data", "multipart/form-data; boundary=b2", "multipart/form-data; boundary="]) {
    expect(checkActionBody("button", button + end, other), other).toMatchObject({ code: "body_unreadable" });
  }
});

test("headers determine how an action is called", () => {
  expect(findActionForm({ "next-action": ID, "content-type": plain })).toBe("arguments");
  expect(findActionForm({ "content-type": "Multipart/Form-Data; boundary=x" })).toBe("button");
  expect(findActionForm({ "content-type": "application/json" })).toBeNull();
  expect(findActionForm({})).toBeNull();
  for (const id of ["", "x", `${ID}0`, `${ID}, ${ID}`, ID.replace("4", "G")]) {
    expect(() => findActionForm({ "next-action": id, "content-type": plain }), id).toThrow("no such server action");
  }
  for (const type of [
    undefined,
    "",
    "application/json",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
  ]) {
    expect(() =>
      findActionForm({ "next-action": ID, ...(type === undefined ? {} : { "content-type": type }) }),
    ).toThrow("text/plain");
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
    expect(() => findActionForm({ ...called, origin }), origin).toThrow("Another site");
  }
  expect(findActionForm({ ...called, origin: "http://desk.example:3000" })).toBe("arguments");
  const forwarded = { ...called, "x-forwarded-host": "shop.example, desk.example:3000" };
  expect(findActionForm({ ...forwarded, origin: "https://shop.example" })).toBe("arguments");
  expect(() => findActionForm({ ...forwarded, origin: "http://desk.example:3000" })).toThrow("Another site");
});
