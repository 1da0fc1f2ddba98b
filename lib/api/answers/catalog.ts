import * as z from "zod/mini";
import { Links, Text, Values } from "./shapes.ts";

const Version = z.object({ id: z.string(), status: z.string(), links: Links });

export const VersionsAnswer = z.object({ versions: z.array(Version) });
export const VersionAnswer = z.object({ version: Version });

const Revision = z.object({ revision: z.string() });
export const BuildInfo = z.object({ api: Revision, engine: Revision });
export const ServicesAnswer = z.object({ services: z.array(Values) });

export const TemplateVersionsAnswer = z.object({
  template_versions: z.array(
    z.object({
      version: z.string(),
      type: z.enum(["hot", "cfn"]),
      aliases: z.array(z.string()),
    }),
  ),
});
export const TemplateFunctionsAnswer = z.object({
  template_functions: z.array(z.object({ functions: z.string(), description: z.string() })),
});

const TypeDescription = z.object({ resource_type: z.string(), description: z.string() });
export const TypesAnswer = z.object({
  resource_types: z.union([z.array(z.string()), z.array(TypeDescription)]),
});

const propertyFields = {
  type: z.enum(["string", "integer", "number", "boolean", "list", "map", "any"]),
  description: z.optional(z.string()),
  required: z.boolean(),
  update_allowed: z.boolean(),
  immutable: z.boolean(),
  default: z.optional(z.unknown()),
  constraints: z.optional(z.array(Values)),
};
/** For a list, the key `*` has the schema of its items. */
export const Property: z.ZodMiniType = z.object({
  ...propertyFields,
  schema: z.optional(
    z.catchall(
      z.object({}),
      z.lazy(() => Property),
    ),
  ),
});

export const SupportStatus = z.object({
  status: z.enum(["UNKNOWN", "SUPPORTED", "DEPRECATED", "UNSUPPORTED", "HIDDEN"]),
  message: Text,
  version: Text,
  get previous_status() {
    return z.nullable(SupportStatus);
  },
});

export const TypeAnswer = z.object({
  resource_type: z.string(),
  properties: z.catchall(z.object({}), Property),
  attributes: z.catchall(
    z.object({}),
    z.object({ description: z.optional(z.string()), type: z.optional(z.string()) }),
  ),
  support_status: SupportStatus,
  description: z.optional(z.string()),
});
