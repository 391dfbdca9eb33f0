import type * as own from "#app/(dashboard)/settings/actions.ts";
import type { QrCode } from "#lib/domain/qr-code.ts";

/** A place where the reader is signed in. */
export interface SessionLine {
  readonly id: string;
  /** The one that reads this. */
  readonly current: boolean;
  /** "Firefox on Linux". */
  readonly browser: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

/** A secret for an authenticator app that no code has confirmed yet. */
export interface TotpSetup {
  readonly secret: string;
  /** Of the secret. */
  readonly qrCode: QrCode;
}

export interface NewRecoveryCodes {
  readonly recoveryCodes: readonly string[];
}

export interface PasskeyActions {
  readonly start: typeof own.startPasskey;
  readonly add: typeof own.addPasskey;
  readonly remove: typeof own.removePasskey;
}

export interface FactorActions {
  readonly start: typeof own.startTotp;
  readonly confirm: typeof own.confirmTotp;
  readonly remove: typeof own.removeTotp;
  readonly replaceCodes: typeof own.replaceRecoveryCodes;
}
