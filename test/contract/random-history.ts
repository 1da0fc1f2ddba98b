import fc from "fast-check";
import type { RowClause } from "#lib/ports/conditions.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import type { Arrival, RowChange, Store } from "#lib/ports/store.ts";
import { aDeployment, anArrival, anOperation, aRow, NOW, someData } from "./records.ts";

export const STACKS = ["stack-1", "stack-2"];
const IDS = ["a", "b", "c"];

const small = fc.integer({ min: 0, max: 4 });
const moment = small.map((ms) => NOW + ms);
const token = fc.constantFrom("t1", "t2");
const action = fc.constantFrom("INIT" as const, "CREATE" as const, "DELETE" as const);

const clause: fc.Arbitrary<RowClause> = fc.oneof(
  fc.constant({ clause: "absent" as const }),
  small.map((version) => ({ clause: "versionIs" as const, version })),
  token.map((held) => ({ clause: "leaseHeldBy" as const, token: held })),
  moment.map((now) => ({ clause: "noLiveLease" as const, now })),
  small.map((signals) => ({ clause: "signalsAre" as const, signals })),
  small.map((number) => ({ clause: "numberBelow" as const, number })),
  small.map((number) => ({ clause: "numberAtMost" as const, number })),
  small.map((generation) => ({ clause: "operationGenerationIs" as const, generation })),
  moment.map((now) => ({ clause: "waitIsOver" as const, now })),
  action.map((is) => ({ clause: "actionIs" as const, action: is })),
);

const fields = fc.record(
  {
    action,
    number: small,
    statusReason: fc.string({ maxLength: 8, unit: "binary" }),
    lease: fc.option(fc.record({ token, expiresAt: moment })),
    operation: fc.option(small.map((generation) => anOperation({ generation }))),
    waitUntil: fc.option(moment),
    expiresAt: fc.option(moment),
    signals: small,
    failed: fc.option(fc.record({ traversalId: token, isUpdate: fc.boolean() })),
  },
  { requiredKeys: [] },
);

const key = fc.record({ stackId: fc.constantFrom(...STACKS), id: fc.constantFrom(...IDS) });
export const rowWrite = fc.record({
  key,
  when: fc.array(clause, { maxLength: 2 }),
  set: fields,
  insert: fc.boolean(),
  addSignal: fc.boolean(),
});
export type RandomWrite = typeof rowWrite extends fc.Arbitrary<infer Write> ? Write : never;

export const apply = (store: Store, write: RandomWrite) => {
  const change: RowChange = {
    set: write.set,
    addSignal: write.addSignal,
    ...(write.insert && { insert: aRow({ ...write.key, ...write.set }) }),
  };
  return store.writeResource(write.key, write.when, change);
};

export const arrival: fc.Arbitrary<Arrival> = fc
  .record({ predecessor: small, expiresAt: moment, inline: fc.boolean() })
  .map(({ inline, ...given }) =>
    anArrival({ ...given, data: inline ? someData(`n${given.predecessor}`) : null }),
  );

const standing = fc.record({
  generation: small,
  delivery: fc.integer({ min: 1, max: 2 }),
  status: fc.constantFrom("IN_PROGRESS" as const, "COMPLETE" as const),
});
export const deploymentWrite = fc.record({
  verb: fc.constantFrom("publish" as const, "change" as const, "delete" as const),
  id: fc.constantFrom(...IDS),
  next: standing,
  asRead: standing,
});
export type RandomDeploymentWrite =
  typeof deploymentWrite extends fc.Arbitrary<infer Write> ? Write : never;

export const applyToDeployment = async (
  store: SoftwareConfigStore,
  serverId: string,
  { verb, id, next, asRead }: RandomDeploymentWrite,
): Promise<boolean | null> => {
  const deployment = aDeployment({ ...next, serverId, id, derivedConfigId: `config of ${id}` });
  switch (verb) {
    case "publish":
      return store.publishDeployment(deployment);
    case "change":
      return store.changeDeployment(deployment, asRead);
    case "delete":
      await store.deleteDeployment(deployment, asRead.generation);
      return null;
  }
};
