/** When tests begin by the clock of their world. */
export const START = new Date("2027-03-10T12:00:00Z");
