export interface NewResellerInput {
  readonly name: string;
  readonly currency: string;
  readonly person: string;
  readonly email: string;
  readonly notes: string;
}

/** `oneTimePassword` null: the answer that carried it never arrived. */
export interface ResellerCreated {
  readonly href: string;
  readonly email: string;
  readonly oneTimePassword: string | null;
}

export interface ProfileInput {
  readonly name: string;
  readonly email: string;
  readonly notes: string;
}

/** Days, as typed: "14, 3". */
export interface RenewalInput {
  readonly expiring_soon: string;
  readonly renew_ahead: string;
}
