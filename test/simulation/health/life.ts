/** A stack of objects that people change, stop and remove, and what a user can ask about it. */
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import { healthOf } from "#lib/model/health.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import { createStack, listAt, openWorld, textAt } from "#test/unit/api/api-world.ts";
import { DISK, MACHINE, type Machine, openMachines } from "#test/unit/provider/machines.ts";

export const DRIFTS = ["differs", "stops", "vanishes", "hides"] as const;
/** What happens to the object behind the stack's back. "hides": its next look fails. */
export type Drift = (typeof DRIFTS)[number];

export const VERBS = [
  "check",
  "suspend",
  "resume",
  "update",
  "grow",
  "converge",
  "mark",
  "delete",
] as const;
export type Verb = (typeof VERBS)[number];

/** A request, perhaps with a drift after the first of its messages. */
export interface Ask {
  readonly verb: Verb;
  readonly amid?: Drift;
}

export type Move = Ask | { readonly drift: Drift };

export const KINDS = { machine: MACHINE, disk: DISK } as const;
export type Kind = keyof typeof KINDS;

const SIZES = ["small", "large"] as const;

const templateOf = (type: string, size: string) => ({
  heat_template_version: "2018-08-31",
  resources: { m: { type, properties: { size, image: "first" } } },
});

/** A request that has not ended after so many messages never ends. */
const STEPS_MAX = 100;

/** What a request has done. */
export interface Done {
  /** Null: it was refused. */
  readonly state: string | null;
  readonly reason: string;
  /** Of the provider's functions, in order. */
  readonly calls: readonly string[];
  /** By the preview before it: what becomes of the resource. Null: it was not asked. */
  readonly foreseen: { readonly kind: string; readonly reason: string } | null;
}

const openStack = async (kind: Kind) => {
  const { provider, machines, calls, faults } = openMachines();
  const types = Object.entries(provider.types).map(([name, type]) =>
    providedType({ provider: provider.name, name, type, limit: callLimit(), now: () => 0 }),
  );
  const world = openWorld(undefined, { types, formerProvider: () => null });
  const type = KINDS[kind];
  const size = { at: 0 };
  const path = await createStack(world, "app", { template: templateOf(type, SIZES[0]) });
  await world.settle();
  calls.length = 0;
  return { world, path, type, size, machines, calls, faults };
};

type Opened = Awaited<ReturnType<typeof openStack>>;

const asking = ({ world, path, type, size, calls }: Opened, drift: (which: Drift) => void) => {
  const stack = async () => (await world.send("GET", path)).body;
  const bodyOf = (verb: Verb) => {
    if (verb === "converge") return { converge: true };
    if (verb !== "grow") return {};
    return { template: templateOf(type, SIZES[(size.at + 1) % SIZES.length] ?? SIZES[0]) };
  };

  const send = (verb: Verb) => {
    switch (verb) {
      case "check":
      case "suspend":
      case "resume":
        return world.send("POST", `${path}/actions`, { [verb]: null });
      case "mark":
        return world.send("PATCH", `${path}/resources/m`, { mark_unhealthy: true });
      case "delete":
        return world.send("DELETE", path);
      default:
        return world.send("PATCH", path, bodyOf(verb));
    }
  };

  const foresee = async (verb: Verb): Promise<Done["foreseen"]> => {
    const { status, body } = await world.send("PATCH", `${path}/preview`, bodyOf(verb));
    if (status !== 200) return null;
    for (const found of ["updated", "replaced", "unchanged"]) {
      const [one] = listAt(body, "resource_changes", found);
      if (one === undefined) continue;
      const reason = JSON.stringify(one).match(/"reason":"([^"]*)"/)?.[1] ?? "";
      return { kind: found, reason };
    }
    return null;
  };

  const ask = async ({ verb, amid }: Ask): Promise<Done> => {
    const isUpdate = verb === "update" || verb === "grow" || verb === "converge";
    const foreseen = isUpdate && amid === undefined ? await foresee(verb) : null;
    calls.length = 0;
    const { status } = await send(verb);
    if (status >= 300) return { state: null, reason: "", calls: [], foreseen };
    if (verb === "grow") size.at += 1;
    if (amid !== undefined) {
      await world.step();
      drift(amid);
    }
    for (let steps = 0; steps < STEPS_MAX && (await world.step()); steps += 1);
    const body = await stack();
    return {
      state: textAt(body, "stack", "stack_status"),
      reason: textAt(body, "stack", "stack_status_reason"),
      calls: [...calls],
      foreseen,
    };
  };

  return ask;
};

export const openLife = async (kind: Kind) => {
  const opened = await openStack(kind);
  const { world, size, machines, faults } = opened;
  const row = () => world.store.dump().rows.find(({ action }) => action !== "DELETE");
  const object = (): Machine | undefined => machines.get(row()?.physicalResourceId ?? "");

  const drift = (which: Drift): void => {
    const id = row()?.physicalResourceId ?? "";
    const machine = machines.get(id);
    if (which === "hides") faults.splice(0, faults.length, "the provider is away");
    else if (which === "vanishes") machines.delete(id);
    else if (machine !== undefined) {
      const properties = { ...machine.properties, size: "theirs" };
      machines.set(
        id,
        which === "stops" ? { ...machine, runs: false } : { ...machine, properties },
      );
    }
  };

  const ask = asking(opened, drift);

  /** What the template wants, and nothing else. */
  const isAsWanted = (isSuspended: boolean): boolean => {
    const found = object();
    const wanted = SIZES[size.at % SIZES.length];
    return found?.properties["size"] === wanted && (isSuspended || found?.runs === true);
  };

  /** Two sizes make no other state than one. */
  const stateOf = (machine: Machine | undefined) => {
    if (machine === undefined) return null;
    const found = String(machine.properties["size"]);
    return [found === SIZES[size.at % SIZES.length] ? "wanted" : found === "theirs", machine.runs];
  };

  /** All that can decide about what comes next. */
  const key = (): string => {
    const { stacks, rows } = world.store.dump();
    const [one] = stacks;
    const now = one && [one.action, one.status, one.suspended, one.templateId === one.lastGood];
    const seen = rows
      .filter(({ action, status }) => action !== "DELETE" || status !== "COMPLETE")
      .map((each) => [
        each.action,
        each.status,
        healthOf(each).state,
        each.templateId === one?.templateId,
        stateOf(machines.get(each.physicalResourceId ?? "")),
      ]);
    return JSON.stringify([now, seen, machines.size, faults.length]);
  };

  const health = () => {
    const found = row();
    return found === undefined ? null : healthOf(found).state;
  };
  const isSuspended = (): boolean => world.store.dump().stacks[0]?.suspended === true;
  const isDeleted = (): boolean => world.store.dump().stacks[0]?.action === "DELETE";
  const isHidden = (): boolean => faults.length > 0;
  return {
    isHidden,
    isDeleted,
    ask,
    drift,
    key,
    object,
    health,
    isAsWanted,
    isSuspended,
    machines,
  };
};

export type Life = Awaited<ReturnType<typeof openLife>>;
