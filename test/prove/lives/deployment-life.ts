/**
 * One random life of a stack's deployments, from a seed: all actions, on servers whose agents are
 * slow, behind, restarted or dead. Users overtake, repeat, cancel and delete, workers are killed,
 * and messages are doubled and lost. In the end the stack is deleted.
 */
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";
import { at, createStack, listAt } from "../../unit/api/api-world.ts";
import { Agent } from "./deployment-agents.ts";
import { Answers, DeploymentOracle } from "./deployment-oracle.ts";
import { type LifeWorld, memoryLifeWorld, type WorldOf } from "./deployment-world.ts";

const TURN_MS_MAX = 20_000;
const SWEEP_MS = 60_000;
const REQUESTS_MAX = 8;
const TURNS = 240;
const LAST_TURNS_MAX = 1_500;
const STEPS_OF_TURN_MAX = 2_000;
const TIMEOUT_MINS = 40;
const ACTIONS = ["CREATE", "UPDATE", "DELETE", "SUSPEND", "RESUME"];
/** Deployments of a life share few servers. A decade may have many, each with its agent. */
export const SERVERS = 2;
const serverNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => ["one", "two"][at] ?? `server${at}`);
const NAMES = ["a", "b", "c"];
const POOL_EVERY = 3;

export interface LifeResult {
  readonly seed: number;
  readonly failure: string | null;
  readonly deletes: number;
  readonly answered: number;
}

export class DeploymentLife {
  readonly #random: Random;
  readonly #world: LifeWorld;
  readonly #answers = new Answers();
  readonly #oracle: DeploymentOracle;
  readonly #agents = new Map<string, Agent>();
  readonly #seed: number;
  readonly #servers: readonly string[];
  readonly #story: string[] = [];
  #path = "";
  #isCalm = false;
  #sweptAt = 0;

  constructor(seed: number, worldOf: WorldOf = memoryLifeWorld, servers = SERVERS) {
    this.#seed = seed;
    this.#servers = serverNames(servers);
    this.#random = memoryRandom(seed * 2_654_435_761 + 3);
    this.#world = worldOf(this.#random);
    this.#oracle = new DeploymentOracle(this.#world, this.#answers);
  }

  async run(): Promise<LifeResult> {
    let failure: string | null = null;
    try {
      await this.#live();
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      failure = [what, ...this.#story.slice(-30)].join("\n  ");
    }
    const { deletes, answered } = this.#oracle;
    return { seed: this.#seed, failure, deletes, answered };
  }

  async #live(): Promise<void> {
    const { timeout_mins, template } = this.#target();
    this.#path = await createStack(this.#world, "life", { timeout_mins, template });
    let requests = REQUESTS_MAX;
    for (let turn = 0; turn < TURNS; turn++) {
      if (requests > 0 && this.#chance(4)) {
        requests--;
        await this.#request();
      }
      await this.#turn();
    }
    this.#isCalm = true;
    await this.#turn();
    await this.#end();
  }

  async #end(): Promise<void> {
    const revives = this.#chance(50);
    for (let turn = 0; turn < LAST_TURNS_MAX; turn++) {
      if (revives) for (const agent of this.#agents.values()) agent.revive();
      const status = await this.#status();
      if (status === "gone") return this.#world.ended?.();
      if (!status.endsWith("IN_PROGRESS") || !status.startsWith("DELETE"))
        await this.#ask("DELETE", this.#path);
      await this.#turn();
    }
    throw new Error("the stack cannot be deleted");
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent;
  }

  #pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.#random.below(items.length)];
  }

  #target(): { readonly timeout_mins: number; readonly template: JsonObject } {
    const deployments = NAMES.filter(() => this.#chance(75)).map((name): [string, Json] => [
      name,
      this.#deployment(),
    ]);
    const config = {
      type: "OS::Heat::SoftwareConfig",
      properties: {
        group: "script",
        config: "#!/bin/sh",
        options: {},
        inputs: [{ name: "v", default: "0" }],
      },
    };
    const servers = this.#servers.map((name): [string, Json] => [
      name,
      { type: "OS::Heat::DeployedServer" },
    ]);
    const resources = Object.fromEntries([
      ["config", config],
      ...servers,
      ...deployments,
      ...(this.#seed % POOL_EVERY === 0 ? this.#pool() : []),
      ...(this.#world.resources?.() ?? []),
    ]);
    const template = { heat_template_version: "2018-08-31", resources };
    return { timeout_mins: TIMEOUT_MINS, template };
  }

  #pool(): readonly [string, Json][] {
    const resource_def = { type: "OS::Heat::DeployedServer" };
    const drain = {
      config: { get_resource: "config" },
      servers: { get_attr: ["pool", "refs_map"] },
      actions: ACTIONS.filter((action) => action === "DELETE" || this.#chance(30)),
    };
    const count = this.#random.below(3);
    return [
      ["pool", { type: "OS::Heat::ResourceGroup", properties: { count, resource_def } }],
      ["drain", { type: "OS::Heat::SoftwareDeploymentGroup", properties: drain }],
    ];
  }

  #deployment(): JsonObject {
    const server = { get_resource: this.#pick(this.#servers) ?? "one" };
    const shared = {
      config: { get_resource: "config" },
      actions: ACTIONS.filter((action) => action === "DELETE" || this.#chance(60)),
      input_values: { v: String(this.#random.below(3)) },
    };
    if (this.#chance(70)) {
      return { type: "OS::Heat::SoftwareDeployment", properties: { ...shared, server } };
    }
    const servers = Object.fromEntries(
      this.#servers.filter(() => this.#chance(70)).map((name) => [name, { get_resource: name }]),
    );
    return { type: "OS::Heat::SoftwareDeploymentGroup", properties: { ...shared, servers } };
  }

  async #ask(method: string, path: string, body?: JsonObject): Promise<void> {
    const { status } = await this.#world.send(method, path, body);
    this.#story.push(
      `${method} ${path.split("/").at(-1)} ${JSON.stringify(body ?? null).slice(0, 60)}: ${status}`,
    );
  }

  async #request(): Promise<void> {
    const die = this.#random.below(100);
    const actions = `${this.#path}/actions`;
    if (die < 50) await this.#ask("PUT", this.#path, this.#target());
    else if (die < 62) await this.#ask("PATCH", this.#path, {});
    else if (die < 70) await this.#ask("POST", actions, { cancel_without_rollback: null });
    else if (die < 76) await this.#ask("POST", actions, { cancel_update: null });
    else if (die < 84) await this.#ask("POST", actions, { suspend: null });
    else if (die < 92) await this.#ask("POST", actions, { resume: null });
    else if (die < 96) await this.#ask("DELETE", this.#path);
    else await this.#giveUp();
  }

  async #giveUp(): Promise<void> {
    if ((await this.#status()) !== "DELETE_IN_PROGRESS") return;
    this.#oracle.givesUp = true;
    await this.#ask("DELETE", `${this.#path}?abandon_unreachable=true`);
  }

  async #status(): Promise<string> {
    const { body } = await this.#world.send("GET", this.#path);
    const status = at(body, "stack", "stack_status");
    return typeof status !== "string" || status === "DELETE_COMPLETE" ? "gone" : status;
  }

  async #strikes(): Promise<void> {
    const stroke = await this.#world.strikes?.();
    if (!stroke) return;
    this.#story.push(stroke.what);
    if (stroke.isRestore) this.#oracle.forget();
    // A repeated delivery may be answered, and its deployment deleted, before any message comes.
    await this.#oracle.look(this.#agents.keys());
  }

  async #turn(): Promise<void> {
    const { clock } = this.#world;
    if (!this.#isCalm) await this.#strikes();
    clock.advance(1 + this.#random.below(TURN_MS_MAX));
    if (clock.now() >= this.#sweptAt + SWEEP_MS) {
      this.#sweptAt = clock.now();
      await this.#world.sweep();
    }
    await this.#deliverAll();
    await this.#findServers();
    for (const agent of this.#agents.values()) await agent.turn();
    await this.#deliverAll();
    await this.#world.look?.(this.#isCalm);
  }

  async #findServers(): Promise<void> {
    const { body } = await this.#world.send("GET", `${this.#path}/resources?nested_depth=3`);
    for (const one of Array.isArray(at(body, "resources")) ? listAt(body, "resources") : []) {
      const id = at(one, "physical_resource_id");
      if (at(one, "resource_type") !== "OS::Heat::DeployedServer") continue;
      if (typeof id !== "string" || id === "" || this.#agents.has(id)) continue;
      const line = this.#world.lineTo(id, this.#answers);
      this.#agents.set(id, new Agent(line, this.#random));
    }
  }

  async #deliverAll(): Promise<void> {
    for (let steps = 0; steps < STEPS_OF_TURN_MAX; steps++) {
      if (!(await this.#world.deliver(this.#isCalm))) return;
      await this.#oracle.look(this.#agents.keys());
    }
    throw new Error("the deliveries never end");
  }
}
