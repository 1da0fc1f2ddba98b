/**
 * Makes the template of a group's nested stack from the group's record. Definitions are values, so
 * the document is only shown and never parsed: a visit reads its member's definition from the
 * record.
 */
import type { Json, JsonObject } from "#lib/json.ts";
import { mergedMaps } from "#lib/json-map.ts";
import type { GroupRecord, GroupSource } from "#lib/model/group-record.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { barrierName } from "./barriers.ts";
import { memberBody } from "./member-definition.ts";
import { batchesOf, membersOf } from "./record.ts";
import { type ChildVersion, templateDocument } from "./template-document.ts";

export interface BarrierNode {
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
