import { isDeepStrictEqual } from "node:util";
import type { Answer, Call, JsonObject, MarkedObject, Provider } from "#provider/provider.ts";
import { Violation } from "../../simulation/world/violation.ts";

export const REMEMBERED_TYPE = "Decade::Thing";

interface Remembered {
  readonly properties: JsonObject;
  readonly answer: Answer;
}

export class RememberingProvider {
  readonly #objects = new Map<string, MarkedObject>();
  readonly #answers = new Map<string, Remembered>();
  failure: Error | null = null;
  #made = 0;

  #once(call: Call, make: () => Answer): Answer {
    const known = this.#answers.get(call.token);
    const { properties } = call;
    if (known !== undefined) {
      const isSame = call.action === "DELETE" || isDeepStrictEqual(known.properties, properties);
      if (!isSame)
        this.failure ??= new Violation(`S39: the token ${call.token} comes for other work`);
      return known.answer;
    }
    const answer = make();
    this.#answers.set(call.token, { properties, answer });
    return answer;
  }

  get objects(): readonly string[] {
    return [...this.#objects.keys()];
  }

  readonly provider: Provider = {
    provider: 2,
    name: "remembering",
    types: {
      [REMEMBERED_TYPE]: {
        description: "Something that a decade makes",
        tokens: "kept",
        properties: { size: { type: "string", updateAllowed: true } },
        attributes: { size: {} },
        create: async (call) =>
          this.#once(call, () => {
            const physicalId = `thing-${++this.#made}`;
            const { stackId, stackName, resourceName } = call;
            this.#objects.set(physicalId, { physicalId, stackId, stackName, resourceName });
            return { state: "finished", physicalId, attributes: call.properties };
          }),
        update: async (call) =>
          this.#once(call, (): Answer => {
            if (!this.#objects.has(call.physicalId)) return { state: "gone" };
            return { state: "finished", attributes: call.properties };
          }),
        delete: async (call) =>
          this.#once(call, () => {
            this.#objects.delete(call.physicalId);
            return { state: "finished" };
          }),
        marked: async () => [...this.#objects.values()],
      },
    },
  };
}
