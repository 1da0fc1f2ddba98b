/**
 * The template of a group's nested stack, made of the group's record. `childTemplate` shows it as a
 * document. Definitions are values, so the document is never parsed: a visit takes its member's
 * definition from the record, and replaces the index variable only then.
 */
import type { Json, JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import { formatOf } from "#lib/template/format.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { type HotVersion, VERSION_KEY } from "#lib/template/versions.ts";
import { BARRIER_TYPE, barrierName } from "./barriers.ts";
import { memberBody } from "./member-definition.ts";
import { batchesOf, type GroupRecord, membersOf } from "./record.ts";

/** A resource between two batches. */
export interface BarrierNode {
  readonly name: string;
  readonly properties: JsonObject;
  readonly requires: readonly string[];
}

export interface BatchGraph {
  readonly barriers: readonly BarrierNode[];
  /** The barrier that a member waits for. Most members wait for none. */
  readonly barrierOf: ReadonlyMap<string, string>;
}

/** The members of a batch wait for a barrier, and the barrier waits for the batch before. */
export const batchGraph = (record: GroupRecord): BatchGraph => {
  const names = new Set(membersOf(record).map(({ name }) => name));
  const barriers: BarrierNode[] = [];
  const barrierOf = new Map<string, string>();
  /** What the next barrier waits for. Null: there is none before the first batch. */
  let before: readonly string[] | null = null;
  for (const { names: batch, pauseSeconds } of batchesOf(record)) {
    if (before !== null) {
      const name = barrierName(barriers.length + 1, (taken) => names.has(taken));
      const turn = record.batches?.turn ?? "";
      const properties = pauseSeconds === 0 ? {} : { pause_time: pauseSeconds, turn };
      barriers.push({ name, properties, requires: before });
      for (const waiting of batch) barrierOf.set(waiting, name);
    }
    const last = barriers.at(-1)?.name;
    before = batch.length > 0 || last === undefined ? batch : [last];
  }
  return { barriers, barrierOf };
};

const withDependency = (body: JsonObject, name: string): JsonObject => {
  const own = member(body, "depends_on") ?? [];
  return mergedMaps<Json>(body, { depends_on: [...(isJsonArray(own) ? own : [own]), name] });
};

/** Heat's formats of these templates: CloudFormation's words for the groups of its own. */
export type ChildVersion = "2015-04-30" | "HeatTemplateFormatVersion.2012-12-12";
const HOT: HotVersion = "2015-04-30";

const versionLine = (version: ChildVersion): readonly [string, Json] => {
  if (version === HOT) return [VERSION_KEY, version];
  const [key, date] = version.split(".");
  return [key ?? version, date ?? version];
};

/** Puts a definition into the words of the version. A key that it does not know stays. */
const translator = (version: ChildVersion): ((body: JsonObject) => JsonObject) => {
  if (version === HOT) return (body) => body;
  const { resource: from } = formatOf(HOT);
  const { resource: to } = formatOf(version);
  const words = new Map([
    [from.type, to.type],
    [from.properties, to.properties],
    [from.metadata, to.metadata],
    [from.dependsOn, to.dependsOn],
    [from.deletionPolicy, to.deletionPolicy],
    [from.updatePolicy, to.updatePolicy],
    [from.description, to.description],
  ]);
  return (body) =>
    mapOf(Object.entries(body).map(([key, value]) => [words.get(key) ?? key, value]));
};

/**
 * As a document. Heat leaves empty sections out. `outputs` has the values of the outputs in the
 * words of the version.
 */
export const childTemplate = (
  record: GroupRecord,
  version: ChildVersion,
  outputs: ReadonlyMap<string, Json>,
): JsonObject => {
  const { sections, output } = formatOf(version);
  const translated = translator(version);
  const { barriers, barrierOf } = batchGraph(record);
  const members = membersOf(record).map(({ name, definition }): readonly [string, JsonObject] => {
    const barrier = barrierOf.get(name);
    const body = memberBody(definition, name);
    return [name, barrier === undefined ? body : withDependency(body, barrier)];
  });
  const between = barriers.map(({ name, properties, requires }): readonly [string, JsonObject] => [
    name,
    { type: BARRIER_TYPE, properties, depends_on: requires },
  ]);
  const resources = [...members, ...between].map(([name, body]): readonly [string, Json] => [
    name,
    translated(body),
  ]);
  const shown = [...outputs].map(([name, value]): readonly [string, Json] => [
    name,
    { [output.value]: value },
  ]);
  return mapOf<Json>([
    versionLine(version),
    ...(resources.length === 0 ? [] : [[sections.resources, mapOf(resources)] as const]),
    ...(shown.length === 0 ? [] : [[sections.outputs, mapOf(shown)] as const]),
  ]);
};
