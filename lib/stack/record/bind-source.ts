import type { Json } from "#lib/json.ts";
import {
  type BindingScope,
  binding,
  linking,
  type UnlinkedTemplate,
} from "#lib/template/bind/bind.ts";
import type { Faults } from "#lib/template/faults.ts";
import type { SharedBudget } from "#lib/template/functions/value-budget.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import { ONLY_VALIDATED, pseudoParameters } from "#lib/template/scope.ts";
import type { ParsedTemplate, Template } from "#lib/template/template.ts";
import { inTurns, type TurnPorts } from "../in-turns.ts";
import { groupTemplate } from "./group-template.ts";
import type { TemplateSource } from "./template-record.ts";

/** Bound templates that are the same for all parameters, so that many stacks share them. */
const fixed = new WeakMap<ParsedTemplate, Template>();

export const keepBound = (source: TemplateSource, template: Template): void => {
  const parsed = parseTemplate(source.template);
  if (fixed.has(parsed)) fixed.set(parsed, template);
};

export interface BindingOptions {
  readonly budget?: SharedBudget | undefined;
  readonly faults?: Faults | undefined;
  /** The stack's former target. Definitions that are the same object are used again. */
  readonly former?: Template | undefined;
}

/** What the source itself gives to the functions of its template. */
export const givenBy = ({ stack, files, facade }: TemplateSource, template: ParsedTemplate) => ({
  pseudo: pseudoParameters(stack ?? ONLY_VALIDATED, template),
  files,
  facade,
});

const scopeOf = (
  parsed: ParsedTemplate,
  source: TemplateSource,
  parameters: ReadonlyMap<string, Json>,
  { budget, faults, former }: BindingOptions,
): BindingScope => ({
  parameters,
  ...givenBy(source, parsed),
  budget,
  faults,
  former: former !== undefined && isFixed(former) ? former : undefined,
});

const isFixed = (template: Template): boolean =>
  fixed.get(parseTemplate(template.source)) === template;

export type Definitions = Pick<UnlinkedTemplate, "resources">;

export const readDefinitions = async (
  ports: TurnPorts,
  source: TemplateSource,
  parameters: ReadonlyMap<string, Json>,
  options: BindingOptions,
): Promise<UnlinkedTemplate> => {
  const parsed = parseTemplate(source.template);
  const unlinked = await inTurns(
    ports,
    binding(parsed, scopeOf(parsed, source, parameters, options)),
  );
  return source.group === undefined
    ? unlinked
    : { ...unlinked, resources: groupTemplate(source.group).resources };
};

/** As in Heat, `check` sees the definitions before their references are checked. */
export const bindSource = async <Checked>(
  ports: TurnPorts,
  source: TemplateSource,
  parameters: ReadonlyMap<string, Json>,
  check: (definitions: Definitions) => Promise<Checked>,
  options: BindingOptions = {},
): Promise<{ readonly template: Template; readonly checked: Checked }> => {
  const parsed = parseTemplate(source.template);
  if (source.group !== undefined) {
    const template = { ...parsed, ...groupTemplate(source.group) };
    return { template, checked: await check(template) };
  }
  const known = fixed.get(parsed);
  if (known !== undefined) return { template: known, checked: await check(known) };
  const unlinked = await readDefinitions(ports, source, parameters, options);
  const checked = await check(unlinked);
  const template = await inTurns(ports, linking(unlinked));
  if (unlinked.isFixed()) fixed.set(parsed, template);
  return { template, checked };
};
