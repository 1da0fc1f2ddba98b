/**
 * A machine of a decade: what its agent has on the disk, and how it reaches the host. Our agent
 * keeps the URL from its owner beside the newest one, and keeps results that do not arrive. A stock
 * agent has only the newest URL in its file, and loses a result that does not arrive.
 */
import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "#lib/json.ts";
import { Refusal } from "#lib/software-config/agent-requests/evidence.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { Violation } from "../../simulation/world/violation.ts";
import { at, listAt, textAt } from "../../unit/api/api-world.ts";
import type { DecadeWorld } from "./decade-world.ts";
import { type AgentLine, inputOf, signalTo } from "./deployment-agents.ts";
import type { Answers } from "./deployment-oracle.ts";

export type MachineKind = "ours" | "stock";

interface Held {
  readonly id: string;
  readonly url: string;
  readonly details: JsonObject;
}

/** The work of an entry, without its signal's URL, which is new at each read. */
const workOf = (entry: Json): Json => {
  const inputs = listAt(entry, "inputs").filter((one) => at(one, "name") !== "deploy_signal_id");
  return { config: at(entry, "config") ?? null, inputs: [...inputs] };
};

export class Machine implements AgentLine {
  readonly #world: DecadeWorld;
  readonly #serverId: string;
  readonly #kind: MachineKind;
  readonly #answers: Answers;
  #owners: string | null = null;
  #named: string | null = null;
  /** The last URL that it was given, whether it has kept the URL or not. */
  #given: string | null = null;
  #url: string | null = null;
  readonly #held = new Map<string, Held>();
  readonly #ran = new Map<string, Json>();
  #listed: readonly string[] = [];
  #isGone = false;
  failure: Error | null = null;

  constructor(world: DecadeWorld, serverId: string, kind: MachineKind, answers: Answers) {
    this.#world = world;
    this.#serverId = serverId;
    this.#kind = kind;
    this.#answers = answers;
  }

  /** After a restore, the owner starts an agent again that had stopped with its server. */
  wakes(): void {
    this.#isGone = false;
  }

  async isServed(): Promise<boolean> {
    if (this.#owners === null) await this.bootstrap();
    for (const _ of [1, 2]) if (typeof (await this.tryPoll()) !== "number") return true;
    return false;
  }

  /**
   * Why its owner must give it a URL again: it was off over two moves, or a restore or a leak has
   * ended the keys of all its URLs.
   * @returns null when it was given a URL that should work.
   */
  get whyLost(): "address" | "key" | null {
    const urls = this.#kind === "ours" ? [this.#owners, this.#given] : [this.#given];
    const reached = urls.filter((url) => this.#world.addresses.has(new URL(url ?? "").origin));
    if (reached.length === 0) return "address";
    const kidOf = (url: string | null) => new URL(url ?? "").searchParams.get("kid") ?? "";
    const hasEnded = (url: string | null) => this.#world.endedKids.has(kidOf(url));
    return reached.every(hasEnded) ? "key" : null;
  }

  get isStopped(): boolean {
    return this.#isGone;
  }

  async bootstrap(): Promise<void> {
    const { ports } = this.#world;
    const server = await ports.softwareConfigs.getServer(this.#serverId);
    if (server !== null) this.owns(metadataUrl(ports, server));
  }

  owns(url: string): void {
    this.#owners = url;
    this.#given = url;
    this.#named = url;
    this.#url = url;
  }

  async poll(): Promise<readonly Json[] | null> {
    if (this.#isGone) return null;
    if (this.#owners === null) await this.bootstrap();
    if (this.#owners === null) return null;
    await this.#resend();
    const status = await this.tryPoll();
    return typeof status === "number" ? null : status;
  }

  async tryPoll(): Promise<readonly Json[] | number> {
    const url = this.#url ?? "";
    const answer = await this.#fetch(url);
    if (typeof answer === "number") {
      if (answer === 410 && this.#kind === "ours") this.#isGone = url === this.#named;
      if (this.#world.broken === "an agent loses its newest URL") this.#named = this.#owners;
      if (this.#kind === "ours") this.#url = url === this.#owners ? this.#named : this.#owners;
      return answer;
    }
    this.#answers.polled(this.#serverId);
    this.#follow(answer);
    const deployments = listAt(answer, "deployments");
    this.#listed = deployments.map((entry) => inputOf(entry, "deploy_signal_id"));
    this.#check(deployments);
    await this.#renew(deployments);
    return deployments;
  }

  async #fetch(url: string): Promise<Json | number> {
    const { origin, searchParams, pathname } = new URL(url);
    if (!this.#world.addresses.has(origin)) return 0;
    const query = Object.fromEntries(searchParams);
    const request = { method: "GET", query };
    try {
      const id = pathname.split("/").at(-1) ?? "";
      const { document } = await serveMetadata(this.#world.ports, id, request);
      return document ?? 0;
    } catch (error) {
      if (error instanceof Refusal) return error.status;
      throw error;
    }
  }

  #follow(document: Json): void {
    const named = at(document, "os-collect-config", "request", "metadata_url");
    if (typeof named !== "string" || named === this.#named) return;
    this.#given = named;
    this.#named = named;
    this.#url = named;
  }

  async #renew(deployments: readonly Json[]): Promise<void> {
    for (const entry of deployments) {
      const held = this.#held.get(textAt(entry, "id"));
      if (held === undefined) continue;
      this.#held.set(held.id, { ...held, url: inputOf(entry, "deploy_signal_id") });
    }
    await this.#resend();
  }

  async begins(entry: Json): Promise<void> {
    const id = textAt(entry, "id");
    this.#ran.set(id, workOf(entry));
  }

  #check(deployments: readonly Json[]): void {
    for (const entry of deployments) {
      const ran = this.#ran.get(textAt(entry, "id"));
      if (ran === undefined || isDeepStrictEqual(ran, workOf(entry))) continue;
      this.failure ??= new Violation(`S39: the delivery ${textAt(entry, "id")} has other work now`);
    }
  }

  async signal(id: string, given: string, details: JsonObject): Promise<void> {
    const isMixedUp = this.#world.broken === "a result is sent for another delivery";
    const url = (isMixedUp ? this.#listed.find((other) => other !== given) : null) ?? given;
    if (this.#kind === "ours") this.#held.set(id, { id, url, details });
    else await this.#sendOne({ id, url, details });
    await this.#resend();
  }

  async #resend(): Promise<void> {
    for (const held of [...this.#held.values()]) {
      if (await this.#sendOne(held)) this.#held.delete(held.id);
    }
  }

  /** Our agent also keeps a result that is refused, as long as the document lists it. */
  async #sendOne({ id, url, details }: Held): Promise<boolean> {
    if (!this.#world.addresses.has(new URL(url).origin)) return false;
    const isTaken = await signalTo(this.#world.ports, url, details);
    if (isTaken) this.#answers.answered(id);
    return isTaken;
  }
}
