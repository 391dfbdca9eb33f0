/** Free wrong passwords or codes, and how long each further one delays the next attempt. */
export interface SignInAllowance {
  readonly free: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** No attempt is admitted after this many. Default: any number. */
  readonly most?: number;
}

const FIRST_DELAY_MS = 500;

/**
 * What attempts are counted by. `account` and `source` count only unknown devices; a known device is counted by
 * `device`, so strangers cannot delay its user, and by `others` for the account's users who have not signed in on it.
 * `user` counts the current password, asked of a signed-in user, and `choice` the passwords that a user chooses. `code` and
 * `recovery` count second factors, which only someone with the password or a session can try. `issuer` counts what a
 * source sent to the issuer and the issuer rejected, since the source's last account.
 */
export const signInAllowances = {
  account: { free: 10, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 10_000 },
  // May be a whole office.
  source: { free: 30, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 20_000 },
  device: { free: 10, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 10_000 },
  others: { free: 10, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 10_000 },
  user: { free: 10, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 10_000 },
  choice: { free: 10, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 10_000 },
  // Three of a million codes are right at any time, so delays are not enough.
  code: { free: 5, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 10_000, most: 10 },
  recovery: { free: 10, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 10_000 },
  issuer: { free: 30, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 10_000, most: 30 },
} as const satisfies Record<string, SignInAllowance>;

export type AttemptKind = keyof typeof signInAllowances;

/** Attempts expire this long after the last one that was admitted. */
export const SIGN_IN_ATTEMPT_TTL_MS = 3_600_000;

/** Delay after `failures` wrong passwords: 0 while they are free, then doubling. */
export function signInDelayMs(failures: number, { free, firstDelayMs, longestDelayMs }: SignInAllowance): number {
  if (failures < free) return 0;
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - free, 30));
}

/** Whether attempts are refused until `SIGN_IN_ATTEMPT_TTL_MS` after the last one that was admitted. */
export function isUsedUp(failures: number, { most = Number.POSITIVE_INFINITY }: SignInAllowance): boolean {
  return failures >= most;
}
