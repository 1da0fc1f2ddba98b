import { type App, RemovalPolicy } from "aws-cdk-lib";
import * as z from "zod";
import type { AwsRoles } from "#functions/aws/aws-roles.ts";
import { TENANT_RATE_DEFAULT } from "#lib/api/request-limit.ts";
import {
  EVENTS_PER_STACK_MAX_DEFAULT,
  EVENTS_PER_STACK_MAX_MAX,
  RETENTION_DAYS_DEFAULT,
  RETENTION_DAYS_MAX,
} from "#lib/stack/retention.ts";
import manifest from "../package.json" with { type: "json" };
import { QUOTA_OF_NEW_ACCOUNT } from "./capacity.ts";
import {
  API_RATE_MAX,
  agentUrl,
  authorizers,
  awsRoles,
  BACKUP_DAYS_MAX,
  BY_PROJECT_CHARS_MAX,
  COUNTED_RATE_MAX,
  charsInEnvironment,
  concurrency,
  DAILY_BUDGET_MAX,
  IAM_TENANTS_CHARS_MAX,
  iamTenants,
  KEY_ARN,
  kmsKeyArns,
  LAMBDA_CONCURRENCY_MAX,
  logRetentionDays,
  openStackSecrets,
  PLUG_INS_NAME_CHARS,
  plugIns,
  policies,
  publicUrl,
  regions,
  rollouts,
  TOPIC_ARN,
  tenantRates,
  VISIT_POLLERS_MAX,
  wholeNumber,
  yesOrNo,
} from "./setting-values.ts";

export const hasServers = (roles: AwsRoles): boolean =>
  Object.values(roles).some(({ servers }) => servers !== undefined);

export const hasAny = (byProject: object): boolean => Object.keys(byProject).length > 0;

/**
 * The settings in the order of docs/reference/settings.md. Links in the texts begin at the root of
 * the repository.
 */
const schema = z.object({
  stage: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{0,19}$/,
      "lower-case letters, digits and hyphens after a first letter are expected, 20 in all at most",
    )
    .default("dev")
    .describe(
      "Names the CloudFormation stack (`Hearth-<stage>`) and the API's stage. Several can live in one account",
    ),
  revision: z
    .string()
    .regex(/^[\w.+-]{1,64}$/, "letters, digits and _.+- are expected, 64 in all at most")
    .optional()
    .describe(
      "The deployed revision, for `GET /v1/{project}/build_info` and the `revision` of every log line. A commit's name is best. By default it is the package's version",
    ),
  removalPolicy: z
    .enum(policies, "retain or destroy is expected")
    .default("retain")
    .describe(
      "`retain` protects the stack and each table from deletion, from the second deployment on. `destroy` deletes tables, bucket, secrets and logs with the stack ([Tear down](docs/operations.md#tear-down))",
    ),
  logRetentionDays: logRetentionDays.default(30).describe("How many days all logs are kept"),
  retentionDays: wholeNumber(1, RETENTION_DAYS_MAX)
    .default(RETENTION_DAYS_DEFAULT)
    .describe("For how many days a deleted stack can still be looked at"),
  eventsPerStackMax: wholeNumber(1, EVENTS_PER_STACK_MAX_MAX)
    .default(EVENTS_PER_STACK_MAX_DEFAULT)
    .describe(
      "The events that a stack keeps, as Heat's `max_events_per_stack`. The oldest go. At times there are some more",
    ),
  publicUrl: publicUrl
    .optional()
    .describe(
      "The base of every URL that Hearth makes, for a domain of your own. By default it is API Gateway's own. `{api}`, `{stage}` and `{region}` are filled in. The way from there to the API (a custom domain, a proxy) is yours. The path `/v1/…` must arrive unchanged: map a custom domain's root, since a base path mapping stays in the path. Agents move to it with their next poll",
    ),
  agentUrl: agentUrl
    .optional()
    .describe(
      "The base of the URLs that agents poll. By default it is the function URL of `agent-polls`, and with a `publicUrl` that one. `rest`: the API's routes. With `rest` from the first deployment on there is no function URL at all, as some organisations want. Or a name of your own that leads to the function URL (CloudFront); `{host}` and `{id}` are filled in. Servers must reach it: with the default, `https://*.lambda-url.<region>.on.aws`",
    ),
  lambdaConcurrency: wholeNumber(QUOTA_OF_NEW_ACCOUNT, LAMBDA_CONCURRENCY_MAX)
    .optional()
    .describe(
      "How many functions Hearth may run at once. From 100 on, half of it is for batches of ten visits, a tenth for batches of polled operations, and a quarter stays for the API. By default it is the account's quota, which `cdk deploy` asks for. If it cannot ask, it is 10, as in a new account",
    ),
  agentConcurrency: concurrency
    .optional()
    .describe(
      "Polls answered at once, reserved for them in the account; ten times as many a second. From a `lambdaConcurrency` of 1,000 on the default is 50 if the account has as many left to reserve, which is enough for 15,000 servers that poll each 30 s, and for 7,500 with stock agents, which send two requests. Below it the default is `none`, and polls share the account. Beyond it the answer is 429: agents come again after their interval, and nothing is lost. An account must keep 100 unreserved",
    ),
  visitPollers: wholeNumber(2, VISIT_POLLERS_MAX)
    .optional()
    .describe(
      "Pollers that always wait for visits (Lambda's provisioned mode, on the queue `check`). A large stack then begins at once, and not over 100 seconds. Each hands on ten batches at once, so their number is a tenth of the visits' share of `lambdaConcurrency` at most. Lambda charges for each by the hour. By default there are none",
    ),
  apiRate: wholeNumber(1, API_RATE_MAX)
    .default(2_000)
    .describe(
      "Requests a second of all projects together, at API Gateway, without those of agents; twice as many at once. Beyond it the answer is 429. Each `tenantRate` must be below it, and an account has 10,000 for all its APIs",
    ),
  tenantRate: wholeNumber(1, COUNTED_RATE_MAX)
    .default(TENANT_RATE_DEFAULT)
    .describe(
      "Requests a second that each project may send, without those of its agents, counted over ten seconds. Beyond it the answer is 429 with `Retry-After` ([A project over its limit](docs/operations.md#a-project-over-its-limit))",
    ),
  tenantRates: tenantRates
    .default({})
    .describe(
      "Projects with a rate of their own: an object in `cdk.json`, or its JSON, from the project to its requests a second. There is room for about ten",
    ),
  iamTenants: iamTenants
    .default({})
    .describe(
      "Opens `<Url>/iam/v1` to IAM principals. It is an object in `cdk.json`, or its JSON, from the ARN of a role or user to its project ([By IAM](docs/operations.md#by-iam))",
    ),
  plugIns: plugIns
    .default({})
    .describe(
      "[Providers of your own](docs/operations.md#providers-of-your-own) that are servers. It is an object in `cdk.json`, or its JSON, from the URL of each to its `secret` and its `types`",
    ),
  awsRoles: awsRoles
    .default({})
    .describe(
      "[Roles for AWS's types](docs/operations.md#roles-for-awss-types). It is an object in `cdk.json`, or its JSON, from each project to the `role_arn`, `region` and `external_id` under which its `AWS::*` resources are made. With `servers` EC2 makes its servers, networks and volumes too ([Servers](docs/operations.md#servers-networks-and-volumes)). There is room for about ten projects, and for fewer with `servers`. Without it there are no such types",
    ),
  openStackSecrets: openStackSecrets
    .default({})
    .describe(
      "[Servers](docs/operations.md#servers-networks-and-volumes) in an OpenStack, which excludes `servers` in `awsRoles`. It is an object in `cdk.json`, or its JSON, from each project to the ARN of the secret with its application credential. There is room for about ten projects",
    ),
  // LocalStack cannot move an alias, and emulators have no CodeDeploy for the canary.
  rollout: z
    .enum(rollouts, "canary, at-once or in-place is expected")
    .optional()
    .describe(
      "How a new version of the functions takes over ([Upgrade](docs/operations.md#upgrade)). By default it is `canary`. `in-place` publishes no versions. It is only for emulators, and the default there",
    ),
  alarmTopicArn: z
    .string()
    .regex(TOPIC_ARN, "the ARN of an SNS topic is expected, arn:aws:sns:…, and no FIFO topic's")
    .optional()
    .describe("An SNS topic for the alarms. Without one they are visible in CloudWatch only"),
  dailyBudget: wholeNumber(1, DAILY_BUDGET_MAX)
    .optional()
    .describe(
      "Dollars that the whole account may cost in a day. Beyond it AWS Budgets, which looks a few times a day, tells `alarmTopicArn`. The topic's policy must let `budgets.amazonaws.com` publish. Two budgets of an account are free",
    ),
  customerKey: yesOrNo().describe(
    "`yes` makes a KMS key, rotated every year, and encrypts tables, bucket, queues, secrets and logs with it. A dollar a month, and 0.03 for 10,000 uses of the key. It stays with the data under `retain`",
  ),
  kmsKeyArn: z
    .string()
    .regex(KEY_ARN, "the ARN of a KMS key is expected, arn:aws:kms:…:key/…")
    .optional()
    .describe(
      "An existing KMS key of this region instead. Its policy must let `logs.<region>.amazonaws.com` encrypt and decrypt with it, and IAM grant it to roles",
    ),
  formerKmsKeyArns: kmsKeyArns
    .default([])
    .describe(
      "Keys that `customerKey` or `kmsKeyArn` has named before. The functions may still read what was stored under them. A deployment that leaves one out is refused",
    ),
  secretReplicaRegions: regions
    .default([])
    .describe(
      "Other regions, which get a replica of both secrets, under AWS's own key there. 0.40 dollars a month for each replica",
    ),
  backupPlan: wholeNumber(1, BACKUP_DAYS_MAX)
    .optional()
    .describe(
      "AWS Backup copies the recoverable tables and the bucket every day, and keeps the copies for so many days ([Back up](docs/operations.md#back-up-and-restore))",
    ),
  tracing: yesOrNo().describe(
    "`yes` sends X-Ray traces of the API, the functions and the executions: one a second, and a twentieth of the rest. 5 dollars a million",
  ),
  testTypes: yesOrNo().describe(
    "`yes` adds the types for tests, `OS::Heat::TestResource` and `Hearth::Test::*`, with the table of their objects ([Test types](docs/operations.md#test-types))",
  ),
  paused: yesOrNo().describe(
    "`yes` lets no function run until the next deployment, so that [a restore](docs/operations.md#back-up-and-restore) has the data for itself. Clients get 503",
  ),
  // Emulators lack rotation schedules, timeouts that are read from an execution's input, and batch
  // rights that follow from the right to send.
  emulator: yesOrNo().describe("Leaves out what emulators of AWS lack. Never use it in an account"),
  cloudControlUrl: publicUrl
    .optional()
    .describe(
      "The URL of Cloud Control beside an emulator, which has none. It needs `emulator=yes`, and the functions that visit resources call it for `AWS::*` types",
    ),
  authorizer: z
    .enum(authorizers, "gateway or function is expected")
    .default("gateway")
    .describe(
      "Who asks the authorizer about a request. `function` is only for an emulator whose gateway calls no authorizers, such as LocalStack, and needs `emulator=yes`. The gateway then lets everybody through, and the `api` function asks the authorizer's handler itself ([why](docs/adr/0013-an-api-that-asks-the-authorizer.md))",
    ),
});

export interface SettingText {
  readonly name: string;
  readonly initial: string | null;
  readonly expects: string;
  readonly what: string;
}

const NO_VALUE = "";

export const settingTexts = (): readonly SettingText[] =>
  Object.entries(schema.shape).map(([name, setting]) => {
    const { def } = setting;
    const initial = "defaultValue" in def ? def.defaultValue : undefined;
    return {
      name,
      initial: initial === undefined || typeof initial === "object" ? null : String(initial),
      expects: setting.safeParse(NO_VALUE).error?.issues[0]?.message ?? "",
      what: setting.description ?? "",
    };
  });

const checkedSchema = schema
  .refine(({ customerKey, kmsKeyArn }) => !customerKey || kmsKeyArn === undefined, {
    path: ["customerKey"],
    message: "kmsKeyArn names a key already",
  })
  .refine(
    ({ dailyBudget, alarmTopicArn }) => dailyBudget === undefined || alarmTopicArn !== undefined,
    { path: ["dailyBudget"], message: "it needs an alarmTopicArn, which hears of it" },
  )
  .refine(({ rollout, emulator }) => rollout !== "in-place" || emulator, {
    path: ["rollout"],
    message: "in-place would delete the agents' URL, so it needs emulator=yes; take at-once",
  })
  .refine(({ authorizer, emulator }) => authorizer === "gateway" || emulator, {
    path: ["authorizer"],
    message: "function leaves API Gateway open, so it needs emulator=yes; an account has gateway",
  })
  .refine(({ awsRoles: roles, openStackSecrets: own }) => !(hasServers(roles) && hasAny(own)), {
    path: ["openStackSecrets"],
    message: "awsRoles has servers in EC2, and a deployment has servers in one cloud only",
  })
  .refine(
    ({ awsRoles: roles, openStackSecrets: own }) =>
      charsInEnvironment(roles) + charsInEnvironment(own) <= BY_PROJECT_CHARS_MAX,
    {
      path: ["openStackSecrets"],
      message: `more than ${BY_PROJECT_CHARS_MAX} characters together with awsRoles`,
    },
  )
  .refine(({ cloudControlUrl, emulator }) => cloudControlUrl === undefined || emulator, {
    path: ["cloudControlUrl"],
    message: "only an emulator needs another Cloud Control, so it needs emulator=yes",
  })
  .refine(
    ({ authorizer, iamTenants: principals }) =>
      authorizer === "gateway" || Object.keys(principals).length === 0,
    { path: ["iamTenants"], message: "with authorizer=function nothing checks signatures" },
  )
  .refine(
    ({ plugIns: servers, emulator }) =>
      emulator || Object.keys(servers).every((url) => url.startsWith("https://")),
    { path: ["plugIns"], message: "https://… is expected, because answers are not signed" },
  )
  .refine(
    ({ plugIns: servers, iamTenants: principals }) =>
      Object.keys(servers).length === 0 ||
      charsInEnvironment(servers) + charsInEnvironment(principals) + PLUG_INS_NAME_CHARS <=
        IAM_TENANTS_CHARS_MAX,
    {
      path: ["plugIns"],
      message: `more than ${IAM_TENANTS_CHARS_MAX} characters together with iamTenants`,
    },
  )
  // One project must not be able to use up the rate that all projects share.
  .superRefine(({ apiRate, tenantRate, tenantRates: own }, context) => {
    const rates = Object.entries(own).map(([name, rate]) => [["tenantRates", name], rate] as const);
    const message = `less than apiRate (${apiRate}) is expected, which all projects share`;
    for (const [path, rate] of [[["tenantRate"], tenantRate] as const, ...rates])
      if (rate >= apiRate) context.addIssue({ code: "custom", path: [...path], message });
  });

type Converted = "revision" | "removalPolicy" | "rollout";

export interface Settings extends Omit<z.infer<typeof schema>, Converted> {
  readonly revision: string;
  readonly rollout: (typeof rollouts)[number];
  readonly removalPolicy: RemovalPolicy;
  /**
   * Says whether agents' polls have a function URL, which some regions and organisations forbid.
   */
  readonly hasFunctionUrl: boolean;
  /**
   * No deployment has succeeded yet. If one fails, nothing that it created may block the next one.
   */
  readonly isFirst: boolean;
}

export const isProtected = ({ removalPolicy, isFirst }: Settings): boolean =>
  removalPolicy !== RemovalPolicy.DESTROY && !isFirst;

/**
 * The settings are invalid. The message has a line for each problem, and the user sees no stack
 * trace.
 */
export class BadSettings extends Error {
  override readonly name = "BadSettings";
}

/** The CDK's own settings have a colon, a hyphen or an at sign in their names. */
const OWN_NAME = /^[A-Za-z]+$/;

/** A misspelled `removalPolicy` would silently leave the default in force. */
const unknownNames = (app: App): readonly string[] =>
  Object.keys(z.record(z.string(), z.unknown()).parse(app.node.getAllContext())).filter(
    (name) => OWN_NAME.test(name) && !(name in schema.shape),
  );

export const readSettings = (app: App): Settings => {
  const names = Object.keys(schema.shape);
  const unknown = unknownNames(app).map(
    (name) => `${name}: there is no such setting; there are ${names.join(", ")}`,
  );
  const given = Object.fromEntries(
    names.map((name) => [name, app.node.tryGetContext(name) ?? undefined]),
  );
  const parsed = checkedSchema.safeParse(given);
  const wrong = parsed.error?.issues.map(({ path, message }) => `${path.join(" ")}: ${message}`);
  const complaints = [...unknown, ...(wrong ?? [])];
  if (!parsed.success || complaints.length > 0) throw new BadSettings(complaints.join("\n"));
  const { removalPolicy, emulator, rollout, revision } = parsed.data;
  return {
    ...parsed.data,
    revision: revision ?? manifest.version,
    rollout: rollout ?? (emulator ? "in-place" : "canary"),
    removalPolicy:
      removalPolicy === "retain" ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    hasFunctionUrl: true,
    isFirst: false,
  };
};
