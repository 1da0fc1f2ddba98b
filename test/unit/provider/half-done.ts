/** A provider whose changes stop half-way: `first` is set, and a `second` that is "bad" is not. */
import type { Answer, JsonObject, ObjectCall, ProvidedType, Provider } from "#provider/provider.ts";

export const HALF = "My::Half";

export interface HalfDone {
  readonly provider: Provider;
  readonly objects: Map<string, JsonObject>;
  readonly repairs: boolean[];
}

const REFUSED: Answer = { state: "failed", reason: "second is bad" };

const isSame = (one: JsonObject | null | undefined, other: JsonObject): boolean =>
  one?.["first"] === other["first"] && one?.["second"] === other["second"];

const set = (objects: HalfDone["objects"], id: string, wanted: JsonObject): Answer => {
  objects.set(id, { ...objects.get(id), first: wanted["first"] ?? null });
  if (wanted["second"] === "bad") return { ...REFUSED, physicalId: id };
  objects.set(id, { ...wanted });
  return { state: "finished", physicalId: id };
};

export const halfDone = (changes: (objects: HalfDone["objects"]) => Partial<ProvidedType>) => {
  const objects: HalfDone["objects"] = new Map();
  const repairs: boolean[] = [];
  const update = async ({ physicalId, properties, repairs: isRepair }: ObjectCall) => {
    repairs.push(isRepair === true);
    const answer: Answer = objects.has(physicalId)
      ? set(objects, physicalId, properties)
      : { state: "gone" };
    return answer;
  };
  const type: ProvidedType = {
    description: "A thing of two parts.",
    properties: {
      first: { type: "string", updateAllowed: true },
      second: { type: "string", updateAllowed: true },
    },
    tokens: "kept",
    create: async ({ token, properties }) => set(objects, `half of ${token}`, properties),
    update,
    repairable: true,
    delete: async ({ physicalId }) => {
      objects.delete(physicalId);
      return { state: "finished" };
    },
    check: async ({ physicalId, properties }) => {
      if (!objects.has(physicalId)) return { state: "gone" };
      return isSame(objects.get(physicalId), properties)
        ? { state: "finished" }
        : { state: "failed", reason: "it has other properties" };
    },
    list: async () => [...objects.keys()],
    ...changes(objects),
  };
  const provider: Provider = { provider: 2, name: "halves", types: { [HALF]: type } };
  return { provider, objects, repairs };
};
