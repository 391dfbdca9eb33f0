import { expect, test } from "vitest";
import type { Currency } from "./money.ts";
import { insufficientBalance, pastInsufficientBalance } from "./refused-charge.ts";

test("a refused charge that is over names the balance of then, and no amount to top up", () => {
  const { message } = insufficientBalance(1450n, 600n, "USD" as Currency);
  expect(message).toBe("Not enough balance: $14.50 is needed and $8.50 is available. Top up $6.00.");
  const past = (seesWallet: boolean) => pastInsufficientBalance(message, seesWallet);
  expect(past(true)).toBe("Not enough balance: $14.50 is needed and $8.50 was available.");
  expect(past(false)).toBe("Not enough balance: $14.50 is needed.");
});
