"use client";

/**
 * Names one attempt of one person, and the owner of the page that it was made on: `7 in test mode:3f…`. The server
 * rejects it when the session belongs to another one by now. crypto.randomUUID is missing on plain http.
 */
export function newIdempotencyKey(): string {
  const owner = document.querySelector<HTMLElement>("[data-owner]")?.dataset.owner ?? "";
  const random = [...crypto.getRandomValues(new Uint8Array(16))];
  return `${owner}:${random.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
