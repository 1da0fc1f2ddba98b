/**
 * The agents of a random life: alive, slow, behind, restarted or dead. They poll the real document,
 * run one delivery at a time, and signal to the real URLs.
 */
import type { Json, JsonObject } from "#lib/json.ts";
import type { Ports, Random } from "#lib/ports/ports.ts";
import { Refusal } from "#lib/software-config/agent-requests/evidence.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { at, listAt, textAt } from "../../unit/api/api-world.ts";
import type { Answers } from "./deployment-oracle.ts";

export const KINDS = ["alive", "slow", "behind", "dies", "dead"] as const;
type Kind = (typeof KINDS)[number];

const HABITS: Readonly<Record<Kind, { readonly polls: number; readonly turnsMax: number }>> = {
  alive: { polls: 80, turnsMax: 3 },
  slow: { polls: 60, turnsMax: 30 },
  behind: { polls: 8, turnsMax: 3 },
  dies: { polls: 60, turnsMax: 6 },
  dead: { polls: 0, turnsMax: 1 },
};
const FAILS_PERCENT = 4;
const RESTARTS_PERCENT = 3;
const REPEATS_PERCENT = 15;
const DIES_PERCENT = 4;

interface Run {
  readonly id: string;
  readonly url: string;
  turnsLeft: number;
}

export const inputOf = (deployment: Json, name: string): string => {
  const inputs = listAt(deployment, "inputs");
  return textAt(inputs.find((input) => at(input, "name") === name) ?? null, "value");
};

export interface AgentLine {
  /**
   * @returns the deployments of its document. Null: it gets no document now, so it goes on with the
   * former one.
   */
  poll(): Promise<readonly Json[] | null>;
  signal(id: string, url: string, details: JsonObject): Promise<void>;
  begins?(entry: Json): Promise<void>;
}

export class Agent {
  readonly #line: AgentLine;
  readonly #random: Random;
  #kind: Kind;
  readonly #done = new Set<string>();
  #document: readonly Json[] = [];
  #run: Run | null = null;

  constructor(line: AgentLine, random: Random) {
    this.#line = line;
    this.#random = random;
    this.#kind = KINDS[random.below(KINDS.length)] ?? "alive";
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent;
  }

  get isDead(): boolean {
    return this.#kind === "dead";
  }

  revive(): void {
    this.#kind = "alive";
  }

  async turn(): Promise<void> {
    if (this.#kind === "dies" && this.#chance(DIES_PERCENT)) this.#kind = "dead";
    if (this.isDead) return;
    // A restarted agent runs again what it had not finished.
    if (this.#chance(RESTARTS_PERCENT)) this.#run = null;
    if (this.#run === null && this.#chance(HABITS[this.#kind].polls)) await this.#poll();
    this.#run ??= await this.#next();
    if (this.#run === null || --this.#run.turnsLeft > 0) return;
    const { id, url } = this.#run;
    this.#run = null;
    this.#done.add(id);
    const details = {
      deploy_stdout: id,
      deploy_status_code: this.#chance(FAILS_PERCENT) ? 1 : 0,
    };
    await this.#line.signal(id, url, details);
    if (this.#chance(REPEATS_PERCENT)) await this.#line.signal(id, url, details);
  }

  async #next(): Promise<Run | null> {
    const next = this.#document.find((one) => !this.#done.has(textAt(one, "id")));
    if (next === undefined) return null;
    await this.#line.begins?.(next);
    const turnsLeft = 1 + this.#random.below(HABITS[this.#kind].turnsMax);
    return { id: textAt(next, "id"), url: inputOf(next, "deploy_signal_id"), turnsLeft };
  }

  async #poll(): Promise<void> {
    this.#document = (await this.#line.poll()) ?? this.#document;
  }
}

export const memoryLine = (
  ports: Ports,
  serverId: string,
  answers: Pick<Answers, "polled" | "answered">,
): AgentLine => ({
  poll: async () => {
    const server = await ports.softwareConfigs.getServer(serverId);
    if (server === null) return null;
    const query = Object.fromEntries(new URL(metadataUrl(ports, server)).searchParams);
    const { document } = await serveMetadata(ports, serverId, { method: "GET", query });
    answers.polled(serverId);
    return document === null ? null : listAt(document, "deployments");
  },
  signal: async (id, url, details) => {
    const isTaken = await signalTo(ports, url, details);
    if (isTaken) answers.answered(id);
  },
});

export const signalTo = async (
  ports: Ports,
  url: string,
  details: JsonObject,
): Promise<boolean> => {
  const { pathname, searchParams } = new URL(url);
  const query = Object.fromEntries(searchParams);
  const body = JSON.stringify(details);
  try {
    await receiveSignal(ports, pathname.split("/").at(-1) ?? "", { method: "POST", query, body });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
};
