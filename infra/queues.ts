/**
 * The engine's queues. Each has a dead-letter queue. Messages that even the dead-letter handler
 * cannot handle are sent to the queue "given up".
 */
import { Duration, Validations } from "aws-cdk-lib";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { VISIT_MS_MAX } from "#lib/convergence/limits.ts";
import { type QueueName, RECEIVES_MAX } from "#lib/ports/queue.ts";

/** AWS recommends this ratio for a queue that feeds a function. */
const VISIBILITY_PER_TIMEOUT = 6;
const RETENTION = Duration.days(14);

export class Queues extends Construct {
  readonly work: Readonly<Record<QueueName, Queue>>;
  readonly deadLetters: Readonly<Record<QueueName, Queue>>;
  /** Messages that could not even be marked FAILED. An alarm watches this queue. */
  readonly givenUp: Queue;
  readonly streamFailures: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.givenUp = queue(this, "GivenUp");
    this.streamFailures = queue(this, "StreamFailures");
    Validations.of(this.streamFailures).acknowledge({
      id: "AwsSolutions-SQS3",
      reason: "The failures of the streams' functions go there; only people receive from it.",
    });
    const deadLetter = (name: string): Queue => queue(this, `${name}DeadLetter`, this.givenUp);
    this.deadLetters = {
      prepare: deadLetter("Prepare"),
      check: deadLetter("Check"),
      poll: deadLetter("Poll"),
    };
    this.work = {
      prepare: queue(this, "Prepare", this.deadLetters.prepare),
      check: queue(this, "Check", this.deadLetters.check),
      poll: queue(this, "Poll", this.deadLetters.poll),
    };
  }
}

const queue = (scope: Construct, id: string, deadLetterQueue?: Queue): Queue =>
  new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: RETENTION,
    visibilityTimeout: Duration.millis(VISIBILITY_PER_TIMEOUT * VISIT_MS_MAX),
    ...(deadLetterQueue
      ? { deadLetterQueue: { queue: deadLetterQueue, maxReceiveCount: RECEIVES_MAX } }
      : {}),
  });
