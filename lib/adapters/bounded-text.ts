/** What a response's body says. Null if longer than allowed; the rest is not read, and its connection ends. */
export async function readBoundedText(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | null> {
  const collected: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    // Leaving the loop destroys the body and its connection.
    if (size > maxBytes) return null;
    collected.push(chunk);
  }
  return Buffer.concat(collected).toString("utf8");
}
