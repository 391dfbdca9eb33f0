import { type AddressInfo, createServer, type Server } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import { type MailServer, startMailServer } from "#tests/support/mail-server.ts";
import { createSmtpSender, type SmtpLimits } from "./smtp.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function server(): Promise<MailServer> {
  const started = await startMailServer();
  cleanups.push(() => started.close());
  return started;
}

/** Listens, and answers each chunk as told. */
async function bareServer(answer: (text: string) => string | null): Promise<string> {
  const listener = createServer((socket) => {
    socket.on("error", () => {});
    const say = (text: string) => {
      const reply = answer(text);
      if (reply !== null) socket.write(reply);
    };
    say("");
    socket.on("data", (chunk) => say(chunk.toString()));
    cleanups.push(() => socket.destroy());
  });
  return listen(listener);
}

async function listen(listener: Server): Promise<string> {
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => listener.close());
  return `127.0.0.1:${(listener.address() as AddressInfo).port}`;
}

const message = {
  messageId: "8d0b@desk.example.com",
  to: "ada@example.com",
  subject: "Überweisung",
  text: "Hello",
  html: "<p>Hello</p>",
  unsubscribeUrl: "https://desk.example.com/unsubscribe?token=x",
};
const FAST: SmtpLimits = { connectMs: 300, greetingMs: 300, silenceMs: 300, attemptMs: 2_000 };
const sender = (url: string, limits: Partial<SmtpLimits> = {}) =>
  createSmtpSender({ url, from: "Desk <desk@example.com>", limits });

describe("a message", () => {
  test("has both bodies, its own Message-ID, and one-click unsubscribing", async () => {
    const { url, received } = await server();
    expect(await sender(url).send(message)).toEqual({ kind: "accepted" });
    const [{ raw = "", to } = { to: [] }] = received;
    expect(to).toEqual(["ada@example.com"]);
    for (const line of [
      /^From: Desk <desk@example.com>$/m,
      /^Message-ID: <8d0b@desk.example.com>$/m,
      /^List-Unsubscribe: <https:\/\/desk.example.com\/unsubscribe\?token=x>$/m,
      /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m,
      /^Auto-Submitted: auto-generated$/m,
      /^Content-Type: multipart\/alternative;/m,
      /^Content-Type: text\/plain/m,
      /^Content-Type: text\/html/m,
    ]) {
      expect(raw.replaceAll("\r", "")).toMatch(line);
    }
  });

  test("goes to exactly its recipient, whatever the address contains", async () => {
    const { url, received } = await server();
    await sender(url).send({ ...message, to: '"a,b@evil.example"@example.com' });
    await sender(url).send({ ...message, to: "ada@example.com\r\nBcc: eve@example.com" });
    for (const { to, raw } of received) {
      expect(to).toHaveLength(1);
      expect(raw).not.toMatch(/^Bcc:/im);
    }
  });
});

describe("a refusal", () => {
  test.each([
    ["the recipient", { recipient: 550 }, "refused"],
    ["the message", { data: 554 }, "refused"],
    ["the recipient for now", { recipient: 451 }, "failed"],
    ["the message for now", { data: 452 }, "failed"],
  ] as const)("of %s is final only with a 5xx", async (_, behavior, kind) => {
    const mailServer = await server();
    mailServer.behave(behavior);
    const reply = await sender(mailServer.url).send(message);
    expect(reply).toMatchObject({ kind, error: expect.stringContaining("not here") });
  });

  test("that quotes what cannot be stored is kept without it, so the message is not sent again for ever", async () => {
    const address = await bareServer((text) => {
      if (text === "") return "220 here\r\n";
      return text.startsWith("EHLO") ? "250 here\r\n" : "550 no\0body is here\r\n";
    });
    const reply = await sender(`smtp://${address}`).send(message);
    expect(reply).toMatchObject({ error: expect.stringContaining("no\ufffdbody is here") });
  });

  test("of the sign-in is not final: the operator repairs it", async () => {
    const address = await bareServer((text) => {
      if (text === "") return "220 here\r\n";
      return text.startsWith("EHLO") ? "250-here\r\n250 AUTH PLAIN\r\n" : "535 wrong password\r\n";
    });
    expect(await sender(`smtp://user:secret@${address}`).send(message)).toMatchObject({ kind: "failed" });
  });
});

describe("an attempt ends by itself", () => {
  test.each([
    ["nobody listens", () => "127.0.0.1:9"],
    ["there is no greeting", () => bareServer(() => null)],
    ["the server falls silent", () => bareServer((text) => (text === "" ? "220 here\r\n" : null))],
  ])("if %s", async (_, address) => {
    const startedAtMs = performance.now();
    expect(await sender(`smtp://${await address()}`, FAST).send(message)).toMatchObject({ kind: "failed" });
    expect(performance.now() - startedAtMs).toBeLessThan(3_000);
  });

  test("if the server keeps answering without an end", async () => {
    const drip = createServer((socket) => {
      socket.on("error", () => {});
      const timer = setInterval(() => socket.write("220-still here\r\n"), 50);
      socket.on("close", () => clearInterval(timer));
    });
    const address = await listen(drip);
    const limits = { connectMs: 60_000, greetingMs: 60_000, silenceMs: 60_000, attemptMs: 500 };
    const startedAtMs = performance.now();
    expect(await sender(`smtp://${address}`, limits).send(message)).toMatchObject({ kind: "failed" });
    expect(performance.now() - startedAtMs).toBeLessThan(3_000);
  });

  test("a check too, whose connection ends with it, if the server never ends its answers", async () => {
    const ended = Promise.withResolvers<void>();
    const endless = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("220 here\r\n");
      const timer = setInterval(() => socket.write("250-still here\r\n"), 50);
      socket.on("close", () => {
        clearInterval(timer);
        ended.resolve();
      });
    });
    const address = await listen(endless);
    expect(await sender(`smtp://${address}`, { attemptMs: 500 }).check()).toContain("in time");
    await ended.promise;
  });

  test("a check with its verdict on connection and sign-in", async () => {
    const right = await server();
    expect(await sender(right.url).check()).toBeNull();
    expect(await sender("smtp://127.0.0.1:9", FAST).check()).toContain("ECONNREFUSED");
    const address = await bareServer((text) => {
      if (text === "") return "220 here\r\n";
      return text.startsWith("EHLO") ? "250-here\r\n250 AUTH PLAIN\r\n" : "535 wrong password\r\n";
    });
    expect(await sender(`smtp://user:secret@${address}`).check()).toContain("535 wrong password");
  });

  test("and is not accepted if the connection breaks before the server's answer", async () => {
    const mailServer = await server();
    mailServer.behave("drop");
    expect(await sender(mailServer.url).send(message)).toMatchObject({ kind: "failed" });
    expect(mailServer.received).toHaveLength(1);
  });
});

test("encryption is required beyond this machine, and certificates are checked", async () => {
  const plain = await server();
  const port = new URL(plain.url).port;
  // A name of this machine that is not known to be one.
  const elsewhere = await sender(`smtp://127.0.0.2:${port}`).send(message);
  expect(elsewhere.kind).toBe("failed");
  expect(plain.received).toEqual([]);
  const address = await startTlsServer();
  expect(await sender(`smtps://${address}`).send(message)).toMatchObject({
    kind: "failed",
    error: expect.stringMatching(/certificate/i),
  });
});

/** With the certificate of `smtp-server`, which nobody vouches for. */
async function startTlsServer(): Promise<string> {
  const tlsServer = new SMTPServer({ secure: true, authOptional: true, closeTimeout: 100 });
  tlsServer.on("error", () => {});
  return listen(tlsServer.server);
}
