const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Measures JSON chunk by chunk before it is parsed: a value of a few bytes may take fifty in memory. Malformed JSON is
 * measured the same way.
 */
export class JsonShape {
  /** Maximum nesting depth. */
  deepest = 0;
  /** Number of objects, arrays and members. */
  parts = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  add(piece: Uint8Array): void {
    for (const byte of piece) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === QUOTE) this.#inString = !this.#inString;
      else if (this.#inString) this.#escaped = byte === BACKSLASH;
      else this.#addOutsideString(byte);
    }
  }

  #addOutsideString(byte: number): void {
    switch (byte) {
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        this.parts += 1;
        this.#depth += 1;
        if (this.#depth > this.deepest) this.deepest = this.#depth;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        if (this.#depth > 0) this.#depth -= 1;
        break;
      case COMMA:
        this.parts += 1;
        break;
    }
  }
}
