import type { JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";

export interface Known {
  readonly name: string;
  id: string | null;
  sent: number;
  answered: number;
  isDeleteSent: boolean;
  isDeleteAnswered: boolean;
  isSignalled: boolean;
  shown: { readonly version: number; readonly isGone: boolean } | null;
}

export const unknown = (name: string): Known => ({
  name,
  id: null,
  sent: 0,
  answered: 0,
  isDeleteSent: false,
  isDeleteAnswered: false,
  isSignalled: false,
  shown: null,
});

const THINGS_MIN = 2;
const THINGS_MORE = 5;
const KEYS = 3;
export const HANDLE = "handle";

/** Resources of one version. Some wait for the one before, and the next version replaces some. */
export const templateOf = (version: number, random: Random): JsonObject => {
  const count = THINGS_MIN + random.below(THINGS_MORE);
  const things = Array.from({ length: count }, (_, at): [string, JsonObject] => {
    const key = String(random.below(KEYS));
    const waits = at > 0 && random.below(2) === 0 ? { depends_on: `thing${at - 1}` } : {};
    const properties = { key, value: String(version) };
    return [`thing${at}`, { type: "World::Thing", properties, ...waits }];
  });
  return {
    heat_template_version: "2021-04-16",
    resources: {
      ...Object.fromEntries(things),
      [HANDLE]: { type: "OS::Heat::WaitConditionHandle" },
      condition: {
        type: "OS::Heat::WaitCondition",
        properties: { handle: { get_resource: HANDLE }, timeout: 600 },
      },
    },
    outputs: { version: { value: String(version) } },
  };
};
