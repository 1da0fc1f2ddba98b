/**
 * The environment variables of each Lambda function, by the function's folder. infra/ builds the
 * variables from the same types, so a missing one does not compile. A wrong value fails the cold
 * start with the variable's name.
 */
import * as z from "zod";

const name = z.string().min(1);

/**
 * Names of tables, queues and the bucket. They are not secret: the function's role decides what it
 * may do with them.
 */
const places = {
  STACKS_TABLE: name,
  RESOURCES_TABLE: name,
  SYNC_POINTS_TABLE: name,
  EVENTS_TABLE: name,
  SOFTWARE_CONFIGS_TABLE: name,
  EVIDENCE_TABLE: name,
  FAKE_PROVIDER_TABLE: z.exactOptional(name),
  BLOBS_BUCKET: name,
  PREPARE_QUEUE_URL: z.url(),
  CHECK_QUEUE_URL: z.url(),
  POLL_QUEUE_URL: z.url(),
};

export const METRICS_NAMESPACE = "Hearth";
export const SERVICE = "hearth";

const wholeNumber = z.string().regex(/^[0-9]+$/, "a whole number is expected");

const retained = {
  RETENTION_DAYS: wholeNumber,
  EVENTS_PER_STACK_MAX: wholeNumber,
};

const engine = {
  ...places,
  ...retained,
  STAGE: name,
  SIGNING_SECRET: name,
  ENCRYPTION_SECRET: name,
  PUBLIC_URL: z.url(),
  /**
   * The base of the URLs that agents poll. In the function that answers these polls it contains the
   * placeholders `{host}` and `{id}`, which each request fills in.
   */
  POLL_URL: name,
  REVISION: name,
  /** JSON of the providers that are servers, with the ARNs of their secrets. */
  PLUG_INS: z.exactOptional(name),
};

const checking = {
  AWS_TYPES: z.exactOptional(z.literal("yes")),
  /** Who makes servers, networks and volumes. */
  SERVERS: z.exactOptional(z.enum(["ec2", "openstack"])),
};

const visiting = {
  AWS_ROLES: z.exactOptional(name),
  OPENSTACK_SECRETS: z.exactOptional(name),
  /** Read by AWS's client. It is set only with an emulator without Cloud Control. */
  AWS_ENDPOINT_URL_CLOUDCONTROL: z.exactOptional(z.url()),
};

/**
 * Names of further queues. The health route only counts their messages. Their URLs would use too
 * much of the 4 KB that Lambda allows for an environment.
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
   * IAM_TENANTS: JSON, maps the ARN of a role or user to its project.
   * TENANT_RATES: JSON, the requests a second of tenants.
   * API_TOKENS_TABLE: only if the function calls the authorizer's handler itself.
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
export type CheckingEnvironment = z.infer<z.ZodObject<typeof checking>>;
export type VisitingEnvironment = z.infer<z.ZodObject<typeof engine & typeof visiting>>;

/** Variables that the platform sets. The endpoint is set only with an emulator of AWS. */
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
