/**
 * The path of a request through the engine: first the verbs validate and preview, as the API calls
 * them, then each evaluation that a traversal would make of resources and outputs.
 */
import { previewStack } from "#lib/engine/previews/preview-stack.ts";
import { validateTemplate } from "#lib/engine/previews/validate-template.ts";
import { newSource } from "#lib/engine/stacks/target-source.ts";
import type { Json } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { bindSource } from "#lib/stack/record/bind-source.ts";
import { knownValues } from "#lib/stack/record/parameter-values.ts";
import { resolveOutputs, resolveProperties } from "#lib/template/functions/resolve.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import { pseudoParameters, type Scope } from "#lib/template/scope.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import type { PlayedRequest } from "./input.ts";

/** Attributes of an existing resource. Some are large, so that functions can multiply them. */
const ATTRIBUTES: Readonly<Record<string, Json>> = {
  value: "v".repeat(2_000),
  show: { a: [1, { b: "c" }], constructor: "x" },
  outputs: { value: "o" },
  data: { list: [1, 2, 3] },
  refs: ["a", "b"],
};

/** A traversal visits each resource by itself, so more of them would find nothing new. */
const EVALUATED_MAX = 20;

export interface Step {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

const scopeOf = (
  template: Template,
  parameters: ReadonlyMap<string, Json>,
  files: PlayedRequest["files"],
): Scope => ({
  parameters,
  pseudo: pseudoParameters({ id: "stack-1", name: "web", tenant: "demo" }, template),
  files,
  facade: { metadata: { a: 1 }, deletionPolicy: "Delete", updatePolicy: {} },
  resource: (name) =>
    template.resources.has(name) ? { refId: name, attributes: ATTRIBUTES, live: true } : null,
});

interface Bound {
  readonly template: Template;
  readonly scope: Scope;
}

const bind = async (ports: Ports, request: PlayedRequest): Promise<Bound> => {
  const source = await newSource(ports, request);
  const values = knownValues(parseTemplate(source.template), source.environment);
  const { template } = await bindSource(ports, source, values, async () => null);
  return { template, scope: scopeOf(template, values, source.files) };
};

const evaluations = ({ template, scope }: Bound): readonly Step[] => [
  ...[...template.resources.values()].slice(0, EVALUATED_MAX).map(
    (definition: ResourceDefinition): Step => ({
      name: `resolve ${definition.name}`,
      run: async () => resolveProperties(template, definition, scope),
    }),
  ),
  {
    name: "outputs",
    run: async () => resolveOutputs(template, [...template.outputs.values()], scope),
  },
];

export const travel = async (
  ports: Ports,
  request: PlayedRequest,
  play: (step: Step) => Promise<void>,
): Promise<void> => {
  const named = { ...request, tenant: "demo", name: "web" };
  await play({
    name: "validate",
    run: () => validateTemplate(ports, request, { showNested: true }),
  });
  await play({ name: "preview", run: () => previewStack(ports, named) });
  let bound: Bound | null = null;
  await play({
    name: "bind",
    run: async () => {
      bound = await bind(ports, request);
    },
  });
  if (bound === null) return;
  for (const step of evaluations(bound)) await play(step);
};
