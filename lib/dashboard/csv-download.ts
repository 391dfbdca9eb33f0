import type { CsvText } from "#lib/domain/csv.ts";

/**
 * CSV as a file to keep, sent piece by piece as it is made. The first piece is awaited here: what fails before it is an
 * error of the caller's and not a broken file. Whoever breaks the download off ends the reading, too.
 */
export async function csvDownload(fileName: string, pieces: AsyncGenerator<CsvText>): Promise<Response> {
  const encoder = new TextEncoder();
  let next = await pieces.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next.done) return controller.close();
      controller.enqueue(encoder.encode(next.value));
      next = await pieces.next();
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "private, no-store",
    },
  });
}
