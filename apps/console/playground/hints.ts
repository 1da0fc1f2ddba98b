/** The stream of changes that a host sends, for a page that is its own host. */

export interface Hints {
  open(signal: AbortSignal | null): Response;
  tell(): void;
}

type Reader = ReadableStreamDefaultController<Uint8Array>;

const eventBytes = (name: string, data: object): Uint8Array =>
  new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

export const openHints = (): Hints => {
  const readers = new Set<Reader>();
  return {
    open: (signal) => {
      let own: Reader | null = null;
      const body = new ReadableStream<Uint8Array>({
        start: (reader) => {
          own = reader;
          readers.add(reader);
          reader.enqueue(eventBytes("open", { steps: true }));
          signal?.addEventListener("abort", () => {
            readers.delete(reader);
            reader.error(signal.reason);
          });
        },
        cancel: () => {
          if (own !== null) readers.delete(own);
        },
      });
      return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    },
    tell: () => {
      for (const reader of readers) reader.enqueue(eventBytes("change", { all: true }));
    },
  };
};
