import { RequestError } from "#lib/errors.ts";
import { type Json, mapOf } from "#lib/json.ts";
import { lengthOf } from "#lib/python/order.ts";
import { firstError, isHeld, pathError } from "../attribute-errors.ts";
import { labelledValue } from "../attribute-label.ts";
import { characterAt, isCollection, isEmpty, isJsonArray, member } from "../json-shape.ts";
import { itemsOf } from "../python-sequence.ts";
import { RAW_ATTRIBUTE, type ResourceReference, referenceTo } from "../scope.ts";
import { ANY, argument, optional, row, rowWithRest, TEXT, takesWritten } from "./arguments.ts";
import { wrongItems } from "./cloudformation.ts";
import type { Evaluation, TemplateFunction } from "./function.ts";

const NOT_A_LIST = 'Argument to "get_attr" must be a list';
const TOO_SHORT =
  'Arguments to "get_attr" must be of the form [resource_name, attribute, (path), ...]';
const TOO_SHORT_OR_ALL =
  'Arguments to "get_attr" can be of the next forms: [resource_name] or [resource_name, attribute, (path), ...]';

/** Fn::GetAtt also accepts sequences that are not lists. */
const listOf = (args: Json): readonly Json[] => itemsOf(args) ?? [];

/** Unlike get_param, accepts only numbers for a list, and gives null for a missing member. */
const select = ({ budget }: Evaluation, value: Json, key: Json): Json => {
  const index = typeof key === "boolean" ? Number(key) : key;
  const isIndex = typeof index === "number" && Number.isInteger(index);
  if (typeof value === "string") {
    if (!isIndex) return null;
    budget.search("get_attr", Math.min(Math.abs(index), value.length));
    return characterAt(value, index) ?? null;
  }
  if (!isCollection(value)) return null;
  if (isJsonArray(value)) return isIndex ? (value.at(index) ?? null) : null;
  return typeof key === "string" ? (member(value, key) ?? null) : null;
};

const refuse = (args: Json, allowsAll: boolean): string | null => {
  if (allowsAll && isEmpty(args)) return TOO_SHORT_OR_ALL;
  // For Python, a text of one character is a sequence of one name.
  if (allowsAll && typeof args === "string" && lengthOf(args) === 1) return null;
  if (!isJsonArray(args)) return NOT_A_LIST;
  return args.length < (allowsAll ? 1 : 2) ? TOO_SHORT : null;
};

/** As in Heat, the error of a nested output becomes the error of each value that reads it. */
const refuseError = (text: string | null): void => {
  if (text !== null) throw new RequestError("TemplateOutputError", 400, text);
};

const typeError = (
  { otherType, attributes }: ResourceReference,
  name: Json,
  attribute: Json,
): string | null => {
  if (otherType === undefined || typeof attribute !== "string") return null;
  if (attribute === RAW_ATTRIBUTE) return null;
  if (Object.hasOwn(attributes, attribute) && !isHeld(attribute)) return null;
  return `The Referenced Attribute (${name} ${attribute}) is incorrect: ${name} still is of the type ${otherType}.`;
};

const RESOURCE = argument("resource", "the name of the resource", TEXT);
const ATTRIBUTE = argument("attribute", "the name of the attribute", ANY);
const PATH = rowWithRest(
  RESOURCE,
  ATTRIBUTE,
  optional(argument("part", "a key or an index in the value before it", ANY)),
);

const getAttribute = (allowsAll: boolean): TemplateFunction => ({
  name: "get_attr",
  description: allowsAll
    ? "An attribute of a resource, a part of it, or all attributes."
    : "An attribute of a resource or a part of it.",
  takes: allowsAll ? takesWritten(row(RESOURCE), PATH) : takesWritten(PATH),
  refuse: (args) => refuse(args, allowsAll),
  refersTo: (args) => {
    const [resource = null, ...path] = listOf(args);
    const takesAll = allowsAll && path[0] === null;
    return { kind: "attribute", resource, path: takesAll ? [] : path };
  },
  evaluate: (args, evaluation) => {
    const [name = null, attribute = null, ...path] = listOf(args).map(evaluation.resolve);
    const reference = referenceTo(name, evaluation);
    const { live, failed, attributes } = reference;
    if (!live) return null;
    if (attribute === null && allowsAll) {
      if (failed) return null;
      refuseError(firstError(attributes));
      return mapOf(
        Object.entries(attributes).filter(([key]) => key !== RAW_ATTRIBUTE && !isHeld(key)),
      );
    }
    refuseError(pathError(attributes, [attribute, ...path]));
    const labelled = labelledValue(attributes, [attribute, ...path]);
    if (labelled !== undefined) return labelled;
    refuseError(pathError(attributes, [attribute]) ?? typeError(reference, name, attribute));
    if (isHeld(attribute)) return null;
    return [attribute, ...path].reduce<Json>(
      (value, key) => select(evaluation, value, key),
      attributes,
    );
  },
});

const CFN_USAGE = 'Arguments to "Fn::GetAtt" must be of the form [resource_name, attribute]';

export const getAtt: TemplateFunction = {
  ...getAttribute(false),
  name: "Fn::GetAtt",
  description: "An attribute of a resource.",
  takes: takesWritten(row(RESOURCE, ATTRIBUTE)),
  refuse: (args, isCall) => wrongItems(args, isCall, 2, CFN_USAGE),
};

export const getAttr = getAttribute(false);
export const getAttrOrAll = getAttribute(true);
