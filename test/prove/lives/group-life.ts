/**
 * A random life of one group: it is created, scaled by signals, rolled, failed, repaired, rolled
 * back, cancelled and overtaken. Its members are marked, removed by policy, checked and suspended,
 * and in the end it is deleted. Workers are killed all the time. A seed decides everything.
 */
import { type JsonObject, mergedMaps } from "#lib/json.ts";
import { bodyOf, type GroupTemplate } from "../../integration/host/group-templates.ts";
import { at } from "../../unit/api/api-world.ts";
import { Broken, GroupOracle, type Target } from "./group-oracle.ts";
import { LifeWorld } from "./life-world.ts";

export const LIVES: readonly GroupTemplate[] = [
  "OS::Heat::AutoScalingGroup",
  "a scaled OS::Heat::AutoScalingGroup",
  "OS::Heat::ResourceGroup",
  "OS::Heat::ResourceChain",
  "OS::Heat::InstanceGroup",
  "AWS::AutoScaling::AutoScalingGroup",
  "a scaled AWS::AutoScaling::AutoScalingGroup",
];

const MEMBERS_MAX = 5;
const REQUESTS_MAX = 8;
const VISITS_MAX = 25;
const READ_PERCENT = 25;
const TIMEOUT_MINS = 1_440;

class GroupLife {
  readonly #world: LifeWorld;
  readonly #kind: GroupTemplate;
  readonly #oracle: GroupOracle;
  readonly #story: string[] = [];
  #parameters: JsonObject;
  #texts = 0;

  constructor(seed: number, kind: GroupTemplate) {
    this.#world = new LifeWorld(seed);
    this.#kind = kind;
    this.#parameters = this.#sized(1 + this.#world.below(MEMBERS_MAX), { text: "t0" });
    this.#oracle = new GroupOracle(this.#world, this.#target(this.#parameters));
    this.#oracle.isScaled = this.#isScaled;
    this.#oracle.hasNestedMembers = kind.includes("AWS") || kind.includes("Instance");
  }

  get story(): string {
    return this.#story.join(" > ");
  }

  async live(): Promise<void> {
    const body = mergedMaps(bodyOf(this.#kind, this.#parameters), { stack_name: "life" });
    await this.#ask("create", "POST", "/stacks", mergedMaps(body, { timeout_mins: TIMEOUT_MINS }));
    await this.#rest();
    const requests = 2 + this.#world.below(REQUESTS_MAX);
    for (let request = 0; request < requests; request++) await this.#live();
    await this.#ask("delete", "DELETE", this.#oracle.path);
    await this.#world.run(async () => {});
    const { action, status } = this.#oracle.root ?? {};
    const left = this.#world.provider.objects().length;
    if (`${action}_${status}` !== "DELETE_COMPLETE" || left > 0) {
      throw new Broken(`${action}_${status} with ${left} objects`);
    }
  }

  async #live(): Promise<void> {
    const isGood = this.#oracle.root?.status === "COMPLETE";
    const die = this.#world.below(100);
    if (die < 55 || (!isGood && die < 70)) return this.#update();
    if (die < 80) return this.#isScaled ? this.#signal() : this.#update();
    if (die < 90) return this.#mark();
    if (isGood) return this.#act(this.#world.chance(50) ? "check" : "suspend");
  }

  get #isScaled(): boolean {
    return this.#leavesOpen || this.#kind === "OS::Heat::AutoScalingGroup";
  }

  get #leavesOpen(): boolean {
    return this.#kind.startsWith("a scaled");
  }

  #sized(size: number, more: JsonObject): JsonObject {
    const types = Array.from({ length: size }, () => "OS::Heat::TestResource");
    return mergedMaps(
      this.#leavesOpen ? { minimum: size } : { size },
      this.#kind === "OS::Heat::ResourceChain" ? { types } : {},
      { in_service: this.#world.below(4), batch: 1 + this.#world.below(3) },
      more,
    );
  }

  #target(parameters: JsonObject): Target {
    const number = (name: string): number => Number(parameters[name] ?? 1);
    return {
      text: String(parameters["text"]),
      size: this.#leavesOpen ? null : number("size"),
      minimum: this.#leavesOpen ? number("minimum") : 1,
    };
  }

  #next(): JsonObject {
    const world = this.#world;
    const text = world.chance(80) ? `t${++this.#texts}` : String(this.#parameters["text"]);
    const sized = world.chance(40) ? this.#sized(1 + world.below(MEMBERS_MAX), {}) : {};
    return mergedMaps(this.#parameters, sized, {
      text,
      fail: world.chance(25),
      fails_after: world.chance(15),
      ...(world.chance(20) ? { image: text } : {}),
      ...(this.#kind === "OS::Heat::ResourceGroup" && world.chance(20)
        ? { removed: [String(world.below(MEMBERS_MAX))] }
        : {}),
    });
  }

  async #update(): Promise<void> {
    const isRolledBack = this.#world.chance(40);
    await this.#put(isRolledBack);
    const isDisturbed = this.#world.chance(40);
    if (isDisturbed) {
      const visits = this.#world.below(VISITS_MAX);
      let seen = 0;
      await this.#world.run(
        async () => {
          seen += 1;
          await this.#look();
        },
        () => seen >= visits,
      );
      await this.#disturb();
    }
    await this.#rest();
  }

  async #put(isRolledBack: boolean): Promise<void> {
    this.#parameters = this.#next();
    const { text, fail, fails_after, removed } = this.#parameters;
    const target = this.#target(this.#parameters);
    this.#oracle.requested(target, { in_service: Number(this.#parameters["in_service"]) });
    if (fail === true || fails_after === true || removed !== undefined) this.#oracle.disturbed();
    const what = `update to ${text} of ${target.size ?? `at least ${target.minimum}`}${fail ? ", fails" : ""}${fails_after ? ", fails after" : ""}${isRolledBack ? ", rolled back" : ""}`;
    await this.#ask(
      what,
      "PUT",
      this.#oracle.path,
      mergedMaps(bodyOf(this.#kind, this.#parameters), {
        disable_rollback: !isRolledBack,
        timeout_mins: TIMEOUT_MINS,
      }),
    );
  }

  async #disturb(): Promise<void> {
    const { root } = this.#oracle;
    if (root?.status !== "IN_PROGRESS" || root.action !== "UPDATE") return;
    const die = this.#world.below(100);
    this.#oracle.disturbed();
    if (die < 60) return this.#put(this.#world.chance(40));
    const action = die < 80 ? "cancel_update" : "cancel_without_rollback";
    if (action === "cancel_update") this.#oracle.requested("rollback", { in_service: 0 });
    await this.#ask(action, "POST", `${this.#oracle.path}/actions`, { [action]: null });
  }

  async #signal(): Promise<void> {
    const isUp = this.#world.chance(60);
    const up = this.#kind.includes("AWS") ? 4 : 5;
    const by = this.#leavesOpen ? up : 3;
    const size = this.#oracle.scaledBy(isUp ? by : -1);
    await this.#ask(
      isUp ? "up" : "down",
      "POST",
      `${this.#oracle.path}/resources/${isUp ? "policy" : "down"}/signal`,
      {},
    );
    await this.#world.run(() => this.#look());
    if (size === null) return;
    const { below } = this.#oracle;
    if (below?.status === "COMPLETE") this.#oracle.scaled(size);
  }

  async #mark(): Promise<void> {
    const { below, members } = this.#oracle;
    const member = members[this.#world.below(Math.max(members.length, 1))];
    if (below === undefined || member === undefined || below.status === "IN_PROGRESS") return;
    await this.#ask(
      `mark ${member.name}`,
      "PATCH",
      `/stacks/${below.name}/${below.id}/resources/${member.name}`,
      { mark_unhealthy: true },
    );
    await this.#oracle.look(true);
  }

  async #act(action: "check" | "suspend"): Promise<void> {
    await this.#ask(action, "POST", `${this.#oracle.path}/actions`, { [action]: null });
    await this.#world.run(() => this.#look());
    if (action === "check" || !this.#oracle.root?.suspended) return;
    await this.#ask("resume", "POST", `${this.#oracle.path}/actions`, { resume: null });
    await this.#world.run(() => this.#look());
  }

  #look(): Promise<void> {
    return this.#oracle.look(this.#world.chance(READ_PERCENT));
  }

  async #rest(): Promise<void> {
    await this.#world.run(() => this.#look());
    this.#story.push(`${this.#oracle.root?.action}_${this.#oracle.root?.status}`);
    await this.#oracle.look(true);
    this.#oracle.atRest();
  }

  async #ask(what: string, method: string, path: string, body?: JsonObject): Promise<void> {
    const { status, body: answer } = await this.#world.send(method, path, body);
    this.#story.push(`${what} (${status})`);
    const isRefused = status >= 500 || (status >= 400 && method !== "PATCH");
    if (isRefused) throw new Broken(JSON.stringify(at(answer, "error", "message")));
  }
}

export const groupLife = async (seed: number, kind: GroupTemplate): Promise<string | null> => {
  const life = new GroupLife(seed, kind);
  try {
    await life.live();
    return null;
  } catch (error) {
    const isBroken = error instanceof Broken || !(error instanceof Error);
    const text = isBroken ? String(error) : `${error.stack}`;
    return `${kind}, seed ${seed}: ${life.story}: ${text}`;
  }
};
