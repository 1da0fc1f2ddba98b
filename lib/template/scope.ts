/** What the functions of a template see of the stack that they are resolved in. */
import { RequestError, validationFailed } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { Versioned } from "./format.ts";
import { pythonText } from "./python-text.ts";
import { isCfn } from "./versions.ts";

export interface ResourceReference {
  /** The value of get_resource. Null: there is no id yet, and the resource's name is used. */
  readonly refId: string | null;
  /** There is no id yet, and the type does not let its name stand for it: get_resource is null. */
  readonly isNameless?: boolean;
  readonly attributes: JsonObject;
  /** False in INIT, in DELETE and without a row. Then attributes are null. */
  readonly live: boolean;
  /** Of a failed resource Heat gives single attributes, but no map of all. */
  readonly failed?: boolean;
  /** The type that it has, if its definition asks for another one. Only outputs tell of it. */
  readonly otherType?: string;
}

/** What a nested stack sees of the resource that it stands for. */
export interface Facade {
  readonly metadata: JsonObject;
  readonly deletionPolicy: string;
  readonly updatePolicy: JsonObject;
}

export interface Scope {
  readonly parameters: ReadonlyMap<string, Json>;
  readonly pseudo: Readonly<Record<string, string>>;
  /** The Mappings section of CloudFormation's formats. Absent: the template's own. */
  readonly mappings?: JsonObject;
  /** File contents by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Absent: the stack is no template that is used as a type. */
  readonly facade?: Facade | undefined;
  /** Null: the template has no such resource. */
  resource(name: string): ResourceReference | null;
}

/** An attribute of every type: its provider's raw answer. A map of all attributes lacks it. */
export const RAW_ATTRIBUTE = "show";

/** What the pseudo parameters of a template show. */
export interface NamedStack {
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
}

/** As Heat names a stack that is only validated. */
export const ONLY_VALIDATED: NamedStack = { id: "None", name: "dummy", tenant: "" };

/** Heat's constant. Its stacks have no region. */
const CFN_REGION = "ap-southeast-1";

/** The parameters that every template of this version has without declaring them. */
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

export const isPseudoParameter = (name: string, { parameters }: Scope): boolean =>
  /^(OS|AWS)::/.test(name) && !parameters.has(name);

/** Heat's InvalidTemplateReference. `place` is "unknown" where Heat has no better word. */
export const unknownReference = (name: Json, place: string): RequestError =>
  new RequestError(
    "InvalidTemplateReference",
    400,
    `The specified reference "${pythonText(name)}" (in ${place}) is incorrect.`,
  );

export const referenceTo = (name: Json, scope: Scope): ResourceReference => {
  const reference = typeof name === "string" ? scope.resource(name) : null;
  if (reference === null) throw unknownReference(name, "unknown");
  return reference;
};

export const missingFile = (name: string): RequestError =>
  validationFailed(`No content found in the "files" section for get_file path: ${name}`);
