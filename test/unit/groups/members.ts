import type { Existing } from "#lib/groups/batches.ts";
import type { GroupParts } from "#lib/groups/record.ts";
import type { JsonObject } from "#lib/json.ts";
import type { MemberDefinition } from "#lib/model/group-record.ts";

export const serving = (...names: readonly string[]): readonly Existing[] =>
  names.map((name) => ({ name, isServing: true, isUpToDate: false }));

export const failed = (...names: readonly string[]): readonly Existing[] =>
  names.map((name) => ({ name, isServing: false, isUpToDate: false }));

export const definition = (salt: string, indexVar: string | null = null): MemberDefinition => ({
  body: { type: "OS::Heat::RandomString", properties: { salt } } satisfies JsonObject,
  indexVar,
});

export const parts = (given: Partial<GroupParts>): GroupParts => ({
  members: [],
  definition: null,
  skip: [],
  size: given.members?.length ?? 0,
  cooldownMs: 0,
  cooldownEnd: 0,
  turn: "turn",
  overtakes: false,
  batches: [],
  leaving: new Set(),
  ...given,
});
