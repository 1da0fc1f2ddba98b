/**
 * The environment variables of each Lambda function: one object a function, by the function's
 * folder. infra/ builds the variables from the same types, so a missing one does not compile. A
 * wrong one fails the cold start with its name.
 */
import * as z from "zod";

const name = z.string().min(1);

/**
 * Names of tables, queues and the bucket. They are no secrets: the function's role says what it may
 * do with them.
 */
const places = {
  STACKS_TABLE: name,
  RESOURCES_TABLE: name,
  SYNC_POINTS_TABLE: name,
  EVENTS_TABLE: name,
  SOFTWARE_CONFIGS_TABLE: name,
  EVIDENCE_TABLE: name,
  /** Absent: the deployment has no test types. */
  FAKE_PROVIDER_TABLE: z.exactOptional(name),
  BLOBS_BUCKET: name,
  PREPARE_QUEUE_URL: z.url(),
  CHECK_QUEUE_URL: z.url(),
  POLL_QUEUE_URL: z.url(),
};

/** The namespace and the service name of every metric. */
export const METRICS_NAMESPACE = "Hearth";
export const SERVICE = "hearth";

const wholeNumber = z.string().regex(/^[0-9]+$/, "a whole number is expected");

/** How long what is over is kept. */
const retained = {
  /** Days that a deleted stack can still be looked at. */
  RETENTION_DAYS: wholeNumber,
  EVENTS_PER_STACK_MAX: wholeNumber,
};

const engine = {
  ...places,
  ...retained,
  /** The stage of the deployment, a dimension of the metrics. */
  STAGE: name,
  /** ARN of the secret whose current and previous version sign agents' URLs. */
  SIGNING_SECRET: name,
  /** ARN of the secret that the encryption's master key is derived from. */
  ENCRYPTION_SECRET: name,
  /** Without a slash at the end. */
  PUBLIC_URL: z.url(),
  /**
   * The base of the URLs that agents poll. For the polled function itself it has the placeholders
   * `{host}` and `{id}`, which each request fills in.
   */
  POLL_URL: name,
  /** The operator's name for the deployed version. */
  REVISION: name,
  /** JSON: providers that are servers, with the ARNs of their secrets. Absent: none. */
  PLUG_INS: z.exactOptional(name),
};

/** Of functions that check templates: whether there are `AWS::*` types. */
const checking = { AWS_TYPES: z.exactOptional(z.literal("yes")) };

/** Of functions that visit resources. */
const visiting = {
  /** JSON: the role of each project in AWS. Absent: no project has one. */
  AWS_ROLES: z.exactOptional(name),
  /** Read by AWS's client. Present only with an emulator, which has no Cloud Control of its own. */
  AWS_ENDPOINT_URL_CLOUDCONTROL: z.exactOptional(z.url()),
};

/**
 * Names of queues beside those of the engine. The health route only counts their messages. Their
 * URLs would take up too much of the 4 KB that Lambda gives an environment.
 */
const watched = {
  PREPARE_DEAD_LETTER_QUEUE: name,
  CHECK_DEAD_LETTER_QUEUE: name,
  POLL_DEAD_LETTER_QUEUE: name,
  GIVEN_UP_QUEUE: name,
  STREAM_FAILURES_QUEUE: name,
};

export const ENVIRONMENTS = {
  /**
   * IAM_TENANTS: JSON, from the ARN of a role or user to its project. `{}` if no caller uses IAM.
   * TENANT_RATES: JSON, the requests a second of tenants.
   * API_TOKENS_TABLE: only if the function asks the authorizer's handler itself.
   */
  api: z.object({
    ...engine,
    ...checking,
    ...watched,
    IAM_TENANTS: name,
    THROTTLE_TABLE: name,
    TENANT_RATES: name,
    API_TOKENS_TABLE: z.exactOptional(name),
  }),
  metadata: z.object(engine),
  "agent-polls": z.object(engine),
  signal: z.object(engine),
  "prepare-traversal": z.object({ ...engine, ...checking }),
  "check-resource": z.object({ ...engine, ...visiting }),
  "dead-letter": z.object({ ...engine, ...visiting }),
  sweep: z.object(engine),
  deadline: z.object(engine),
  events: z.object({ ...places, ...retained }),
  authorizer: z.object({ API_TOKENS_TABLE: name }),
  "supervise-stacks": z.object({ STAGE: name, STATE_MACHINE: name, EXECUTIONS_TABLE: name }),
  "await-end": z.object({ ...places, EXECUTIONS_TABLE: name }),
  "rotate-signing-key": z.object({}),
  console: z.object({}),
} as const;

export type FunctionName = keyof typeof ENVIRONMENTS;
export type EnvironmentOf<Name extends FunctionName> = z.infer<(typeof ENVIRONMENTS)[Name]>;
export type Places = z.infer<z.ZodObject<typeof places>>;
export type Retained = z.infer<z.ZodObject<typeof retained>>;
export type EngineEnvironment = z.infer<z.ZodObject<typeof engine>>;
export type VisitingEnvironment = z.infer<z.ZodObject<typeof engine & typeof visiting>>;

/** Variables that the platform sets. The endpoint is present only with an emulator of AWS. */
const platformSchema = z.object({
  AWS_REGION: name,
  AWS_ENDPOINT_URL: z.optional(z.url()),
});

export interface Platform {
  readonly region: string;
  readonly endpoint?: string;
}

export const parsePlatform = (variables: unknown): Platform => {
  const { AWS_REGION: region, AWS_ENDPOINT_URL: endpoint } = platformSchema.parse(variables);
  return { region, ...(endpoint === undefined ? {} : { endpoint }) };
};
