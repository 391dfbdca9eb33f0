import { createTransport, type Transporter } from "nodemailer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { clip, toStorable } from "#lib/domain/text.ts";
import type { MailReply, MailSender, OutgoingMail } from "#lib/ports/mail-sender.ts";

export interface SmtpOptions {
  /** `smtp://` begins in plain text and requires STARTTLS, except on this machine; `smtps://` is encrypted throughout. */
  readonly url: string;
  /** `Name <address>`, or an address. */
  readonly from: string;
  readonly limits?: Partial<SmtpLimits>;
}

export interface SmtpLimits {
  readonly connectMs: number;
  readonly greetingMs: number;
  /** Silence on the connection. */
  readonly silenceMs: number;
  /** The whole attempt. */
  readonly attemptMs: number;
}

const LIMITS: SmtpLimits = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 20_000, attemptMs: 60_000 };
const MAX_ERROR_LENGTH = 300;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Sends by SMTP, each message on its own connection. */
export function createSmtpSender({ url, from, limits = {} }: SmtpOptions): MailSender {
  const { connectMs, greetingMs, silenceMs, attemptMs } = { ...LIMITS, ...limits };
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const auth = username === "" ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const connection = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !LOOPBACK.has(hostname),
    ignoreTLS: !secure && LOOPBACK.has(hostname),
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
    dnsTimeout: connectMs,
  };
  const transport = createTransport({
    ...connection,
    ...(auth && { auth }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: (message) => attempt(transport, from, message, AbortSignal.timeout(attemptMs)),
    check: () => verify(connection, auth, AbortSignal.timeout(attemptMs)).catch(explain),
  };
}

/** As `verify` of the transport, which takes no signal and would keep the connection of a server that never ends. */
function verify(
  options: SMTPConnection.Options,
  auth: { readonly user: string; readonly pass: string } | null,
  signal: AbortSignal,
): Promise<null> {
  const connection = new SMTPConnection(options);
  return new Promise<null>((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("the server does not finish its answers in time")));
    connection.once("error", reject);
    connection.once("end", () => reject(new Error("Connection closed")));
    const done = (error?: Error | null) => (error ? reject(error) : resolve(null));
    connection.connect((error) => {
      if (!error && auth !== null && connection.allowsAuth) connection.login({ ...auth, credentials: auth }, done);
      else done(error);
    });
  }).finally(() => connection.close());
}

async function attempt(
  transport: Transporter,
  from: string,
  { messageId, to, subject, text, html, unsubscribeUrl }: OutgoingMail,
  signal: AbortSignal,
): Promise<MailReply> {
  try {
    await transport.sendMail({
      from,
      to: { name: "", address: to },
      messageId: `<${messageId}>`,
      subject,
      text,
      html,
      headers: {
        "Auto-Submitted": "auto-generated",
        ...(unsubscribeUrl === null
          ? {}
          : { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
      },
      signal,
    });
    return { kind: "accepted" };
  } catch (error) {
    return { kind: isRefusal(error) ? "refused" : "failed", error: explain(error) };
  }
}

/** The recipient or the message was refused for good; a refused sender or sign-in is the operator's to repair. */
function isRefusal(error: unknown): boolean {
  const { responseCode, command } = Object(error);
  return responseCode >= 500 && (command === "RCPT TO" || command === "DATA");
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return toStorable(clip(message.replaceAll(/\s+/g, " "), MAX_ERROR_LENGTH));
}
