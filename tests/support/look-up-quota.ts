/** A quota without a limit, for tests of other things. */
export const anyLookUp = { source: "198.51.100.1", allowLookUp: () => true };
