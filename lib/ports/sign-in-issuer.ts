/** The OpenID Connect issuer where users may sign in. */
export interface SignInIssuer {
  /** For people. */
  readonly name: string;
  /**
   * Where to send the visitor. `fresh`: the issuer must ask for their credentials again. Null: it is not available.
   * Never throws.
   */
  begin(options: { readonly fresh: boolean }): Promise<{ readonly url: string; readonly checks: IssuerChecks } | null>;
  /** Whom the issuer vouches for. `query`: what the visitor brought back. Never throws. */
  finish(query: string, expected: ExpectedAnswer): Promise<IssuerReply>;
}

export type IssuerReply =
  | { readonly kind: "account"; readonly account: IssuerAccount }
  /** No usable answer in time. */
  | { readonly kind: "unavailable" }
  /** An answer that proves nobody. */
  | { readonly kind: "rejected" };

/** What the answer to one request must match. */
export interface IssuerChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface ExpectedAnswer extends IssuerChecks {
  /** The longest time since the issuer asked for credentials; null: any. */
  readonly maxAgeSeconds: number | null;
}

export interface IssuerAccount {
  /** Its identifier, as in the token. */
  readonly issuer: string;
  /** The account's identifier there, which never changes. */
  readonly subject: string;
  readonly email: string;
  /** The issuer has verified that the address is the account's. */
  readonly emailVerified: boolean;
  /** When the issuer asked for credentials; null: it does not say. */
  readonly authenticatedAt: Date | null;
  readonly name: string;
}
