"use client";

/** Names the owner of the page that a call is made on: `7 in test mode:`. The server rejects it when the session belongs to another one by now. */
export function pageOwner(): string {
  return `${document.querySelector<HTMLElement>("[data-owner]")?.dataset.owner ?? ""}:`;
}

/** Names one attempt of one person, after the owner of its page. crypto.randomUUID is missing on plain http. */
export function newIdempotencyKey(): string {
  const random = [...crypto.getRandomValues(new Uint8Array(16))];
  return `${pageOwner()}${random.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
