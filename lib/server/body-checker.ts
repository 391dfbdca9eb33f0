import { DomainError } from "#lib/domain/errors.ts";
import { checkActionBody } from "./action-request.ts";
import { JsonShape } from "./json-shape.ts";

/** Deeper than the arguments of any server action. */
const MAX_JSON_DEPTH = 32;
/** The largest server action has 10,000 ids. */
const MAX_JSON_PARTS = 50_000;
/** Bodies up to this size are always accepted. */
const SMALL_BODY_BYTES = 64 * 1024;
const RETRY_AFTER_S = 2;

/** Bytes of larger bodies in memory, across all connections. */
export interface BodyBudget {
  heldBytes: number;
  readonly maxBytes: number;
}

export interface BodyRules {
  readonly maxBytes: number;
  readonly json: boolean;
  readonly callsAction: boolean;
  readonly budget: BodyBudget;
}

/** Checks a body chunk by chunk. Each check returns a problem or null. */
export class BodyChecker {
  readonly #rules: BodyRules;
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  readonly #shape = new JsonShape();
  #sizeBytes = 0;
  #heldBytes = 0;
  #text = "";

  constructor(rules: BodyRules) {
    this.#rules = rules;
  }

  /** @param sizeBytes of the body, as far as known */
  checkSize(sizeBytes: number): DomainError | null {
    const { maxBytes, budget } = this.#rules;
    if (sizeBytes > maxBytes) return new DomainError("body_too_large", `The body is larger than ${maxBytes} bytes.`);
    const more = sizeBytes - this.#heldBytes;
    if (sizeBytes <= SMALL_BODY_BYTES || more <= 0) return null;
    if (budget.heldBytes + more > budget.maxBytes) {
      const options = { retryAfterSeconds: RETRY_AFTER_S };
      return new DomainError("unavailable", "The server is receiving too much data at the moment. Try again.", options);
    }
    budget.heldBytes += more;
    this.#heldBytes += more;
    return null;
  }

  add(piece: Uint8Array): DomainError | null {
    this.#sizeBytes += piece.byteLength;
    return this.checkSize(this.#sizeBytes) ?? this.#checkText(piece) ?? this.#checkShape(piece);
  }

  end(): DomainError | null {
    return this.#checkText() ?? (this.#rules.callsAction ? checkActionBody(this.#text) : null);
  }

  /** Called once the body has left memory. */
  release(): void {
    this.#rules.budget.heldBytes -= this.#heldBytes;
    this.#heldBytes = 0;
    this.#text = "";
  }

  #checkText(piece?: Uint8Array): DomainError | null {
    try {
      const text = this.#utf8.decode(piece, { stream: piece !== undefined });
      if (this.#rules.callsAction) this.#text += text;
      return null;
    } catch (cause) {
      return new DomainError("body_unreadable", "The body is not valid UTF-8.", { cause });
    }
  }

  #checkShape(piece: Uint8Array): DomainError | null {
    if (!this.#rules.json) return null;
    this.#shape.add(piece);
    const { deepest, parts } = this.#shape;
    if (deepest > MAX_JSON_DEPTH) return new DomainError("body_unreadable", "The body is nested too deeply.");
    return parts > MAX_JSON_PARTS ? new DomainError("body_too_large", "The body has too many values.") : null;
  }
}
