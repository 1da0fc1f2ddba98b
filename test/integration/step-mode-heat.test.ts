import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { type Driver, differences, driverOf } from "./step-mode-driver.ts";
import { HEAT_SCENARIOS, type Line } from "./step-mode-heat-scenarios.ts";

let host: Host;
let driver: Driver;
beforeAll(async () => {
  host = await startHost({ port: 0, data: null, step: true });
});
afterAll(() => host.stop());
beforeEach(async () => {
  driver = driverOf(host.url);
  expect((await driver.post("reset", {})).status).toBe(204);
});

const idOf = async (name: string): Promise<string | undefined> =>
  (await driver.held()).find((one) => one.name === name)?.id;

const carryOut = async (line: Line, remembered: Map<string, string | undefined>): Promise<void> => {
  switch (line.does) {
    case "create":
      return driver.create(line.spec);
    case "update":
      return driver.update(line.spec);
    case "delete":
      return driver.remove();
    case "rollback":
      return driver.rollback();
    case "verify":
      return expect(await differences(driver, line.spec)).toEqual([]);
    case "count all":
      return expect(await driver.held()).toHaveLength(line.count);
    case "count":
      for (const [name, count] of Object.entries(line.counts)) {
        expect([name, await driver.heldCount(name)]).toEqual([name, count]);
      }
      return;
    case "remember":
      remembered.set(line.name, await idOf(line.name));
      return expect(remembered.get(line.name)).toBeDefined();
    case "kept":
      return expect(await idOf(line.name)).toBe(remembered.get(line.name));
    case "replaced":
      return expect(await idOf(line.name)).not.toBe(remembered.get(line.name));
  }
};

describe("Heat's convergence scenarios, visit by visit over HTTP", () => {
  for (const [name, lines] of Object.entries(HEAT_SCENARIOS)) {
    it(name, async () => {
      const remembered = new Map<string, string | undefined>();
      for (const line of lines) {
        if (line.does !== "wait") await carryOut(line, remembered);
        await driver.step(line.does === "wait" ? line.visits : 1);
      }
      await driver.drain();
      expect(await driver.drain()).toBe(0);
      expect(await driver.status()).toMatch(/_COMPLETE$/);
      expect(await driver.leftovers()).toEqual({ sync_points: 0, locks: 0 });
    });
  }
});
