/** How often a wrong password costs nothing, and how long each one after that makes wait. */
export interface SignInAllowance {
  readonly free: number;
  readonly firstWaitSeconds: number;
  readonly longestWaitSeconds: number;
}

/** An account is somebody's: few mistakes. An address may be an office. */
export const signInAllowances = {
  account: { free: 10, firstWaitSeconds: 60, longestWaitSeconds: 900 },
  address: { free: 100, firstWaitSeconds: 60, longestWaitSeconds: 900 },
} as const satisfies Record<string, SignInAllowance>;

/** Without a new attempt, attempts are forgotten after this long. */
export const SIGN_IN_ATTEMPTS_KEPT_MS = 3_600_000;

/** Seconds to wait after so many wrong passwords in a row: 0 while they are free, then twice as long each time. */
export function signInWaitSeconds(count: number, allowance: SignInAllowance): number {
  const { free, firstWaitSeconds, longestWaitSeconds } = allowance;
  if (count < free) return 0;
  return Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(count - free, 30));
}
