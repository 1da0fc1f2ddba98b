/** The parameters whose values an update changes, also where no resource changes. */
import { type Json, jsonEquals } from "#lib/json.ts";
import type { LoadedTemplate, TemplateSource } from "#lib/stack/record/template-record.ts";
import type { Template } from "#lib/template/template.ts";

export interface ChangedParameter {
  readonly name: string;
  readonly change: "added" | "updated" | "deleted";
  /** Undefined if there is none, and for a hidden parameter. */
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  /** No value is given any more, so the default of the template holds again. */
  readonly fallsBack: boolean;
}

export const changedParameters = (
  before: Pick<LoadedTemplate, "source" | "template" | "parameters">,
  after: {
    readonly source: TemplateSource;
    readonly template: Template;
    readonly parameters: ReadonlyMap<string, Json>;
  },
): readonly ChangedParameter[] => {
  const [former, next] = [before.template.parameters, after.template.parameters];
  const isGiven = ({ environment }: TemplateSource, name: string): boolean =>
    Object.hasOwn(environment.parameters, name);
  return [...new Set([...former.keys(), ...next.keys()])].flatMap((name): ChangedParameter[] => {
    const isHidden = (former.get(name)?.hidden ?? false) || (next.get(name)?.hidden ?? false);
    const [old, now] = [before.parameters.get(name), after.parameters.get(name)];
    const shown = isHidden ? { before: undefined, after: undefined } : { before: old, after: now };
    if (!next.has(name)) return [{ name, change: "deleted", ...shown, fallsBack: false }];
    if (!former.has(name)) return [{ name, change: "added", ...shown, fallsBack: false }];
    const fallsBack = isGiven(before.source, name) && !isGiven(after.source, name);
    if (!fallsBack && jsonEquals(old ?? null, now ?? null)) return [];
    return [{ name, change: "updated", ...shown, fallsBack }];
  });
};
