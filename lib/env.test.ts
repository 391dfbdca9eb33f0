import { expect, test } from "vitest";
import { readEnv } from "./env.ts";

test("an empty environment works", () => {
  expect(readEnv({ NODE_ENV: "test" })).toMatchObject({ DATA_DIR: ".data", HOST: "127.0.0.1", PORT: 3000 });
});

test("an empty variable counts as absent", () => {
  expect(readEnv({ NODE_ENV: "test", PORT: "", DATABASE_URL: "" })).toMatchObject({ PORT: 3000 });
});

test.each([
  ["PORT", "3000x"],
  ["PORT", "65536"],
  ["TRUSTED_PROXIES", "10.0.0.1"],
  ["TRUSTED_PROXIES", "010.0.0.0/8"],
  ["DATABASE_URL", "mysql://somewhere/db"],
  ["API_KEY_PEPPER", "too short"],
  ["LOG_LEVEL", "loud"],
  ["SEND_TIMEOUT_MS", "999"],
  ["RECEIVE_TIMEOUT_MS", "999"],
  ["MAX_CONNECTIONS", "nine"],
  ["MAX_CONNECTIONS_PER_SOURCE", "-1"],
  ["DIAGNOSTICS_LIVE", "maybe"],
  ["WORKER", "maybe"],
  ["WEBHOOK_ALLOW_HTTP", "yes"],
  ["PROVIDER_ALLOW_HTTP", "true"],
  ["DEMO", "1"],
  ["WEBHOOK_ALLOW_CIDRS", "10.0.0.1"],
  ["NEXTAUTH_URL", "somewhere"],
  ["SMTP_URL", "https://mail.example.com"],
  ["MAIL_FROM", "nobody"],
  ["OIDC_ISSUER", "http://login.example.com"],
  ["OIDC_ISSUER", "https://login.example.com/?tenant=7"],
  ["OIDC_NAME", "A name that is too long for any button at all"],
  ["OIDC_ROLES", "example.com=admin:king"],
  ["OIDC_CREATE_USERS", "yes"],
])("a wrong %s is one line that names it and does not show its value", (name, value) => {
  const read = () => readEnv({ NODE_ENV: "test", [name]: value });
  expect(read).toThrow(new RegExp(`^${name} must [^\n]*$`));
  expect(read).not.toThrow(value);
});

test("every wrong variable is named", () => {
  expect(() => readEnv({ NODE_ENV: "test", PORT: "x", LOG_LEVEL: "y" })).toThrow(/^PORT .*\nLOG_LEVEL .*$/);
});

test("a mail server needs a sender", () => {
  expect(() => readEnv({ NODE_ENV: "test", SMTP_URL: "smtp://mail.example.com" })).toThrow(/^MAIL_FROM must be set/);
});

test("an issuer needs a client and its secret, and creating users needs roles", () => {
  const env = { NODE_ENV: "test", OIDC_ISSUER: "http://127.0.0.1:9/", OIDC_CREATE_USERS: "on" } as const;
  expect(() => readEnv(env)).toThrow(
    /^OIDC_CLIENT_ID must be set .*\nOIDC_CLIENT_SECRET must be set .*\nOIDC_ROLES must be set .*$/,
  );
});
