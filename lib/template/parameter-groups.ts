import { type RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonObject } from "#lib/json.ts";
import { isEmpty, isJsonArray, member } from "./json-shape.ts";
import { pythonText } from "./python-text.ts";
import type { ParsedTemplate } from "./template.ts";

const groupError = (place: string, reason: string): RequestError =>
  validationFailed(`Parameter Groups error: ${place}: ${reason}`);

export const checkParameterGroups = ({
  parameterGroups: groups,
  parameters,
}: ParsedTemplate): void => {
  if (isEmpty(groups)) return;
  if (!isJsonArray(groups)) {
    throw groupError("parameter_groups", "The parameter_groups should be a list.");
  }
  const assigned = new Set<string>();
  for (const group of groups) {
    const label = isJsonObject(group) ? member(group, "label") : undefined;
    const names = isJsonObject(group) ? member(group, "parameters") : undefined;
    const place = `parameter_groups.${pythonText(label ?? "")}`;
    if (names === undefined) {
      throw groupError(place, "The parameters must be provided for each parameter group.");
    }
    if (!isJsonArray(names)) {
      throw groupError(place, "The parameters of parameter group should be a list.");
    }
    for (const name of names.map(pythonText)) {
      if (assigned.has(name)) {
        throw groupError(
          place,
          `The ${name} parameter must be assigned to one parameter group only.`,
        );
      }
      if (!parameters.has(name)) {
        throw groupError(
          place,
          `The grouped parameter ${name} does not reference a valid parameter.`,
        );
      }
      assigned.add(name);
    }
  }
};
