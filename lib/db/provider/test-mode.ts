/** Name of the provider of test mode, in the row that every database has. */
export const TEST_PROVIDER = "test mode";

/** The provider that carries out what the reseller `r` orders of the product `p`: in a sandbox, the one of test mode. */
export const providerOf = `case when r.sandbox_of is null then p.provider else '${TEST_PROVIDER}' end`;
