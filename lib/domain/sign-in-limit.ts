/** How many wrong passwords cost nothing, and how long each one after that delays the next attempt. */
export interface SignInAllowance {
  readonly free: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

const FIRST_DELAY_MS = 500;

/**
 * What attempts are counted by. `account` and `source` count strangers alone. Somebody on a known device is counted by
 * that device, so strangers cannot delay them. `user` counts the current password, asked of somebody who is signed in.
 */
export const signInAllowances = {
  account: { free: 10, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 10_000 },
  // May be an office.
  source: { free: 30, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 20_000 },
  device: { free: 10, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 10_000 },
  user: { free: 10, firstDelayMs: FIRST_DELAY_MS, longestDelayMs: 10_000 },
} as const satisfies Record<string, SignInAllowance>;

export type AttemptKind = keyof typeof signInAllowances;

/** Without a new attempt, attempts are forgotten after this long. */
export const SIGN_IN_ATTEMPTS_KEPT_MS = 3_600_000;

/** The delay of an attempt after so many wrong passwords: 0 while they are free, then twice as long each time. */
export function signInDelayMs(failures: number, { free, firstDelayMs, longestDelayMs }: SignInAllowance): number {
  if (failures < free) return 0;
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - free, 30));
}
