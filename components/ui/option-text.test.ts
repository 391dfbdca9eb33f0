import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Checkbox } from "./checkbox.tsx";
import { Switch } from "./switch.tsx";

test.each([
  ["checkbox", Checkbox],
  ["switch", Switch],
])("a %s is described by its field's problem and by its hint", (_, control) => {
  const html = renderToStaticMarkup(createElement(control, { label: "L", hint: "H", "aria-describedby": "problem" }));
  const [, hintId] = html.match(/id="([^"]*)">H</) ?? [];
  expect(html).toContain(`aria-describedby="problem ${hintId}"`);
});
