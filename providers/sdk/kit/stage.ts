/** Plays Hearth for one type: makes calls, waits for operations and keeps a journal. */
import { MEMBER_OF } from "../members.ts";
import type { Action, Answer, Call, JsonObject, ProvidedType, Provider } from "../provider.ts";
import { Broken, type Member, makeCall, shown } from "./one-call.ts";

export interface StageOptions {
  /** Loads the provider with a fresh state each time, as after a crash. */
  readonly load: () => Promise<Provider>;
  readonly type: string;
  readonly list?: ((properties: JsonObject) => Promise<readonly string[]>) | undefined;
  readonly properties: JsonObject;
  /** For an operation with its polls. The default is 60 seconds. */
  readonly operationSecondsMax?: number | undefined;
}

export interface Subject {
  readonly resourceId: string;
  readonly physicalId: string | null;
  readonly properties: JsonObject;
  readonly previousProperties: JsonObject | null;
  readonly repairs?: true;
}

type Settled = Exclude<Answer, { state: "waiting" | "throttled" }>;

const OPERATION_SECONDS_DEFAULT = 60;
const PAUSE_SECONDS_DEFAULT = 1;

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

export const typeIn = (provider: Provider, name: string): ProvidedType => {
  const type = Object.hasOwn(provider.types, name) ? provider.types[name] : undefined;
  if (type === undefined) throw new Broken(`the provider has no type ${name}`);
  return type;
};

export class Stage {
  /** One line a call, without any property. */
  readonly journal: string[] = [];
  #type: ProvidedType;
  #before: ReadonlySet<string> = new Set();
  #subjects = 0;
  #operations = 0;
  readonly #options: StageOptions;
  readonly #turn: string;

  private constructor(options: StageOptions, type: ProvidedType, turn: string) {
    this.#options = options;
    this.#type = type;
    this.#turn = turn;
  }

  static async open(options: StageOptions, turn: string): Promise<Stage> {
    const stage = new Stage(options, typeIn(await options.load(), options.type), turn);
    stage.#before = new Set(await stage.#list());
    return stage;
  }

  get typeName(): string {
    return this.#options.type;
  }

  get type(): ProvidedType {
    return this.#type;
  }

  async #list(): Promise<readonly string[]> {
    const list = this.#options.list ?? this.#type.list;
    const ids: unknown = await list?.(this.#options.properties);
    if (Array.isArray(ids) && ids.every((id) => typeof id === "string")) return ids;
    throw new Broken("list must give an array of texts");
  }

  async objects(): Promise<readonly string[]> {
    return (await this.#list()).filter((id) => !this.#before.has(id));
  }

  subject(properties: JsonObject): Subject {
    this.#subjects += 1;
    const resourceId = `kit-${this.#turn}-${this.#subjects}`;
    return { resourceId, physicalId: null, properties, previousProperties: null };
  }

  creation(properties: JsonObject): { readonly subject: Subject; readonly call: Call } {
    const subject = this.subject(properties);
    return { subject, call: this.callOf(subject, "CREATE") };
  }

  callOf(subject: Subject, action: Action): Call {
    this.#operations += 1;
    const seconds = this.#options.operationSecondsMax ?? OPERATION_SECONDS_DEFAULT;
    return {
      ...subject,
      token: `${subject.resourceId}/${action}/${this.#operations}`,
      action,
      tenant: "kit",
      stackId: `kit-${this.#turn}`,
      stackName: "kit",
      resourceName: "checked",
      deadline: Date.now() + seconds * 1_000,
      signal: new AbortController().signal,
    };
  }

  /** Throws Broken if the answer is garbage or takes too long. A thrown error becomes `failed`. */
  ask(member: Member, call: Call, handle = call.token): Promise<Answer | null> {
    return makeCall(this.#type, { member, call, handle }, this.journal);
  }

  /** Asks until the operation ends. A throttled call is asked again. */
  async settle(call: Call, ask: () => Promise<Answer>): Promise<Settled> {
    let answer = await ask();
    while (answer.state === "waiting" || answer.state === "throttled") {
      if (Date.now() > call.deadline) throw new Broken(`${call.action} did not come to an end`);
      if (answer.state === "waiting") {
        answer = await this.#poll(call, answer);
      } else {
        await pause(answer.afterSeconds ?? PAUSE_SECONDS_DEFAULT);
        answer = await ask();
      }
    }
    return answer;
  }

  async #poll(call: Call, waiting: Extract<Answer, { state: "waiting" }>): Promise<Answer> {
    const { handle = call.token, physicalId, pollAfterSeconds } = waiting;
    await pause(pollAfterSeconds ?? PAUSE_SECONDS_DEFAULT);
    const answer = (await this.ask("poll", { ...call, physicalId }, handle)) ?? waiting;
    if (answer.state === "throttled") {
      return { ...waiting, pollAfterSeconds: answer.afterSeconds ?? PAUSE_SECONDS_DEFAULT };
    }
    return answer.state === "finished" ? { physicalId, ...answer } : answer;
  }

  async operate(subject: Subject, action: Action): Promise<Settled> {
    const call = this.callOf(subject, action);
    return this.repeat(call, MEMBER_OF[action]);
  }

  /** Makes a call of an operation once more, until the operation ends. */
  repeat(call: Call, member: Member): Promise<Settled> {
    return this.settle(call, async () => (await this.ask(member, call)) ?? { state: "gone" });
  }

  async succeed(subject: Subject, action: Action): Promise<Subject> {
    const end = await this.operate(subject, action);
    const isDone = end.state === "finished" || (action === "DELETE" && end.state === "gone");
    if (!isDone) throw new Broken(`${MEMBER_OF[action]} did not succeed: ${shown(end)}`);
    const physicalId = end.state === "finished" ? end.physicalId : undefined;
    return { ...subject, physicalId: physicalId ?? subject.physicalId };
  }

  async restart(): Promise<void> {
    this.journal.push("the provider is loaded anew");
    this.#type = typeIn(await this.#options.load(), this.#options.type);
  }

  async clear(): Promise<void> {
    for (const physicalId of await this.objects()) {
      await this.operate({ ...this.subject(this.#options.properties), physicalId }, "DELETE");
    }
  }
}
