import {
  act,
  aPreparedStack,
  aStack,
  deliverUntil,
  drain,
  redeliver,
  settle,
  theRow,
  update,
  verify,
} from "../world/drive.ts";
import type { ResourceSpec, Spec } from "../world/spec.ts";
import { expectEqual } from "../world/violation.ts";
import type { World } from "../world/world.ts";
import type { Case } from "./case.ts";
import { v } from "./specs.ts";

const external = (which = "own", value = "1"): ResourceSpec => ({
  type: "Sim::Seeing",
  properties: { v: value },
  external: `the user's ${which}`,
});
const managed: ResourceSpec = { type: "Sim::Seeing", properties: { v: "1" } };
const withDependent = (a: ResourceSpec): Spec => ({ a, b: v("1", { to: "a" }) });

const leftAlone: Case = {
  title:
    "P19, S28, T53: an object from outside is referred to, and left alone by an update, a check, a suspend, a removal and a delete",
  run: async () => {
    const world = await aStack(withDependent(external()));
    verify(world, "CREATE_COMPLETE");
    expectEqual("id", theRow(world, "a").physicalResourceId, "the user's own");
    for (const action of ["CHECK", "SUSPEND", "RESUME"] as const) {
      await act(world, action);
      await settle(world, `${action}_COMPLETE`);
    }
    await update(world, withDependent(external("own", "2")));
    await settle(world, "UPDATE_COMPLETE");
    await update(world, { b: v("1") });
    await settle(world, "UPDATE_COMPLETE");
    await update(world, withDependent(external()));
    await settle(world, "UPDATE_COMPLETE");
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
    const made = world.provider.calls().filter(({ kind }) => kind === "create");
    expectEqual("objects that were made: b, and b again", made.length, 1);
  },
};

const refused = (title: string, before: ResourceSpec, after: ResourceSpec): Case => ({
  title: `P19, S28, T54: ${title} is refused, and its row stays as it was`,
  run: async () => {
    const world = await aStack(withDependent(before));
    const row = theRow(world, "a");
    await update(world, withDependent(after));
    await settle(world, "UPDATE_FAILED");
    const found = theRow(world, "a");
    expectEqual("id", found.physicalResourceId, row.physicalResourceId);
    expectEqual("status", found.status, "COMPLETE");
    expectEqual(
      "reason",
      found.statusReason,
      "NotSupported: resources.a: Update to property external_id of a (Sim::Seeing) is not supported.",
    );
    await update(world, withDependent(before));
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("id", theRow(world, "a").physicalResourceId, row.physicalResourceId);
  },
});

const missing: Case = {
  title:
    "P19, S28, T55: a resource whose object is not there fails, is looked at again, and goes without a call",
  run: async () => {
    const world = await aStack(withDependent(external("missing")));
    verify(world, "CREATE_FAILED");
    await update(world, withDependent(external("missing")));
    await settle(world, "UPDATE_FAILED");
    expectEqual("generation", theRow(world, "a").generation, 2);
    await update(world, withDependent(external()));
    await settle(world, "UPDATE_COMPLETE");
    expectEqual("id", theRow(world, "a").physicalResourceId, "the user's own");
    await act(world, "DELETE");
    await settle(world, "DELETE_COMPLETE");
  },
};

const rolledBack: Case = {
  title: "P19, S28: the rollback of a create leaves the object from outside",
  run: async () => {
    const spec = { a: external(), b: { ...external("missing"), after: [] } };
    const world = await aStack(spec, { disableRollback: false });
    verify(world, "ROLLBACK_COMPLETE");
  },
};

const asksNobody: Case = {
  title:
    "P19, T56: a worker that dies while it looks leaves no question, at a provider that ignores tokens",
  run: async () => {
    const a: ResourceSpec = { ...external(), type: "Sim::Tokenless" };
    const world = await aPreparedStack({ a });
    const dying = await deliverUntil(world, "aU", "store.writeResource");
    await world.crash(dying, "after");
    await redeliver(world);
    verify(world, "CREATE_COMPLETE");
  },
};

const madeInPlaceOf = async (id: string): Promise<World> => {
  const a: ResourceSpec = { type: "Sim::Named", properties: { v: "1" } };
  const world = await aStack({ a: { ...a, external: id } });
  for (const next of [v("1"), a]) {
    await update(world, { a: next });
    await drain(world, { hold: "aC" });
  }
  return world;
};

const notGivenBack: Case = {
  title:
    "P19, P17, S28, T57: a replacement that goes does not give an object from outside its properties back",
  run: async () => {
    const first = await madeInPlaceOf("the user's own");
    const own = first.rows.find((row) => row.type === "Sim::Named" && row.externalId === null);
    const world = await madeInPlaceOf(own?.physicalResourceId ?? "");
    await act(world, "ROLLBACK");
    await drain(world);
    expectEqual("status", world.stack?.status, "COMPLETE");
    expectEqual(
      "id",
      theRow(world, "a").physicalResourceId ?? undefined,
      own?.physicalResourceId ?? "",
    );
    const updates = world.provider.calls().filter(({ kind }) => kind === "update");
    expectEqual("updates", updates.length, 0);
  },
};

export const DIRECTED_EXTERNAL_OBJECTS: readonly Case[] = [
  leftAlone,
  refused("another object for a resource in service", external(), external("other")),
  refused("an object from outside for a resource with one of its own", managed, external()),
  refused("an object of its own for a resource with one from outside", external(), managed),
  missing,
  rolledBack,
  asksNobody,
  notGivenBack,
];
