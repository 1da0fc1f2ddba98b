import { validationFailed } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import type { Facade } from "../scope.ts";
import { oneOf, takes } from "./arguments.ts";
import type { TemplateFunction } from "./function.ts";

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
    typeof part === "string" && Object.hasOwn(parts, part) ? parts[part] : undefined;
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
