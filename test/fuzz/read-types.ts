import * as z from "zod";
import type { SendAs } from "../integration/security/tenant-stacks.ts";

/** Without a cloud, stubs take the place of its objects. They are rows of the host too. */
export const STUBS = {
  resource_registry: { "OS::*": "Hearth::Stub::OS::*", "AWS::*": "Hearth::Stub::AWS::*" },
};

const schemaOf = z.object({
  properties: z.record(z.string(), z.object({ type: z.string(), required: z.boolean() })),
});

export type TypeSchemas = ReadonlyMap<string, z.infer<typeof schemaOf>["properties"]>;

export const readTypes = async (send: SendAs, tenant: string): Promise<TypeSchemas> => {
  const path = `/v1/${tenant}/resource_types`;
  const read = async (url: string): Promise<unknown> =>
    JSON.parse((await send(tenant, "GET", url)).body);
  const { resource_types: names } = z
    .object({ resource_types: z.array(z.string()) })
    .parse(await read(path));
  const types = new Map<string, z.infer<typeof schemaOf>["properties"]>();
  for (const name of names)
    types.set(name, schemaOf.parse(await read(`${path}/${name}`)).properties);
  return types;
};
