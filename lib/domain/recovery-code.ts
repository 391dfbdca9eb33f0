import { createReadableSecret } from "./readable-secret.ts";

export const RECOVERY_CODE_COUNT = 10;
/** 74 bits, so hashes need no salt. */
const GROUPS = 3;

export function createRecoveryCodes(randomBytes: (count: number) => Uint8Array): readonly string[] {
  return Array.from({ length: RECOVERY_CODE_COUNT }, () => createReadableSecret(GROUPS, randomBytes));
}

/** Without what users type as they like: case, spaces and dashes. */
export function normalizeRecoveryCode(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, "");
}
