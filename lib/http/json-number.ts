/** A number as JSON wrote it. `JSON.parse` makes `1.0`, `1e0` and `1` one number; the contract takes the last alone. */
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
