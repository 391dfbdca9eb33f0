/** For `addInitScript`: half of a page that comes with an action's answer arrives later than the answer. */
export function delayPagesAfterAnswers(delayMs: number): void {
  const fetchAtOnce = window.fetch;
  window.fetch = async (...request) => {
    const response = await fetchAtOnce(...request);
    if (!response.headers.has("x-action-revalidated")) return response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const end = bytes.length / 2;
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(bytes.slice(0, end));
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        controller.enqueue(bytes.slice(end));
        controller.close();
      },
    });
    return new Response(body, response);
  };
}
