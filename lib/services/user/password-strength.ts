import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** At least 10⁸ guesses, more than sign-in allows strangers within a year. */
const MIN_SCORE = 3;
/** Longer texts take longer to estimate, and are no easier to guess. */
const ESTIMATED_LENGTH = 64;
const PRODUCT_WORDS = ["license", "licence", "desk", "licensedesk"];

let estimator: Promise<ZxcvbnFactory> | null = null;

/** Loaded on first use: the lists of common passwords and words take 30 MB. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import("@zxcvbn-ts/core"), import("@zxcvbn-ts/language-common")]);
  return new core.ZxcvbnFactory({
    dictionary: common.dictionary,
    graphs: common.adjacencyGraphs,
    maxLength: ESTIMATED_LENGTH,
  });
}

/** Whether a password is easy to guess. `about`: facts about its owner. */
export async function isGuessable(password: string, about: readonly string[]): Promise<boolean> {
  estimator ??= loadEstimator();
  const known = about.filter((text) => text.length > 2);
  return (await estimator).check(password, [...known, ...PRODUCT_WORDS]).score < MIN_SCORE;
}
