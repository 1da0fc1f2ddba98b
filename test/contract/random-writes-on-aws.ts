import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AwsAdapter, openAws } from "#lib/adapters/aws/open-aws.ts";
import { memorySoftwareConfigStore } from "#lib/adapters/memory/software-config-store.ts";
import { memoryStore } from "#lib/adapters/memory/store.ts";
import { present } from "#lib/errors.ts";
import type { AwsTarget } from "./aws-emulators.ts";
import { apply, applyToDeployment, arrival, deploymentWrite, rowWrite } from "./random-history.ts";

const RUNS = 25;

const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1);

export const randomWritesOnAws = (where: string, target: () => AwsTarget): void => {
  let adapter: AwsAdapter | null = null;
  beforeAll(() => {
    const { connection, place } = target();
    adapter = openAws({ ...connection, ...place });
  });
  afterAll(() => adapter?.close());
  const store = () => present(adapter, "the adapter").store;

  describe(`random writes on ${where}`, () => {
    it("of rows give the same answers and records as in memory", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(rowWrite, { maxLength: 25 }), async (writes) => {
          const memory = memoryStore();
          const stackId = randomUUID();
          for (const write of writes) {
            const key = { ...write.key, stackId };
            const answer = await apply(memory, { ...write, key });
            expect(await apply(store(), { ...write, key })).toEqual(answer);
          }
          expect(await store().listResources(stackId)).toEqual(
            memory.rowsOf(stackId).toSorted(byId),
          );
        }),
        { numRuns: RUNS },
      );
    });

    it("of sync points give the same answers as in memory", async () => {
      const arrivals = fc.array(fc.tuple(fc.constantFrom("", "1.0"), arrival), { maxLength: 15 });
      await fc.assert(
        fc.asyncProperty(arrivals, async (history) => {
          const memory = memoryStore();
          const point = { traversalId: randomUUID(), resourceId: "r", isUpdate: true };
          for (const [bucket, arriving] of history) {
            const { accepted, syncPoint } = await memory.arrive({ ...point, bucket }, arriving);
            const arrived = syncPoint.arrived.toSorted((left, right) => left - right);
            expect(await store().arrive({ ...point, bucket }, arriving)).toEqual({
              accepted,
              syncPoint: { ...syncPoint, arrived },
            });
          }
        }),
        { numRuns: RUNS },
      );
    });

    it("of deployments give the same answers and records as in memory", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(deploymentWrite, { maxLength: 25 }), async (writes) => {
          const memory = memorySoftwareConfigStore();
          const { softwareConfigs } = present(adapter, "the adapter");
          const serverId = randomUUID();
          for (const write of writes) {
            const answer = await applyToDeployment(memory, serverId, write);
            expect(await applyToDeployment(softwareConfigs, serverId, write)).toBe(answer);
          }
          expect(await softwareConfigs.listDeployments(serverId)).toEqual(
            memory.deployments().toSorted(byId),
          );
        }),
        { numRuns: RUNS },
      );
    });
  });
};
