/** The world of one test: a fake engine, and agents in a folder that outlives them. */
import { afterEach, beforeEach } from "vitest";
import { type AgentProcess, freshRoot, removeRoot, startAgent } from "./agent-process.ts";
import { type FakeEngine, startFakeEngine } from "./fake-engine.ts";

export interface AgentWorld {
  readonly engine: FakeEngine;
  readonly root: string;
  /** `more`: further options of the command line. */
  start(...more: readonly string[]): AgentProcess;
}

/** Call it once per file. Its answer is a new world in each test. */
export const freshWorldPerTest = (): AgentWorld => {
  let engine: FakeEngine;
  let root: string;
  let agents: AgentProcess[];
  beforeEach(async () => {
    engine = await startFakeEngine();
    root = freshRoot();
    agents = [];
  });
  afterEach(async () => {
    for (const agent of agents) await agent.kill("SIGKILL");
    await engine.close();
    removeRoot(root);
  });
  return {
    get engine() {
      return engine;
    },
    get root() {
      return root;
    },
    start: (...more) => {
      const agent = startAgent(engine.metadataUrl, root, ...more);
      agents.push(agent);
      return agent;
    },
  };
};
