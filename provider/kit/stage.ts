/**
 * Plays Hearth for one type of a provider: makes calls, waits for operations and keeps a journal.
 * Objects are counted by the provider's own list.
 */
import { MEMBER_OF } from "../members.ts";
import type { Action, Answer, Call, JsonObject, ProvidedType, Provider } from "../provider.ts";
import { Broken, type Member, makeCall, shown } from "./one-call.ts";

export interface StageOptions {
  /** Loads the provider, each time with a state of its own, as after a crash. */
  readonly load: () => Promise<Provider>;
  readonly type: string;
  /** The ids of all objects that there are. Absent: the type's own `list`. */
  readonly list?: ((properties: JsonObject) => Promise<readonly string[]>) | undefined;
  readonly properties: JsonObject;
  /** How long an operation with polls may take. Absent: a minute. */
  readonly operationSecondsMax?: number | undefined;
}

/** A version of a resource, as the provider is told about it. */
export interface Subject {
  readonly resourceId: string;
  readonly physicalId: string | null;
  readonly properties: JsonObject;
  readonly previousProperties: JsonObject | null;
  readonly repairs?: true;
}

/** What an operation ends with. */
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
  /** What was called and answered, one line a call. No line has a property. */
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

  /** `turn` tells this case's tokens from those of the others. */
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

  /** The objects that were not there when the case began. */
  async objects(): Promise<readonly string[]> {
    return (await this.#list()).filter((id) => !this.#before.has(id));
  }

  /** A resource that nothing is made of yet. */
  subject(properties: JsonObject): Subject {
    this.#subjects += 1;
    const resourceId = `kit-${this.#turn}-${this.#subjects}`;
    return { resourceId, physicalId: null, properties, previousProperties: null };
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

  /** One call. A thrown error is its failure. Throws Broken for garbage, and for no answer. */
  ask(member: Member, call: Call, handle = call.token): Promise<Answer | null> {
    return makeCall(this.#type, { member, call, handle }, this.journal);
  }

  /** The end of the operation that has answered so. `again` repeats its first call. */
  async settle(call: Call, first: Answer, again: () => Promise<Answer>): Promise<Settled> {
    let answer = first;
    while (answer.state === "waiting" || answer.state === "throttled") {
      if (Date.now() > call.deadline) throw new Broken(`${call.action} did not come to an end`);
      answer =
        answer.state === "waiting"
          ? await this.#poll(call, answer)
          : await this.#afterPause(answer.afterSeconds, again);
    }
    return answer;
  }

  async #afterPause(seconds: number | undefined, again: () => Promise<Answer>): Promise<Answer> {
    await pause(seconds ?? PAUSE_SECONDS_DEFAULT);
    return again();
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

  /** The whole operation. */
  async operate(subject: Subject, action: Action): Promise<Settled> {
    const call = this.callOf(subject, action);
    const again = async (): Promise<Answer> =>
      (await this.ask(MEMBER_OF[action], call)) ?? { state: "gone" };
    return this.settle(call, await again(), again);
  }

  /** The same, which must succeed. Returns the subject as it is then. */
  async succeed(subject: Subject, action: Action): Promise<Subject> {
    const end = await this.operate(subject, action);
    const isDone = end.state === "finished" || (action === "DELETE" && end.state === "gone");
    if (!isDone) throw new Broken(`${MEMBER_OF[action]} did not succeed: ${shown(end)}`);
    const physicalId = end.state === "finished" ? end.physicalId : undefined;
    return { ...subject, physicalId: physicalId ?? subject.physicalId };
  }

  /** Goes on with a provider that was loaded anew. */
  async restart(): Promise<void> {
    this.journal.push("the provider is loaded anew");
    this.#type = typeIn(await this.#options.load(), this.#options.type);
  }

  /** Deletes what is left. */
  async clear(): Promise<void> {
    for (const physicalId of await this.objects()) {
      await this.operate({ ...this.subject(this.#options.properties), physicalId }, "DELETE");
    }
  }
}
