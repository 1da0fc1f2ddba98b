/**
 * Makes the template of a group's nested stack from the group's record. Definitions are values, so
 * the document is only shown and never parsed: a visit reads its member's definition from the
 * record.
 */
import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { GroupRecord, GroupSource } from "#lib/model/group-record.ts";
import { formatOf, VERSION_KEY } from "#lib/template/format.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { barrierName } from "./barriers.ts";
import { memberBody } from "./member-definition.ts";
import { batchesOf, membersOf } from "./record.ts";

interface BarrierNode {
  readonly name: string;
  readonly properties: JsonObject;
  readonly requires: readonly string[];
}

export interface BatchGraph {
  readonly barriers: readonly BarrierNode[];
  readonly barrierOf: ReadonlyMap<string, string>;
}

/** The members of a batch wait for a barrier, and the barrier waits for the batch before. */
export const batchGraph = (record: GroupRecord): BatchGraph => {
  const names = new Set(membersOf(record).map(({ name }) => name));
  const barriers: BarrierNode[] = [];
  const barrierOf = new Map<string, string>();
  let before: readonly string[] | null = null;
  for (const { names: batch, pauseSeconds } of batchesOf(record)) {
    if (before !== null) {
      const name = barrierName(barriers.length + 1, (taken) => names.has(taken));
      const turn = record.batches?.turn ?? "";
      const overtakes = record.batches?.overtakes === true && barriers.length === 0;
      const properties = {
        ...(pauseSeconds === 0 ? {} : { pause_time: pauseSeconds }),
        ...(overtakes ? { after_older_operations: true } : {}),
        ...(pauseSeconds === 0 && !overtakes ? {} : { turn }),
      };
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

/** The template as a document, without barriers. `outputs` are in the words of the version. */
export const childTemplate = (
  { record, isSequence }: Pick<GroupSource, "record" | "isSequence">,
  version: ChildVersion,
  outputs: ReadonlyMap<string, Json>,
): JsonObject => {
  const all = membersOf(record);
  const members = all.map(({ name, definition }, at): readonly [string, JsonObject] => {
    const before = isSequence ? all[at - 1]?.name : undefined;
    const body = memberBody(definition, name);
    return [name, before === undefined ? body : withDependency(body, before)];
  });
  return templateDocument(version, members, outputs);
};

/** CloudFormation's format is for groups of its own kinds. */
export type ChildVersion = "2015-04-30" | "HeatTemplateFormatVersion.2012-12-12";
const HOT: ChildVersion = "2015-04-30";

const versionLine = (version: ChildVersion): readonly [string, Json] => {
  if (version === HOT) return [VERSION_KEY, version];
  const [key, date] = version.split(".");
  return [key ?? version, date ?? version];
};

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

/** Heat leaves empty sections out. */
export const templateDocument = (
  version: ChildVersion,
  bodies: readonly (readonly [string, JsonObject])[],
  outputs: ReadonlyMap<string, Json>,
): JsonObject => {
  const { sections, output } = formatOf(version);
  const translated = translator(version);
  const resources = bodies.map(([name, body]): readonly [string, Json] => [name, translated(body)]);
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
