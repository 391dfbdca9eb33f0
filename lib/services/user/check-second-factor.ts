import { recordRefusal, takeRecoveryCode, takeTotpStep } from "#lib/db/user/second-factor.ts";
import type { AttemptSubject } from "#lib/db/user/sign-in-attempt.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { rateLimitSource } from "#lib/domain/source-address.ts";
import { findTotpStep } from "#lib/domain/totp.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { checkPassword, type SignInGate } from "./sign-in-gate.ts";
import { openTotp } from "./totp-secret.ts";

/** What checking a factor needs of a context; nobody is signed in yet. */
export type FactorContext = Pick<ServiceContext, "db" | "now" | "settings">;

export interface GivenCode {
  readonly method: "totp" | "recovery";
  readonly code: string;
}

export interface CodeAttempt extends GivenCode {
  readonly userId: UserId;
  /** The visitor's. */
  readonly address: string;
  /** Separates attempts from those of strangers: a known device, or a session. */
  readonly device: string | null;
}

const attemptKinds = { totp: "code", recovery: "recovery" } as const;
const factorNames = { totp: "authenticator app", recovery: "recovery code" } as const;

/**
 * Whether the code is right; it is used up. Guesses are delayed and bounded; wrong ones are audited.
 * @throws DomainError `unavailable`, `rate_limited`
 */
export async function checkSecondFactor(
  parts: FactorContext,
  attempt: CodeAttempt,
  gate: SignInGate,
): Promise<boolean> {
  const { userId, method, address, device } = attempt;
  const kind = attemptKinds[method];
  const account = String(userId);
  const source = device === null ? rateLimitSource(address) : `${account}:${device}`;
  const subjects: AttemptSubject[] =
    device === null
      ? [
          { kind, name: account },
          { kind: "source", name: source },
        ]
      : [{ kind, name: source }];
  const lane = device === null ? gate.strangers : gate.known;
  const isRight = await checkPassword(parts.db, lane, { account, source, subjects }, async () =>
    (await takeCode(parts, attempt)) ? true : null,
  );
  if (!isRight) await recordRefusal(parts.db, userId, { factor: factorNames[method], address });
  return isRight === true;
}

async function takeCode(parts: FactorContext, { userId, method, code }: CodeAttempt): Promise<boolean> {
  if (method === "recovery") return takeRecoveryCode(parts.db, userId, code);
  const totp = await openTotp(parts, userId);
  if (!totp?.isConfirmed) return false;
  const step = findTotpStep(totp.secret, code.replaceAll(/\s/g, ""), parts.now());
  return step !== null && (await takeTotpStep(parts.db, userId, step));
}
