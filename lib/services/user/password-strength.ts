import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** At least 10⁸ guesses: more than the sign-in allows strangers within a year. */
const MIN_SCORE = 3;
/** Estimating takes longer the longer the text is, and more text makes none easier to guess. */
const ESTIMATED_LENGTH = 64;
const PRODUCT_WORDS = ["license", "licence", "desk", "licensedesk"];

let estimator: Promise<ZxcvbnFactory> | null = null;

/** Its lists of common passwords and words take 30 MB, so they are loaded for the first password that is chosen. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common] = await Promise.all([import("@zxcvbn-ts/core"), import("@zxcvbn-ts/language-common")]);
  return new core.ZxcvbnFactory({
    dictionary: common.dictionary,
    graphs: common.adjacencyGraphs,
    maxLength: ESTIMATED_LENGTH,
  });
}

/** Whether a password is among those that are tried first. `about`: what a guesser knows of its owner. */
export async function isGuessable(password: string, about: readonly string[]): Promise<boolean> {
  estimator ??= loadEstimator();
  const known = about.filter((text) => text.length > 2);
  return (await estimator).check(password, [...known, ...PRODUCT_WORDS]).score < MIN_SCORE;
}
