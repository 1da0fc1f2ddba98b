/**
 * The world of a decade: the ports of a host on a folder of SQLite files, with its real keys and
 * signatures. The host restarts, its folder is backed up and restored, its keys rotate, it moves,
 * it is upgraded, and its clock is wrong. The machines and the provider keep what they know.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { feedChanges } from "#host/change-feed.ts";
import { putOffDeadlines } from "#host/host.ts";
import { bindHostPorts, type HostPorts } from "#host/host-ports.ts";
import { failures, queueHandlers } from "#host/queue-poller.ts";
import { sweepLostMessages, sweepPorts } from "#host/sweeper.ts";
import { backupFolder } from "#lib/adapters/sqlite/folder/backup.ts";
import { readKeys } from "#lib/adapters/sqlite/folder/keys.ts";
import { restoreFolder } from "#lib/adapters/sqlite/folder/restore.ts";
import { rotateKeys } from "#lib/adapters/sqlite/folder/rotate-keys.ts";
import { SCHEMA } from "#lib/adapters/sqlite/schema.ts";
import { route } from "#lib/api/route.ts";
import { sweepAndRecord } from "#lib/engine/health.ts";
import { findStrayObjects } from "#lib/engine/resources/marked-objects.ts";
import { type Json, parseJson } from "#lib/json.ts";
import type { Ports, Random } from "#lib/ports/ports.ts";
import { RECEIVABLE_QUEUES, type ReceivedMessage } from "#lib/ports/queue.ts";
import { type Answer, PUBLIC_URL } from "../../unit/api/api-world.ts";
import { OLDEST_WITH_TOKENS, takeBack } from "../../upgrade/former-schema.ts";
import { FormerStacks, writeFormer } from "./decade-former.ts";
import { Machine, type MachineKind } from "./decade-machine.ts";
import { REMEMBERED_TYPE, RememberingProvider } from "./decade-provider.ts";
import type { AgentLine } from "./deployment-agents.ts";
import type { Answers } from "./deployment-oracle.ts";
import { killed, type LifeWorld, type Stroke } from "./deployment-world.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DECADE_BEGINS = 1_750_000_000_000;
const VISIBILITY_MS = 120_000;
const VISIT_MS = 60_000;
const HANDS_MAX = 4;
/** Former schemas that have all tables that a decade uses. */
const UPGRADABLE = SCHEMA.version - OLDEST_WITH_TOKENS;
const KILLED_PERCENT = 5;
const DOUBLED_PERCENT = 4;

/** Each of these breaks one promise of a host or of an agent, and a decade must find it. */
export const BROKEN_PROMISES = [
  "a restore begins no life",
  "a rotation ends the URLs of former keys",
  "an agent loses its newest URL",
  "a result is sent for another delivery",
] as const;
export type BrokenPromise = (typeof BROKEN_PROMISES)[number];

const noCounts = () => ({
  ownAgents: 0,
  stockAgents: 0,
  restarts: 0,
  rotations: 0,
  leaks: 0,
  retries: 0,
  moves: 0,
  backups: 0,
  restores: 0,
  upgrades: 0,
  formerStacks: 0,
  formerHandles: 0,
  jumps: 0,
  rests: 0,
  lostAddresses: 0,
  lostKeys: 0,
  strays: 0,
});
export type DecadeCounts = Readonly<Partial<ReturnType<typeof noCounts>>>;

export class DecadeWorld implements LifeWorld {
  readonly #random: Random;
  readonly broken: BrokenPromise | null;
  readonly #root = mkdtempSync(join(tmpdir(), "hearth-decade-"));
  readonly provider = new RememberingProvider();
  readonly machines = new Map<string, Machine>();
  readonly addresses = new Set<string>([PUBLIC_URL]);
  /** Keys that may end: by a leak, or because a restored folder is older. */
  readonly endedKids = new Set<string>();
  #address = PUBLIC_URL;
  #folders = 0;
  #backups = 0;
  #backup: string | null = null;
  #asksAll = false;
  #wallMs = DECADE_BEGINS;
  #monotonicMs = 0;
  #host: HostPorts;
  readonly #former: FormerStacks | null;
  readonly counts = noCounts();

  /** `isUpgraded`: the decade begins in a released version's folder, which this one upgrades. */
  constructor(random: Random, broken: BrokenPromise | null, isUpgraded: boolean) {
    this.#random = random;
    this.broken = broken;
    const former = isUpgraded ? writeFormer(this.#data) : null;
    if (former !== null) this.#wallMs = former.takenAt;
    this.#host = this.#bind();
    this.#former = former && new FormerStacks(this, former, random);
  }

  get #data(): string {
    return join(this.#root, `data-${this.#folders}`);
  }

  #bind(): HostPorts {
    return bindHostPorts(this.#data, this.#address, {
      durability: "relaxed",
      plugins: [{ source: "remembering", provider: this.provider.provider }],
      clockSources: { wall: () => this.#wallMs, monotonic: () => this.#monotonicMs },
    });
  }

  get ports(): Ports {
    const { ports } = this.#host;
    return this.broken === "a restore begins no life" ? { ...ports, life: 0 } : ports;
  }

  get #kids(): readonly string[] {
    return (readKeys(this.#data)?.signing ?? []).map(({ kid }) => kid);
  }

  /** A restore or a leak ends keys. A key that a restore brings back verifies again. */
  #endKeys(ended: readonly string[], back: readonly string[] = []): void {
    for (const kid of ended) this.endedKids.add(kid);
    for (const kid of back) this.endedKids.delete(kid);
  }

  readonly clock = {
    now: (): number => this.ports.clock.now(),
    advance: (ms: number): void => {
      this.#wallMs += ms;
      this.#monotonicMs += ms;
    },
  };

  #open = async (): Promise<void> => {
    this.#host = this.#bind();
    await putOffDeadlines(this.#host);
    this.#host.database.voidFormerProcess();
    await sweepLostMessages(this.#host);
  };

  async #reopen(awayMs: number): Promise<void> {
    await this.#pollInVain();
    this.#host.close();
    this.clock.advance(awayMs);
    await this.#open();
  }

  async #pollInVain(): Promise<void> {
    const addresses = [...this.addresses];
    this.addresses.clear();
    for (const machine of this.machines.values())
      if (this.#random.below(2) === 0) await machine.poll();
    for (const address of addresses) this.addresses.add(address);
  }

  async #restart(awayMs: number): Promise<Stroke> {
    this.counts.restarts++;
    await this.#reopen(awayMs);
    return { what: `the host was away for ${awayMs / MINUTE_MS} min` };
  }

  async #rotate(): Promise<Stroke> {
    this.counts.rotations++;
    const leaked = this.broken === "a rotation ends the URLs of former keys";
    rotateKeys(this.#data, { now: this.clock.now(), leaked });
    await this.#reopen(1_000);
    return { what: "the keys are rotated" };
  }

  async #leak(): Promise<Stroke> {
    this.counts.leaks++;
    this.#endKeys(this.#kids);
    rotateKeys(this.#data, { now: this.clock.now(), leaked: true });
    await this.#reopen(1_000);
    for (const machine of this.machines.values()) await machine.bootstrap();
    return { what: "a key has leaked" };
  }

  async #retry(): Promise<Stroke | null> {
    const serverIds = [...this.machines.keys()];
    const serverId = serverIds[this.#random.below(Math.max(1, serverIds.length))] ?? "";
    const records = await this.ports.softwareConfigs.listDeployments(serverId);
    const record = records[this.#random.below(Math.max(1, records.length))];
    if (record === undefined) return null;
    const { status } = await this.send("POST", `/software_deployments/${record.id}/retry`);
    if (status < 400) this.counts.retries++;
    return { what: `retry of ${record.resourceName}: ${status}` };
  }

  async #move(): Promise<Stroke> {
    this.counts.moves++;
    const former = this.#address;
    this.#address = `http://hearth-${this.#random.below(1_000_000)}.test`;
    this.addresses.clear();
    this.addresses.add(former).add(this.#address);
    await this.#reopen(5_000);
    return { what: `the host moves to ${this.#address}` };
  }

  #backUp(): Stroke {
    this.counts.backups++;
    this.#backup = join(this.#root, `backup-${++this.#backups}`);
    const takenAt = this.clock.now();
    backupFolder({ folder: this.#data, file: this.#backup, version: "decade", takenAt });
    return { what: "the folder is backed up" };
  }

  async #restore(awayMs: number): Promise<Stroke | null> {
    if (this.#backup === null) return null;
    this.counts.restores++;
    const former = this.#kids;
    this.#host.close();
    this.clock.advance(awayMs);
    this.#folders++;
    restoreFolder(this.#backup, this.#data, this.#wallMs);
    this.#endKeys(former, this.#kids);
    await this.#open();
    for (const machine of this.machines.values()) machine.wakes();
    return { what: "the folder is restored", isRestore: true };
  }

  /** The folder gets a former schema before the host starts, and may be backed up like that. */
  async #upgrade(): Promise<Stroke> {
    this.counts.upgrades++;
    await this.#pollInVain();
    this.#host.close();
    takeBack(this.#data, OLDEST_WITH_TOKENS + this.#random.below(UPGRADABLE));
    const isBackedUp = this.#random.below(2) === 0;
    if (isBackedUp) this.#backUp();
    this.clock.advance(MINUTE_MS);
    await this.#open();
    return { what: `the host is upgraded${isBackedUp ? ", after a backup" : ""}` };
  }

  async send(method: string, url: string, body?: Json): Promise<Answer> {
    const [path = "", search = ""] = url.split("?");
    const given = [...new URLSearchParams(search)];
    const query = Object.fromEntries(given.map(([key, value]) => [key, [value]]));
    const text = body === undefined ? null : JSON.stringify(body);
    const request = { method, path: `/v1/demo${path}`, query, body: text };
    const unexpected: unknown[] = [];
    const answer = await route(this.ports, this.#host.settings, request, (error) =>
      unexpected.push(error),
    );
    for (const error of unexpected) throw error;
    const { status, headers } = answer;
    return { status, headers, body: answer.body === null ? null : parseJson(answer.body) };
  }

  async deliver(isCalm: boolean): Promise<boolean> {
    const { queue } = this.#host.database;
    const first = this.#random.below(RECEIVABLE_QUEUES.length);
    for (let at = 0; at < RECEIVABLE_QUEUES.length; at++) {
      const name = RECEIVABLE_QUEUES[(first + at) % RECEIVABLE_QUEUES.length] ?? "check";
      const hand = queue.receive(name, 1 + this.#random.below(HANDS_MAX), VISIBILITY_MS);
      for (const message of hand) await this.#handle(name, message, isCalm);
      if (hand.length > 0) return true;
    }
    return false;
  }

  async #handle(
    name: (typeof RECEIVABLE_QUEUES)[number],
    message: ReceivedMessage,
    isCalm: boolean,
  ): Promise<void> {
    const { database } = this.#host;
    const die = isCalm ? 100 : this.#random.below(100);
    const work = (ports: Ports) =>
      failures({ queue: name, handler: queueHandlers(ports)[name], limitMs: VISIT_MS }, [message]);
    if (die < KILLED_PERCENT) {
      await killed(this.ports, this.#random, work);
      return;
    }
    const failed = await work(this.ports);
    if (die < KILLED_PERCENT + DOUBLED_PERCENT)
      database.queue.changeVisibility(message.receiptHandle, 0);
    else if (failed.size === 0) await database.queue.deleteAll([message.receiptHandle]);
  }

  resources(): readonly (readonly [string, Json])[] {
    const size = String(this.#random.below(5));
    return [["thing", { type: REMEMBERED_TYPE, properties: { size } }]];
  }

  async strikes(): Promise<Stroke | null> {
    const stroke = await this.#strikes();
    if (stroke !== null) this.#asksAll = this.#random.below(4) === 0;
    return stroke;
  }

  async #strikes(): Promise<Stroke | null> {
    const die = this.#random.below(1_000);
    const awayMs = this.#random.below(die % 2 === 0 ? 10 * MINUTE_MS : 9 * DAY_MS);
    if (die < 12) return this.#backUp();
    if (die < 20) return this.#restore(awayMs);
    if (die < 32) return this.#rotate();
    if (die < 46) return this.#restart(awayMs);
    if (die < 54) return this.#move();
    if (die < 60) return this.#wrongClock();
    if (die < 66) return this.#rests();
    if (die < 70) return this.#leak();
    if (die < 82) return this.#retry();
    return die < 88 ? this.#upgrade() : null;
  }

  async #wrongClock(): Promise<Stroke> {
    this.counts.jumps++;
    const byMs = this.#random.below(2) === 0 ? 31 * DAY_MS : -60 * MINUTE_MS;
    this.#wallMs += byMs;
    for (let minute = 0; minute < 3; minute++) {
      this.clock.advance(MINUTE_MS);
      await this.sweep();
    }
    this.#wallMs -= byMs;
    return { what: `the clock is wrong by ${byMs / MINUTE_MS} min` };
  }

  async #rests(): Promise<Stroke> {
    this.counts.rests++;
    const weeks = this.#random.below(20);
    for (let week = 0; week < weeks; week++) {
      this.clock.advance(7 * DAY_MS);
      await this.sweep();
      while (await this.deliver(true));
      for (const machine of this.machines.values()) await machine.poll();
    }
    return { what: `${weeks} weeks pass` };
  }

  async look(isCalm: boolean): Promise<void> {
    await this.#former?.turn();
    const wrong =
      this.provider.failure ?? [...this.machines.values()].find((one) => one.failure)?.failure;
    if (wrong) throw wrong;
    if (!isCalm && !this.#asksAll) return;
    this.#asksAll = false;
    for (const [serverId, machine] of this.machines) await this.#isServed(serverId, machine);
  }

  /** Each remaining object must be of a lost time, and `hearth doctor --objects` must list it. */
  async ended(): Promise<void> {
    await this.#former?.ended();
    const { objects } = await findStrayObjects(this.ports, "demo");
    const listed = new Set(objects.map(({ physicalId }) => physicalId));
    const { objects: left } = this.provider;
    this.counts.strays += left.length;
    if (left.length > 0 && this.counts.restores === 0) throw new Error(`left behind: ${left}`);
    for (const id of left) if (!listed.has(id)) throw new Error(`S40: nobody lists ${id}`);
  }

  async #isServed(serverId: string, machine: Machine): Promise<void> {
    const isThere = (await this.ports.softwareConfigs.getServer(serverId)) !== null;
    if (!isThere || (await machine.isServed())) return;
    const { whyLost } = machine;
    if (whyLost === null) throw new Error(`the agent of server ${serverId} is locked out`);
    this.counts[whyLost === "key" ? "lostKeys" : "lostAddresses"]++;
    await machine.bootstrap();
    if (!(await machine.isServed())) throw new Error(`a new URL of ${serverId} does not serve`);
  }

  async sweep(): Promise<void> {
    await sweepAndRecord(sweepPorts(this.#host), { dropsHeld: true });
    this.#host.tidy(this.clock.now());
    await feedChanges(this.#host.database.changes, this.ports, () => undefined);
  }

  lineTo(serverId: string, answers: Answers): AgentLine {
    const kind: MachineKind = this.#random.below(100) < 60 ? "ours" : "stock";
    const machine = new Machine(this, serverId, kind, answers);
    this.machines.set(serverId, machine);
    this.counts[kind === "ours" ? "ownAgents" : "stockAgents"]++;
    return machine;
  }

  close(): void {
    this.#host.close();
    rmSync(this.#root, { recursive: true });
  }
}
