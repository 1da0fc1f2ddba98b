/** The settings of a deployment: `-c name=value`, or the context of cdk.json. */
import { type App, RemovalPolicy } from "aws-cdk-lib";
import type { RetentionDays } from "aws-cdk-lib/aws-logs";
import * as z from "zod";
import { iamTenantsSchema } from "#functions/authorizer/principal.ts";
import manifest from "../package.json" with { type: "json" };

/** Some of the retention periods that CloudWatch Logs offers. */
const RETENTION_DAYS = [1, 3, 7, 14, 30, 90, 180, 365, 731] as const satisfies RetentionDays[];

const days = z
  .union([z.number(), z.string()], "a number is expected")
  .transform(Number)
  .pipe(z.literal(RETENTION_DAYS, `one of ${RETENTION_DAYS.join(", ")} is expected`));

const jsonRecord = z.string().transform((text, context) => {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: "custom", message: "not a JSON object of texts" });
    return z.NEVER;
  }
});

/** Lambda's environment holds 4 KB, counted as JSON. Long names take most of it. */
const IAM_TENANTS_CHARS_MAX = 1_500;

const charsInEnvironment = (tenants: object): number =>
  JSON.stringify(JSON.stringify(tenants)).length;

/** An object in cdk.json, or its JSON text on the command line. */
const iamTenants = z
  .union([z.record(z.string(), z.string()), z.string()])
  .transform((given, context) => {
    if (typeof given !== "string") return given;
    const parsed = jsonRecord.safeParse(given);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: "custom", message: "a JSON object is expected" });
    return z.NEVER;
  })
  .pipe(iamTenantsSchema)
  .refine(
    (tenants) => charsInEnvironment(tenants) <= IAM_TENANTS_CHARS_MAX,
    `more than ${IAM_TENANTS_CHARS_MAX} characters, as JSON within JSON`,
  );

/** Sample values for the placeholders, to check a URL that contains them. */
const PLACES = { api: "a1b2c3d4e5", stage: "dev", region: "eu-west-1" };

const isBaseUrl = (text: string): boolean => {
  const filled = Object.entries(PLACES).reduce(
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

const yesOrNo = ["yes", "no"] as const;
const policies = ["retain", "destroy"] as const;
const authorizers = ["gateway", "function"] as const;

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
  logRetentionDays: days.default(30),
  removalPolicy: z.enum(policies, "retain or destroy is expected").default("retain"),
  /**
   * A base URL other than API Gateway's own. `{api}`, `{stage}` and `{region}` are replaced by the
   * deployment's.
   */
  publicUrl: publicUrl.optional(),
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
  /** ARN of the SNS topic for the alarms. */
  alarmTopicArn: z
    .string()
    .regex(TOPIC_ARN, "the ARN of an SNS topic is expected, arn:aws:sns:…, and no FIFO topic's")
    .optional(),
});

export interface Settings extends Omit<z.infer<typeof schema>, "removalPolicy" | "emulator"> {
  readonly emulator: boolean;
  readonly removalPolicy: RemovalPolicy;
}

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

/** What each setting accepts only beside others. */
const conflictsOf = (settings?: z.infer<typeof schema>): readonly string[] => {
  if (settings?.authorizer !== "function") return [];
  const { emulator, iamTenants: tenants } = settings;
  const inAccount =
    "authorizer: function leaves API Gateway open, so it needs emulator=yes; an account has gateway";
  const unsigned = "iamTenants: with authorizer=function nothing checks signatures";
  return [
    ...(emulator === "yes" ? [] : [inAccount]),
    ...(Object.keys(tenants).length === 0 ? [] : [unsigned]),
  ];
};

/** Throws BadSettings. */
export const readSettings = (app: App): Settings => {
  const names = Object.keys(schema.shape);
  const unknown = unknownNames(app).map(
    (name) => `${name}: there is no such setting; there are ${names.join(", ")}`,
  );
  const given = Object.fromEntries(
    names.map((name) => [name, app.node.tryGetContext(name) ?? undefined]),
  );
  const parsed = schema.safeParse(given);
  const wrong = parsed.error?.issues.map(({ path, message }) => `${path.join(" ")}: ${message}`);
  const complaints = [...unknown, ...(wrong ?? []), ...conflictsOf(parsed.data)];
  if (!parsed.success || complaints.length > 0) throw new BadSettings(complaints.join("\n"));
  const { removalPolicy, emulator, ...rest } = parsed.data;
  return {
    ...rest,
    emulator: emulator === "yes",
    removalPolicy: removalPolicy === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  };
};
