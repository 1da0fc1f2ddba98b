import { callLimit } from "#lib/adapters/node/call-limit.ts";
import { present } from "#lib/errors.ts";
import { healthOf, type Resource } from "#lib/model/resource.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import { createStack, listAt, openWorld, textAt } from "#test/unit/api/api-world.ts";
import { DISK, MACHINE, type Machine, openMachines } from "#test/unit/provider/machines.ts";

/** What happens to an object outside the stack. "hides": the next look at any object fails. */
export type Drift = "differs" | "stops" | "vanishes" | "hides";

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

/** A cancel rolls an update back, or stops it where it is. */
export const CANCELS = ["cancel_update", "cancel_without_rollback"] as const;
export type Cancel = (typeof CANCELS)[number];

interface DriftAt {
  readonly drift: Drift;
  readonly of: number;
}

export interface Ask {
  readonly verb: Verb;
  readonly of?: number;
  readonly amid?: DriftAt | { readonly cancel: Cancel; readonly messages: number };
}

export type Move = Ask | DriftAt;

const STACKS = {
  machine: [MACHINE],
  disk: [DISK],
  "disk after a machine": [MACHINE, DISK],
  "machine after a disk": [DISK, MACHINE],
} as const;
export const KINDS = ["machine", "disk", "disk after a machine", "machine after a disk"] as const;
export type Kind = (typeof KINDS)[number];

export const typesOf = (kind: Kind): readonly string[] => STACKS[kind];

const SIZES = ["small", "large"] as const;

const nameOf = (of: number): string => `m${of}`;

const templateOf = (kind: Kind, size: string) => ({
  heat_template_version: "2018-08-31",
  resources: Object.fromEntries(
    typesOf(kind).map((type, of) => {
      const after = of === 0 ? {} : { depends_on: nameOf(of - 1) };
      return [nameOf(of), { type, properties: { size, image: "first" }, ...after }];
    }),
  ),
});

/** A request that has not ended after this many messages never ends. */
const STEPS_MAX = 200;

export interface Foreseen {
  readonly kind: string;
  readonly reason: string;
}

export interface Done {
  readonly state: string | null;
  readonly reason: string;
  readonly calls: readonly string[];
  readonly called: readonly string[];
  readonly foreseen: readonly (Foreseen | undefined)[] | null;
}

const openStack = async (kind: Kind) => {
  const opened = openMachines();
  const { provider, calls } = opened;
  const types = Object.entries(provider.types).map(([name, type]) =>
    providedType({ provider: provider.name, name, type, limit: callLimit(), now: () => 0 }),
  );
  const world = openWorld(undefined, { types, formerProvider: () => null });
  const path = await createStack(world, "app", { template: templateOf(kind, SIZES[0]) });
  await world.settle();
  calls.length = 0;
  const stack = () => present(world.store.dump().stacks[0] ?? null, "the stack");
  /** By template record, the size that the target asks for. */
  const sizes = new Map([[stack().templateId, 0]]);
  return { ...opened, world, path, kind, stack, sizes };
};

type Opened = Awaited<ReturnType<typeof openStack>>;

const sizeOf = ({ sizes, stack }: Opened): number => sizes.get(stack().templateId) ?? 0;

const sending = (opened: Opened) => {
  const { world, path, kind, sizes, stack } = opened;
  const bodyOf = (verb: Verb) => {
    if (verb === "converge") return { converge: true };
    if (verb !== "grow") return {};
    return { template: templateOf(kind, SIZES[(sizeOf(opened) + 1) % SIZES.length] ?? SIZES[0]) };
  };

  const post = ({ verb, of = 0 }: Ask) => {
    switch (verb) {
      case "check":
      case "suspend":
      case "resume":
        return world.send("POST", `${path}/actions`, { [verb]: null });
      case "mark":
        return world.send("PATCH", `${path}/resources/${nameOf(of)}`, { mark_unhealthy: true });
      case "delete":
        return world.send("DELETE", path);
      default:
        return world.send("PATCH", path, bodyOf(verb));
    }
  };

  const send = async (ask: Ask): Promise<boolean> => {
    const size = (sizeOf(opened) + (ask.verb === "grow" ? 1 : 0)) % SIZES.length;
    const { status } = await post(ask);
    if (status < 300) sizes.set(stack().templateId, size);
    return status < 300;
  };

  const foresee = async (verb: Verb): Promise<Done["foreseen"]> => {
    const { status, body } = await world.send("PATCH", `${path}/preview`, bodyOf(verb));
    if (status !== 200) return null;
    const found = new Map<string, Foreseen>();
    for (const what of ["updated", "replaced", "unchanged"]) {
      for (const one of listAt(body, "resource_changes", what)) {
        const reason = JSON.stringify(one).match(/"reason":"([^"]*)"/)?.[1] ?? "";
        found.set(textAt(one, "resource_name"), { kind: what, reason });
      }
    }
    return typesOf(kind).map((_, of) => found.get(nameOf(of)));
  };

  return { send, foresee };
};

export const isUpdate = (verb: Verb): boolean =>
  verb === "update" || verb === "grow" || verb === "converge";

const asking = (opened: Opened, drift: (which: DriftAt) => void) => {
  const { world, path, calls, called } = opened;
  const { send, foresee } = sending(opened);

  const happen = async (amid: NonNullable<Ask["amid"]>): Promise<void> => {
    if (!("cancel" in amid)) {
      await world.step();
      return drift(amid);
    }
    for (let steps = 0; steps < amid.messages; steps += 1) await world.step();
    // If the update has ended, the cancel is refused.
    await world.send("POST", `${path}/actions`, { [amid.cancel]: null });
  };

  return async (ask: Ask): Promise<Done> => {
    const { verb, amid } = ask;
    const foreseen = isUpdate(verb) && amid === undefined ? await foresee(verb) : null;
    calls.length = 0;
    called.length = 0;
    if (!(await send(ask))) return { state: null, reason: "", calls: [], called: [], foreseen };
    if (amid !== undefined) await happen(amid);
    for (let steps = 0; steps < STEPS_MAX && (await world.step()); steps += 1);
    const { action, status, statusReason } = opened.stack();
    return {
      state: `${action}_${status}`,
      reason: statusReason,
      calls: [...calls],
      called: [...called],
      foreseen,
    };
  };
};

/** @returns a function that restores this moment, as often as it is called. */
const backingUp =
  ({ world, machines, faults, sizes }: Opened) =>
  (): (() => void) => {
    const { store, blobs, queue } = world;
    const restores = [store.backUp(), blobs.backUp()];
    const [machinesThen, sizesThen] = [[...machines], [...sizes]];
    const [faultsThen, pendingThen] = [[...faults], [...queue.pending]];
    return () => {
      for (const restore of restores) restore();
      faults.splice(0, faults.length, ...faultsThen);
      queue.pending.splice(0, queue.pending.length, ...pendingThen);
      machines.clear();
      for (const [id, machine] of machinesThen) machines.set(id, machine);
      sizes.clear();
      for (const [id, size] of sizesThen) sizes.set(id, size);
    };
  };

/** The engine decides the same about a serving row, whatever its last action was. */
const isServing = ({ action, status }: Pick<Resource, "action" | "status">): boolean =>
  status === "COMPLETE" && action !== "INIT" && action !== "DELETE";

/** Everything that decides what comes next. Which size is wanted makes no difference. */
const keyOf = (opened: Opened): string => {
  const { world, machines, faults, sizes } = opened;
  const { stacks, rows } = world.store.dump();
  const [one] = stacks;
  const wanted = SIZES[sizeOf(opened)];
  const isSame = one?.lastGood === one?.templateId;
  const before = sizes.get(one?.lastGood ?? "") === sizeOf(opened);
  const now = one && [one.action, one.status, one.suspended, isSame, before];
  const stateOf = (machine: Machine | undefined) => {
    if (machine === undefined) return null;
    const { size } = machine.properties;
    return [size === wanted ? "wanted" : size === "theirs" ? size : "other", machine.runs];
  };
  const seen = rows
    .filter(({ action, status }) => action !== "DELETE" || status !== "COMPLETE")
    .map((each) => [
      each.name,
      ...(isServing(each) ? [] : [each.action, each.status]),
      healthOf(each).state,
      each.templateId === one?.templateId,
      stateOf(machines.get(each.physicalResourceId ?? "")),
    ]);
  return JSON.stringify([now, seen, machines.size, faults.length]);
};

export interface Part {
  readonly type: string;
  readonly health: ReturnType<typeof healthOf>["state"] | null;
  readonly id: string;
  readonly object: Machine | undefined;
  /** It has the properties that the target asks for. */
  readonly isAsWanted: boolean;
  /** It has the properties of the row's last success, which may be of another target. */
  readonly isAsMade: boolean;
  readonly isDue: boolean;
}

export const openLife = async (kind: Kind) => {
  const opened = await openStack(kind);
  const { world, machines, faults, sizes, stack } = opened;
  const rowOf = (of: number) =>
    world.store.dump().rows.find(({ name, action }) => name === nameOf(of) && action !== "DELETE");

  const partOf = (type: string, of: number): Part => {
    const row = rowOf(of);
    const id = row?.physicalResourceId ?? "";
    const object = machines.get(id);
    const size = object?.properties["size"];
    const isAsWanted = size === SIZES[sizeOf(opened)];
    const made = sizes.get(row?.templateId ?? "") ?? 0;
    const health = row ? healthOf(row).state : null;
    const isDue = made !== sizeOf(opened);
    return { type, health, id, object, isAsWanted, isAsMade: size === SIZES[made], isDue };
  };

  const drift = ({ drift: which, of }: DriftAt): void => {
    const id = rowOf(of)?.physicalResourceId ?? "";
    const machine = machines.get(id);
    if (which === "hides") faults.splice(0, faults.length, "the provider is away");
    else if (which === "vanishes") machines.delete(id);
    else if (machine !== undefined) {
      const properties = { ...machine.properties, size: "theirs" };
      const changed = which === "stops" ? { ...machine, runs: false } : { ...machine, properties };
      machines.set(id, changed);
    }
  };

  return {
    ask: asking(opened, drift),
    drift,
    key: () => keyOf(opened),
    backUp: backingUp(opened),
    parts: () => typesOf(kind).map(partOf),
    isSuspended: () => stack().suspended === true,
    isDeleted: () => stack().action === "DELETE",
    isHidden: () => faults.length > 0,
    machines,
  };
};

export type Life = Awaited<ReturnType<typeof openLife>>;
