import type { RetentionDays } from "aws-cdk-lib/aws-logs";
import * as z from "zod";
import { iamTenantsSchema } from "#functions/authorizer/principal.ts";
import { awsRolesSchema, openStackSecretsSchema } from "#functions/aws/aws-roles.ts";
import { plugInServersSchema } from "#functions/aws/plug-in-servers.ts";
import { ownRatesUpTo } from "#lib/api/request-limit.ts";
import { REST_ROUTES } from "./agent-urls.ts";

const LOG_RETENTION_DAYS = [1, 3, 7, 14, 30, 90, 180, 365, 731] as const satisfies RetentionDays[];

export const logRetentionDays = z
  .union([z.number(), z.string()], "a number is expected")
  .transform(Number)
  .pipe(z.literal(LOG_RETENTION_DAYS, `one of ${LOG_RETENTION_DAYS.join(", ")} is expected`));

export const wholeNumber = (least: number, most: number) => {
  const expected = `a whole number from ${least} to ${most} is expected`;
  return z
    .union([z.number(), z.string().regex(/^[0-9]+$/, expected)], expected)
    .transform(Number)
    .pipe(z.int(expected).min(least, expected).max(most, expected));
};

/** Lambda's environment has 4 KB, counted as JSON. Long names use most of it. */
export const IAM_TENANTS_CHARS_MAX = 1_500;
const TENANT_RATES_CHARS_MAX = 200;
const PLUG_INS_CHARS_MAX = 800;
export const PLUG_INS_NAME_CHARS = 12;
/** Only functions without IAM_TENANTS have these variables. */
const AWS_ROLES_CHARS_MAX = 1_200;
export const BY_PROJECT_CHARS_MAX = 1_600;

export const charsInEnvironment = (given: object): number =>
  JSON.stringify(JSON.stringify(given)).length;

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const jsonObject = z
  .unknown()
  .transform((given) => (typeof given === "string" ? parsedJson(given) : given))
  .pipe(z.record(z.string(), z.unknown(), "a JSON object is expected"));

const withinEnvironment = (charsMax: number) =>
  [
    (given: object) => charsInEnvironment(given) <= charsMax,
    `more than ${charsMax} characters, as JSON within JSON`,
  ] as const;

export const iamTenants = jsonObject
  .pipe(iamTenantsSchema)
  .refine(...withinEnvironment(IAM_TENANTS_CHARS_MAX));

/**
 * Each count writes one item, and DynamoDB accepts 1,000 such writes a second. Beyond that it
 * refuses counts, and the requests are not limited. Half of it leaves room to count a flood.
 */
export const COUNTED_RATE_MAX = 500;

export const tenantRates = jsonObject
  .pipe(ownRatesUpTo(COUNTED_RATE_MAX))
  .refine(...withinEnvironment(TENANT_RATES_CHARS_MAX));

export const plugIns = jsonObject
  .pipe(plugInServersSchema)
  .refine(...withinEnvironment(PLUG_INS_CHARS_MAX));

export const awsRoles = jsonObject
  .pipe(awsRolesSchema)
  .refine(...withinEnvironment(AWS_ROLES_CHARS_MAX));

export const openStackSecrets = jsonObject.pipe(openStackSecretsSchema);

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

/** Paths are appended to the URL, so a slash at its end would be doubled. */
export const publicUrl = z
  .string()
  .refine(isBaseUrl, PUBLIC_URL)
  .transform((text) => text.replace(/(?<!\/)\/+$/, ""));

const AGENT_PLACES = { host: "a1b2.lambda-url.eu-west-1.on.aws", id: "a1b2" };

export const agentUrl = z
  .string()
  .refine(
    (text) => text === REST_ROUTES || isBaseUrl(text, AGENT_PLACES),
    "rest is expected, or a URL, https://… without a query, with no placeholders but {host} and {id}",
  )
  .transform((text) => text.replace(/(?<!\/)\/+$/, ""));

export const LAMBDA_CONCURRENCY_MAX = 100_000;

const CONCURRENCY_MAX = 1_000;

/** An account must keep 100 unreserved executions, so a new account cannot reserve any. */
const CONCURRENCY = `none or a number from 1 to ${CONCURRENCY_MAX} is expected`;
export const concurrency = z
  .union([z.number(), z.string()], CONCURRENCY)
  .transform((given) => (given === "none" ? null : Number(given)))
  .pipe(z.nullable(z.int(CONCURRENCY).min(1, CONCURRENCY).max(CONCURRENCY_MAX, CONCURRENCY)));

export const DAILY_BUDGET_MAX = 1_000_000;
export const VISIT_POLLERS_MAX = 200;

export const API_RATE_MAX = 100_000;

export const yesOrNo = () =>
  z
    .enum(["yes", "no"], "yes or no is expected")
    .transform((given) => given === "yes")
    .prefault("no");

export const policies = ["retain", "destroy"] as const;
export const rollouts = ["canary", "at-once", "in-place"] as const;
export const authorizers = ["gateway", "function"] as const;

const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;
const REGIONS = "regions are expected, such as eu-west-1,us-east-1, each once";

export const regions = z
  .union([z.string(), z.array(z.string())], REGIONS)
  .transform((given) => (typeof given === "string" ? given.split(",") : given))
  .refine((names) => names.every((name) => REGION.test(name)), REGIONS)
  .refine((names) => new Set(names).size === names.length, REGIONS);

export const BACKUP_DAYS_MAX = 36_500;

export const KEY_ARN = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]{1,64}$/;
const KEY_ARNS = "ARNs of KMS keys are expected, with commas between them";
export const kmsKeyArns = z
  .union([z.string(), z.array(z.string())], KEY_ARNS)
  .transform((given) => (typeof given === "string" ? given.split(",") : given))
  .refine((arns) => arns.every((arn) => KEY_ARN.test(arn)), KEY_ARNS);
export const TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;
