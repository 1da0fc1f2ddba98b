/**
 * The oracle of a random life of deployments. A DELETE that was delivered is waited for until its
 * server answers, its time is over, or a user gives it up. And no result counts for another
 * operation. The oracle knows nothing else of the engine.
 */
import { present } from "#lib/errors.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import { openOutputValues } from "#lib/software-config/configs/config-content.ts";
import type { LifeWorld } from "./deployment-world.ts";

const NEVER_SEEN_MS = 10 * 60_000;
/** The share of its DELETE's time in which a server waits for deployments in other branches. */
const SHARE_OF_TIME = 0.8;

interface Delivery {
  readonly record: DeploymentRecord;
  readonly deadline: number;
  readonly seenAt: number;
}

export class Answers {
  readonly #answered = new Set<string>();
  readonly #polled = new Set<string>();

  answered(id: string): void {
    this.#answered.add(id);
  }

  polled(serverId: string): void {
    this.#polled.add(serverId);
  }

  /** A restored folder may not know that a server has polled. */
  forgetPolls(): void {
    this.#polled.clear();
  }

  has(id: string): boolean {
    return this.#answered.has(id);
  }

  wasSeen(serverId: string): boolean {
    return this.#polled.has(serverId);
  }
}

const keyOf = ({ id, generation }: DeploymentRecord): string => `${id}/${generation}`;

export class DeploymentOracle {
  readonly #world: Pick<LifeWorld, "ports" | "clock">;
  readonly #answers: Answers;
  readonly #waiting = new Map<string, Delivery>();
  readonly #deliveries = new Map<string, Set<string>>();
  readonly #last = new Map<string, DeploymentRecord>();
  /** By server: until when its DELETE waits for deployments that are to run on it. */
  readonly #waitsUntil = new Map<string, number>();
  readonly #deleted = new Set<string>();
  givesUp = false;
  deletes = 0;
  answered = 0;

  constructor(world: Pick<LifeWorld, "ports" | "clock">, answers: Answers) {
    this.#world = world;
    this.#answers = answers;
  }

  /** After a restore, nothing awaited, delivered or deleted since the backup has happened. */
  forget(): void {
    this.#waiting.clear();
    this.#last.clear();
    this.#waitsUntil.clear();
    this.#answers.forgetPolls();
  }

  async look(serverIds: Iterable<string>): Promise<void> {
    const there = new Map<string, DeploymentRecord>();
    const rowsOf = new Map<string, readonly Resource[]>();
    for (const serverId of serverIds) {
      await this.#noteServer(serverId, rowsOf);
      for (const record of await this.#world.ports.softwareConfigs.listDeployments(serverId)) {
        there.set(record.id, record);
        await this.#note(record);
      }
    }
    this.#wereDelivered(there);
    for (const [key, delivery] of this.#waiting) {
      const now = there.get(delivery.record.id);
      const goesOn = now?.generation === delivery.record.generation && now.status === "IN_PROGRESS";
      if (goesOn) continue;
      this.#waiting.delete(key);
      await this.#mayEnd(key, delivery);
    }
  }

  /** `rowsOf` has the rows of the stacks that this look has read, so it reads each stack once. */
  async #noteServer(serverId: string, rowsOf: Map<string, readonly Resource[]>): Promise<void> {
    const { softwareConfigs, store } = this.#world.ports;
    const server = await softwareConfigs.getServer(serverId);
    if (server === null || this.#waitsUntil.has(serverId)) return;
    const rows = rowsOf.get(server.stackId) ?? (await store.listResources(server.stackId));
    rowsOf.set(server.stackId, rows);
    const operation = rows.find((row) => row.physicalResourceId === serverId)?.operation;
    if (operation?.action !== "DELETE") return;
    const { startedAt, deadline } = operation;
    this.#waitsUntil.set(serverId, startedAt + (deadline - startedAt) * SHARE_OF_TIME);
  }

  /**
   * Each deployment of a life has work for DELETE, so none may disappear before that was delivered,
   * unless its server's time was over first.
   */
  #wereDelivered(there: ReadonlyMap<string, DeploymentRecord>): void {
    for (const [id, { resourceName, serverId }] of this.#last) {
      if (there.has(id)) continue;
      this.#last.delete(id);
      const isLate = this.#world.clock.now() >= (this.#waitsUntil.get(serverId) ?? Infinity);
      const isExcused = this.#deleted.has(id) || !this.#answers.wasSeen(serverId) || isLate;
      if (isExcused || this.givesUp) continue;
      throw new Error(`${resourceName} has gone, and its DELETE was never delivered`);
    }
  }

  async #note(record: DeploymentRecord): Promise<void> {
    const key = keyOf(record);
    const deliveries = this.#deliveries.get(key) ?? new Set();
    this.#deliveries.set(key, deliveries.add(record.derivedConfigId));
    await this.#resultIsOwn(record, deliveries);
    this.#last.set(record.id, record);
    if (record.action === "DELETE") this.#deleted.add(record.id);
    const isWaiting = record.action === "DELETE" && record.status === "IN_PROGRESS";
    if (!isWaiting || this.#waiting.has(key)) return;
    const { stackId, resourceId } = record;
    const row = await this.#world.ports.store.getResource({ stackId, id: resourceId });
    if (row?.operation?.generation !== record.generation) return;
    const { deadline } = present(row.operation, "the operation");
    this.deletes++;
    this.#waiting.set(key, { record, deadline, seenAt: this.#world.clock.now() });
  }

  /** The agents print the id of the delivery that they run. */
  async #resultIsOwn(record: DeploymentRecord, deliveries: ReadonlySet<string>): Promise<void> {
    const before = this.#last.get(record.id);
    const ends = before !== undefined && keyOf(before) === keyOf(record);
    if (!ends || before.status !== "IN_PROGRESS" || record.status === "IN_PROGRESS") return;
    if (record.statusReason === "Deployment cancelled.") return;
    const values = await openOutputValues(this.#world.ports.cipher, record);
    const printed = String(values["deploy_stdout"]);
    if (deliveries.has(printed)) return;
    throw new Error(`the ${record.action} of ${record.resourceName} ended with another's result`);
  }

  async #mayEnd(key: string, { record, deadline, seenAt }: Delivery): Promise<void> {
    const now = this.#world.clock.now();
    const ids = [...(this.#deliveries.get(key) ?? [])];
    if (ids.some((id) => this.#answers.has(id))) this.answered++;
    else if (now < deadline && !this.givesUp && !this.#isUnseen(record, now - seenAt)) {
      const { stackId, resourceId: id } = record;
      const reason = (await this.#world.ports.store.getResource({ stackId, id }))?.statusReason;
      throw new Error(`the DELETE of ${record.resourceName} has ended unanswered: ${reason}`);
    }
  }

  #isUnseen({ serverId }: DeploymentRecord, waitedMs: number): boolean {
    return !this.#answers.wasSeen(serverId) && waitedMs >= NEVER_SEEN_MS - 60_000;
  }
}
