import { Layout, type LayoutRequest } from "./graph-layout-shape.ts";

let worker: Worker | null = null;
let last: Promise<unknown> = Promise.resolve();

const ask = (request: LayoutRequest): Promise<Layout> =>
  new Promise((resolve, reject) => {
    worker ??= new Worker(new URL("./layout-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => resolve(Layout.parse(data));
    worker.onerror = () => reject(new Error("The graph could not be laid out."));
    worker.postMessage(request);
  });

/** One request at a time, because an answer does not say which request it belongs to. */
export const askLayout = (request: LayoutRequest): Promise<Layout> => {
  const turn = last.then(() => ask(request));
  last = turn.catch(() => undefined);
  return turn;
};
