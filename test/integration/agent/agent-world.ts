import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { type AgentProcess, freshRoot, removeRoot, startAgent } from "./agent-process.ts";
import { type EntryOptions, entry, type FakeEngine, startFakeEngine } from "./fake-engine.ts";

export interface AgentWorld {
  readonly engine: FakeEngine;
  readonly root: string;
  start(...more: readonly string[]): AgentProcess;
}

/** This is called once per file. The returned world is new in each test. */
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

export const inWorld = (world: AgentWorld) => {
  const deploy = (...deployments: readonly object[]): void => world.engine.serve({ deployments });
  return {
    deploy,
    deployOne: (config: string, options: EntryOptions = {}): void =>
      deploy(entry(world.engine, "d1", config, options)),
    reportStep: (name: string): string =>
      `"${process.execPath}" -e 'fetch("${world.engine.signalUrl(name)}", { method: "PUT", body: "{}" })'`,
    readText: (path: string): string => readFileSync(join(world.root, path), "utf8"),
    signalledIds: (): readonly string[] => world.engine.signals.map(({ id }) => id),
  };
};
