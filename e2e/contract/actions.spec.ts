import { type BuiltAction, listActions } from "../support/build.ts";
import { newSession } from "../support/session.ts";
import { expect, test } from "../support/test.ts";

/** Arguments as no page sends them, each in the place of every argument. */
const oddArguments = [
  ...['"$undefined"', "null", "-1.5", '""', "[]", '{"toString":1,"valueOf":1}', '"a\\u0000b"', '"\\ud800"'],
];
interface Answer {
  readonly status: number;
  readonly text: string;
}

async function call(url: string, action: BuiltAction, cookie: string, body: string): Promise<Answer> {
  const answer = await fetch(url + action.page, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: url, "next-action": action.id, "content-type": "text/plain;charset=UTF-8" },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

test("every server action answers whatever its arguments are, and says what is wrong: no 5xx, no internal error", async ({
  apiUrl,
  reseller,
}) => {
  test.setTimeout(240_000);
  const broken: string[] = [];
  test.skip(test.info().project.name === "api-next", "Server actions are Next's, whoever serves them.");
  for (const cookie of ["", await newSession(reseller.resellerId), await newSession(null)]) {
    for (const action of listActions().filter(({ name }) => !name.endsWith(" signOut"))) {
      for (const odd of cookie === "" ? oddArguments.slice(0, 1) : oddArguments) {
        const { status, text } = await call(apiUrl, action, cookie, `[${[odd, odd, odd].join()}]`);
        if (status >= 500 || text.includes('"code":"internal"')) broken.push(`${action.name} ${odd} → ${status}`);
      }
    }
  }
  expect(broken).toEqual([]);
});
