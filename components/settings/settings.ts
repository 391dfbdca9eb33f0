import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import type { OnceAction } from "#lib/domain/action-result.ts";
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
  readonly start: OnceAction<undefined, PublicKeyCredentialCreationOptionsJSON>;
  readonly add: OnceAction<{ readonly name: string; readonly registration: string }, NewRecoveryCodes>;
  readonly remove: OnceAction<{ readonly passkey_id: string }>;
}

export interface FactorActions {
  readonly start: OnceAction<undefined, TotpSetup>;
  readonly confirm: OnceAction<{ readonly secret: string; readonly code: string }, NewRecoveryCodes>;
  readonly remove: OnceAction<Record<never, never>>;
  readonly replaceCodes: OnceAction<Record<never, never>, NewRecoveryCodes>;
}
