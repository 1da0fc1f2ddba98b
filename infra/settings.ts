/** What whoever deploys may choose: `-c name=value`, or the context of cdk.json. */
import { RemovalPolicy } from "aws-cdk-lib";
import type { RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import * as z from "zod";

/** The periods that CloudWatch Logs knows, as far as anybody wants them. */
const RETENTION_DAYS = [1, 3, 7, 14, 30, 90, 180, 365, 731] as const satisfies RetentionDays[];

const days = z.coerce
  .number()
  .pipe(z.literal(RETENTION_DAYS, `logRetentionDays is one of ${RETENTION_DAYS.join(", ")}`));

const schema = z.object({
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,19}$/, "stage: lower-case letters, digits and hyphens, at most 20")
    .default("dev"),
  logRetentionDays: days.default(30),
  removalPolicy: z.enum(["retain", "destroy"]).default("retain"),
  /** Another base URL than API Gateway's own. `{api}`, `{stage}` and `{region}` stand for those of the deployment. */
  publicUrl: z.string().optional(),
  /**
   * Deploys to an emulator of AWS, without what those lack: rotation schedules, timeouts that are read from
   * an execution's input, and the knowledge that sending a batch is the right to send.
   */
  emulator: z.enum(["yes", "no"]).default("no"),
  /** ARN of an SNS topic that the alarms go to. */
  alarmTopicArn: z.string().optional(),
});

export interface Settings extends Omit<z.infer<typeof schema>, "removalPolicy" | "emulator"> {
  readonly emulator: boolean;
  readonly removalPolicy: RemovalPolicy;
}

export const readSettings = (scope: Construct): Settings => {
  const given = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, scope.node.tryGetContext(name) ?? undefined]),
  );
  const { removalPolicy, emulator, ...rest } = schema.parse(given);
  return {
    ...rest,
    emulator: emulator === "yes",
    removalPolicy: removalPolicy === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  };
};
