/** The names in calls that exist only for some types and files: attributes and file contents. */
import { type RequestError, validationFailed } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import { visitReferences } from "./calls.ts";
import { propertyError } from "./coerce.ts";
import { resourcePlace, type Versioned } from "./format.ts";
import { callIn, type FunctionTable, functionsOf } from "./functions/table.ts";
import { pythonText } from "./python-text.ts";
import { missingFile, RAW_ATTRIBUTE, unknownReference } from "./scope.ts";
import type { ResourceDefinition } from "./template.ts";
import type { TypeSchema } from "./type-schema.ts";

const unknownAttribute = (place: string, resource: string, attribute: Json): RequestError =>
  validationFailed(
    `${place}: The Referenced Attribute (${resource} ${pythonText(attribute)}) is incorrect.`,
  );

/** Only resolving can tell whether a computed attribute exists, so this leaves it out. */
export const checkAttributes = (
  functions: FunctionTable,
  types: ReadonlyMap<string, TypeSchema>,
  snippet: Json,
  snippetPlace: string,
): void => {
  visitReferences(functions, snippet, snippetPlace, (reference, place) => {
    if (reference.kind !== "attribute" || callIn(functions, reference.resource) !== null) return;
    const { resource, path } = reference;
    const type = typeof resource === "string" ? types.get(resource) : undefined;
    if (typeof resource !== "string" || type === undefined) {
      const { message } = unknownReference(resource, "unknown");
      throw validationFailed(`${place}: ${message}`);
    }
    const [attribute] = path;
    if (type.attributes === "any" || attribute === undefined) return;
    if (attribute === RAW_ATTRIBUTE || callIn(functions, attribute) !== null) return;
    if (typeof attribute === "string" && Object.hasOwn(type.attributes, attribute)) return;
    throw unknownAttribute(place, resource, attribute);
  });
};

/** Also for values that wait for something else: a file either came with the request or did not. */
export const checkFiles = (
  template: Versioned,
  files: Readonly<Record<string, string>>,
  definition: ResourceDefinition,
): void => {
  const functions = functionsOf(template.version);
  for (const [key, value] of Object.entries(definition.properties)) {
    visitReferences(functions, value, "", (reference) => {
      if (reference.kind !== "file" || typeof reference.file !== "string") return;
      if (Object.hasOwn(files, reference.file)) return;
      const place = `${resourcePlace(template, definition.name, "properties")}.${key}`;
      throw propertyError(place, missingFile(reference.file).message);
    });
  }
};
