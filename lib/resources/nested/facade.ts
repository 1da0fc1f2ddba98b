/** What a nested stack can read of its own resource in the parent (Heat's resource_facade). */
import { type Json, mapOf } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { LoadedTemplate } from "#lib/stack/record/template-record.ts";
import { resolveMetadata } from "#lib/stack/resolve-in-stack.ts";
import { resourcePlace } from "#lib/template/format.ts";
import { entriesLeft, resolveValue } from "#lib/template/functions/resolve.ts";
import { type Facade, pseudoParameters, type Scope } from "#lib/template/scope.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";

/** As in Heat, the metadata is resolved from the rows, and the deletion policy without them. */
export const facadeOf = async (
  engine: Ports,
  above: Stack,
  loaded: LoadedTemplate,
  { name, deletionPolicy, updatePolicy }: ResourceDefinition,
): Promise<Facade> => {
  const { template, source, parameters } = loaded;
  const scope: Scope = {
    parameters,
    pseudo: pseudoParameters(above, template),
    files: source.files,
    facade: source.facade,
    resource: () => null,
  };
  const policy = entriesLeft(template, updatePolicy).map(([key, value]): [string, Json] => [
    key,
    resolveValue(template, value, scope, `${resourcePlace(template, name, "updatePolicy")}.${key}`),
  ]);
  return {
    metadata: await resolveMetadata(engine, above, loaded, name),
    deletionPolicy,
    updatePolicy: mapOf(policy),
  };
};
