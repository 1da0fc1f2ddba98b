import { describe, expect, it } from "vitest";
import { DeploymentLife } from "./deployment-life.ts";

/** `npm run prove` plays a thousand lives. */
const LIVES = 24;

describe("L11: random lives of deployments, on agents that are slow, behind, restarted or dead", () => {
  it("drop no DELETE that was delivered, count no other operation's result, and end", async () => {
    let [deletes, answered] = [0, 0];
    for (let seed = 1; seed <= LIVES; seed++) {
      const life = await new DeploymentLife(seed).run();
      expect(life.failure, `life ${seed}`).toBeNull();
      deletes += life.deletes;
      answered += life.answered;
    }
    expect(deletes).toBeGreaterThan(5 * LIVES);
    expect(answered).toBeGreaterThan(deletes / 2);
  });
});
