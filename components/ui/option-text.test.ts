import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Checkbox } from "./checkbox.tsx";

test("a checkbox is described by its field's problem and by its hint", () => {
  const html = renderToStaticMarkup(createElement(Checkbox, { label: "L", hint: "H", "aria-describedby": "problem" }));
  const [, hintId] = html.match(/id="([^"]*)">H</) ?? [];
  expect(html).toContain(`aria-describedby="problem ${hintId}"`);
});
