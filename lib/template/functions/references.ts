import { validationFailed } from "#lib/errors.ts";
import { type Json, mapOf } from "#lib/json.ts";
import { lengthOf } from "#lib/python/show-text.ts";
import { refusal } from "../faults.ts";
import { firstError, isHeld, labelledValue, pathError } from "../held-attributes.ts";
import { characterAt, isCollection, isEmpty, isJsonArray, member } from "../json-shape.ts";
import { integerFromText, itemsOf } from "../python-values.ts";
import {
  type Facade,
  missingFile,
  parameterNamed,
  RAW_ATTRIBUTE,
  type ResourceReference,
  referenceTo,
} from "../scope.ts";
import { wrongItems } from "./cloudformation.ts";
import {
  ANY,
  argument,
  type Evaluation,
  oneOf,
  optional,
  row,
  rowWithRest,
  TEXT,
  type TemplateFunction,
  takes,
  takesWritten,
} from "./function.ts";

const NOT_A_LIST = 'Argument to "get_attr" must be a list';
const TOO_SHORT =
  'Arguments to "get_attr" must be of the form [resource_name, attribute, (path), ...]';
const TOO_SHORT_OR_ALL =
  'Arguments to "get_attr" can be of the next forms: [resource_name] or [resource_name, attribute, (path), ...]';

/** Fn::GetAtt also accepts sequences that are not lists. */
const listOf = (args: Json): readonly Json[] => itemsOf(args) ?? [];

/** A part of a value. Undefined if the value has none there. */
const partAt = (
  { name, budget }: { readonly name: string; readonly budget: Evaluation["budget"] },
  value: Json,
  key: Json,
  index: number | undefined,
): Json | undefined => {
  if (typeof value === "string") {
    if (index === undefined) return undefined;
    budget.search(name, Math.min(Math.abs(index), value.length));
    return characterAt(value, index);
  }
  if (!isCollection(value)) return undefined;
  if (isJsonArray(value)) return index === undefined ? undefined : value.at(index);
  return typeof key === "string" ? member(value, key) : undefined;
};

/** Python's index rules: negative ones count from the end, and true is 1. */
const indexOf = (key: Json): number | undefined => {
  const index = typeof key === "boolean" ? Number(key) : key;
  return typeof index === "number" && Number.isInteger(index) ? index : undefined;
};

/** Unlike get_param, accepts only numbers for a list, and gives null for a missing member. */
const select = ({ budget }: Evaluation, value: Json, key: Json): Json =>
  partAt({ name: "get_attr", budget }, value, key, indexOf(key)) ?? null;

const refuse = (args: Json, allowsAll: boolean): string | null => {
  if (allowsAll && isEmpty(args)) return TOO_SHORT_OR_ALL;
  // For Python, a text of one character is a sequence of one name.
  if (allowsAll && typeof args === "string" && lengthOf(args) === 1) return null;
  if (!isJsonArray(args)) return NOT_A_LIST;
  return args.length < (allowsAll ? 1 : 2) ? TOO_SHORT : null;
};

/** As in Heat, the error of a nested output becomes the error of each value that reads it. */
const refuseError = (text: string | null): void => {
  if (text !== null) throw refusal("TemplateOutputError", text);
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

const step = ({ budget }: Evaluation, collection: Json, key: Json): Json | undefined => {
  const index = typeof key === "string" ? integerFromText(key) : key;
  return partAt({ name: "get_param", budget }, collection, key, indexOf(index));
};

export const getParam: TemplateFunction = {
  name: "get_param",
  description: "The value of a parameter or a part of it.",
  takes: takes(
    TEXT,
    rowWithRest(
      argument("parameter", "the name of the parameter", TEXT),
      optional(argument("part", "a key or an index in the value before it", ANY)),
    ),
  ),
  mayStandInCondition: true,
  // Heat checks the arguments when it resolves them, so an unused get_param is never wrong.
  refuse: () => null,
  refersTo: (args) => ({
    kind: "parameter",
    parameter: isJsonArray(args) ? (args[0] ?? null) : args,
  }),
  evaluate: (unresolved, evaluation) => {
    const args = evaluation.resolve(unresolved);
    if (isEmpty(args)) throw validationFailed('Function "get_param" must have arguments');
    if (typeof args !== "string" && !isJsonArray(args)) {
      throw validationFailed('Argument to "get_param" must be string or list');
    }
    const [name, ...path] = typeof args === "string" ? [args] : args;
    if (typeof name !== "string")
      throw validationFailed('Parameter name in "get_param" must be string');
    let value = parameterNamed(evaluation, name);
    if (value === undefined) {
      throw refusal("UserParameterMissing", `The Parameter (${name}) was not provided.`);
    }
    for (const key of path) {
      value = step(evaluation, value, key);
      if (value === undefined) return "";
    }
    return value;
  },
};

export const getResource: TemplateFunction = {
  name: "get_resource",
  description: "The reference id of a resource.",
  takes: takes(TEXT),
  refuse: () => null,
  refersTo: (resource) => ({ kind: "resource", resource }),
  evaluate: (args, evaluation) => {
    const name = evaluation.resolve(args);
    const { refId, isNameless } = referenceTo(name, evaluation);
    return refId ?? (isNameless ? null : name);
  },
};

export const getFile: TemplateFunction = {
  name: "get_file",
  // These are Heat's words, which its API tests expect.
  description: "A function for including a file inline.",
  takes: takes(TEXT),
  refuse: () => null,
  refersTo: (file) => ({ kind: "file", file }),
  evaluate: (args, evaluation) => {
    const name = evaluation.resolve(args);
    if (typeof name !== "string") throw validationFailed('Argument to "get_file" must be a string');
    const content = member(evaluation.files, name);
    if (content === undefined) throw missingFile(name);
    return content;
  },
};

const PARTS: Readonly<Record<string, (facade: Facade) => Json>> = {
  metadata: ({ metadata }) => metadata,
  deletion_policy: ({ deletionPolicy }) => deletionPolicy,
  update_policy: ({ updatePolicy }) => updatePolicy,
};
/** The first version has the function under a second name, with CloudFormation's words. */
const CFN_PARTS: typeof PARTS = {
  Metadata: ({ metadata }) => metadata,
  DeletionPolicy: ({ deletionPolicy }) => deletionPolicy,
  UpdatePolicy: ({ updatePolicy }) => updatePolicy,
};

const facadeFunction = (name: string, parts: typeof PARTS): TemplateFunction => {
  const partNamed = (part: Json): ((facade: Facade) => Json) | undefined =>
    typeof part === "string" ? member(parts, part) : undefined;
  const usage = `Incorrect arguments to "${name}" should be one of: ${Object.keys(parts).join(", ")}`;
  return {
    name,
    description: "The metadata or a policy of the resource that the nested stack stands for.",
    takes: takes(oneOf(...Object.keys(parts))),
    refuse: (args, isCall) => (isCall(args) || partNamed(args) !== undefined ? null : usage),
    refersTo: () => ({ kind: "facade" }),
    evaluate: (args, { resolve, facade }) => {
      const part = partNamed(resolve(args));
      if (part === undefined) throw validationFailed(usage);
      if (facade === undefined) {
        throw validationFailed(`"${name}" has a value only in a template that is used as a type`);
      }
      return part(facade);
    },
  };
};

export const resourceFacade = facadeFunction("resource_facade", PARTS);
export const cfnResourceFacade = facadeFunction("Fn::ResourceFacade", CFN_PARTS);
