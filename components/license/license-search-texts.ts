/** For a field that searches licenses. */
export const licenseSearchTexts = {
  noun: ["license", "licenses"],
  tip: "Try an address, a product, a customer, an ID, or the end of a key.",
} as const;
