/**
 * Puts the names of existing objects into docs/api.yaml, so that requests reach them: the project
 * of the token, a stack that stays, and another stack for the requests that end one.
 */
import { parse, stringify } from "yaml";
import * as z from "zod";

export interface MadeStack {
  readonly stack_name: string;
  readonly stack_id: string;
}

export interface Existing {
  readonly tenant: string;
  readonly kept: MadeStack;
  readonly victim: MadeStack;
  readonly resource_name: string;
  readonly key: string;
  readonly config_id: string;
}

const Operation = z.looseObject({ parameters: z.array(z.unknown()).default([]) });
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.looseObject({
    parameters: z.record(z.string(), z.looseObject({ schema: z.unknown() })),
  }),
});

const ENDS_A_STACK = /^\/v1\/\{tenant\}\/stacks\/\{stack_name\}\/\{stack_id\}(\/abandon)?$/;

const pathParameter = (name: string, values: readonly string[]) => ({
  name,
  in: "path",
  required: true,
  schema: { enum: values },
});

export const withRealNames = (text: string, existing: Existing): string => {
  const document = Document.parse(parse(text));
  const { tenant, kept, victim, resource_name, key, config_id } = existing;
  const real = { tenant, ...kept, resource_name, key, config_id, printed: "deploy_stdout" };
  for (const [name, value] of Object.entries(real)) {
    const parameter = document.components.parameters[`path_${name}`];
    if (parameter === undefined) throw new Error(`docs/api.yaml has no parameter ${name}`);
    // Other values are allowed, to test unknown names. But no request may go to another project.
    const others = name === "tenant" ? [] : [parameter.schema];
    parameter.schema = { anyOf: [{ enum: [value] }, ...others] };
  }
  for (const [path, item] of Object.entries(document.paths)) {
    if (!ENDS_A_STACK.test(path) || item["delete"] === undefined) continue;
    const operation = Operation.parse(item["delete"]);
    const names = Object.entries({ ...victim }).map(([name, value]) =>
      pathParameter(name, [value]),
    );
    item["delete"] = { ...operation, parameters: [...operation.parameters, ...names] };
  }
  return stringify(document, { aliasDuplicateObjects: false });
};
