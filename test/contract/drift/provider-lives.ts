/**
 * P27 on the providers' doubles: random orders of requests, while objects change, stop or vanish at
 * any moment, updates are cancelled, and deletes come in between.
 */
import { memoryRandom } from "#lib/adapters/memory/seeded.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Random } from "#lib/ports/ports.ts";
import { createStack } from "../../unit/api/api-world.ts";
import type { OpenObject } from "./drifted-object.ts";
import { openDriven } from "./driven-world.ts";

export interface LivedObject {
  readonly resource: string;
  readonly what: string;
  readonly happen: (id: string) => void;
}

export interface OpenCloud extends Pick<OpenObject, "provided" | "stop"> {
  readonly drifts: readonly LivedObject[];
  readonly isThere: (id: string) => boolean;
  readonly left: () => readonly string[];
  readonly running: () => readonly string[];
}

export interface Cloud {
  /** A stack whose server has one of two sizes. The size is changed in place. */
  readonly resourcesOf: (size: 0 | 1) => JsonObject;
  /** By resource, the resources whose replacement replaces it too. */
  readonly follows: Readonly<Record<string, readonly string[]>>;
  readonly open: () => Promise<OpenCloud>;
}

const REQUESTS_MAX = 7;
const VERBS = ["check", "suspend", "resume", "update", "grow", "converge"] as const;
type Verb = (typeof VERBS)[number];
const CANCELS = ["cancel_update", "cancel_without_rollback"] as const;
const MESSAGES_MAX = 12;
const DRIFTS_BEFORE = 55;
const DRIFTS_AMID = 25;
const OVERTAKES_AMID = 40;
const DELETES_AMID = 15;
const CREATES_ALONE = 70;

/** A look alone cannot decide this, so the user is asked. */
const ASKS = /nobody can tell|the next update deletes this object/;

/** The status reason of a stack that has reached its deadline. */
const IN_VAIN = /timed out/i;

export class Broken extends Error {
  override readonly name = "Broken";
}

class ProviderLife {
  readonly #cloud: Cloud;
  readonly #open: OpenCloud;
  readonly #random: Random;
  readonly #driven: ReturnType<typeof openDriven>;
  readonly told: string[] = [];
  #path = "";
  #size: 0 | 1 = 0;
  /** Since the last check an object has gone. An update that needs it may wait for it, and fail. */
  #isUnseen = false;
  readonly #vanished = new Set<string>();

  constructor(cloud: Cloud, open: OpenCloud, random: Random) {
    this.#cloud = cloud;
    this.#open = open;
    this.#random = random;
    this.#driven = openDriven(open.provided);
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent;
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#random.below(items.length)];
    if (item === undefined) throw new Error("there is nothing to pick");
    return item;
  }

  get #stack() {
    const [stack] = this.#driven.world.store.dump().stacks;
    if (stack === undefined) throw new Error("there is no stack");
    return stack;
  }

  get #state(): string {
    return `${this.#stack.action}_${this.#stack.status}`;
  }

  #rows(): readonly Resource[] {
    const { rows } = this.#driven.world.store.dump();
    return rows.filter(
      ({ action, physicalResourceId, replacedBy }) =>
        action !== "DELETE" && physicalResourceId !== null && replacedBy === null,
    );
  }

  #drift(): void {
    const { resource, what, happen } = this.#pick(this.#open.drifts);
    const row = this.#rows().find(({ name }) => name === resource);
    const id = row?.physicalResourceId ?? "";
    if (!this.#open.isThere(id)) return;
    happen(id);
    if (!this.#open.isThere(id)) {
      this.#vanished.add(id);
      this.#isUnseen = true;
    }
    this.told.push(`${resource} ${what}`);
  }

  #template(size: 0 | 1) {
    const resources = this.#cloud.resourcesOf(size);
    return { template: { heat_template_version: "2018-08-31", resources } };
  }

  async #request(verb: Verb | "delete" | (typeof CANCELS)[number]): Promise<boolean> {
    const { world } = this.#driven;
    const post = (action: string) =>
      world.send("POST", `${this.#path}/actions`, { [action]: null });
    const ask = () => {
      if (verb === "delete") return world.send("DELETE", this.#path);
      if (verb === "update") return world.send("PATCH", this.#path, {});
      if (verb === "converge") return world.send("PATCH", this.#path, { converge: true });
      if (verb !== "grow") return post(verb);
      this.#size = this.#size === 0 ? 1 : 0;
      return world.send("PATCH", this.#path, this.#template(this.#size));
    };
    const { status } = await ask();
    this.told.push(status < 300 ? verb : `${verb} (refused)`);
    return status < 300;
  }

  async #amid(verb: Verb | "create" | "delete"): Promise<void> {
    const messages = 1 + this.#random.below(MESSAGES_MAX);
    for (let steps = 0; steps < messages && (await this.#driven.step()); steps += 1);
    if (this.#stack.status !== "IN_PROGRESS") return;
    this.told.push(`[after ${messages} messages]`);
    if (this.#chance(DRIFTS_AMID)) this.#drift();
    const isUpdate = verb === "update" || verb === "grow" || verb === "converge";
    if (!this.#chance(OVERTAKES_AMID)) return;
    const stop = "cancel_without_rollback" as const;
    if (isUpdate) await this.#request(this.#pick([...CANCELS, "update"]));
    else if (verb === "create") await this.#request(this.#pick([stop, "update"]));
  }

  #mayGo(row: Resource): boolean {
    const id = row.physicalResourceId ?? "";
    if (this.#vanished.has(id)) return true;
    if (row.action === "CREATE" && row.status === "FAILED") return true;
    // Without a good target before it, a rollback deletes everything.
    if (this.#state === "ROLLBACK_COMPLETE" && this.#rows().length === 0) return true;
    const { [row.name]: needed = [] } = this.#cloud.follows;
    return needed.some((name) => this.#gone.has(name));
  }

  readonly #gone = new Set<string>();

  async #play(verb: Verb): Promise<void> {
    const before = this.#rows();
    const wasThere = before.filter((row) => this.#open.isThere(row.physicalResourceId ?? ""));
    for (const row of before) {
      if (this.#vanished.has(row.physicalResourceId ?? "")) this.#gone.add(row.name);
    }
    const isTaken = await this.#request(verb);
    this.#refuse(verb, isTaken);
    if (!isTaken) return;
    const wasAlone = this.told.length;
    await this.#amid(verb);
    const isAlone = this.told.length === wasAlone || this.told.at(-1)?.startsWith("[") === true;
    await this.#driven.settle();
    this.told.push(`= ${this.#state}`);
    for (const row of before) {
      if (this.#vanished.has(row.physicalResourceId ?? "")) this.#gone.add(row.name);
    }
    for (const row of wasThere) {
      const id = row.physicalResourceId ?? "";
      if (this.#open.isThere(id) || this.#mayGo(row)) continue;
      throw new Broken(`the object of ${row.name} was deleted: ${row.statusReason}`);
    }
    this.#ended(isAlone);
  }

  #refuse(verb: Verb, isTaken: boolean): void {
    const isUpdate = verb === "update" || verb === "grow" || verb === "converge";
    const { suspended } = this.#stack;
    const mayBe = (isUpdate && suspended) || (verb === "resume" && !suspended);
    if (!isTaken && !mayBe) throw new Broken(`${verb} is refused`);
    if (!isTaken && verb === "grow") this.#size = this.#size === 0 ? 1 : 0;
  }

  #ended(isAlone: boolean): void {
    const { status, action, statusReason } = this.#stack;
    if (status === "IN_PROGRESS") throw new Broken(`${action} does not end`);
    if (IN_VAIN.test(statusReason)) throw new Broken(`${action} waits for what never comes`);
    const runs = this.#open.running();
    if (this.#state === "SUSPEND_COMPLETE" && runs.length > 0 && isAlone) {
      throw new Broken(`${runs.join(", ")} runs in a suspended stack`);
    }
    const isAsked = action === "UPDATE" && (ASKS.test(statusReason) || this.#isUnseen);
    if (action === "CHECK") this.#isUnseen = false;
    if (status === "FAILED" && action !== "CHECK" && isAlone && !isAsked) {
      throw new Broken(`${this.#state}: ${statusReason}`);
    }
  }

  /** `update`, `resume` and `delete` must work, and nothing may be left over. */
  async #end(): Promise<void> {
    if (this.#stack.suspended) await this.#must("resume");
    await this.#repair();
    if (this.#chance(DELETES_AMID)) {
      await this.#request(this.#pick(["update", "converge", "suspend", "check"] as const));
      await this.#amid("delete");
    }
    if (!(await this.#request("delete"))) throw new Broken("delete is refused");
    await this.#driven.settle();
    if (this.#state !== "DELETE_COMPLETE") {
      throw new Broken(`${this.#state}: ${this.#stack.statusReason}`);
    }
    const left = this.#open.left();
    if (left.length > 0) throw new Broken(`${left.join(", ")} is left over`);
  }

  async #must(verb: Verb): Promise<void> {
    await this.#request(verb);
    await this.#driven.settle();
    const { action, status, statusReason } = this.#stack;
    this.told.push(`= ${this.#state}`);
    if (status !== "COMPLETE") throw new Broken(`${action}_${status}: ${statusReason}`);
  }

  /**
   * Does what `hearth stack repair` does. A check does not look at what depends on something that
   * has drifted, so each round repairs at least one resource more.
   */
  async #repair(): Promise<void> {
    const rounds = Object.keys(this.#cloud.resourcesOf(0)).length;
    for (let round = 0; round <= rounds; round += 1) {
      await this.#request("check");
      await this.#driven.settle();
      this.told.push(`= ${this.#state}`);
      // A cancelled update may have left its target behind.
      if (round > 0 && this.#state === "CHECK_COMPLETE") return;
      await this.#must("update");
    }
    throw new Broken(`it is never repaired: ${this.#stack.statusReason}`);
  }

  async play(): Promise<void> {
    const { world, settle } = this.#driven;
    this.#path = await createStack(world, "app", this.#template(0));
    const isAlone = this.#chance(CREATES_ALONE);
    if (!isAlone) await this.#amid("create");
    await settle();
    this.told.push(`= ${this.#state}`);
    this.#ended(isAlone);
    const requests = 1 + this.#random.below(REQUESTS_MAX);
    for (let count = 0; count < requests; count += 1) {
      if (this.#chance(DRIFTS_BEFORE)) this.#drift();
      await this.#play(this.#pick(VERBS));
    }
    await this.#end();
  }
}

export const liveOnce = async (cloud: Cloud, seed: number): Promise<string | null> => {
  const open = await cloud.open();
  const life = new ProviderLife(cloud, open, memoryRandom(seed));
  try {
    await life.play();
    return null;
  } catch (error) {
    const why = error instanceof Broken ? error.message : String(error);
    return `${life.told.join(" > ")}: ${why}`;
  } finally {
    await open.stop();
  }
};
