import { createReadableSecret } from "./readable-secret.ts";

export const RECOVERY_CODE_COUNT = 10;
/** 124 bits, so hashes need neither salt nor stretching. */
const GROUPS = 5;

export function createRecoveryCodes(randomBytes: (count: number) => Uint8Array): readonly string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => createReadableSecret(GROUPS, randomBytes));
}

/** Without what users type as they like: case, spaces and dashes. */
export function normalizeRecoveryCode(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, "");
}

const FEW_CODES = 2;

/** Whether a user with a second factor should replace the recovery codes. */
export function hasFewRecoveryCodes(factors: {
  readonly totpSince: Date | null;
  readonly passkeys: number;
  readonly recoveryCodes: number;
}): boolean {
  return (factors.totpSince !== null || factors.passkeys > 0) && factors.recoveryCodes <= FEW_CODES;
}
