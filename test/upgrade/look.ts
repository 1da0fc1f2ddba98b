import { isJsonObject, type Json } from "#lib/json.ts";
import { at, send } from "../integration/host/host-client.ts";

export const LOOK_MS = 20;
const WAIT_MS_MAX = 30_000;

export const until = async <T>(what: string, look: () => Promise<T | null>): Promise<T> => {
  const give = Date.now() + WAIT_MS_MAX;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    if (Date.now() > give) throw new Error(`${what}: not seen in time`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
};

const list = (document: Json | undefined): readonly Json[] =>
  Array.isArray(document) ? document : [];

export const readStack = async (url: string, name: string): Promise<Json> => {
  const stack = at((await send(url, "GET", `/v1/demo/stacks/${name}`)).body, "stack");
  if (!isJsonObject(stack)) throw new Error(`there is no stack ${name}`);
  const { links, ...rest } = stack;
  return rest;
};

export const readOutput = async (url: string, name: string, key: string): Promise<Json> => {
  const outputs = list(at(await readStack(url, name), "outputs"));
  const found = outputs.find((output) => at(output, "output_key") === key);
  return at(found, "output_value") ?? null;
};

export const readEvents = async (url: string, name: string): Promise<readonly string[]> => {
  const path = `/v1/demo/stacks/${name}/events?sort_dir=asc`;
  return list(at((await send(url, "GET", path)).body, "events")).map((event) =>
    String(at(event, "id")),
  );
};

export const waitForStatus = (url: string, name: string, status: string): Promise<true> =>
  until(`${name} ${status}`, async () =>
    at(await readStack(url, name), "stack_status") === status ? true : null,
  );

export const movedTo = (url: string, signed: string): string => {
  const { pathname, search } = new URL(signed);
  return `${url}${pathname}${search}`;
};

export const readSignalUrls = async (metadataUrl: string): Promise<ReadonlyMap<string, string>> => {
  const { body } = await send("", "GET", metadataUrl);
  return new Map(
    list(at(body, "deployments")).map((deployment) => {
      const inputs = list(at(deployment, "inputs"));
      const signal = inputs.find((input) => at(input, "name") === "deploy_signal_id");
      return [String(at(deployment, "id")), String(at(signal, "value"))] as const;
    }),
  );
};

export const signalDone = async (signalUrl: string): Promise<number> => {
  const result = { deploy_status_code: 0, deploy_stdout: "", deploy_stderr: "", result: "done" };
  return (await send("", "POST", signalUrl, result)).status;
};

export const playAgents = async (
  metadataUrls: readonly string[],
  isOver: () => Promise<boolean>,
): Promise<void> => {
  const answered = new Set<string>();
  await until("the servers' deployments end", async () => {
    for (const metadataUrl of metadataUrls) {
      for (const [id, signalUrl] of await readSignalUrls(metadataUrl)) {
        if (answered.has(id)) continue;
        const moved = movedTo(new URL(metadataUrl).origin, signalUrl);
        if ((await signalDone(moved)) < 300) answered.add(id);
      }
    }
    return (await isOver()) ? true : null;
  });
};
