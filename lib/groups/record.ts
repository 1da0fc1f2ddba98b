/**
 * Reads and writes the record of a group, which belongs to the target of its nested stack. Each
 * definition is stored once, and members and batches are ranges. So 10,000 members stay small.
 */
import * as z from "zod/mini";
import { canonicalJson } from "#lib/json.ts";
import { json, jsonObject } from "#lib/json-schema.ts";
import type {
  BatchRun,
  GroupRecord,
  GroupSource,
  MemberDefinition,
  PlaceRange,
} from "#lib/model/group-record.ts";
import { inBatches } from "./batches.ts";
import { indexOf } from "./names.ts";

const definitionSchema = z.object({ body: jsonObject, indexVar: z.nullable(z.string()) });
const whole = z.int().check(z.nonnegative());
const rangeSchema = z.object({ from: whole, to: whole });

const runSchema = z.object({
  places: z.array(rangeSchema),
  size: whole,
  pauseSeconds: z.number().check(z.nonnegative()),
});

const recordSchema: z.ZodMiniType<GroupRecord> = z.object({
  definitions: z.array(definitionSchema),
  members: z.array(
    z.object({ definition: whole, names: z.union([rangeSchema, z.array(z.string())]) }),
  ),
  latest: whole,
  skip: z.array(z.string()),
  size: whole,
  open: z.optional(z.object({ size: z.nullable(whole), reached: z.nullable(z.string()) })),
  cooldownMs: whole,
  cooldownEnd: whole,
  batches: z.nullable(
    z.object({ turn: z.string(), overtakes: z.boolean(), runs: z.array(runSchema) }),
  ),
  trim: z.array(rangeSchema),
});

const referencedSchema = z.object({ key: z.string(), path: z.array(json) });

export const groupSourceSchema: z.ZodMiniType<GroupSource> = z.object({
  kind: z.enum(["resource group", "chain", "scaling group", "instance group"]),
  record: recordSchema,
  isSequence: z.boolean(),
  referenced: z.array(referencedSchema),
  isSecret: z.boolean(),
});

export const textOfDefinition = ({ body, indexVar }: MemberDefinition): string =>
  canonicalJson([body, indexVar]);

/** Members share their definitions, so the text of each definition is made once. */
export const textsOfDefinitions = (): ((definition: MemberDefinition) => string) => {
  const texts = new Map<MemberDefinition, string>();
  return (definition) => {
    const text = texts.get(definition) ?? textOfDefinition(definition);
    texts.set(definition, text);
    return text;
  };
};

export interface Member {
  readonly name: string;
  readonly definition: MemberDefinition;
}

export interface Batch {
  readonly names: readonly string[];
  readonly pauseSeconds: number;
}

export interface GroupParts
  extends Pick<GroupRecord, "size" | "open" | "cooldownMs" | "cooldownEnd"> {
  readonly members: readonly Member[];
  readonly definition: MemberDefinition | null;
  readonly skip: readonly string[];
  readonly turn: string;
  readonly overtakes: boolean;
  /** With fewer than two batches, all members change at once. */
  readonly batches: readonly Batch[];
  readonly leaving: ReadonlySet<string>;
}

/** All members change at once, and none goes later. */
export const AT_ONCE = {
  turn: "",
  overtakes: false,
  batches: [],
  leaving: new Set<string>(),
} as const satisfies Partial<GroupParts>;

export const groupRecord = (parts: GroupParts): GroupRecord => {
  const { size, open, cooldownMs, cooldownEnd, turn, overtakes, members } = parts;
  const places = new Map(members.map(({ name }, place) => [name, place]));
  const placesOf = (names: Iterable<string>): readonly number[] =>
    [...names].flatMap((name) => places.get(name) ?? []);
  const leaving = [...placesOf(parts.leaving)].sort((left, right) => left - right);
  return {
    ...sharedDefinitions(members, parts.definition),
    skip: [...parts.skip],
    size,
    ...(open === undefined ? {} : { open }),
    cooldownMs,
    cooldownEnd,
    batches:
      parts.batches.length < 2 ? null : { turn, overtakes, runs: runsOf(parts.batches, placesOf) },
    trim: [...rangesOf(leaving)],
  };
};

type Names = { from: number; to: number } | string[];
interface OpenRun {
  readonly definition: number;
  readonly names: Names;
}

const isAdded = (names: Names, name: string): boolean => {
  const index = indexOf(name);
  if (!("from" in names)) {
    if (index === null) names.push(name);
    return index === null;
  }
  if (index !== names.to + 1) return false;
  names.to = index;
  return true;
};

const firstName = (name: string): Names => {
  const index = indexOf(name);
  return index === null ? [name] : { from: index, to: index };
};

const sharedDefinitions = (
  members: readonly Member[],
  newest: MemberDefinition | null,
): Pick<GroupRecord, "definitions" | "members" | "latest"> => {
  const definitions: MemberDefinition[] = [];
  const known = new Map<string, number>();
  const textOf = textsOfDefinitions();
  const placeOf = (definition: MemberDefinition): number => {
    const text = textOf(definition);
    const place = known.get(text) ?? definitions.push(definition) - 1;
    known.set(text, place);
    return place;
  };
  const runs: OpenRun[] = [];
  for (const { name, definition: given } of members) {
    const definition = placeOf(given);
    const last = runs.at(-1);
    if (last?.definition === definition && isAdded(last.names, name)) continue;
    runs.push({ definition, names: firstName(name) });
  }
  const latest = newest === null ? 0 : placeOf(newest);
  return { definitions, members: runs, latest };
};

/** Batches of one size and with one pause are a run, whose last batch may be smaller. */
const runsOf = (
  batches: readonly Batch[],
  placesOf: (names: Iterable<string>) => readonly number[],
): readonly BatchRun[] => {
  const runs: { size: number; pauseSeconds: number; places: number[] }[] = [];
  for (const { names, pauseSeconds } of batches) {
    const last = runs.at(-1);
    const isSame =
      last?.pauseSeconds === pauseSeconds &&
      names.length > 0 &&
      names.length <= last.size &&
      last.places.length % last.size === 0;
    if (isSame) last.places.push(...placesOf(names));
    else runs.push({ size: names.length, pauseSeconds, places: [...placesOf(names)] });
  }
  return runs.map((run) => ({ ...run, places: [...rangesOf(run.places)] }));
};

const namesOf = (names: GroupRecord["members"][number]["names"]): readonly string[] =>
  "from" in names ? numbersOf(names).map(String) : names;

export const membersOf = (record: GroupRecord): readonly Member[] =>
  record.members.flatMap(({ definition: place, names }) => {
    const definition = record.definitions[place];
    return definition === undefined ? [] : namesOf(names).map((name) => ({ name, definition }));
  });

export const latestOf = ({ definitions, latest }: GroupRecord): MemberDefinition | null =>
  definitions[latest] ?? null;

const namesAt = (record: GroupRecord): ((places: BatchRun["places"]) => readonly string[]) => {
  const members = membersOf(record);
  return (places) => places.flatMap(numbersOf).flatMap((place) => members[place]?.name ?? []);
};

/** An empty batch has a barrier too: the pause before TRIM, or the wait before the first batch. */
export const batchesOf = (record: GroupRecord): readonly Batch[] => {
  const named = namesAt(record);
  return (record.batches?.runs ?? []).flatMap(({ places, size, pauseSeconds }) => {
    const names = named(places);
    const batches = names.length === 0 ? [[]] : inBatches(names, size);
    return batches.map((batch) => ({ names: batch, pauseSeconds }));
  });
};

export const leavingOf = (record: GroupRecord): ReadonlySet<string> =>
  new Set(namesAt(record)(record.trim));

export const withoutMembers = (record: GroupRecord, names: ReadonlySet<string>): GroupRecord =>
  groupRecord({
    ...record,
    definition: latestOf(record),
    members: membersOf(record).filter(({ name }) => !names.has(name)),
    ...AT_ONCE,
    leaving: new Set([...leavingOf(record)].filter((name) => !names.has(name))),
  });

export const trimmed = (record: GroupRecord): GroupRecord =>
  withoutMembers(record, leavingOf(record));

export const numbersOf = ({ from, to }: PlaceRange): readonly number[] => {
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, at) => from + step * at);
};

const extended = ({ from, to }: PlaceRange, next: number): PlaceRange | null => {
  const step = next - to;
  if (Math.abs(step) !== 1) return null;
  return from === to || Math.sign(to - from) === step ? { from, to: next } : null;
};

/** Lists of numbers as ranges, so that a group of many members has a short record. */
export const rangesOf = (numbers: readonly number[]): readonly PlaceRange[] => {
  const ranges: PlaceRange[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    const longer = last === undefined ? null : extended(last, number);
    if (longer === null) ranges.push({ from: number, to: number });
    else ranges.splice(-1, 1, longer);
  }
  return ranges;
};
