import type * as z from "zod/mini";
import { notSupported, validationFailed } from "#lib/errors.ts";
import { isJsonNumber, isJsonObject, type JsonObject, magnitudeOf } from "#lib/json.ts";
import type { CheckedDefinition, Problem, ReadProperty } from "#lib/model/checked-definition.ts";
import { isEmpty, isJsonArray, member } from "#lib/template/json-shape.ts";

const PAUSE_SECONDS_MAX = 3600;
const DURATION = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?\n?$/;

const numberOf = (read: ReadProperty, key: string): bigint | number | null => {
  const value = read(key) ?? null;
  return isJsonNumber(value) ? magnitudeOf(value) : null;
};

interface SizeWords {
  readonly min: string;
  readonly max: string;
  readonly desired: string;
}

export const sizeProblem = (read: ReadProperty, { min, max, desired }: SizeWords): Problem => {
  const least = numberOf(read, min) ?? 0;
  const most = numberOf(read, max) ?? 0;
  if (most < least) return "MinSize can not be greater than MaxSize";
  if (least < 0) return "The size of AutoScalingGroup can not be less than zero";
  const wanted = numberOf(read, desired);
  return wanted !== null && (wanted < least || wanted > most)
    ? "DesiredCapacity must be between MinSize and MaxSize"
    : null;
};

/** The definition must refer to the launch configuration, which is therefore created first. */
export const configurationProblem = (
  read: ReadProperty,
  { place, isResource, requires }: CheckedDefinition,
): Problem => {
  const reference = read("LaunchConfigurationName") ?? "";
  if (typeof reference !== "string" || reference === "") return null;
  const named = `ValueError: ${place}: LaunchConfigurationName (${reference})`;
  if (!isResource(reference)) return `${named} reference can not be found.`;
  return requires(reference)
    ? null
    : `${named} requires a reference to the configuration not just the name of the resource.`;
};

export const serverSourceProblem = (read: ReadProperty): Problem => {
  const subnets = read("VPCZoneIdentifier") ?? null;
  if (isJsonArray(subnets) && subnets.length > 1) {
    return notSupported("Anything other than one VPCZoneIdentifier");
  }
  const hasServer = !isEmpty(read("InstanceId"));
  return hasServer === !isEmpty(read("LaunchConfigurationName"))
    ? "Either 'InstanceId' or 'LaunchConfigurationName' must be provided."
    : null;
};

const secondsOf = (duration: string): bigint | null => {
  const parts = DURATION.exec(duration);
  if (parts === null) return null;
  const [hours, minutes, seconds] = parts.slice(1).map((digits) => BigInt(digits ?? 0));
  return (hours ?? 0n) * 3600n + (minutes ?? 0n) * 60n + (seconds ?? 0n);
};

export const secondsOfDuration = (duration: string): number | null => {
  const seconds = secondsOf(duration);
  return seconds === null ? null : Number(seconds);
};

export const pauseProblem =
  (policy: string) =>
  (_given: JsonObject, _name: string, { place, updatePolicy }: CheckedDefinition): Problem => {
    const rolling = member(updatePolicy, policy) ?? null;
    const pause = isJsonObject(rolling) ? member(rolling, "PauseTime") : undefined;
    if (typeof pause !== "string") return null;
    const seconds = secondsOf(pause);
    if (seconds === null) {
      return `ValueError: ${place}: Only ISO 8601 duration format of the form PT#H#M#S is supported.`;
    }
    return seconds > PAUSE_SECONDS_MAX
      ? `ValueError: ${place}: Maximum PauseTime is 1 hour.`
      : null;
  };

/**
 * Reads properties that their schema has already coerced. A number can still be too large.
 * @throws Heat's StackValidationFailed, which names the property.
 */
export const readGiven = <Given>(schema: z.ZodMiniType<Given>, properties: unknown): Given => {
  const read = schema.safeParse(properties);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = ["properties", ...(issue?.path ?? [])].join(".");
  throw validationFailed(`${place}: No group can have this value (${issue?.message ?? ""})`);
};
