import * as z from "zod";
import type { Client } from "#client/client.ts";
import { type TypeAnswer, TypeShape, TypesShape } from "#client/wire.ts";
import { RequestError } from "#lib/errors.ts";

export interface Words {
  readonly types: () => Promise<readonly string[]>;
  readonly type: (name: string) => Promise<TypeAnswer | null>;
  readonly functions: (version: string) => Promise<readonly string[]>;
}

const Functions = z.looseObject({
  template_functions: z.array(z.looseObject({ functions: z.string() })),
});

/** A name that the server refuses is unknown. Other errors are not remembered. */
const orElse = async <Value>(asked: Promise<Value>, other: Value): Promise<Value> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RequestError) return other;
    throw error;
  }
};

const remembered = <Value>(read: (name: string) => Promise<Value>) => {
  const known = new Map<string, Value>();
  return async (name: string): Promise<Value> => {
    const old = known.get(name);
    if (old !== undefined) return old;
    const value = await read(name);
    known.set(name, value);
    return value;
  };
};

export const wordsOf = (client: Client): Words => {
  const types = remembered(
    async () => (await client.request("GET", "/resource_types", TypesShape)).resource_types,
  );
  const functions = async (version: string) => {
    const path = `/template_versions/heat_template_version.${encodeURIComponent(version)}/functions`;
    const answer = await client.request("GET", path, Functions);
    return answer.template_functions.map(({ functions: name }) => name);
  };
  return {
    types: () => types(""),
    type: remembered((name) =>
      orElse<TypeAnswer | null>(
        client.request("GET", `/resource_types/${encodeURIComponent(name)}`, TypeShape),
        null,
      ),
    ),
    functions: remembered((version) => orElse<readonly string[]>(functions(version), [])),
  };
};
