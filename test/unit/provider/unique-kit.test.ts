import { expect, it } from "vitest";
import { checkProvider } from "#provider/kit/check-provider.ts";
import type { Answer, ObjectCall, ProvidedType } from "#provider/provider.ts";

const TYPE = "My::Named";

type Taken = "refuses" | "refuses with its id" | "makes another" | "gives it";

const named = (taken: Taken, uniqueBy?: readonly string[]): ProvidedType => {
  const objects = new Map<string, string>();
  const delete_ = async ({ physicalId }: ObjectCall): Promise<Answer> => {
    objects.delete(physicalId);
    return { state: "finished" };
  };
  return {
    description: "An object with a name.",
    properties: { name: { type: "string" }, size: { type: "integer", default: 1 } },
    tokens: "kept",
    uniqueBy,
    create: async ({ token, properties }) => {
      const other = [...objects].find(
        ([id, name]) => name === properties["name"] && id !== token,
      )?.[0];
      const reason = "the name exists";
      if (other === undefined || taken === "makes another") {
        objects.set(token, String(properties["name"]));
        return { state: "finished", physicalId: token };
      }
      if (taken === "gives it") return { state: "finished", physicalId: other };
      return taken === "refuses"
        ? { state: "failed", reason }
        : { state: "failed", reason, physicalId: other };
    },
    delete: delete_,
    list: async () => [...objects.keys()],
  };
};

const play = async (type: ProvidedType, replacement?: string): Promise<string> => {
  const results = await checkProvider({
    load: async () => ({ provider: 2, name: "names", types: { [TYPE]: type } }),
    type: TYPE,
    properties: { name: "one" },
    replacement: replacement === undefined ? undefined : { name: replacement },
  });
  const found = results.find(({ name }) => name === "replacement");
  return `${found?.verdict}: ${found?.text}`;
};

const DECLARED = ["name"];
const STOLEN = "failed: a create that failed gave the physical id of another resource's object";
const UNTRUE = "failed: uniqueBy says name, and create makes another object of the same name";

it.each<[string, Taken, readonly string[] | undefined, string | undefined, string]>([
  [
    "declared",
    "refuses",
    DECLARED,
    undefined,
    "passed: a second object beside the first one is refused",
  ],
  [
    "declared, with another name",
    "refuses",
    DECLARED,
    "two",
    "passed: the new object has outlived the old one",
  ],
  ["declared, and untrue", "makes another", DECLARED, "two", UNTRUE],
  ["declared, and given away", "gives it", DECLARED, undefined, UNTRUE],
  ["declared, and its object would be deleted", "refuses with its id", DECLARED, "two", STOLEN],
  [
    "undeclared, and its object would be deleted",
    "refuses with its id",
    undefined,
    undefined,
    STOLEN,
  ],
  [
    "undeclared",
    "refuses",
    undefined,
    undefined,
    "passed: a second object beside the first one is refused. If its name is taken, declare the name with uniqueBy. Both have the same: name",
  ],
  [
    "undeclared, and free",
    "makes another",
    undefined,
    undefined,
    "passed: the new object has outlived the old one",
  ],
])("a name that is %s", async (_what, taken, uniqueBy, replacement, verdict) => {
  expect(await play(named(taken, uniqueBy), replacement)).toBe(verdict);
});
