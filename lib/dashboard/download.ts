import { AccessEndedError } from "#lib/domain/access-ended.ts";
import type { CsvText } from "#lib/domain/csv.ts";
import { watchSession } from "./session.ts";

export const csvDownload = (fileName: string, pieces: AsyncGenerator<CsvText>): Promise<Response> =>
  download(fileName, "text/csv; charset=utf-8", pieces);

/**
 * A download, streamed in chunks. Awaits the first chunk, so that an early failure is an error response and not a broken
 * file. Canceling the download ends the reading. So does the end of the session or role, which cuts it off: a download
 * lasts as long as its reader takes.
 */
export async function download(fileName: string, type: string, pieces: AsyncGenerator<string>): Promise<Response> {
  const encoder = new TextEncoder();
  const mayContinue = await watchSession();
  let next = await pieces.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next.done) return controller.close();
      controller.enqueue(encoder.encode(next.value));
      if (!(await mayContinue())) throw new AccessEndedError();
      next = await pieces.next();
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
  return new Response(body, {
    headers: {
      "Content-Type": type,
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "private, no-store",
    },
  });
}
