/**
 * A JSON number with its literal. `JSON.parse` reads `1.0`, `1e0` and `1` alike; the contract accepts only the last.
 */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}
