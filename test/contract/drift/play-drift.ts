/** Plays what a check, a preview and updates do about an object that somebody has changed. */
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { createStack, listAt, textAt } from "../../unit/api/api-world.ts";
import type { Change, DriftedObject } from "./drifted-object.ts";
import { openDriven } from "./driven-world.ts";

const openStack = async ({ resources, open }: DriftedObject) => {
  const { provided, changes, goOn, stop } = await open();
  const { world, settle } = openDriven(provided, goOn);
  const template = { heat_template_version: "2018-08-31", resources };
  const path = await createStack(world, "app", { template });
  await settle();
  const status = async () => textAt((await world.send("GET", path)).body, "stack", "stack_status");
  const row = async (member: "physical_resource_id" | "resource_status_reason") =>
    textAt((await world.send("GET", `${path}/resources/it`)).body, "resource", member);
  const send = async (method: string, rest: string, body: JsonObject): Promise<string> => {
    await world.send(method, `${path}${rest}`, body);
    await settle();
    return status();
  };
  return {
    change: (change: Change) => present(changes[change] ?? null, change)(),
    changes: Object.keys(changes),
    status,
    stop,
    id: () => row("physical_resource_id"),
    reason: () => row("resource_status_reason"),
    check: () => send("POST", "/actions", { check: null }),
    update: (more: JsonObject = {}) => send("PATCH", "", more),
    preview: async () => {
      const { body } = await world.send("PATCH", `${path}/preview`, {});
      for (const kind of ["updated", "replaced"] as const) {
        for (const one of listAt(body, "resource_changes", kind)) {
          if (textAt(one, "resource_name") !== "it") continue;
          return `${kind}: ${textAt(one, "change", "reason")}`;
        }
      }
      return "nothing";
    },
  };
};

type Stack = Awaited<ReturnType<typeof openStack>>;

const shortened = (text: string): string =>
  text
    .replace(/(Error|EntityNotFound|NotSupported): resources\.it: /, "")
    .replace(/\(.*?\) could not/, "could not")
    .replace(/\. .*$/, "")
    .replace(/\.$/, "");

/** The check leaves a resource alone when something that it depends on has drifted. */
const NOT_LOOKED_AT = "state changed";
const NOT_SEEN = "not looked at";

const outcome = async (
  stack: Stack,
  change: Change,
  before: string,
  ended: string,
): Promise<string> => {
  if (ended !== "UPDATE_COMPLETE") return "refused";
  const isSame = (await stack.id()) === before;
  const isWell = (await stack.check()) === "CHECK_COMPLETE";
  if (!isWell) return isSame ? "nothing" : "replaced, and not as it was made";
  // A new object may have the same name as the one that is gone.
  if (change === "gone") return "made anew";
  return isSame ? "repaired in place" : "replaced";
};

export interface Played {
  readonly check: string;
  readonly preview: string;
  readonly repair: string;
  readonly converge: string;
}

const played = async <Found>(
  object: DriftedObject,
  change: Change,
  play: (stack: Stack, before: string) => Promise<Found>,
): Promise<Found> => {
  const stack = await openStack(object);
  try {
    if ((await stack.status()) !== "CREATE_COMPLETE") throw new Error(await stack.reason());
    const before = await stack.id();
    stack.change(change);
    return await play(stack, before);
  } finally {
    await stack.stop();
  }
};

export const changesOf = async (object: DriftedObject): Promise<readonly string[]> => {
  const { changes, stop } = await object.open();
  await stop();
  return Object.keys(changes);
};

export const playDrift = async (object: DriftedObject, change: Change): Promise<Played> => ({
  ...(await played(object, change, async (stack, before) => {
    const isWell = (await stack.check()) === "CHECK_COMPLETE";
    const reason = isWell ? "nothing" : shortened(await stack.reason());
    const check = reason === NOT_LOOKED_AT ? NOT_SEEN : reason;
    const preview = shortened(await stack.preview());
    let ended = await stack.update();
    if (check === NOT_SEEN && ended === "UPDATE_COMPLETE") {
      // The repair goes on with the resources that the check could not look at.
      await stack.check();
      ended = await stack.update();
    }
    return { check, preview, repair: await outcome(stack, change, before, ended) };
  })),
  converge: await played(object, change, async (stack, before) =>
    outcome(stack, change, before, await stack.update({ converge: true })),
  ),
});
