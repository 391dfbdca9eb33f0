export const failures = {
  refused: {
    title: "Email or password is wrong",
    description: "Check both and try again.",
  },
  passkey_refused: {
    title: "This passkey was not accepted",
    description: "It may have been removed, or belong to another user. Use another one, or your password.",
  },
  no_passkey: {
    title: "No passkey was used",
    description: "Try again, or sign in another way.",
  },
  busy: {
    title: "The server is too busy to sign you in",
    description: "Nothing was checked. Try again in a few seconds.",
  },
  limited: {
    title: "Too many wrong codes",
    description: "Wait an hour, or use a recovery code.",
  },
  expired: {
    title: "Your password was entered too long ago",
    description: "Enter it again, then the code within 5 minutes.",
  },
  read_only: {
    title: "Sign-in is unavailable at the moment",
    description: "The service is read-only, so no session can be opened. Try again in a minute.",
  },
  issuer_refused: {
    title: "This account has no access",
    description:
      "No user matches your single sign-on account, or its email address is not verified. Ask a License Desk administrator.",
  },
  issuer_other: {
    title: "You signed in as another user",
    description: "Sign in with the account that you use in License Desk.",
  },
  issuer_limited: {
    title: "Too many single sign-ons from your network failed or are under way",
    description: "Try again in a minute; after failures it takes an hour. Or sign in with your password.",
  },
  issuer_unavailable: {
    title: "Single sign-on does not answer",
    description: "Sign in with your password, or try again in a few minutes.",
  },
  issuer_expired: {
    title: "Single sign-on was not completed",
    description: "It was started in another browser, or more than 15 minutes ago. Try again.",
  },
  issuer_rejected: {
    title: "Single sign-on was not accepted",
    description: "It was canceled, or its answer could not be verified. Try again.",
  },
  unreachable: {
    title: "The server did not answer",
    description: "Check your connection and try again.",
  },
} as const satisfies Record<string, { title: string; description: string }>;

export type Failure = keyof typeof failures;

/** In the address of a page after signing in at the issuer. */
export function findFailure(name: unknown): Failure | null {
  return typeof name === "string" && Object.hasOwn(failures, name) ? (name as Failure) : null;
}

/** The first step is done; signing in also asks for one of these. */
export interface SecondStep {
  readonly hasTotp: boolean;
  readonly hasPasskey: boolean;
}

/** Reads `totp,passkey`. */
export function readSecondStep(methods: string): SecondStep {
  const names = methods.split(",");
  return { hasTotp: names.includes("totp"), hasPasskey: names.includes("passkey") };
}
