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
