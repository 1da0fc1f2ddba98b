import * as z from "zod/mini";
import {
  ExactNumber,
  floatOf,
  isInteger,
  isJsonNumber,
  type JsonNumber,
  type JsonObject,
  magnitudeOf,
  numberText,
} from "#lib/json.ts";
import { plainNumber } from "#lib/json-schema.ts";
import type { CheckedDefinition } from "#lib/model/checked-definition.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ids } from "#lib/ports/ports.ts";
import type { Handler, Progress, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { deleteOfResolved, OWN_LIFECYCLE, STACK_LIFECYCLE } from "../lifecycles.ts";

const TYPE = "OS::Heat::Delay";
const SECOND_MS = 1_000;
const ONE = new ExactNumber(1);

const properties: PropertySchemas = {
  min_wait: {
    type: "number",
    description: "The shortest pause, in seconds.",
    default: 0,
    updateAllowed: true,
    constraints: [{ range: { min: 0 } }],
  },
  max_jitter: {
    type: "number",
    description: "The longest random time to add to the pause, in units of jitter_multiplier.",
    default: 0,
    updateAllowed: true,
    constraints: [{ range: { min: 0 } }],
  },
  jitter_multiplier: {
    type: "number",
    description: "The length of one unit of max_jitter, in seconds.",
    default: ONE,
    updateAllowed: true,
    constraints: [{ range: { min: 0 } }],
  },
  actions: {
    type: "list",
    description: "The actions that pause.",
    default: ["CREATE"],
    updateAllowed: true,
    constraints: [{ allowedValues: ["CREATE", "DELETE", "SUSPEND", "RESUME"] }],
  },
};

const given = z.object({
  min_wait: plainNumber,
  max_jitter: plainNumber,
  jitter_multiplier: plainNumber,
  actions: z.array(z.string()),
});

const HEX_DIGITS = 8;
/** No operation takes longer. The product of two large numbers may be infinite. */
const SECONDS_MAX = STACK_LIFECYCLE.operationMsMax / SECOND_MS;

/** A number from 0 to 1. It differs between operations but is the same in a repeated call. */
const fractionOf = (ids: Ids, token: string): number =>
  Number.parseInt(ids.derive("jitter", token).slice(0, HEX_DIGITS), 16) / 16 ** HEX_DIGITS;

const waitMs = ({ action, properties: from, token }: ProviderCall, ids: Ids): number => {
  const { min_wait, max_jitter, jitter_multiplier, actions } = given.parse(from);
  if (!actions.includes(action)) return 0;
  const jitter = Math.min(max_jitter * jitter_multiplier, SECONDS_MAX);
  const seconds = Math.min(min_wait + jitter * fractionOf(ids, token), SECONDS_MAX);
  return Math.ceil(seconds * SECOND_MS);
};

const untilTime = (call: ProviderCall, ids: Ids, end: number, now: number): Progress => {
  const isDelete = call.action === "DELETE";
  const physicalResourceId = call.physicalResourceId ?? ids.derive(call.token);
  if (now < end) {
    const handle = String(end);
    return { state: "waiting", handle, pollAfterMs: end - now, physicalResourceId };
  }
  return isDelete
    ? { state: "finished", physicalResourceId: null }
    : { state: "finished", physicalResourceId, refId: call.resourceName };
};

const pause: Handler = async (call, { clock, ids }) => {
  const now = clock.now();
  return untilTime(call, ids, now + waitMs(call, ids), now);
};

const numberIn = (from: JsonObject, key: string): JsonNumber => {
  const value = from[key] ?? 0;
  return isJsonNumber(value) ? value : 0;
};

const checkTimeout = (
  from: JsonObject,
  _name: string,
  { timeoutSeconds }: CheckedDefinition,
): string | null => {
  // As in Heat, nested templates skip this check.
  if (timeoutSeconds === null) return null;
  const wait = numberIn(from, "min_wait");
  const jitter = numberIn(from, "max_jitter");
  const unit = numberIn(from, "jitter_multiplier");
  const [shortest, units, unitSeconds] = [wait, jitter, unit].map((one) =>
    Number(magnitudeOf(one)),
  );
  const longest = (shortest ?? 0) + (units ?? 0) * (unitSeconds ?? 0);
  if (longest <= timeoutSeconds) return null;
  // As in Python, the sum is an integer only if all its parts are integers.
  const isWhole = [wait, jitter, unit].every(isInteger);
  const text = numberText(isWhole ? longest : (floatOf(longest) ?? longest));
  return `${TYPE} maximum delay ${text}s exceeds stack timeout.`;
};

/** OS::Heat::Delay. The end of the pause is computed once and kept as the operation's handle. */
export const delay: ResourceType = {
  type: TYPE,
  schema: {
    description:
      "A pause between its requirements and what depends on it. A random time can be added to it.",
    support: { since: "11.0.0" },
    properties,
    attributes: {},
    validate: checkTimeout,
    // Heat's Delay cannot be updated, so a change replaces it.
    mustReplace: () => true,
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    operationMsMax: STACK_LIFECYCLE.operationMsMax,
    handleCreate: pause,
    handleDelete: deleteOfResolved(pause),
    handleSuspend: pause,
    handleResume: pause,
    checkComplete: async (call, end, { clock, ids }) =>
      untilTime(call, ids, Number(end), clock.now()),
  },
  // A newer update ends the pause of an older one.
  waiting: {},
};
