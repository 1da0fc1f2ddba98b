import { type RequestError, validationFailed } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { refusal } from "./faults.ts";
import { isCfn, type Versioned } from "./format.ts";
import { member } from "./json-shape.ts";
import { pythonText } from "./python-text.ts";

export interface ResourceReference {
  /** The value of get_resource. If it is null, the resource's name is used. */
  readonly refId: string | null;
  /** There is no id yet, and get_resource gives null instead of the name. */
  readonly isNameless?: boolean;
  readonly attributes: JsonObject;
  /** False in INIT, in DELETE and without a row. Attributes are null then. */
  readonly live: boolean;
  /** For a failed resource, Heat gives single attributes, but no map of all. */
  readonly failed?: boolean;
  /** The current type, if its definition asks for another one. It is only set for outputs. */
  readonly otherType?: string;
}

export interface Facade {
  readonly metadata: JsonObject;
  readonly deletionPolicy: string;
  readonly updatePolicy: JsonObject;
}

export interface Scope {
  readonly parameters: ReadonlyMap<string, Json>;
  readonly pseudo: Readonly<Record<string, string>>;
  /** The Mappings section of CloudFormation's formats. */
  readonly mappings?: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly facade?: Facade | undefined;
  resource(name: string): ResourceReference | null;
}

/** Heat's attribute of every type: the provider's raw answer. A map of all lacks it. */
export const RAW_ATTRIBUTE = "show";

export interface NamedStack {
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
}

/** Heat's names for a stack that is only validated. */
export const ONLY_VALIDATED: NamedStack = { id: "None", name: "dummy", tenant: "" };

/** Heat's constant. Its stacks have no region. */
const CFN_REGION = "ap-southeast-1";

export const pseudoParameters = (
  { id, name, tenant }: NamedStack,
  { version }: Versioned,
): Readonly<Record<string, string>> =>
  isCfn(version)
    ? {
        "AWS::StackId": `arn:openstack:heat::${tenant}:stacks/${name}/${id}`,
        "AWS::StackName": name,
        "AWS::Region": CFN_REGION,
      }
    : { "OS::stack_id": id, "OS::stack_name": name, "OS::project_id": tenant };

/** Heat reserves a name for a region, though its stacks have none. */
const REGION = "OS::region";

export const isPseudoName = (name: string, template: Versioned): boolean =>
  Object.hasOwn(pseudoParameters(ONLY_VALIDATED, template), name) ||
  (name === REGION && !isCfn(template.version));

export const isPseudoParameter = (name: string, { parameters }: Scope): boolean =>
  /^(OS|AWS)::/.test(name) && !parameters.has(name);

/** Heat's InvalidTemplateReference. `place` is "unknown" where Heat has no better word. */
export const unknownReference = (name: Json, place: string): RequestError =>
  refusal(
    "InvalidTemplateReference",
    `The specified reference "${pythonText(name)}" (in ${place}) is incorrect.`,
  );

export const referenceTo = (name: Json, scope: Scope): ResourceReference => {
  const reference = typeof name === "string" ? scope.resource(name) : null;
  if (reference === null) throw unknownReference(name, "unknown");
  return reference;
};

export const missingFile = (name: string): RequestError =>
  validationFailed(`No content found in the "files" section for get_file path: ${name}`);

/** A parameter of type json that the user gives as the text `null` has the value null. */
export const parameterNamed = (
  { parameters, pseudo }: Pick<Scope, "parameters" | "pseudo">,
  name: string,
): Json | undefined => {
  const value = parameters.get(name);
  return value === undefined ? member(pseudo, name) : value;
};
