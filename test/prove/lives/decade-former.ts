/**
 * A decade may begin in the data folder that a released version left when it was killed at work
 * (test/upgrade/folders). The agents of its servers, the URL of its wait handle and its stacks come
 * from before the upgrade, and everything that happens in the decade happens to them too.
 */
import { mkdirSync, readFileSync } from "node:fs";
import * as z from "zod";
import type { Json } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";
import { listAt, PUBLIC_URL, textAt } from "../../unit/api/api-world.ts";
import { FolderDocument, writeFolder } from "../../upgrade/folder-document.ts";
import { movedTo } from "../../upgrade/look.ts";
import { Machine } from "./decade-machine.ts";
import type { DecadeWorld } from "./decade-world.ts";
import { Agent, signalTo } from "./deployment-agents.ts";
import { Answers } from "./deployment-oracle.ts";

const FOLDER = new URL("../../upgrade/folders/0.1.0.json", import.meta.url);
const TURN_MS = 20_000;
const TURNS_MAX = 1_000;

const Released = FolderDocument.extend({
  takenAt: z.number(),
  answered: z.object({
    urls: z.object({
      handleUrl: z.string(),
      metadataUrl: z.string(),
      servers: z.array(z.string()),
    }),
  }),
});

export interface Former {
  readonly takenAt: number;
  readonly agentUrls: readonly string[];
  readonly handleUrl: string;
}

export const writeFormer = (folder: string): Former => {
  const released = Released.parse(JSON.parse(readFileSync(FOLDER, "utf8")));
  mkdirSync(folder, { mode: 0o700 });
  writeFolder(folder, released);
  const { handleUrl, metadataUrl, servers } = released.answered.urls;
  const moved = (url: string): string => movedTo(PUBLIC_URL, url);
  return {
    takenAt: released.takenAt,
    agentUrls: [metadataUrl, ...servers].map(moved),
    handleUrl: moved(handleUrl),
  };
};

export class FormerStacks {
  readonly #world: DecadeWorld;
  readonly #handleUrl: string;
  readonly #agents: readonly Agent[];

  constructor(world: DecadeWorld, { agentUrls, handleUrl }: Former, random: Random) {
    this.#world = world;
    this.#handleUrl = handleUrl;
    const answers = new Answers();
    this.#agents = agentUrls.map((url) => {
      const serverId = new URL(url).pathname.split("/").at(-1) ?? "";
      const kind = random.below(2) === 0 ? "ours" : "stock";
      const machine = new Machine(world, serverId, kind, answers);
      machine.owns(url);
      world.machines.set(serverId, machine);
      return new Agent(machine, random);
    });
  }

  async turn(): Promise<void> {
    for (const agent of this.#agents) await agent.turn();
  }

  /** The wait handle's URL is answered unless its key has ended, and each stack is deleted. */
  async ended(): Promise<void> {
    await this.#handleIsAnswered();
    for (const agent of this.#agents) agent.revive();
    for (let turn = 0; turn < TURNS_MAX; turn++) {
      const stacks = await this.#stacks();
      if (stacks.length === 0) return;
      for (const stack of stacks) {
        const isDeleted = textAt(stack, "stack_status") === "DELETE_IN_PROGRESS";
        if (isDeleted) continue;
        const { status } = await this.#world.send("DELETE", pathOf(stack));
        if (status === 204) this.#world.counts.formerStacks++;
      }
      await this.#pass();
    }
    const left = (await this.#stacks()).map((one) => textAt(one, "stack_name"));
    throw new Error(`stacks of 0.1.0 cannot be deleted: ${left.join(", ")}`);
  }

  async #pass(): Promise<void> {
    this.#world.clock.advance(TURN_MS);
    await this.#world.sweep();
    while (await this.#world.deliver(true));
    await this.turn();
  }

  async #stacks() {
    return listAt((await this.#world.send("GET", "/stacks")).body, "stacks");
  }

  async #handleIsAnswered(): Promise<void> {
    const { ports, endedKids } = this.#world;
    const stack = (await this.#stacks()).find((one) => textAt(one, "stack_name") === "handle");
    const kid = new URL(this.#handleUrl).searchParams.get("kid") ?? "";
    if (stack === undefined || endedKids.has(kid)) return;
    const { status } = await this.#world.send("GET", `${pathOf(stack)}/resources/handle`);
    if (status !== 200) return;
    const isTaken = await signalTo(ports, this.#handleUrl, { data: "late" });
    if (!isTaken) throw new Error("the wait handle's URL of 0.1.0 is refused");
    this.#world.counts.formerHandles++;
  }
}

const pathOf = (stack: Json): string =>
  `/stacks/${textAt(stack, "stack_name")}/${textAt(stack, "id")}`;
