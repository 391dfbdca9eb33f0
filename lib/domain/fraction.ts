/** An exact ratio of integers. The denominator is positive. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export const zero: Fraction = { numerator: 0n, denominator: 1n };

export function integer(value: bigint): Fraction {
  return { numerator: value, denominator: 1n };
}

/** Uses the least common denominator, which keeps long sums small. */
export function addFractions(a: Fraction, b: Fraction): Fraction {
  const scale = b.denominator / greatestCommonDivisor(a.denominator, b.denominator);
  const denominator = a.denominator * scale;
  return {
    numerator: a.numerator * scale + b.numerator * (denominator / b.denominator),
    denominator,
  };
}

export function minFraction(a: Fraction, b: Fraction): Fraction {
  return a.numerator * b.denominator <= b.numerator * a.denominator ? a : b;
}

/** Rounds a non-negative ratio down. */
export function floorFraction({ numerator, denominator }: Fraction): bigint {
  return numerator / denominator;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}
