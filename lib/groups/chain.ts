import type { JsonObject } from "#lib/json.ts";
import type { MemberDefinition } from "#lib/model/group-record.ts";
import type { Member } from "./record.ts";

export interface Chain {
  readonly types: readonly string[];
  readonly properties: JsonObject | undefined;
}

export const chainMembers = ({ types, properties }: Chain): readonly Member[] => {
  const definitions = new Map<string, MemberDefinition>();
  const definitionOf = (type: string): MemberDefinition => {
    const body = { type, ...(properties === undefined ? {} : { properties }) };
    const definition = definitions.get(type) ?? { body, indexVar: null };
    definitions.set(type, definition);
    return definition;
  };
  return types.map((type, at) => ({ name: String(at), definition: definitionOf(type) }));
};
