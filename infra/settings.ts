/** What whoever deploys may choose: `-c name=value`, or the context of cdk.json. */
import { RemovalPolicy } from "aws-cdk-lib";
import type { RetentionDays } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import * as z from "zod";
import { iamTenantsSchema } from "#functions/authorizer/principal.ts";
import manifest from "../package.json" with { type: "json" };

/** The periods that CloudWatch Logs knows, as far as anybody wants them. */
const RETENTION_DAYS = [1, 3, 7, 14, 30, 90, 180, 365, 731] as const satisfies RetentionDays[];

const days = z.coerce
  .number()
  .pipe(z.literal(RETENTION_DAYS, `logRetentionDays is one of ${RETENTION_DAYS.join(", ")}`));

const jsonRecord = z.string().transform((text, context) => {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: "custom", message: "no JSON object of texts" });
    return z.NEVER;
  }
});

/** Lambda's environment holds 4 KB, and most of it is taken. */
const IAM_TENANTS_CHARS_MAX = 2_000;

/** An object in cdk.json, or its JSON text on the command line. */
const iamTenants = z
  .union([z.record(z.string(), z.string()), z.string()])
  .transform((given, context) => {
    if (typeof given !== "string") return given;
    const parsed = jsonRecord.safeParse(given);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: "iamTenants: a JSON object is expected" });
    return z.NEVER;
  })
  .pipe(iamTenantsSchema)
  .refine(
    (tenants) => JSON.stringify(tenants).length <= IAM_TENANTS_CHARS_MAX,
    `iamTenants: more than ${IAM_TENANTS_CHARS_MAX} characters`,
  );

const schema = z.object({
  stage: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,19}$/, "stage: lower-case letters, digits and hyphens, at most 20")
    .default("dev"),
  /** What is deployed: in `GET /build_info` and in the log lines. */
  revision: z
    .string()
    .regex(/^[\w.+-]{1,64}$/, "revision: letters, digits and _.+-, at most 64")
    .default(manifest.version),
  logRetentionDays: days.default(30),
  removalPolicy: z.enum(["retain", "destroy"]).default("retain"),
  /** Another base URL than API Gateway's own. `{api}`, `{stage}` and `{region}` stand for those of the deployment. */
  publicUrl: z.string().optional(),
  /**
   * Deploys to an emulator of AWS, without what those lack: rotation schedules, timeouts that are read from
   * an execution's input, and the knowledge that sending a batch is the right to send.
   */
  emulator: z.enum(["yes", "no"]).default("no"),
  /** Opens `/iam/v1` to requests that are signed with IAM credentials: from the ARN of a role or user to its project. */
  iamTenants: iamTenants.default({}),
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
