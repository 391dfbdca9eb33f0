"use client";

/**
 * Names the page of a call by its build and its owner: `31415/7 in test mode:`. The server rejects the call if the
 * session belongs to another owner by now. After a refusal, it leaves a page of another build as it is.
 */
export function thisPage(): string {
  return `${process.env.BUILD_ID}/${document.querySelector<HTMLElement>("[data-owner]")?.dataset.owner ?? ""}:`;
}

/** Names one attempt of one person, after its page. crypto.randomUUID is missing on plain http. */
export function newIdempotencyKey(): string {
  const random = [...crypto.getRandomValues(new Uint8Array(16))];
  return `${thisPage()}${random.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
