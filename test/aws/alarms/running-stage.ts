/**
 * A stage that runs in this process, second by second. The template says what calls its functions,
 * and each service measures what its documentation says.
 */
import type { APIGatewayRequestAuthorizerEvent, DynamoDBRecord } from "aws-lambda";
import * as z from "zod";
import { UNAUTHORIZED } from "#functions/authorizer/authorize.ts";
import type { FunctionName } from "#functions/aws/environment.ts";
import { lambdaContext, proxyEvent, scheduledEvent, sqsEvent } from "#host/lambda-events.ts";
import { present } from "#lib/errors.ts";
import { linesOf } from "#test/unit/functions/output.ts";
import {
  type DeployedFunctions,
  openDeployedFunctions,
  type Surroundings,
} from "./deployed-functions.ts";
import { alarmsThatGoOff, dimensionsText, type Sample } from "./evaluate.ts";
import { QueueDouble } from "./queue-double.ts";
import type { ReadTemplate } from "./read-template.ts";

const SECOND_MS = 1_000;
const MINUTE = 60;
/** The limit is counted by the real clock, which hardly moves here. */
const LIMIT_MS = 60_000;
const UNAUTHORIZED_STATUS = 401;
/** The gateway answers with this status if a function gives no answer. */
const UNAVAILABLE_STATUS = 503;

const aRequest = (path: string, headers: Readonly<Record<string, string>>, tenant?: string) =>
  proxyEvent({
    method: "GET",
    path,
    search: new URLSearchParams(),
    headers,
    body: null,
    pathParameters: { server_id: "unknown", derived_id: "unknown" },
    tenant,
  });

const authorizerEvent = (): APIGatewayRequestAuthorizerEvent => {
  const { requestContext, ...event } = aRequest("/v1/demo/stacks", { "X-Auth-Token": "invented" });
  return {
    ...event,
    type: "REQUEST",
    methodArn: "arn:aws:execute-api:r:a:api/stage/GET/v1/demo/stacks",
    requestContext: { ...requestContext, authorizer: undefined },
  };
};
const STRANGERS = authorizerEvent();

interface StreamRecord {
  readonly record: DynamoDBRecord;
  readonly at: number;
  tries: number;
}

interface Shard {
  records: StreamRecord[];
  busyUntil: number;
}

const metricLine = z.looseObject({
  _aws: z.object({
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});
const taskShape = z.object({
  Retry: z.array(
    z.object({
      ErrorEquals: z.array(z.string()),
      MaxAttempts: z.number(),
      IntervalSeconds: z.number(),
      BackoffRate: z.number(),
    }),
  ),
});
const values = z.union([z.number().transform((one) => [one]), z.array(z.number())]);

export class RunningStage {
  readonly #template: ReadTemplate;
  readonly #around: Surroundings;
  readonly #functions: DeployedFunctions;
  readonly #samples: Sample[] = [];
  readonly #queues = new Map<string, QueueDouble>();
  readonly #shards = new Map<string, Shard>();
  #now = 0;
  #paused = 0;
  #running: FunctionName | null = null;
  readonly brokenStarts = new Set<FunctionName>();
  readonly switchedOff = new Set<FunctionName>();
  readonly dying = new Set<FunctionName>();
  free = Number.POSITIVE_INFINITY;
  fault: (by: FunctionName, service: string, command: string) => Error | null = () => null;

  static async open(template: ReadTemplate): Promise<RunningStage> {
    const begun = Date.now();
    let stage: RunningStage | null = null;
    const around: Surroundings = {
      stageName: "dev",
      now: () => begun + (stage?.seconds ?? 0) * SECOND_MS,
      fault: (service, command) => stage?.faultOf(service, command) ?? null,
      send: (queue, body, delay) => stage?.send(queue, body, delay),
      show: (queue, handle, seconds) => stage?.show(queue, handle, seconds),
      pause: (seconds) => stage?.pause(seconds),
    };
    const functions = await openDeployedFunctions(around);
    stage = new RunningStage(template, around, functions);
    return stage;
  }

  private constructor(template: ReadTemplate, around: Surroundings, functions: DeployedFunctions) {
    this.#template = template;
    this.#around = around;
    this.#functions = functions;
    for (const [id, { VisibilityTimeout, RedrivePolicy }] of template.queues) {
      const shape = {
        visibilitySeconds: VisibilityTimeout,
        receivesMax: RedrivePolicy?.maxReceiveCount ?? null,
      };
      const next = RedrivePolicy?.deadLetterTargetArn ?? "";
      this.#queues.set(
        id,
        new QueueDouble(shape, (body, now) => this.#queue(next).send(body, now)),
      );
    }
    for (const { id } of template.sources) this.#shards.set(id, { records: [], busyUntil: 0 });
  }

  get seconds(): number {
    return this.#now;
  }
  get ports() {
    return this.#functions.ports;
  }
  faultOf(service: string, command: string): Error | null {
    return this.#running === null ? null : this.fault(this.#running, service, command);
  }
  send(queue: string, body: string, delaySeconds = 0): void {
    this.#queue(this.#template.queueId(queue)).send(body, this.#now, delaySeconds);
  }
  show(queue: string, receiptHandle: string, seconds: number): void {
    this.#queue(this.#template.queueId(queue)).show(receiptHandle, this.#now + seconds);
  }
  pause(seconds: number): void {
    this.#paused = seconds;
  }

  feed(called: FunctionName, record: DynamoDBRecord): void {
    const source = this.#template.sources.find((one) => one.called === called);
    const shard = present(this.#shards.get(source?.id ?? ""), called);
    const ApproximateCreationDateTime = this.#around.now() / SECOND_MS;
    const dynamodb = { ...record.dynamodb, ApproximateCreationDateTime };
    shard.records.push({ record: { ...record, dynamodb }, at: this.#now, tries: 0 });
  }

  async run(seconds: number): Promise<void> {
    for (const end = this.#now + seconds; this.#now < end; this.#now += 1) {
      if (this.#now % MINUTE === 0) await this.#sweep();
      for (const source of this.#template.sources) await this.#poll(source);
      if (this.#now % MINUTE === 0) this.#measureQueues();
    }
  }

  alarms(): readonly string[] {
    return alarmsThatGoOff(this.#template.alarms, this.#samples, this.#now);
  }

  /** @returns null if the call was refused or ended in an error. */
  async call<Answer>(name: FunctionName, work: () => Promise<Answer>): Promise<Answer | null> {
    const measure = (metric: string, value: number): void =>
      this.#measure(
        "AWS/Lambda",
        metric,
        [["FunctionName", this.#template.functionId(name)]],
        value,
      );
    if (this.free < 1) {
      measure("Throttles", 1);
      return null;
    }
    measure("Invocations", 1);
    let answer: Answer | null = null;
    this.#running = name;
    const lines = await linesOf(async () => {
      try {
        if (this.brokenStarts.has(name)) await import(`../../../functions/${name}/lambda.ts`);
        if (this.dying.has(name)) throw new Error("Runtime.OutOfMemory");
        answer = await work();
      } catch {
        measure("Errors", 1);
      }
    });
    this.#running = null;
    for (const line of lines) this.#take(line);
    return answer;
  }

  async request(name: "api" | "metadata" | "signal", path: string, tenant?: string) {
    const event = aRequest(path, {}, tenant);
    const handler = this.#functions.requests[name];
    const answer = await this.call(name, () => handler(event, lambdaContext(name, LIMIT_MS)));
    return this.#gateway(answer?.statusCode ?? UNAVAILABLE_STATUS);
  }

  async requestUnauthorized(): Promise<number> {
    let isRefused = false;
    await this.call("authorizer", async () => {
      try {
        await this.#functions.authorizer(STRANGERS, lambdaContext("authorizer", LIMIT_MS));
      } catch (error) {
        isRefused = error instanceof Error && error.message === UNAUTHORIZED;
        throw error;
      }
    });
    if (isRefused) return UNAUTHORIZED_STATUS;
    const { stageName: stage } = this.#around;
    this.#logged({ errorType: "AUTHORIZER_CONFIGURATION_ERROR", stage });
    return this.#gateway(UNAVAILABLE_STATUS);
  }

  async superviseOnce(): Promise<void> {
    const { id, is } = this.#template.machine;
    const task = taskShape.parse(is.Definition.States[is.Definition.StartAt]);
    const event = { token: "t", tenant: "demo", stackId: "s", traversalId: "t" };
    for (let tries = 0; ; tries += 1) {
      let thrown = "";
      const answer = await this.call("await-end", async () => {
        try {
          await this.#functions.awaitEnd(event, lambdaContext("await-end", LIMIT_MS));
          return "done";
        } catch (error) {
          thrown = error instanceof Error ? error.name : String(error);
          throw error;
        }
      });
      if (answer !== null) return;
      const retry = task.Retry.find(({ ErrorEquals }) => ErrorEquals.includes(thrown));
      if (retry !== undefined && tries < retry.MaxAttempts) {
        await this.run(retry.IntervalSeconds * retry.BackoffRate ** tries);
        continue;
      }
      this.#measure("AWS/States", "ExecutionsFailed", [["StateMachineArn", id]], 1);
      return;
    }
  }

  #queue(id: string): QueueDouble {
    return present(this.#queues.get(id), id);
  }

  #measure(
    namespace: string,
    metric: string,
    dimensions: readonly (readonly [string, string])[],
    value: number,
  ): void {
    const text = dimensionsText(dimensions);
    this.#samples.push({ namespace, metric, dimensions: text, value, at: this.#now });
  }

  #take(line: object): void {
    const parsed = metricLine.safeParse(line);
    if (!parsed.success) return;
    for (const { Namespace, Dimensions, Metrics } of parsed.data._aws.CloudWatchMetrics)
      for (const { Name } of Metrics)
        for (const names of Dimensions)
          for (const value of values.parse(parsed.data[Name]))
            this.#measure(
              Namespace,
              Name,
              names.map((name) => [name, String(parsed.data[name])]),
              value,
            );
  }

  #gateway(status: number): number {
    const isFault = status >= 500 ? 1 : 0;
    this.#measure("AWS/ApiGateway", "5XXError", [["ApiName", this.#template.apiName]], isFault);
    return status;
  }

  #logged(line: Readonly<Record<string, string>>): void {
    for (const { FilterPattern, MetricTransformations } of this.#template.logFilters) {
      const wanted = FilterPattern.matchAll(/\$\.(\w+) = "(\w+)"/g);
      if (![...wanted].some(([, field = "", value]) => line[field] === value)) continue;
      for (const {
        MetricNamespace,
        MetricName,
        MetricValue,
        Dimensions,
      } of MetricTransformations) {
        const dimensions = Dimensions.map(
          ({ Key, Value }) => [Key, line[Value.replace("$.", "")] ?? ""] as const,
        );
        this.#measure(MetricNamespace, MetricName, dimensions, Number(MetricValue));
      }
    }
  }

  #measureQueues(): void {
    for (const [id, queue] of this.#queues)
      for (const [metric, value] of Object.entries(queue.measured(this.#now)))
        this.#measure("AWS/SQS", metric, [["QueueName", id]], value);
  }

  async #sweep(): Promise<void> {
    if (this.switchedOff.has("sweep")) return;
    const event = scheduledEvent(this.#around.now());
    await this.call("sweep", () => this.#functions.sweep(event, lambdaContext("sweep", LIMIT_MS)));
  }

  async #poll(source: ReadTemplate["sources"][number]): Promise<void> {
    const { called } = source;
    if (called === "events" || called === "supervise-stacks") {
      await this.#pollStream(called, source);
    } else if (
      called === "check-resource" ||
      called === "prepare-traversal" ||
      called === "dead-letter"
    ) {
      await this.#pollQueue(called, source);
    }
  }

  async #pollQueue(
    called: "check-resource" | "prepare-traversal" | "dead-letter",
    { EventSourceArn, BatchSize }: ReadTemplate["sources"][number],
  ): Promise<void> {
    // Lambda returns messages to the queue if it may not call the function.
    if (this.switchedOff.has(called) || this.free < 1) return;
    const queue = this.#queue(EventSourceArn);
    const messages = queue.receive(BatchSize, this.#now);
    if (messages.length === 0) return;
    const event = sqsEvent(EventSourceArn.replace(/^Queues|[0-9A-F]{8}$/g, ""), messages);
    const handler = this.#functions.queues[called];
    const answer = await this.call(called, () => handler(event, lambdaContext(called, LIMIT_MS)));
    if (answer === null) return;
    const failed = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { messageId, receiptHandle } of messages)
      if (!failed.has(messageId)) queue.delete(receiptHandle);
  }

  async #pollStream(
    called: "events" | "supervise-stacks",
    source: ReadTemplate["sources"][number],
  ): Promise<void> {
    const shard = present(this.#shards.get(source.id), source.id);
    if (shard.records.length === 0 || shard.busyUntil > this.#now) return;
    const batch = shard.records.slice(0, source.BatchSize);
    const age = (this.#now - (batch.at(-1)?.at ?? 0)) * SECOND_MS;
    const dimensions = [["FunctionName", this.#template.functionId(called)]] as const;
    this.#measure("AWS/Lambda", "IteratorAge", dimensions, age);
    const event = { Records: batch.map(({ record }) => record) };
    this.#paused = 0;
    const handler = this.#functions.streams[called];
    const answer = await this.call(called, () => handler(event, lambdaContext(called, LIMIT_MS)));
    shard.busyUntil = this.#now + this.#paused;
    const sequence = answer?.batchItemFailures[0]?.itemIdentifier;
    const from = batch.findIndex(({ record }) => record.dynamodb?.SequenceNumber === sequence);
    const isDone = answer !== null && sequence === undefined;
    shard.records.splice(0, isDone ? batch.length : Math.max(from, 0));
    const [first] = shard.records;
    if (isDone || first === undefined) return;
    first.tries += 1;
    if (first.tries <= (source.MaximumRetryAttempts ?? Number.POSITIVE_INFINITY)) return;
    shard.records.shift();
    const failures = source.DestinationConfig?.OnFailure.Destination;
    if (failures !== undefined) this.#queue(failures).send("{}", this.#now);
  }
}
