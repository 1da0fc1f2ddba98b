/**
 * Templates as small tables, for cases and random runs. Each name has its type, references and
 * dependencies.
 */
import type { Json, JsonObject } from "#lib/json.ts";
import type { Hook } from "#lib/model/hook.ts";
import type { TemplateSource } from "#lib/stack/template-record.ts";

export interface ResourceSpec {
  readonly type?: string;
  /** A change of a key with `!` replaces the resource. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Property → the resource whose id it refers to. */
  readonly refers?: Readonly<Record<string, string>>;
  readonly after?: readonly string[];
  /** The resource is a nested stack of these. It has no properties of its own. */
  readonly child?: Spec;
  readonly hooks?: readonly Hook[];
  /** Its object stays when the resource goes. */
  readonly retained?: boolean;
  /** The id of an object that is the user's and not the stack's (P19). */
  readonly external?: string;
}

/** Objects that no stack has made have such ids. */
export const isUsers = (physicalId: string): boolean => physicalId.startsWith("the user's ");

export type Spec = Readonly<Record<string, ResourceSpec>>;

/** The options of a simulated world. */
export interface WorldOptions {
  readonly seed: number;
  readonly inline: boolean;
  readonly disableRollback?: boolean;
  readonly timeoutMins?: number;
}

const propertiesOf = (spec: ResourceSpec): JsonObject => ({
  ...(spec.child === undefined
    ? {}
    : { template: JSON.stringify(templateOf(spec.child).template) }),
  ...spec.properties,
  ...Object.fromEntries(
    Object.entries(spec.refers ?? {}).map(([key, name]) => [key, { get_resource: name }]),
  ),
});

const registryOf = (spec: Spec): JsonObject => ({
  resources: Object.fromEntries(
    Object.entries(spec).flatMap(([name, { hooks }]) =>
      hooks === undefined ? [] : [[name, { hooks }]],
    ),
  ),
});

export const templateOf = (spec: Spec): TemplateSource => ({
  template: {
    heat_template_version: "2018-08-31",
    resources: Object.fromEntries(
      Object.entries(spec).map(([name, one]): [string, Json] => [
        name,
        {
          type:
            one.child === undefined ? (one.type ?? "Hearth::Test::Scenario") : "OS::Heat::Stack",
          properties: propertiesOf(one),
          ...(one.after === undefined || one.after.length === 0 || one.external !== undefined
            ? {}
            : { depends_on: one.after }),
          ...(one.external === undefined ? {} : { external_id: one.external }),
          ...(one.retained ? { deletion_policy: "Retain" } : {}),
        },
      ]),
    ),
  },
  files: {},
  environment: { parameters: {}, parameterDefaults: {}, resourceRegistry: registryOf(spec) },
});

/** As in Heat, an external object depends on nothing. */
export const dependenciesOf = (one: ResourceSpec): readonly string[] =>
  one.external === undefined
    ? [...new Set([...(one.after ?? []), ...Object.values(one.refers ?? {})])]
    : [];
