/** Which attributes of a resource its own template refers to. Groups compute only those. */
import { RequestError } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import type { Referenced } from "#lib/model/group-record.ts";
import { attributeLabel } from "#lib/template/attribute-label.ts";
import { hasCalls, visitReferences } from "#lib/template/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { resolveValue } from "#lib/template/resolve.ts";
import { ONLY_VALIDATED, pseudoParameters, type Scope } from "#lib/template/scope.ts";
import type { LoadedTemplate } from "./template-record.ts";

type Loaded = Pick<LoadedTemplate, "source" | "template" | "parameters">;

const pathResolver = ({ source, template, parameters }: Loaded) => {
  const functions = functionsOf(template.version);
  const scope: Scope = {
    parameters,
    pseudo: pseudoParameters(source.stack ?? ONLY_VALIDATED, template),
    files: source.files,
    facade: source.facade,
    resource: () => null,
  };
  return (path: readonly Json[]): readonly Json[] | null => {
    if (!hasCalls(functions, path)) return path;
    try {
      return path.map((step) => resolveValue(template, step, scope, ""));
    } catch (error) {
      if (error instanceof RequestError) return null;
      throw error;
    }
  };
};

export const referencedAttributes = (
  loaded: Loaded,
  resourceName: string,
): readonly Referenced[] => {
  const { template } = loaded;
  const resolved = pathResolver(loaded);
  const found = new Map<string, Referenced>();
  const snippets: Json[] = [
    ...[...template.resources.values()].flatMap(({ properties, metadata }) => [
      properties,
      metadata,
    ]),
    ...[...template.outputs.values()].map(({ value }) => value),
  ];
  visitReferences(functionsOf(template.version), snippets, "", (reference) => {
    if (reference.kind !== "attribute" || reference.resource !== resourceName) return;
    const [key, ...path] = resolved(reference.path) ?? [];
    if (typeof key === "string") found.set(attributeLabel(key, ...path), { key, path });
  });
  return [...found.values()];
};
