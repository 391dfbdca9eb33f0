"use client";

/**
 * Names the page that a call is made on by its build and its owner: `31415/7 in test mode:`. The server rejects the call
 * when the session belongs to another owner by now, and renders no page of another build that may show a refusal.
 */
export function pageOwner(): string {
  return `${process.env.BUILD_ID}/${document.querySelector<HTMLElement>("[data-owner]")?.dataset.owner ?? ""}:`;
}

/** Names one attempt of one person, after the owner of its page. crypto.randomUUID is missing on plain http. */
export function newIdempotencyKey(): string {
  const random = [...crypto.getRandomValues(new Uint8Array(16))];
  return `${pageOwner()}${random.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
