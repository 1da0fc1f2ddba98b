/** A provider whose objects are counted. It keeps tokens, or can search for them, or neither. */
import type { Answer, Call, Provider, TokenPolicy } from "#provider/provider.ts";

export const COUNTED = "My::Counted";
export const CALL_SECONDS_MAX = 1;

export interface Counted {
  readonly provider: Provider;
  readonly objects: Map<string, string>;
  readonly calls: string[];
  readonly delaysMs: number[];
}

const idOf = (objects: ReadonlyMap<string, string>, token: string): string | undefined =>
  [...objects].find(([, one]) => one === token)?.[0];

export const countingProvider = (tokens: TokenPolicy): Counted => {
  const objects = new Map<string, string>();
  const calls: string[] = [];
  const delaysMs: number[] = [];
  let made = 0;
  const create = async ({ token }: Call): Promise<Answer> => {
    calls.push("create");
    await new Promise((resolve) => setTimeout(resolve, delaysMs.shift() ?? 0));
    const kept = tokens === "kept" ? idOf(objects, token) : undefined;
    made += 1;
    const physicalId = kept ?? `object-${made}`;
    objects.set(physicalId, token);
    return { state: "finished", physicalId };
  };
  const find = async ({ token }: Call): Promise<Answer | null> => {
    calls.push("find");
    const physicalId = idOf(objects, token);
    return physicalId === undefined ? null : { state: "finished", physicalId };
  };
  const type = {
    description: "A thing that is counted.",
    properties: {
      size: { type: "integer", updateAllowed: true },
      password: { type: "string", secret: true },
    },
    tokens,
    callSecondsMax: CALL_SECONDS_MAX,
    create,
    update: async ({ physicalId }: Call): Promise<Answer> => {
      calls.push("update");
      return { state: objects.has(physicalId ?? "") ? "finished" : "gone" };
    },
    delete: async ({ physicalId }: Call): Promise<Answer> => {
      calls.push("delete");
      objects.delete(physicalId ?? "");
      return { state: "finished" };
    },
    ...(tokens === "searchable" ? { find } : {}),
    list: async () => [...objects.keys()],
  } as const;
  const provider: Provider = { provider: 1, name: "counted", types: { [COUNTED]: type } };
  return { provider, objects, calls, delaysMs };
};
