/** The settings of a deployment: `-c name=value`, or the context of cdk.json. */
import { type App, RemovalPolicy } from "aws-cdk-lib";
import type { RetentionDays } from "aws-cdk-lib/aws-logs";
import * as z from "zod";
import { iamTenantsSchema } from "#functions/authorizer/principal.ts";
import { plugInServersSchema } from "#functions/aws/plug-in-servers.ts";
import { ownRatesUpTo, TENANT_RATE_DEFAULT } from "#lib/api/request-limit.ts";
import {
  EVENTS_PER_STACK_MAX_DEFAULT,
  EVENTS_PER_STACK_MAX_MAX,
  RETENTION_DAYS_DEFAULT,
  RETENTION_DAYS_MAX,
} from "#lib/stack/retention.ts";
import manifest from "../package.json" with { type: "json" };
import { REST_ROUTES } from "./agent-urls.ts";

/** Some of the retention periods that CloudWatch Logs offers. */
const LOG_RETENTION_DAYS = [1, 3, 7, 14, 30, 90, 180, 365, 731] as const satisfies RetentionDays[];

const logRetentionDays = z
  .union([z.number(), z.string()], "a number is expected")
  .transform(Number)
  .pipe(z.literal(LOG_RETENTION_DAYS, `one of ${LOG_RETENTION_DAYS.join(", ")} is expected`));

const wholeNumber = (least: number, most: number) => {
  const expected = `a whole number from ${least} to ${most} is expected`;
  return z
    .union([z.number(), z.string().regex(/^[0-9]+$/, expected)], expected)
    .transform(Number)
    .pipe(z.int(expected).min(least, expected).max(most, expected));
};

/** Lambda's environment holds 4 KB, counted as JSON. Long names take most of it. */
const IAM_TENANTS_CHARS_MAX = 1_500;
const TENANT_RATES_CHARS_MAX = 200;
/** The name of the variable counts too. */
const PLUG_INS_CHARS_MAX = 800;
const PLUG_INS_NAME_CHARS = 12;

const charsInEnvironment = (given: object): number => JSON.stringify(JSON.stringify(given)).length;

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** An object in cdk.json, or its JSON text on the command line. */
const jsonObject = z
  .unknown()
  .transform((given) => (typeof given === "string" ? parsedJson(given) : given))
  .pipe(z.record(z.string(), z.unknown(), "a JSON object is expected"));

const withinEnvironment = (charsMax: number) =>
  [
    (given: object) => charsInEnvironment(given) <= charsMax,
    `more than ${charsMax} characters, as JSON within JSON`,
  ] as const;

const iamTenants = jsonObject
  .pipe(iamTenantsSchema)
  .refine(...withinEnvironment(IAM_TENANTS_CHARS_MAX));

/**
 * A count is a write of one item, and DynamoDB takes 1,000 of these a second. Beyond that it
 * refuses counts, and their requests go on. Half of it leaves room to count a flood.
 */
const COUNTED_RATE_MAX = 500;

const tenantRates = jsonObject
  .pipe(ownRatesUpTo(COUNTED_RATE_MAX))
  .refine(...withinEnvironment(TENANT_RATES_CHARS_MAX));

const plugIns = jsonObject
  .pipe(plugInServersSchema)
  .refine(...withinEnvironment(PLUG_INS_CHARS_MAX));

/** Sample values for the placeholders, to check a URL that contains them. */
const PLACES = { api: "a1b2c3d4e5", stage: "dev", region: "eu-west-1" };

const isBaseUrl = (text: string, places: Readonly<Record<string, string>> = PLACES): boolean => {
  const filled = Object.entries(places).reduce(
    (url, [name, value]) => url.replaceAll(`{${name}}`, value),
    text,
  );
  if (/[{}?#@\s]/.test(filled) || !URL.canParse(filled)) return false;
  return /^https?:$/.test(new URL(filled).protocol);
};

const PUBLIC_URL =
  "a URL is expected, https://… without a query, with no placeholders but {api}, {stage} and {region}";

/** Paths are appended to it, so a slash at its end would be doubled. */
const publicUrl = z
  .string()
  .refine(isBaseUrl, PUBLIC_URL)
  .transform((text) => text.replace(/\/+$/, ""));

/** `{host}` and `{id}` are those of the function URL, which is known at the deployment only. */
const AGENT_PLACES = { host: "a1b2.lambda-url.eu-west-1.on.aws", id: "a1b2" };

const agentUrl = z
  .string()
  .refine(
    (text) => text === REST_ROUTES || isBaseUrl(text, AGENT_PLACES),
    "rest is expected, or a URL, https://… without a query, with no placeholders but {host} and {id}",
  )
  .transform((text) => text.replace(/\/+$/, ""));

const CONCURRENCY_MAX = 1_000;

/** An account must keep 100 for all functions together, so a new account cannot reserve any. */
const CONCURRENCY = `none or a number from 1 to ${CONCURRENCY_MAX} is expected`;
const concurrency = z
  .union([z.number(), z.string()], CONCURRENCY)
  .transform((given) => (given === "none" ? null : Number(given)))
  .pipe(z.nullable(z.int(CONCURRENCY).min(1, CONCURRENCY).max(CONCURRENCY_MAX, CONCURRENCY)));

/** An account has 10,000 requests a second until AWS grants it more. */
const API_RATE_MAX = 100_000;

const yesOrNo = ["yes", "no"] as const;
const policies = ["retain", "destroy"] as const;
const rollouts = ["canary", "at-once", "in-place"] as const;
const authorizers = ["gateway", "function"] as const;

const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;
const REGIONS = "regions are expected, such as eu-west-1,us-east-1, each once";

/** A list in cdk.json, or its names with commas between them on the command line. */
const regions = z
  .union([z.string(), z.array(z.string())], REGIONS)
  .transform((given) => (typeof given === "string" ? given.split(",") : given))
  .refine((names) => names.every((name) => REGION.test(name)), REGIONS)
  .refine((names) => new Set(names).size === names.length, REGIONS);

/** AWS Backup keeps a recovery point no longer. */
const BACKUP_DAYS_MAX = 36_500;

const KEY_ARN = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]{1,64}$/;
const TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;

const schema = z.object({
  stage: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{0,19}$/,
      "lower-case letters, digits and hyphens after a first letter are expected, 20 in all at most",
    )
    .default("dev"),
  /** The deployed version, for `GET /build_info` and the log lines. */
  revision: z
    .string()
    .regex(/^[\w.+-]{1,64}$/, "letters, digits and _.+- are expected, 64 in all at most")
    .default(manifest.version),
  logRetentionDays: logRetentionDays.default(30),
  /** How long a deleted stack can still be looked at. */
  retentionDays: wholeNumber(1, RETENTION_DAYS_MAX).default(RETENTION_DAYS_DEFAULT),
  /** Heat's max_events_per_stack. */
  eventsPerStackMax: wholeNumber(1, EVENTS_PER_STACK_MAX_MAX).default(EVENTS_PER_STACK_MAX_DEFAULT),
  removalPolicy: z.enum(policies, "retain or destroy is expected").default("retain"),
  /**
   * How a new version of the functions takes over. `in-place` has no versions: LocalStack cannot
   * move an alias. Emulators have no CodeDeploy for the canary.
   */
  rollout: z.enum(rollouts, "canary, at-once or in-place is expected").optional(),
  /**
   * A base URL other than API Gateway's own. `{api}`, `{stage}` and `{region}` are replaced by the
   * deployment's.
   */
  publicUrl: publicUrl.optional(),
  /**
   * The base of the URLs that agents poll: `rest` for the REST API's routes, or a name that leads
   * to the function URL. By default the function URL, and the REST API with a `publicUrl`.
   */
  agentUrl: agentUrl.optional(),
  /** How many polls are answered at once, reserved in the account; `none` reserves nothing. */
  agentConcurrency: concurrency.default(50),
  /**
   * Deploys to an emulator of AWS, without what emulators lack. These are rotation schedules,
   * timeouts read from an execution's input, and batch rights that follow from the right to send.
   */
  emulator: z.enum(yesOrNo, "yes or no is expected").default("no"),
  /**
   * Who asks the authorizer about a request: API Gateway, or the API's function where an emulator's
   * gateway calls no authorizers. That gateway lets every request through to the function.
   */
  authorizer: z.enum(authorizers, "gateway or function is expected").default("gateway"),
  /**
   * Opens `/iam/v1` to requests signed with IAM credentials: from the ARN of a role or user to its
   * project.
   */
  iamTenants: iamTenants.default({}),
  /** Requests a second of all projects together, without those of agents. */
  apiRate: wholeNumber(1, API_RATE_MAX).default(2_000),
  /** Requests a second that each project may send, without those of its agents. */
  tenantRate: wholeNumber(1, COUNTED_RATE_MAX).default(TENANT_RATE_DEFAULT),
  /** From a project to a rate of its own. */
  tenantRates: tenantRates.default({}),
  /**
   * Providers that are servers: from the address of each to the ARN of its secret and the types
   * that templates may use.
   */
  plugIns: plugIns.default({}),
  /** Makes a key of the account's own for everything that is stored. */
  customerKey: z.enum(yesOrNo, "yes or no is expected").default("no"),
  /** An existing key instead. Its policy must let CloudWatch Logs use it. */
  kmsKeyArn: z
    .string()
    .regex(KEY_ARN, "the ARN of a KMS key is expected, arn:aws:kms:…:key/…")
    .optional(),
  /** Regions that get a replica of both secrets. */
  secretReplicaRegions: regions.default([]),
  /** AWS Backup copies tables and bucket every day, and keeps the copies for so many days. */
  backupPlan: wholeNumber(1, BACKUP_DAYS_MAX).optional(),
  /** X-Ray traces of requests and messages. */
  tracing: z.enum(yesOrNo, "yes or no is expected").default("no"),
  /** ARN of the SNS topic for the alarms. */
  alarmTopicArn: z
    .string()
    .regex(TOPIC_ARN, "the ARN of an SNS topic is expected, arn:aws:sns:…, and no FIFO topic's")
    .optional(),
});

/** What each setting accepts only beside others. */
const checkedSchema = schema
  .refine(({ customerKey, kmsKeyArn }) => customerKey === "no" || kmsKeyArn === undefined, {
    path: ["customerKey"],
    message: "kmsKeyArn names a key already",
  })
  .refine(({ authorizer, emulator }) => authorizer === "gateway" || emulator === "yes", {
    path: ["authorizer"],
    message: "function leaves API Gateway open, so it needs emulator=yes; an account has gateway",
  })
  .refine(
    ({ authorizer, iamTenants: principals }) =>
      authorizer === "gateway" || Object.keys(principals).length === 0,
    { path: ["iamTenants"], message: "with authorizer=function nothing checks signatures" },
  )
  .refine(
    ({ plugIns: servers, emulator }) =>
      emulator === "yes" || Object.keys(servers).every((url) => url.startsWith("https://")),
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
  // One project must not be able to take what all projects share.
  .superRefine(({ apiRate, tenantRate, tenantRates: own }, context) => {
    const rates = Object.entries(own).map(([name, rate]) => [["tenantRates", name], rate] as const);
    const message = `less than apiRate (${apiRate}) is expected, which all projects share`;
    for (const [path, rate] of [[["tenantRate"], tenantRate] as const, ...rates])
      if (rate >= apiRate) context.addIssue({ code: "custom", path: [...path], message });
  });

type Given = z.infer<typeof schema>;

type Converted = "removalPolicy" | "emulator" | "rollout" | "customerKey" | "tracing";

export interface Settings extends Omit<Given, Converted> {
  readonly emulator: boolean;
  readonly customerKey: boolean;
  readonly tracing: boolean;
  readonly rollout: (typeof rollouts)[number];
  readonly removalPolicy: RemovalPolicy;
}

/** Whether the stack and its tables refuse to be deleted. */
export const isProtected = ({ removalPolicy }: Settings): boolean =>
  removalPolicy === RemovalPolicy.RETAIN;

/** The settings are invalid. The text has a line for each, and the user sees no stack trace. */
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

/** Throws BadSettings. */
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
  const { removalPolicy, emulator, rollout, customerKey, tracing, ...rest } = parsed.data;
  return {
    ...rest,
    customerKey: customerKey === "yes",
    tracing: tracing === "yes",
    emulator: emulator === "yes",
    rollout: rollout ?? (emulator === "yes" ? "in-place" : "canary"),
    removalPolicy: removalPolicy === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  };
};
